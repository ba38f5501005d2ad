/**
 * The order in which Eternity adds the files of zips and directories, and their names: `addZipFile` and
 * `addDirectoryAsArchive` of source/w_wad.cpp, `W_NamespaceForFilePath` of w_formats.cpp, `ZipFile` of w_zip.cpp.
 *
 * Left out here: full names, by which some files are found; gamepads/; WADs in directories.
 * @module
 */
import type { EntryTable } from "../../formats/parts.ts";
import { comparedName } from "./lump_file.ts";
import { storedPath, type WoofPart } from "./woof_archive.ts";

/**
 * Folders whose files are lumps, with those in folders in them, and the prefix of the markers around them; none: outside of
 * namespaces. A sound is preferred to another lump of its name: `checkNumForNameNSG`.
 */
const folders = [
  ["graphics", null],
  ["music", null],
  ["patches", null],
  ["demos", null],
  ["sounds", null],
  ["sprites", "S"],
  ["flats", "F"],
  ["colormaps", "C"],
  ["translations", "T"],
  ["acs", "A"],
  ["textures", "TX"],
  ["hires", "HI"],
] as const;

/** Minimum bytes of a WAD with one lump: `checkForWadFiles`. */
const minWad = 28;

const encoder = new TextEncoder();

/** A file of an archive, as it is sorted. */
interface ArchiveFile {
  readonly row: number;
  /** Path in lower case, with slashes. */
  readonly key: string;
}

/** Returns the files of an archive in the order of their names. */
function sortedFiles(table: EntryTable, end: number): ArchiveFile[] {
  const files: ArchiveFile[] = [];
  for (let row = 0; row < end; row++) {
    if (table.isDirectory(row)) continue;
    files.push({ row, key: storedPath(table, row).toLowerCase().replaceAll("\\", "/") });
  }
  return files.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** Returns the rows of the WADs in a zip, wherever they are, in the order in which they are loaded. */
export function eternityWads(table: EntryTable): number[] {
  return sortedFiles(table, table.length)
    .filter(({ row, key }) =>
      /\.wad[^./]*$/.test(key) && !key.startsWith("__macosx/") && (table.sizes[row] ?? 0) >= minWad
    )
    .map(({ row }) => row);
}

/** Returns the parts of an archive in the order in which they are added; what is in none of them is not loaded. */
export function eternityParts(table: EntryTable, isDirectory: boolean): WoofPart[] {
  const end = table.nested[0]?.firstRow ?? table.length;
  const files = sortedFiles(table, end).filter(({ key }) =>
    !isDirectory || !(key.endsWith(".wad") || /(^|\/)\./.test(key))
  );
  const inFolder = (folder: string) =>
    files.filter(({ key }) => folder === "" ? !key.includes("/") : key.startsWith(`${folder}/`)).map(({ row }) => row);
  const parts = ([["", null], ...folders] as const).map(([folder, section]): WoofPart => ({
    kind: "lumps",
    section,
    rows: inFolder(folder),
  }));
  const wads = isDirectory ? [] : table.nested.map(({ member }): WoofPart => ({ kind: "wad", row: member }));
  return [...parts.filter((part) => part.kind === "lumps" && part.rows.length > 0), ...wads];
}

/** Returns the name of a file as a lump: up to eight bytes before its first dot; `^` is the frame `\` of a sprite. */
export function eternityName(table: EntryTable, row: number): string {
  const path = storedPath(table, row).toLowerCase().replaceAll("\\", "/");
  const [stem = ""] = path.slice(path.lastIndexOf("/") + 1).split(".");
  const name = comparedName(encoder.encode(stem));
  return path.startsWith("sprites/") ? name.replaceAll("^", "\\") : name;
}
