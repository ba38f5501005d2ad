/**
 * Moving files and directories.
 * @module
 */
import { isInside, isThere, pathText } from "./path.ts";

/** Options of {@linkcode move}. */
export interface MoveOptions {
  /** Whether something at the destination is replaced. */
  overwrite?: boolean;
}

/**
 * Moves the file or directory `src` to `dest`, within one file system. Requires `--allow-read` and `--allow-write`.
 * @throws {Deno.errors.AlreadyExists} if `dest` exists and `overwrite` is not set.
 * @throws {Deno.errors.NotSupported} if `dest` is inside `src`.
 */
export async function move(src: string | URL, dest: string | URL, options: MoveOptions = {}): Promise<void> {
  if (isInside(pathText(src), pathText(dest)) && (await Deno.stat(src)).isDirectory) {
    throw new Deno.errors.NotSupported(`Cannot move '${src}' to a subdirectory of itself, '${dest}'`);
  }
  if (options.overwrite === true) {
    try {
      if (pathText(src) !== pathText(dest)) await Deno.remove(dest, { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  } else if (await isThere(dest)) {
    throw new Deno.errors.AlreadyExists(`Cannot move '${src}': '${dest}' already exists`);
  }
  await Deno.rename(src, dest);
}
