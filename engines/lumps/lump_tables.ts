/**
 * Tables of archives under the names by which a Doom engine finds their lumps: `TITLEPIC`, `sprites/TROOA1`,
 * `maps/MAP01/THINGS`.
 *
 * A map of lumps is shown whole: `maps/MAP01/` has the lumps after the last `MAP01`, and none of other files.
 * @module
 */
import {
  damageNames,
  elementAt,
  entryIsDropped,
  entryIsRepeated,
  EntryTable,
  methodNames,
  wadPaths,
} from "../../formats/parts.ts";
import type { LoadSwitch, LumpRules } from "../core/load_list.ts";
import { boomDirectory } from "./boom_directory.ts";
import { gzdoomMembers, nameLeadingOut } from "./gzdoom_archive.ts";
import { comparedName, dropped, type LumpFile, namespaces, shownName } from "./lump_file.ts";
import { vanillaDirectory } from "./vanilla_directory.ts";
import { wadNamespaces } from "./wad_namespaces.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Rows of one file of lumps in a table: all of them, or the rows of a WAD in an archive. */
interface Block {
  readonly first: number;
  readonly count: number;
  /** Path of the WAD in the archive; null: the table belongs to the WAD itself. */
  readonly wad: string | null;
  /** Whether the file is one lump, called as its path in the table says. */
  readonly isSingle: boolean;
}

/** The list of one file, as it was read. */
export interface FileTable {
  readonly table: EntryTable;
  /** Name of its format. */
  readonly format: string;
  /** Absolute path. */
  readonly path: string;
  /** Switch that loads it; null for the IWAD. */
  readonly how: LoadSwitch | null;
}

/** Format of a file that is one lump: a source whose only member is the file itself. */
export const singleLumpFormat = "loose";

/** Returns the table of a file that is no archive: one lump, named after it. `ctime` is the time of its last change. */
export function singleLump(path: string, size: number, mtime: number, ctime: number): EntryTable {
  const table = new EntryTable();
  const base = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const name = shownName(encoder.encode(base.toUpperCase()));
  const fields = { offset: 0, packedSize: ctime, size, mtime, crc32: 0, method: 0, flags: 0, damage: 0 };
  table.add(encoder.encode(name), fields, encoder.encode(path));
  return table;
}

/** Methods of zip members that GZDoom reads, and numbers of those that only it does: shrink, implode, xz. */
const gzdoomMethods: ReadonlySet<string> = new Set(["store", "deflate", "bzip2", "lzma"]);
const gzdoomForeignMethods: ReadonlySet<number | undefined> = new Set([1, 6, 95]);

function isReadByGzdoom(table: EntryTable, row: number): boolean {
  const damage = damageNames[elementAt(table.damage, row)];
  if (damage === "encrypted") return false;
  const method = methodNames[elementAt(table.methods, row)] ?? "unsupported";
  return gzdoomMethods.has(method) || gzdoomForeignMethods.has(table.foreignMethods.get(row));
}

/** An archive with full paths as GZDoom has it, and the rows of the WADs that it loads after the archive. */
export interface GzdoomTable {
  readonly table: EntryTable;
  readonly embedded: readonly number[];
}

/** Returns the table of an archive with full paths: each member by its path, and by its lump. */
export function gzdoomTable(listed: EntryTable, filters: readonly string[], archive: string): GzdoomTable {
  const files = Array.from({ length: listed.length }, (_, row) => row).filter((row) => !listed.isDirectory(row))
    .map((row) => {
      const stored = nameLeadingOut(listed.rawNames.get(row));
      const member = { row, path: listed.path(row), isReadable: isReadByGzdoom(listed, row) };
      return stored === undefined ? member : { ...member, stored };
    });
  const table = new EntryTable();
  const embedded: number[] = [];
  for (const { row, path, lump, isDropped, isEmbedded } of gzdoomMembers(files, filters, archive)) {
    const fields = listed.fields(row);
    if (isDropped) fields.flags |= entryIsDropped;
    const raw = listed.rawNames.get(row) ?? listed.pathBytes(row).slice();
    const foreign = listed.foreignMethods.get(row);
    const add = (name: string) => {
      const added = table.add(encoder.encode(name), fields, raw);
      if (foreign !== undefined) table.foreignMethods.set(added, foreign);
      return added;
    };
    const added = add(path);
    if (isEmbedded) embedded.push(added);
    if (lump !== null && lump.toLowerCase() !== path.toLowerCase()) add(lump);
  }
  table.warnings.push(...listed.warnings);
  table.layout = listed.layout;
  return { table, embedded };
}

/** Returns the rows of WADs in a zip in the order in which dsda-doom loads them: it unpacks them into one directory. */
export function unpackedWads(table: EntryTable): number[] {
  const byName = new Map<string, number>();
  for (let row = 0; row < table.length; row++) {
    const path = table.path(row);
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!table.isDirectory(row) && /\.wad$/i.test(name)) byName.set(name, row);
  }
  const sorted = Array.from(byName, ([name, row]) => ({ key: name.toLowerCase(), row }));
  return sorted.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0).map(({ row }) => row);
}

/** Returns a table of GZDoom's with the lumps of its WADs in their namespaces: all of a WAD, those in an archive. */
export function withWadNamespaces(table: EntryTable, format: string, path: string): EntryTable {
  const paths = new Paths(table, path);
  for (const block of blocksOf(table, format)) paths.place(block, wadNamespaces(lumpsOf(table, block, null)));
  return paths.finish();
}

