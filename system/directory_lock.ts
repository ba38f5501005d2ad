/**
 * A lock of a directory, so that two daemons cannot find the same socket or mount point free at the same time.
 * @module
 */

/**
 * Waits until no other process holds the lock of the directory, and holds it (flock(2)) until the result is disposed
 * of. If it cannot be acquired, since others may keep it indefinitely or the file system has no locks, nothing is held.
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
