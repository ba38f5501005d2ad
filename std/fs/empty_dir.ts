/**
 * Directories that have to be empty.
 * @module
 */
import { join } from "node:path";
import { pathText } from "./path.ts";

/** Removes everything in `dir`, or makes it if it is not there. Requires `--allow-read` and `--allow-write`. */
export async function emptyDir(dir: string | URL): Promise<void> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(dir));
    await Promise.all(entries.map((entry) => Deno.remove(join(pathText(dir), entry.name), { recursive: true })));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await Deno.mkdir(dir, { recursive: true });
  }
}

/** {@linkcode emptyDir} without waiting. */
export function emptyDirSync(dir: string | URL): void {
  try {
    for (const entry of [...Deno.readDirSync(dir)]) {
      Deno.removeSync(join(pathText(dir), entry.name), { recursive: true });
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(dir, { recursive: true });
  }
}
