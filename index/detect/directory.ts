/**
 * Looking into directories that may not be there, may not be read, or may be anything.
 * @module
 */
import { statSync } from "node:fs";
import { extname, join } from "node:path";
import { GameError } from "../profiles/game.ts";

/** What lies directly in a directory; names sorted, links counted as what they lead to. */
export interface Listing {
  readonly path: string;
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

/** Whether `path` is a directory, and one that may be looked at. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // above it is what may not be looked into, or is no directory
  }
}

/**
 * What is in a directory.
 * @throws {GameError} if it cannot be read.
 */
export function listDirectory(path: string): Listing {
  const directories: string[] = [];
  const files: string[] = [];
  try {
    for (const item of Deno.readDirSync(path)) {
      const isDirectoryItem = item.isDirectory || (item.isSymlink && isDirectory(join(path, item.name)));
      (isDirectoryItem ? directories : files).push(item.name);
    }
  } catch (error) {
    throw new GameError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, path);
  }
  return { path, directories: directories.sort(), files: files.sort() };
}

/** What is in a directory; nothing if it is not there or cannot be read, which then says nothing about a game. */
export function lookInto(path: string): Listing {
  try {
    return listDirectory(path);
  } catch {
    return { path, directories: [], files: [] };
  }
}

/**
 * Names of the directories in `path`, sorted; hidden ones and `*.app` left out, as engines do.
 * @throws {GameError} if `path` cannot be read.
 */
export function subdirectories(path: string): string[] {
  return listDirectory(path).directories.filter((name) => !name.startsWith(".") && !name.endsWith(".app"));
}

/** The one of `names` that is `wanted`; else, as nothing is spelled so, the one that differs from it only in case. */
export function spelledAs(names: readonly string[], wanted: string): string | undefined {
  if (names.includes(wanted)) return wanted;
  const folded = wanted.toLowerCase();
  return names.find((name) => name.toLowerCase() === folded);
}

/** Names that end in `.ending`, compared without case. */
export function withEnding(names: readonly string[], ending: string): string[] {
  return names.filter((name) => extname(name).toLowerCase() === ending);
}
