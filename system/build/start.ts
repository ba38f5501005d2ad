/**
 * Starts a program from its build, if its modules are unchanged since. It imports nothing, as it is a part of each file
 * that the launcher starts.
 * @module
 */

/**
 * Milliseconds after which a change certainly has another time: Deno reports whole seconds of the ctime on every file
 * system, and Linux uses the time of its last tick for files, some milliseconds ago.
 */
const precision = 1010;

/** Returns the attributes that differ after a file was written, replaced or copied: the kernel sets the ctime. */
export function stampOf(root: string, path: string): string {
  const { dev, ino, size, mtime, ctime } = Deno.statSync(`${root}/${path}`);
  return [path, dev, ino, size, mtime?.getTime(), ctime?.getTime()].join("|");
}

/**
 * Returns whether a file may be written again with the same timestamp. A future time is from before the clock was set.
 */
export function isTooNew(stamp: string): boolean {
  return Math.abs(Date.now() - Number(stamp.split("|").at(-1))) < precision;
}

/** Returns whether all files have their earlier timestamps. */
export function isUnchanged(root: string, stamps: readonly string[]): boolean {
  try {
    return stamps.every((stamp) => stampOf(root, stamp.slice(0, stamp.indexOf("|"))) === stamp);
  } catch {
    return false;
  }
}

/**
 * Returns whether the directory of a build exists. No other process removes it while this one runs, as it may load more
 * from there.
 */
function isHeld(directory: string): boolean {
  try {
    const opened = Deno.openSync(directory);
    try {
      opened.tryLockSync(false);
    } catch {
      // The file system has no locks.
    }
    return true;
  } catch {
    return false;
  }
}

/** A build of a program. */
export interface ProgramBuild {
  /** Path of the directory of all builds. */
  readonly directory: string;
  /** Path of the program's entry below the program's directory. */
  readonly entry: string;
  /** Path of the built entry below `directory`. */
  readonly built: string;
  /** Timestamps of the files that are checked before the program starts. */
  readonly atStart: readonly string[];
  /**
   * File below `directory` with the timestamps, in JSON, of the files that are checked when the program loads more of
   * its files.
   */
  readonly later: string;
}

/**
 * Runs a program: from its build, if that exists and is up to date, else from its modules. Both export `start`, which
 * ends the process.
 *
 * Checking hundreds of files takes as long as a third of Deno's own start. So a client first checks only the files that
 * every start loads, and the others when it loads the first of them; if they have changed, the command restarts from
 * its modules. Therefore a program loads one of them before it reads its standard input.
 */
export async function startProgram({ directory, entry, built, atStart, later }: ProgramBuild): Promise<void> {
  const root = `${directory}/../..`;
  const run = async (program: string): Promise<never> => {
    const { start }: { readonly start: () => Promise<never> } = await import(program);
    return await start();
  };
  const runModules = (): Promise<never> => {
    try {
      // The launcher renews the build the next time.
      Deno.writeTextFileSync(new URL("stale", import.meta.url), "");
    } catch {
      // The file belongs to another user.
    }
    return run(`../../${entry}`);
  };
  let looked: Promise<void> | undefined;
  const looksLater = () =>
    looked ??= isUnchanged(root, JSON.parse(Deno.readTextFileSync(`${directory}/${later}`)))
      ? Promise.resolve()
      : runModules();
  Object.assign(globalThis, { pakfsLooksLater: looksLater });
  const isOfToday = import.meta.dirname === directory && isUnchanged(root, atStart);
  const isUsable = isOfToday && isHeld(`${directory}/${built.slice(0, built.indexOf("/"))}`);
  await (isUsable ? run(`./${built}`) : runModules());
}
