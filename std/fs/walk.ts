/**
 * Walking through directory trees.
 * @module
 */
import { basename, join, normalize } from "node:path";
import { pathText } from "./path.ts";

/** What {@linkcode walk} should visit. */
export interface WalkOptions {
  /** How deep to go below the root. Default: without limit. */
  maxDepth?: number;
  /** Whether files are reported. Default: true. */
  includeFiles?: boolean;
  /** Whether directories are reported. Default: true. */
  includeDirs?: boolean;
  /** Whether symbolic links that are not followed are reported. Default: true. */
  includeSymlinks?: boolean;
  /** Whether symbolic links are followed. Default: false. */
  followSymlinks?: boolean;
  /** Whether a followed link is reported under the path it leads to. Default: true. */
  canonicalize?: boolean;
  /** Only files with one of these endings; the dot may be left out. */
  exts?: string[];
  /** Only paths that match one of these. */
  match?: RegExp[];
  /** No paths that match one of these, and nothing below such a directory. */
  skip?: RegExp[];
}

/** Something found by {@linkcode walk}. */
export interface WalkEntry extends Deno.DirEntry {
  /** Its path, beginning with the root as it was given. */
  path: string;
}

/**
 * Yields `root` and everything below it, parents before their children. Requires `--allow-read`.
 * @throws {Deno.errors.NotFound} if `root` does not exist.
 */
export async function* walk(root: string | URL, options: WalkOptions = {}): AsyncIterableIterator<WalkEntry> {
  const rules = rulesOf(options);
  const rootPath = pathText(root);
  if (rules.maxDepth < 0) return;
  if (wanted(rootPath, "directory", rules)) yield rootEntry(rootPath, await Deno.stat(rootPath));
  if (rules.maxDepth < 1 || skipped(rootPath, rules)) return;

  for await (const entry of Deno.readDir(rootPath)) {
    let path = join(rootPath, entry.name);
    let { isSymlink, isDirectory } = entry;
    if (isSymlink) {
      if (!rules.followSymlinks) {
        if (wanted(path, "link", rules)) yield { path, ...entry };
        continue;
      }
      const target = await Deno.realPath(path);
      ({ isSymlink, isDirectory } = await Deno.lstat(target));
      if (rules.canonicalize) path = target;
    }
    if (isDirectory) yield* walk(path, { ...options, maxDepth: rules.maxDepth - 1 });
    else if (wanted(path, "file", rules)) yield { path, ...entry, isSymlink };
  }
}

/** {@linkcode walk} without waiting. */
export function* walkSync(root: string | URL, options: WalkOptions = {}): IterableIterator<WalkEntry> {
  const rules = rulesOf(options);
  const rootPath = pathText(root);
  if (rules.maxDepth < 0) return;
  if (wanted(rootPath, "directory", rules)) yield rootEntry(rootPath, Deno.statSync(rootPath));
  if (rules.maxDepth < 1 || skipped(rootPath, rules)) return;

  for (const entry of Deno.readDirSync(rootPath)) {
    let path = join(rootPath, entry.name);
    let { isSymlink, isDirectory } = entry;
    if (isSymlink) {
      if (!rules.followSymlinks) {
        if (wanted(path, "link", rules)) yield { path, ...entry };
        continue;
      }
      const target = Deno.realPathSync(path);
      ({ isSymlink, isDirectory } = Deno.lstatSync(target));
      if (rules.canonicalize) path = target;
    }
    if (isDirectory) yield* walkSync(path, { ...options, maxDepth: rules.maxDepth - 1 });
    else if (wanted(path, "file", rules)) yield { path, ...entry, isSymlink };
  }
}

interface Rules {
  readonly maxDepth: number;
  readonly kinds: ReadonlySet<Kind>;
  readonly followSymlinks: boolean;
  readonly canonicalize: boolean;
  readonly extensions: readonly string[] | undefined;
  readonly match: readonly RegExp[] | undefined;
  readonly skip: readonly RegExp[] | undefined;
}

type Kind = "file" | "directory" | "link";

function rulesOf(options: WalkOptions): Rules {
  const kinds = new Set<Kind>();
  if (options.includeFiles !== false) kinds.add("file");
  if (options.includeDirs !== false) kinds.add("directory");
  if (options.includeSymlinks !== false) kinds.add("link");
  return {
    maxDepth: options.maxDepth ?? Infinity,
    kinds,
    followSymlinks: options.followSymlinks === true,
    canonicalize: options.canonicalize !== false,
    extensions: options.exts?.map((extension) => extension.startsWith(".") ? extension : `.${extension}`),
    match: options.match,
    skip: options.skip,
  };
}

function wanted(path: string, kind: Kind, rules: Rules): boolean {
  return rules.kinds.has(kind) && passes(path, rules);
}

function passes(path: string, rules: Rules): boolean {
  if (rules.extensions?.some((extension) => path.endsWith(extension)) === false) return false;
  if (rules.match?.some((pattern) => pattern.test(path)) === false) return false;
  return !skipped(path, rules);
}

function skipped(path: string, rules: Rules): boolean {
  return rules.skip?.some((pattern) => pattern.test(path)) === true;
}

function rootEntry(path: string, info: Deno.FileInfo): WalkEntry {
  const normalized = normalize(path);
  const { isFile, isDirectory, isSymlink } = info;
  return { path: normalized, name: basename(normalized), isFile, isDirectory, isSymlink };
}
