/**
 * Whether files are still what a bundle was made of. Imports nothing: it is a part of each bundle.
 * @module
 */

/**
 * Milliseconds until a change must have another time: Deno reports whole seconds of the last change, whatever the file
 * system keeps, and Linux stamps files with the time of its last tick, some milliseconds ago.
 */
const precision = 1010;

/** Returns what is different once a file was written, replaced or copied: the kernel sets the last time itself. */
export function stampOf(root: string, path: string): string {
  const { dev, ino, size, mtime, ctime } = Deno.statSync(`${root}/${path}`);
  return [path, dev, ino, size, mtime?.getTime(), ctime?.getTime()].join("|");
}

/** Returns whether a file may be written once more without another stamp. */
export function isTooNew(stamp: string): boolean {
  return Number(stamp.split("|").at(-1)) > Date.now() - precision;
}

/** Returns whether all files have the stamps that they had. */
export function isUnchanged(root: string, stamps: readonly string[]): boolean {
  try {
    return stamps.every((stamp) => stampOf(root, stamp.slice(0, stamp.indexOf("|"))) === stamp);
  } catch {
    return false;
  }
}
