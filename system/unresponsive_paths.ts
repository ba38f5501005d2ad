/**
 * Checks whether paths answer, without hanging with them.
 * @module
 */

/** Time that a path has to answer; milliseconds. */
const defaultPatience = 5000;

/**
 * Returns the result of a call on files; `undefined` if it does not return in time, and then the process must end with
 * `Deno.exit`.
 */
export async function answerInTime<Result extends object>(
  call: Promise<Result>,
  patience: number = defaultPatience,
): Promise<Result | undefined> {
  // Not `setTimeout`: Deno loads modules at the first call, for which a mount would wait.
  const late = AbortSignal.timeout(patience);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  late.addEventListener("abort", end);
  return await Promise.race([call, promise]).finally(() => late.removeEventListener("abort", end));
}

/** Returns the paths whose file systems do not answer. If there are any, the process must end with `Deno.exit`. */
export async function unresponsivePaths(
  paths: readonly string[],
  patience: number = defaultPatience,
): Promise<ReadonlySet<string>> {
  const silent = new Set<string>();
  await Promise.all(paths.map(async (path) => {
    const answer = await answerInTime(Deno.stat(path).catch(() => ({})), patience);
    if (answer === undefined) silent.add(path);
  }));
  return silent;
}
