/**
 * Checks whether paths reply, without hanging.
 * @module
 */
import { CarefulReader } from "./reader_process.ts";

/**
 * Returns the paths whose file systems do not reply, checked in a separate process.
 * @param timeout Timeout of each, in milliseconds.
 */
export async function unresponsivePaths(
  paths: readonly string[],
  timeout?: number,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  await using reader = new CarefulReader<PathsOrder, readonly string[]>(
    new URL("./paths_worker.ts", import.meta.url),
    timeout === undefined ? {} : { timeout },
  );
  return new Set(await reader.ask({ paths }));
}

/** Paths to check. */
export interface PathsOrder {
  readonly paths: readonly string[];
}
