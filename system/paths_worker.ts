/**
 * Accesses paths that may hang, in a separate process.
 * @module
 */
import { hidesFrom } from "./file_systems.ts";
import type { CarefulOrder } from "./reader_process.ts";
import type { PathsOrder } from "./unresponsive_paths.ts";

export { noteCalls } from "./call_watch.ts";

/** Returns the paths that do not reply. */
export function answer({ paths, silent }: PathsOrder & CarefulOrder): readonly string[] {
  const hides = hidesFrom(silent);
  const others = paths.filter((path) => !hides(path));
  for (const path of others) {
    try {
      Deno.statSync(path);
    } catch {
      // It has replied.
    }
  }
  return paths.filter(hides);
}
