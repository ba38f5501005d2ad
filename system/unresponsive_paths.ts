/**
 * Checks whether paths answer, without hanging with them.
 * @module
 */
import { CarefulReader } from "./reader_process.ts";

/**
 * Returns the paths whose file systems do not answer. A process of its own looks at them.
 * @param timeout Milliseconds that each may take.
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

/** Paths to look at. */
export interface PathsOrder {
  readonly paths: readonly string[];
}
