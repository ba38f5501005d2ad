/**
 * Starts a program from its build, if its files are still those that it was built of. Imports nothing: it is a part of
 * each file that the launcher starts.
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

/** Returns whether a file may be written once more without another stamp. A time to come is from before the clock was set. */
export function isTooNew(stamp: string): boolean {
  return Math.abs(Date.now() - Number(stamp.split("|").at(-1))) < precision;
}

/** Returns whether all files have the stamps that they had. */
export function isUnchanged(root: string, stamps: readonly string[]): boolean {
  try {
    return stamps.every((stamp) => stampOf(root, stamp.slice(0, stamp.indexOf("|"))) === stamp);
  } catch {
    return false;
  }
}

/** Returns whether the directory of a build is there. No other process removes it while this one runs: it may load more. */
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
  /** Stamps of the files that are looked at before the program starts. */
  readonly atStart: readonly string[];
  /** File below `directory` with the stamps, in JSON, of those that are looked at when it loads more of its files. */
  readonly later: string;
}

/**
 * Runs a program: from its build, where that lies and of the files that it was made of, and else from its modules. Both
 * export `start`, which ends the process.
 *
 * Looking at hundreds of files takes as long as a third of Deno's own start. So a client looks at first only at those
 * that every start loads, and at the others when it loads the first of them; if they have changed, the command begins
 * again, from its modules. So a program that reads its standard input loads one of them first.
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
      // Another user's.
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
