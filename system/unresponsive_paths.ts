/**
 * Checks whether paths answer, without hanging with them.
 * @module
 */

/** Time that a path has to answer; milliseconds. */
const defaultPatience = 5000;

/** Returns the paths whose file systems do not answer. If there are any, the process must end with `Deno.exit`. */
export async function unresponsivePaths(
  paths: readonly string[],
  patience: number = defaultPatience,
): Promise<ReadonlySet<string>> {
  const silent = new Set<string>();
  await Promise.all(paths.map(async (path) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        silent.add(path);
        resolve();
      }, patience);
    });
    await Promise.race([Deno.stat(path).then(() => {}, () => {}), timeout]);
    clearTimeout(timer);
  }));
  return silent;
}
