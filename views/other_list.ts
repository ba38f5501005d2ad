/**
 * Finds the lump that another engine for Doom would use from the files of a view: the lumps of its WADs are named by
 * that engine's rules, without reading files again.
 * @module
 */
import { entryIsDropped, entryIsRepeated, type EntryTable } from "../formats/parts.ts";
import { at, type Source, sourceTable } from "../index/mod.ts";
import {
  listedTables,
  type LoadedFile,
  type LumpRules,
  lumpSwitch,
  type Profile,
  renamedLumps,
  sharedFolders,
  singleLumpFormat,
  withWadNamespaces,
} from "../engines/mod.ts";
import type { View } from "./view.ts";
import { ViewError } from "./view_error.ts";

/** A file of a list with the names of its lumps in an engine. */
interface NamedFile {
  readonly source: Source;
  readonly table: EntryTable;
  /** The last row that the engine does not drop, by path in lower case. */
  readonly rows: ReadonlyMap<string, number>;
}

/** The files of a view's list, with their lumps as another engine names and finds them. */
export class OtherList {
  readonly #files: readonly NamedFile[];
  readonly #isShared: (folder: string) => boolean;

  /**
   * @throws {ViewError} if the files must be indexed again with that engine's rules.
   */
  constructor(view: View, profile: Profile) {
    this.#files = namedFiles(view, profile);
    this.#isShared = (folder) => profile.loadList?.lumps === "gzdoom" && sharedFolders.includes(folder);
  }

  /** Returns the entry that the engine uses for a path; null if it finds nothing. */
  find(qpath: string): number | null {
    const asked = qpath.toLowerCase();
    const [folder = "", map = ""] = asked.split("/");
    if (folder === "maps") return rowIn(this.#lastWith(map), asked, map);
    const found = rowIn(this.#lastWith(asked), asked);
    return found ?? (this.#isShared(folder) ? rowIn(this.#lastWith(map), map) : null);
  }

  /** Yields the paths of all files, including paths without a winner, such as lumps of maps that are not loaded. */
  *paths(): Generator<string> {
    for (const { table, rows } of this.#files) for (const row of rows.values()) yield table.path(row);
  }

  /** Returns the last file that has a path. */
  #lastWith(path: string): NamedFile | undefined {
    return this.#files.findLast(({ rows }) => rows.has(path));
  }
}

function namedFiles(view: View, profile: Profile): NamedFile[] {
  const { snapshot, game } = view;
  const { loadList, engine } = profile;
  const loaded = game.loads?.find(({ name }) => name === view.gameDirectory.name);
  if (!loadList || !loaded) throw new ViewError(`${engine} loads no list of files`, []);
  const files = loaded.files.flatMap((file): { source: Source; file: LoadedFile }[] => {
    const source = view.searchPath.find(({ path }) => path === file.path);
    if (!source) return [];
    if (source.format === "wad") return [{ source, file }];
    // For the others an archive is a single lump with its own name, except zips that dsda-doom extracts.
    const isRead = readsAsArchive(loadList.lumps, source);
    if (!isRead) return source.format === singleLumpFormat ? [{ source, file }] : [];
    throw new ViewError(`${source.name} has to be indexed by its rules: mount it with --profile ${profile.name}`, []);
  });
  const tables = files.map(({ source }) => sourceTable(snapshot, source));
  const fileTables = files.map(({ source: { format, path }, file: { how } }, index) => ({
    table: itemOf(tables, index),
    format,
    path,
    how: lumpSwitch(loadList, how),
  }));
  const lumps = loadList.lumps;
  const renamed = lumps === "gzdoom"
    ? renamedLumps(fileTables.map((file) => ({
      ...file,
      table: withWadNamespaces(withoutMarks(file.table), file.format, file.path),
    })))
    : listedTables(lumps, fileTables.map((file) => ({ ...file, table: withoutMarks(file.table) })), []);
  return files.map(({ source }, index) => {
    const table = itemOf(renamed, index);
    return { source, table, rows: lastRows(table) };
  });
}

/** Returns whether an engine reads a file as an archive whose lumps are missing in an index made with other rules. */
function readsAsArchive(lumps: LumpRules, { format, name }: Source): boolean {
  const isZip = format === "zip" || /\.(zip|pk3|ipk3|pke)$/i.test(name);
  switch (lumps) {
    case "gzdoom":
      return isZip || (format !== singleLumpFormat && format !== "pk3dir") || /\.(pak|grp|rff|hog)$/i.test(name);
    case "woof":
    case "eternity":
      return isZip || format === "pk3dir";
    case "boom":
      return /\.zip$/i.test(name);
    case "vanilla":
      return false;
  }
}

function itemOf<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`Cannot read element ${index} of a list: it has ${list.length}`);
  return item;
}

/** Ignores which lumps the engine of the view drops, and which it finds by two paths. */
function withoutMarks(table: EntryTable): EntryTable {
  while (((table.flags[table.length - 1] ?? 0) & entryIsRepeated) !== 0) table.length--;
  for (let row = 0; row < table.length; row++) table.flags[row] = at(table.flags, row) & ~entryIsDropped;
  return table;
}

/** Returns the last row of each path, in lower case, that the engine does not drop. */
function lastRows(table: EntryTable): Map<string, number> {
  const rows = new Map<string, number>();
  for (let row = 0; row < table.length; row++) {
    const isKept = (at(table.flags, row) & entryIsDropped) === 0 && !table.isDirectory(row);
    if (isKept) rows.set(table.path(row).toLowerCase(), row);
  }
  return rows;
}

/** Returns the entry of a path in a file; for the lumps of a map only after the one that opens it. */
function rowIn(file: NamedFile | undefined, path: string, opener?: string): number | null {
  const row = file?.rows.get(path);
  if (!file || row === undefined) return null;
  if (opener !== undefined && row < (file.rows.get(opener) ?? -1)) return null;
  return file.source.firstEntry + repeatedRow(file.table, row);
}

/**
 * Returns the row of a lump in a section whose name alone is the path of another row; other rows are returned
 * unchanged.
 */
function repeatedRow(table: EntryTable, row: number): number {
  if ((at(table.flags, row) & entryIsRepeated) === 0) return row;
  const end = `/${table.path(row)}`;
  let own = row - 1;
  while (at(table.offsets, own) !== at(table.offsets, row) || !table.path(own).endsWith(end)) own--;
  return own;
}
