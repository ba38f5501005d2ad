/**
 * The dictionary of a game: candidate paths for files of hashed packs. The most trusted come first: the user's lists,
 * names of files in the game's other sources, then strings in its scripts, maps and programs.
 * @module
 */
import {
  type ByteReader,
  type EntryTable,
  FileByteReader,
  formatNamed,
  isUnnamed,
  joinFiles,
  messageOf,
  nameList,
  readMember,
} from "../../formats/parts.ts";
import { at } from "../columns/columns.ts";
import { join } from "@std/path";
import { mayNameFiles, pathStrings } from "./path_strings.ts";

/** A source of the game with its list. */
export interface SearchedSource {
  /** Absolute path of the archive or directory. */
  readonly path: string;
  /** Name of an archive format, `pk3dir` or `loose`. */
  readonly format: string;
  readonly table: EntryTable;
}

/** Maximum size of files that are searched for strings. */
const maxSearched = 16 * 1024 * 1024;
/** Maximum number of bytes per game that are searched for strings. */
const maxTotal = 128 * 1024 * 1024;
/** Maximum number of paths of a dictionary. */
const maxPaths = 2_000_000;
/** Maximum size of a list of names. */
const maxList = 256 * 1024 * 1024;

/**
 * Returns the paths of a game's dictionary, without duplicates.
 * @param lists Absolute paths of the user's lists.
 * @param known Names that were found earlier, with a list that is unreadable now.
 * @param problems Receives a message for each unreadable list.
 */
export function gameDictionary(
  lists: readonly string[],
  known: Iterable<string>,
  sources: readonly SearchedSource[],
  problems: string[],
  signal: AbortSignal | undefined,
): string[] {
  const paths = new Set<string>();
  const add = (path: string) => {
    if (paths.size < maxPaths) paths.add(path);
  };
  for (const list of lists) for (const path of listedPaths(list, problems)) add(path);
  for (const path of known) add(path);
  for (const { table } of sources) {
    for (let index = 0; index < table.length; index++) {
      const path = table.path(index);
      if (!table.isDirectory(index) && !isUnnamed(path)) add(path);
    }
  }
  let left = maxTotal;
  for (const source of sources) {
    signal?.throwIfAborted();
    left = addStrings(source, left, add);
  }
  return Array.from(paths);
}

/** Returns the names in a list. */
function listedPaths(list: string, problems: string[]): string[] {
  try {
    using file = new FileByteReader(list);
    if (file.size > maxList) {
      problems.push(`${list}: is larger than ${maxList} bytes, too large for a list of names; not read`);
      return [];
    }
    return nameList(new TextDecoder().decode(file.read(0, file.size)));
  } catch (error) {
    problems.push(`${list}: cannot be read: ${messageOf(error)}`);
    return [];
  }
}

/** Adds the strings of a source's files; returns the remaining bytes that may be searched. */
function addStrings({ path, format, table }: SearchedSource, budget: number, add: (path: string) => void): number {
  let left = budget;
  const archive = formatNamed(format);
  let file: ByteReader | undefined;
  try {
    for (let index = 0; index < table.length && left > 0; index++) {
      const name = table.path(index);
      const size = at(table.sizes, index);
      if (table.isDirectory(index) || !mayNameFiles(name) || size > Math.min(left, maxSearched)) continue;
      left -= size;
      try {
        file ??= archive && joinFiles(new FileByteReader(path), archive, table);
        const content = archive && file ? readMember(file, archive, table, index) : Deno.readFileSync(join(path, name));
        for (const string of pathStrings(content)) add(string);
      } catch {
        continue; // an unreadable file adds no names
      }
    }
  } finally {
    file?.close();
  }
  return left;
}
