/**
 * Copying files and directories.
 * @module
 */
import { cp } from "node:fs/promises";
import { isInside, isThere, pathText } from "./path.ts";

/** Options of {@linkcode copy}. */
export interface CopyOptions {
  /** Whether files that are already at the destination are replaced. */
  overwrite?: boolean;
  /** Whether copies keep the access and modification times. */
  preserveTimestamps?: boolean;
}

/**
 * Copies the file or directory `src`, with everything in it, to `dest`. Requires `--allow-read` and `--allow-write`.
 * @throws {Deno.errors.AlreadyExists} if `dest` exists and `overwrite` is not set.
 * @throws {Error} if `dest` is `src` or inside it.
 */
export async function copy(src: string | URL, dest: string | URL, options: CopyOptions = {}): Promise<void> {
  const from = pathText(src);
  const to = pathText(dest);
  if (from === to) throw new Error("Source and destination cannot be the same");
  const info = await Deno.lstat(from);
  if (info.isDirectory && isInside(from, to)) {
    throw new Error(`Cannot copy '${from}' to a subdirectory of itself: '${to}'`);
  }
  if (options.overwrite !== true && await isThere(to)) {
    throw new Deno.errors.AlreadyExists(`'${to}' already exists.`);
  }
  await cp(from, to, {
    recursive: true,
    force: true,
    preserveTimestamps: options.preserveTimestamps === true,
    verbatimSymlinks: true,
  });
}
