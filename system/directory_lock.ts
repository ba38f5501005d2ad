/**
 * A lock of a directory, for what two daemons must not do at the same time: finding a socket or mount point free, and
 * using it.
 * @module
 */

/**
 * Waits until no other process holds the directory, and holds it (flock(2)) until the result is disposed of. Where it
 * cannot be held, as others may keep it for ever or the file system knows no locks, nothing is held.
 */
export async function lockDirectory(path: string): Promise<Disposable> {
  const nothing = { [Symbol.dispose](): void {} };
  let directory: Deno.FsFile | undefined;
  try {
    if ((await Deno.stat(path)).uid !== Deno.uid()) return nothing;
    directory = await Deno.open(path);
    await directory.lock(true);
    return directory;
  } catch {
    directory?.close();
    return nothing;
  }
}