/** Returns the tables of all files of a list under the rules of Boom or of the original. */
export function listedTables(rules: Exclude<LumpRules, "gzdoom">, files: readonly FileTable[]): EntryTable[] {
  const blocks = files.map(({ table, format }) => blocksOf(table, format));
  const all = files.flatMap(({ table, how }, index) =>
    (blocks[index] ?? []).map((block) => lumpsOf(table, block, how))
  );
  const { codes, found } = rules === "boom" ? { codes: boomDirectory(all), found: [] } : vanillaDirectory(all);
  let next = 0;
  return files.map(({ table, format, path }, index) => {
    const paths = new Paths(table, path);
    // Of a zip only the WADs in it are loaded.
    if (format !== "wad" && format !== singleLumpFormat) paths.dropAll();
    for (const block of blocks[index] ?? []) {
      paths.place(block, codes[next] ?? new Uint8Array(block.count));
      paths.addOutside(block, found[next++] ?? []);
    }
    return paths.finish();
  });
}

function blocksOf(table: EntryTable, format: string): Block[] {
  const isSingle = format === singleLumpFormat;
  if (format === "wad" || isSingle) return [{ first: 0, count: table.length, wad: null, isSingle }];
  return table.nested.map(({ member, firstRow, rowCount }) => ({
    first: firstRow,
    count: rowCount,
    wad: table.path(member),
    isSingle,
  }));
}

/** Returns the bytes of a lump's name, as its WAD stores it. */
function rawLump(table: EntryTable, row: number, { wad, isSingle }: Block): Uint8Array {
  const path = table.pathBytes(row);
  if (isSingle) return path.subarray(path.lastIndexOf(0x2f) + 1);
  const raw = table.rawNames.get(row) ?? path;
  if (wad === null) return raw;
  // An index keeps such names after that of their WAD.
  const prefix = encoder.encode(`${wad}/`);
  return prefix.every((byte, index) => raw[index] === byte) ? raw.subarray(prefix.length) : raw;
}

/** Returns the bytes of the names of all lumps, as their WAD stores them. */
function storedNames(table: EntryTable, block: Block): Uint8Array[] {
  return Array.from({ length: block.count }, (_, index) => rawLump(table, block.first + index, block));
}

function lumpsOf(table: EntryTable, block: Block, how: LoadSwitch | null): LumpFile {
  const { first, count } = block;
  const names = storedNames(table, block).map(comparedName);
  return { how, names, sizes: table.sizes.subarray(first, first + count) };
}

/** Paths that are about to replace a table's paths. */
class Paths {
  readonly #table: EntryTable;
  readonly #paths: (string | undefined)[];
  readonly #raw = new Map<number, Uint8Array>();
  readonly #dropped = new Set<number>();
  readonly #outside: number[] = [];
  readonly #stem: string;

  constructor(table: EntryTable, path: string) {
    this.#table = table;
    this.#paths = Array.from({ length: table.length }, () => undefined);
    this.#stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  }

  dropAll(): void {
    for (let row = 0; row < this.#table.length; row++) this.#dropped.add(row);
  }

  /** Gives the lumps of a file the paths of their namespaces. */
  place(block: Block, codes: Uint8Array): void {
    const { first, wad, isSingle } = block;
    const stored = storedNames(this.#table, block);
    const inWad = wadPaths(stored);
    for (const [index, raw] of stored.entries()) {
      const row = first + index;
      const code = elementAt(codes, index);
      const path = inWad(index);
      const folder = code === dropped ? "" : namespaces[code] ?? "";
      const name = isSingle ? decoder.decode(raw.slice()) : shownName(raw);
      if (folder === "") this.#paths[row] = path.startsWith("maps/") ? path : name;
      else this.#paths[row] = folder === "skins" ? `skins/${this.#stem}/${name}` : `${folder}/${name}`;
      if (code === dropped) this.#dropped.add(row);
      else this.#dropped.delete(row);
      if (wad !== null) this.#raw.set(row, encoder.encode(`${wad}/${decoder.decode(raw.slice())}`));
    }
  }

  /** Adds a second path, outside of their namespace, to some lumps of a file. */
  addOutside({ first }: Block, lumps: readonly number[]): void {
    for (const lump of lumps) this.#outside.push(first + lump);
  }

  /** Returns the table with its new paths. */
  finish(): EntryTable {
    const table = new EntryTable();
    const raw = new Map(this.#table.rawNames);
    for (let row = 0; row < this.#table.length; row++) {
      const fields = this.#table.fields(row);
      if (this.#dropped.has(row)) fields.flags |= entryIsDropped;
      const path = this.#paths[row];
      const bytes = path === undefined ? this.#table.pathBytes(row) : encoder.encode(path);
      table.add(bytes, fields, this.#raw.get(row) ?? raw.get(row));
      const foreign = this.#table.foreignMethods.get(row);
      if (foreign !== undefined) table.foreignMethods.set(row, foreign);
    }
    for (const row of this.#outside) {
      const path = table.path(row);
      const fields = table.fields(row);
      fields.flags |= entryIsRepeated;
      table.add(encoder.encode(path.slice(path.lastIndexOf("/") + 1)), fields, table.rawNames.get(row));
    }
    table.warnings.push(...this.#table.warnings);
    table.nested.push(...this.#table.nested);
    table.layout = this.#table.layout;
    return table;
  }
}
