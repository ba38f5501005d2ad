/**
 * Which lump another engine for Doom would take from the files of a view: the lumps of its WADs are named by that
 * engine's rules, without reading anything again.
 * @module
 */
import { entryIsDropped, entryIsRepeated, type EntryTable } from "../../formats/core/entry_table.ts";
import { at } from "../columns/columns.ts";
import { sourceTable } from "../columns/entry_tables.ts";
import type { Source } from "../columns/source.ts";
import { sharedFolders } from "../lumps/gzdoom_archive.ts";
import { listedTables, singleLumpFormat, withWadNamespaces } from "../lumps/lump_tables.ts";
import type { LoadedFile } from "../profiles/load_list.ts";
import type { Profile } from "../profiles/profile.ts";
import type { View } from "./view.ts";
import { ViewError } from "./view_error.ts";

/** A file of a list with the names that its lumps have for an engine. */
interface NamedFile {
  readonly source: Source;
  readonly table: EntryTable;
}

/**
 * Returns the entry that another engine takes for a path; null if it finds nothing.
 * @throws {ViewError} if only indexing the files by that engine's rules can say it.
 */
export function lumpUnder(view: View, profile: Profile, qpath: string): number | null {
  const named = namedFiles(view, profile);
  const asked = qpath.toLowerCase();
  const [folder = "", map = ""] = asked.split("/");
  if (folder === "maps") return rowIn(lastWith(named, map), asked, map);
  const found = rowIn(lastWith(named, asked), asked);
  const isShared = profile.loadList?.lumps === "gzdoom" && sharedFolders.includes(folder);
  return found ?? (isShared ? rowIn(lastWith(named, map), map) : null);
}

function namedFiles(view: View, profile: Profile): NamedFile[] {
  const { snapshot, game } = view;
  const { loadList, engine } = profile;
  const loaded = game.loads?.find(({ name }) => name === view.gameDirectory.name);
  if (!loadList || !loaded) throw new ViewError(`${engine} loads no list of files`, []);
  const files = loaded.files.flatMap((file): { source: Source; file: LoadedFile }[] => {
    const source = view.searchPath.find(({ path }) => path === file.path);
    if (!source || source.format === "pk3dir") return [];
    if (source.format === "wad" || source.format === singleLumpFormat) return [{ source, file }];
    // To the others an archive is one lump, called as itself, but for zips that dsda-doom unpacks.
    const isRead = loadList.lumps === "gzdoom" || (loadList.lumps === "boom" && /\.zip$/i.test(source.name));
    if (!isRead) return [];
    throw new ViewError(`${source.name} has to be indexed by its rules: mount it with --profile ${profile.name}`, []);
  });
  const tables = files.map(({ source }) => sourceTable(snapshot, source));
  const fileTables = files.map(({ source: { format, path }, file: { how } }, index) => ({
    table: itemOf(tables, index),
    format,
    path,
    how,
  }));
  const lumps = loadList.lumps;
  const renamed = lumps === "gzdoom"
    ? fileTables.map(({ table, format, path }) => withWadNamespaces(withoutMarks(table), format, path))
    : listedTables(lumps, fileTables.map((file) => ({ ...file, table: withoutMarks(file.table) })));
  return files.map(({ source }, index) => ({ source, table: itemOf(renamed, index) }));
}

function itemOf<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`Cannot read element ${index} of a list: it has ${list.length}`);
  return item;
}

/** Forgets which lumps the engine of the view drops, and which it finds by two paths. */
function withoutMarks(table: EntryTable): EntryTable {
  while (table.length > 0 && (at(table.flags, table.length - 1) & entryIsRepeated) !== 0) table.length--;
  for (let row = 0; row < table.length; row++) table.flags[row] = at(table.flags, row) & ~entryIsDropped;
  return table;
}

/** Returns the last file that has a path. */
function lastWith(files: readonly NamedFile[], path: string): NamedFile | undefined {
  return files.findLast(({ table }) => lastRow(table, path) >= 0);
}

/** Returns the last row of a path that the engine does not drop, or -1. */
function lastRow(table: EntryTable, path: string): number {
  for (let row = table.length - 1; row >= 0; row--) {
    const isKept = (at(table.flags, row) & entryIsDropped) === 0 && !table.isDirectory(row);
    if (isKept && table.path(row).toLowerCase() === path) return row;
  }
  return -1;
}

/** Returns the entry of a path in a file; of the lumps of a map only behind the one that opens it. */
function rowIn(file: NamedFile | undefined, path: string, opener?: string): number | null {
  if (!file) return null;
  const row = lastRow(file.table, path);
  if (row < 0 || (opener !== undefined && row < lastRow(file.table, opener))) return null;
  return file.source.firstEntry + repeatedRow(file.table, row);
}

/** Returns the row of a lump in a section whose name alone is the path of another row; other rows as they are. */
function repeatedRow(table: EntryTable, row: number): number {
  if ((at(table.flags, row) & entryIsRepeated) === 0) return row;
  const end = `/${table.path(row)}`;
  let own = row - 1;
  while (at(table.offsets, own) !== at(table.offsets, row) || !table.path(own).endsWith(end)) own--;
  return own;
}
