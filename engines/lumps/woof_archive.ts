/**
 * Orders and names the files of zips and directories as Woof does: `W_AddPath` and `AddDirs` of src/w_wad.c,
 * `W_ZIP_AddDir` of w_zip.c, `W_FILE_AddDir` of w_file.c.
 * @module
 */
import type { EntryTable } from "../../formats/parts.ts";
import { type Iwad, prefixesOf } from "./iwads.ts";
import { comparedName } from "./lump_file.ts";

/** Folders whose files are lumps, in order, and the prefix of the markers around them; none: outside namespaces. */
const folders = [
  ["music", null],
  ["graphics", null],
  ["actors", "AC"],
  ["sounds", null],
  ["textures", "TX"],
  ["sprites", "S"],
  ["flats", "F"],
  ["colormaps", "C"],
  ["voxels", "VX"],
] as const;

/** `W_SkipFile`. */
const skipped = /\.(wad|zip|pk3|deh|exe|bat)$/i;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A part of an archive: lumps of one folder, or a WAD. */
export type WoofPart =
  | { readonly kind: "wad"; readonly row: number }
  | { readonly kind: "lumps"; readonly section: string | null; readonly rows: readonly number[] };

/** Returns the parts of an archive in the order in which they are added; files outside these parts are not loaded. */
export function woofParts(table: EntryTable, isDirectory: boolean, filters: readonly string[]): WoofPart[] {
  const byFolder = new Map<string, { row: number; key: string }[]>();
  const end = table.nested[0]?.firstRow ?? table.length;
  for (let row = 0; row < end; row++) {
    if (table.isDirectory(row)) continue;
    const path = storedPath(table, row);
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    const key = isDirectory ? folder : folder.toLowerCase();
    byFolder.getOrInsert(key, []).push({ row, key: path.toLowerCase() });
  }
  for (const files of byFolder.values()) files.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  const parts: WoofPart[] = [];
  const add = (folder: string, section: string | null) => {
    let rows: number[] = [];
    const close = () => {
      if (rows.length > 0) parts.push({ kind: "lumps", section, rows });
      rows = [];
    };
    for (const { row, key } of byFolder.get(folder) ?? []) {
      if (folder === "" && !isDirectory && key.endsWith(".wad")) {
        close();
        parts.push({ kind: "wad", row });
      } else if (isLump(key, isDirectory)) rows.push(row);
    }
    close();
  };
  for (const base of ["", ...filters.map((filter) => `filter/${filter}`)]) {
    add(base, null);
    for (const [folder, section] of folders) add(base === "" ? folder : `${base}/${folder}`, section);
  }
  return parts;
}

/** Returns whether a file is a lump: in directories only if its name has a dot. */
function isLump(path: string, isDirectory: boolean): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !skipped.test(name) && !name.startsWith(".") && (!isDirectory || name.includes("."));
}

/** Returns the lump name of a file: up to eight bytes before the first dot. */
export function woofName(table: EntryTable, row: number): string {
  const path = storedPath(table, row);
  const [stem = ""] = path.slice(path.lastIndexOf("/") + 1).split(".");
  return comparedName(encoder.encode(stem));
}

/** Returns the active folders of `filter/` for an IWAD, in order. */
export function woofFilters({ autoname }: Pick<Iwad, "autoname">): string[] {
  const [, game = "", edition = ""] = /^doom\.id\.(doom[12])\.?([a-z]*)/.exec(autoname) ?? [];
  if (game === "") return [];
  if (game === "doom2") {
    return prefixesOf(`doom.id.doom2.${edition === "tnt" || edition === "plutonia" ? edition : "commercial"}`);
  }
  return prefixesOf(edition === "shareware" ? "doom.id.doom1" : `doom.id.doom1.${doom1Edition(edition)}`);
}

function doom1Edition(edition: string): string {
  return edition === "registered" ? edition : "ultimate";
}

/** Returns the path of a row as it is stored. */
export function storedPath(table: EntryTable, row: number): string {
  const raw = table.rawNames.get(row);
  return raw === undefined ? table.path(row) : decoder.decode(raw.slice());
}
