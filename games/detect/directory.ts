/**
 * Lists directories that may be missing, unreadable, or no directories.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";
import { basename, dirname, extname, join, resolve } from "@std/path";
import { GameError } from "../game_error.ts";

/** Names in a directory, sorted; links count as their targets. */
export interface Listing {
  readonly path: string;
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

/** Returns whether a path is hidden by {@linkcode withoutPaths}. */
let isHidden: (path: string) => boolean = () => false;

/**
 * Returns the result of `look`, which must be synchronous. During the call, paths count as missing if `hides` returns
 * true: they are not touched, so that a file system that does not reply blocks nothing.
 */
export function withoutPaths<Result>(hides: (path: string) => boolean, look: () => Result): Result {
  const before = isHidden;
  isHidden = hides;
  try {
    return look();
  } finally {
    isHidden = before;
  }
}

/** Returns whether `path` exists. */
export function exists(path: string): boolean {
  try {
    return isThere(path);
  } catch {
    return false; // a parent is unreadable
  }
}

/**
 * Returns whether `path` exists.
 * @throws {GameError} if a directory above it cannot be read.
 */
export function isThere(path: string): boolean {
  if (isHidden(path)) return false;
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw new GameError(`${path} cannot be read: ${messageOf(error)}`, path);
  }
}

/**
 * Returns the absolute path of something that exists.
 * @throws {GameError} if it does not, or a directory above it cannot be read.
 */
export function existing(path: string): string {
  const absolute = resolve(path);
  if (isThere(absolute)) return absolute;
  const spelled = inOtherCase(absolute);
  const advice = spelled !== undefined
    ? `did you mean ${join(dirname(path), spelled)}?`
    : path.includes("\\")
    ? "paths are written with /, as in /mnt/c/Quake"
    : "name a game's directory or an archive";
  throw new GameError(`${path} does not exist; ${advice}`, path);
}

/** Returns the name in the directory of a path that differs from the path's name only in case. */
function inOtherCase(path: string): string | undefined {
  const directory = dirname(path);
  if (isHidden(path) || !isDirectory(directory)) return undefined;
  try {
    const wanted = basename(path).toLowerCase();
    return Array.from(Deno.readDirSync(directory)).find(({ name }) => name.toLowerCase() === wanted)?.name;
  } catch {
    return undefined; // it may be unreadable
  }
}

/** Returns whether `path` is a directory that can be read. */
export function isDirectory(path: string): boolean {
  try {
    return !isHidden(path) && Deno.statSync(path).isDirectory;
  } catch {
    return false; // as above
  }
}

/** Returns the size of a file; undefined if it is not a file. */
export function fileSize(path: string): number | undefined {
  try {
    if (isHidden(path)) return undefined;
    const { isFile, size } = Deno.statSync(path);
    return isFile ? size : undefined;
  } catch {
    return undefined; // as above
  }
}

/**
 * Lists a directory.
 * @throws {GameError} if it cannot be read.
 */
export function listingOf(path: string): Listing {
  const directories: string[] = [];
  const files: string[] = [];
  if (isHidden(path)) throw new GameError(`${path} is left out`, path);
  try {
    for (const item of Deno.readDirSync(path)) {
      const isDirectoryItem = item.isDirectory || (item.isSymlink && isDirectory(join(path, item.name)));
      (isDirectoryItem ? directories : files).push(item.name);
    }
  } catch (error) {
    throw new GameError(`${path} cannot be read: ${messageOf(error)}`, path);
  }
  return { path, directories: directories.sort(), files: files.sort() };
}

/** Returns a path with all links resolved, or the path itself if that fails. */
export function realPath(path: string): string {
  try {
    return isHidden(path) ? path : Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/** Lists a directory; a missing or unreadable one is empty. */
export function lookInto(path: string): Listing {
  try {
    return listingOf(path);
  } catch {
    return { path, directories: [], files: [] };
  }
}

/**
 * Returns the names of the directories in `path`, sorted, without hidden ones and `*.app`, as engines do.
 * @throws {GameError} if `path` cannot be read.
 */
export function subdirectories(path: string): string[] {
  return listingOf(path).directories.filter((name) => !name.startsWith(".") && !/\.app$/i.test(name));
}

/** Returns the name that equals `wanted`, otherwise one that differs only in case. */
export function spelledAs(names: readonly string[], wanted: string): string | undefined {
  if (names.includes(wanted)) return wanted;
  const folded = wanted.toLowerCase();
  return names.find((name) => name.toLowerCase() === folded);
}

/** Returns the names that end in `.ending`, in any case. */
export function withEnding(names: readonly string[], ending: string): string[] {
  return names.filter((name) => extname(name).toLowerCase() === ending);
}
