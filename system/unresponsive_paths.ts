/**
 * Checks whether paths answer, without hanging with them.
 * @module
 */
import { CarefulReader } from "./reader_process.ts";

/** Time that a path has to answer; milliseconds. */
const defaultTimeout = 5000;

/**
 * Returns the result of a call on files; `undefined` if it does not return in time, and then the process must end with
 * `Deno.exit`.
 */
export async function answerInTime<Result extends object>(
  call: Promise<Result>,
  timeout: number = defaultTimeout,
): Promise<Result | undefined> {
  // Not `setTimeout`: Deno loads modules at the first call, for which a mount would wait.
  const late = AbortSignal.timeout(timeout);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  late.addEventListener("abort", end);
  return await Promise.race([call, promise]).finally(() => late.removeEventListener("abort", end));
}

/**
 * Returns the paths whose file systems do not answer. A process of its own looks at them.
 * @param timeout Milliseconds that each may take.
 */
export async function unresponsivePaths(
  paths: readonly string[],
  timeout: number = defaultTimeout,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  await using reader = new CarefulReader<PathsOrder, readonly string[]>(
    new URL("./paths_worker.ts", import.meta.url),
    timeout,
  );
  return new Set(await reader.ask({ paths }));
}

/** Paths to look at. */
export interface PathsOrder {
  readonly paths: readonly string[];
}
