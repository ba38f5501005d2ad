/**
 * A lock of a directory, so that two daemons cannot find the same socket or mount point free at the same time.
 * @module
 */

/** Milliseconds between two tries: a daemon that starts needs the lock for a moment. */
const pause = 20;

/**
 * Waits until no other process holds the lock of the directory, and holds it (flock(2)) until the result is disposed
 * of. If it cannot be acquired, since others may keep it indefinitely or the file system has no locks, nothing is held.
 * @param timeout Maximum wait in milliseconds.
 */
export async function lockDirectory(path: string, timeout = 10_000): Promise<Disposable> {
  const nothing = { [Symbol.dispose](): void {} };
  let directory: Deno.FsFile | undefined;
  try {
    if ((await Deno.stat(path)).uid !== Deno.uid()) return nothing;
    directory = await Deno.open(path);
    const end = performance.now() + timeout;
    // deno-lint-ignore no-await-in-loop -- one try after the other
    while (!await directory.tryLock(true)) {
      if (performance.now() >= end) throw new Error("another process keeps the lock");
      // deno-lint-ignore no-await-in-loop -- as above
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return directory;
  } catch {
    directory?.close();
    return nothing;
  }
}
