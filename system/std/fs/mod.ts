/**
 * File system helpers, with the names, signatures and meaning of the part of `jsr:@std/fs` used here.
 *
 * A first-party stand-in, not the Deno authors' code; used where JSR cannot be reached.
 *
 * @example
 * ```ts
 * import { ensureDir, exists } from "@std/fs";
 * import { assert } from "@std/assert";
 *
 * const root = await Deno.makeTempDir();
 * await ensureDir(`${root}/id1/gfx`);
 * assert(await exists(`${root}/id1/gfx`));
 * await Deno.remove(root, { recursive: true });
 * ```
 * @module
 */
import { cp } from "node:fs/promises";
import { basename, join, normalize } from "node:path";

/**
 * Copies the file or directory `src`, with everything in it, to `dest`. Requires `--allow-read` and `--allow-write`.
 * @throws {Deno.errors.AlreadyExists} if `dest` exists.
 */
export async function copy(src: string, dest: string): Promise<void> {
  if (await exists(dest)) throw new Deno.errors.AlreadyExists(`'${dest}' already exists.`);
  await cp(src, dest, { recursive: true, verbatimSymlinks: true });
}

/**
 * Creates `dir` and its parents unless they exist. Requires `--allow-read` and `--allow-write`.
 * @throws {Error} if it exists and is not a directory.
 */
export async function ensureDir(dir: string): Promise<void> {
  try {
    await Deno.mkdir(dir, { recursive: true });
  } catch (cause) {
    if (!(cause instanceof Deno.errors.AlreadyExists)) throw cause;
    throw new Error(`Failed to ensure directory "${dir}" exists: expected 'dir', got 'file'`, { cause });
  }
}

/** Returns whether `path` exists, links followed. Requires `--allow-read`. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Options of {@linkcode walk}. */
export interface WalkOptions {
  /** Whether directories are reported. Default: true. */
  includeDirs?: boolean;
  /** Extensions, with their dot, of the only files that are reported. */
  exts?: string[];
  /** Patterns of omitted paths, with everything below such a directory. */
  skip?: RegExp[];
}

/** An item found by {@linkcode walk}. */
export interface WalkEntry extends Deno.DirEntry {
  /** Path, beginning with the given root. */
  path: string;
}

/**
 * Yields `root` and everything below it, parents before their children; links are reported and not followed. Requires
 * `--allow-read`.
 * @throws {Deno.errors.NotFound} if `root` does not exist.
 */
export async function* walk(root: string, options: WalkOptions = {}): AsyncIterableIterator<WalkEntry> {
  const { includeDirs = true, exts, skip = [] } = options;
  const isSkipped = (path: string) => skip.some((pattern) => pattern.test(path));
  const isReported = (path: string) =>
    !isSkipped(path) && (exts === undefined || exts.some((end) => path.endsWith(end)));
  const info = await Deno.stat(root);
  const { isFile, isDirectory, isSymlink } = info;
  if (includeDirs && isReported(root)) {
    yield { path: normalize(root), name: basename(root), isFile, isDirectory, isSymlink };
  }
  if (isSkipped(root)) return;
  for await (const entry of Deno.readDir(root)) {
    const path = join(root, entry.name);
    if (entry.isDirectory) yield* walk(path, options);
    else if (isReported(path)) yield { path, ...entry };
  }
}
