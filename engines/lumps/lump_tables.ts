/**
 * Tables of archives with the names by which a Doom engine finds their lumps: `TITLEPIC`, `sprites/TROOA1`,
 * `maps/MAP01/THINGS`.
 *
 * A map is shown as a whole: `maps/MAP01/` has the lumps after the last `MAP01`, and none of other files.
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
import { eternityName, eternityParts } from "./eternity_archive.ts";
import { gzdoomMembers, oddName } from "./gzdoom_archive.ts";
import { comparedName, dropped, type LumpFile, namespaces, shownName } from "./lump_file.ts";
import { vanillaDirectory } from "./vanilla_directory.ts";
import { wadNamespaces } from "./wad_namespaces.ts";
import { woofName, type WoofPart, woofParts } from "./woof_archive.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Consecutive rows of lumps in an engine's list: of a WAD, or of a folder of an archive. */
interface Block {
  /** Rows in the order of the list. */
  readonly rows: readonly number[];
  /** Path of the WAD in the archive; null if the table is the WAD's, or the rows are not from a WAD. */
  readonly wad: string | null;
  /** Kind of the rows: lumps of a WAD, a file that is loaded as one lump, or files of an archive or directory. */
  readonly kind: "wad" | "single" | "member";
  /** Prefix of the markers that the engine adds around the rows, if any. */
  readonly section?: string | null;
  /** Returns the name of a file as a lump; absent: names are stored. */
  readonly nameOf?: (table: EntryTable, row: number) => string;
}

/** The list of one file, as it was read. */
export interface FileTable {
  readonly table: EntryTable;
  /** Name of the file's format. */
  readonly format: string;
  /** Absolute path. */
  readonly path: string;
  /** Switch that loads it; null for the IWAD. */
  readonly how: LoadSwitch | null;
}

/** Format of a file that is one lump: a source whose only member is the file itself. */
export const singleLumpFormat = "loose";

/**
 * Returns the table of a file that is no archive: one lump, named after it, and for GZDoom also by its full name.
 * `ctime` is the time of its last change.
 */
export function singleLump(
  path: string,
  { size, mtime, ctime, hasFullName }: {
    readonly size: number;
    readonly mtime: number;
    readonly ctime: number;
    readonly hasFullName: boolean;
  },
): EntryTable {
  const table = new EntryTable();
  const full = path.slice(path.lastIndexOf("/") + 1);
  const name = shownName(encoder.encode(full.replace(/\.[^.]*$/, "").toUpperCase()));
  const fields = { offset: 0, packedSize: ctime, size, mtime, crc32: 0, method: 0, flags: 0, damage: 0 };
  table.add(encoder.encode(name), fields, encoder.encode(path));
  if (hasFullName && full.toUpperCase() !== name) {
    table.add(encoder.encode(full), { ...fields, flags: entryIsRepeated }, encoder.encode(path));
  }
  return table;
}

/** Methods of zip members that GZDoom reads, and the numbers of methods that only GZDoom reads: shrink, implode, xz. */
const gzdoomMethods: ReadonlySet<string> = new Set(["store", "deflate", "bzip2", "lzma"]);
const gzdoomForeignMethods: ReadonlySet<number | undefined> = new Set([1, 6, 95]);

function isReadByGzdoom(table: EntryTable, row: number): boolean {
  const damage = damageNames[elementAt(table.damage, row)];
  if (damage === "encrypted") return false;
  const method = methodNames[elementAt(table.methods, row)] ?? "unsupported";
  return gzdoomMethods.has(method) || gzdoomForeignMethods.has(table.foreignMethods.get(row));
}

/** An archive with full paths as GZDoom sees it, and the rows of the WADs that it loads after the archive. */
export interface GzdoomTable {
  readonly table: EntryTable;
  readonly embedded: readonly number[];
}

/** Returns the table of an archive with full paths: each member by path and by lump. */
export function gzdoomTable(listed: EntryTable, filters: readonly string[], archive: string): GzdoomTable {
  const files = Array.from({ length: listed.length }, (_, row) => row).filter((row) => !listed.isDirectory(row))
    .map((row) => {
      const stored = oddName(listed.rawNames.get(row));
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

/** Returns the rows of the WADs at the top level of a zip, which Woof loads unchanged. */
export function topWads(table: EntryTable): number[] {
  return range(0, table.length).filter((row) => !table.isDirectory(row) && /^[^/]*\.wad$/i.test(table.path(row)));
}

/**
 * Returns the rows of WADs in a zip in the order in which dsda-doom loads them: it extracts them into one directory.
 */
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

/**
 * Returns a table for GZDoom with the lumps of its WADs in their namespaces: all lumps of a WAD, or the WADs of an
 * archive.
 */
export function withWadNamespaces(table: EntryTable, format: string, path: string): EntryTable {
  const paths = new Paths(table, path);
  for (const block of blocksOf(table, format)) paths.place(block, wadNamespaces(lumpsOf(table, block, null)));
  return paths.finish();
}

/**
 * Returns the tables of all files of a list under the rules of Boom, Woof or the original.
 * @param filters Active folders of `filter/` in Woof.
 */
export function listedTables(
  rules: Exclude<LumpRules, "gzdoom">,
  files: readonly FileTable[],
  filters: readonly string[],
): EntryTable[] {
  const blocks = files.map(({ table, format }) =>
    rules === "woof"
      ? partBlocks(table, format, woofName, (isDirectory) => woofParts(table, isDirectory, filters))
      : rules === "eternity"
      ? partBlocks(table, format, eternityName, (isDirectory) => eternityParts(table, isDirectory))
      : blocksOf(table, format)
  );
  const all = files.flatMap(({ table, how }, index) =>
    (blocks[index] ?? []).map((block) => lumpsOf(table, block, how))
  );
  const { codes, found } = rules === "vanilla"
    ? vanillaDirectory(all)
    : { codes: boomDirectory(rules, all, positionsOf(blocks)), found: [] };
  let next = 0;
  return files.map(({ table, format, path }, index) => {
    const paths = new Paths(table, path);
    // Only members in a block of a zip or directory are loaded.
    if (format !== "wad" && format !== singleLumpFormat) paths.dropAll();
    for (const block of blocks[index] ?? []) {
      const own = codes[next] ?? new Uint8Array(block.rows.length);
      paths.place(block, hasMarkers(block) ? own.subarray(1, -1) : own);
      paths.addOutside(block, found[next++] ?? []);
    }
    return paths.finish();
  });
}

function blocksOf(table: EntryTable, format: string): Block[] {
  if (format === "wad" || format === singleLumpFormat) {
    return [{ rows: range(0, table.length), wad: null, kind: format === "wad" ? "wad" : "single" }];
  }
  return table.nested.map(({ member, firstRow, rowCount }) => ({
    rows: range(firstRow, rowCount),
    wad: table.path(member),
    kind: "wad",
  }));
}

/** Returns the blocks of an archive or directory in the order in which Woof or Eternity adds them. */
function partBlocks(
  table: EntryTable,
  format: string,
  nameOf: (table: EntryTable, row: number) => string,
  partsOf: (isDirectory: boolean) => WoofPart[],
): Block[] {
  const wads = blocksOf(table, format);
  if (format === "wad" || format === singleLumpFormat) return wads;
  return partsOf(format === "pk3dir").flatMap((part): Block[] =>
    part.kind === "lumps"
      ? [{ rows: part.rows, wad: null, kind: "member", section: part.section, nameOf }]
      : wads.filter((_, index) => table.nested[index]?.member === part.row)
  );
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

function hasMarkers({ section = null }: Block): boolean {
  return section !== null;
}

/** Returns the position of each lump of all files in a view, markers included: among equal names the last wins. */
function positionsOf(blocks: readonly (readonly Block[])[]): number[] {
  const rowsOfFile = 2 ** 32;
  return blocks.flatMap((own, file) =>
    own.flatMap((block) => {
      const positions = block.rows.map((row) => file * rowsOfFile + row);
      return hasMarkers(block) ? [-1, ...positions, -1] : positions;
    })
  );
}

/** Returns the bytes of a lump's name, as its WAD stores it. */
function rawLump(table: EntryTable, row: number, { wad, kind, nameOf }: Block): Uint8Array {
  const path = table.pathBytes(row);
  if (nameOf) return encoder.encode(nameOf(table, row));
  if (kind === "single") return path.subarray(path.lastIndexOf(0x2f) + 1);
  const raw = table.rawNames.get(row) ?? path;
  if (wad === null) return raw;
  // An index stores such names after the name of their WAD.
  const prefix = encoder.encode(`${wad}/`);
  return prefix.every((byte, index) => raw[index] === byte) ? raw.subarray(prefix.length) : raw;
}

/** Returns the bytes of the names of all lumps as stored in their WADs. */
function storedNames(table: EntryTable, block: Block): Uint8Array[] {
  return block.rows.map((row) => rawLump(table, row, block));
}

function lumpsOf(table: EntryTable, block: Block, how: LoadSwitch | null): LumpFile {
  const names = storedNames(table, block).map(comparedName);
  const sizes = block.rows.map((row) => elementAt(table.sizes, row));
  const { section } = block;
  if (!hasMarkers(block)) return { how, names, sizes };
  return { how, names: [`${section}_START`, ...names, `${section}_END`], sizes: [0, ...sizes, 0] };
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
    const { rows, wad, kind } = block;
    const stored = storedNames(this.#table, block);
    const inWad = kind === "member" ? null : wadPaths(stored);
    for (const [index, raw] of stored.entries()) {
      const row = elementAt(rows, index);
      const code = elementAt(codes, index);
      // A hidden file of an archive keeps its path.
      if (kind === "member" && code === dropped) continue;
      const path = inWad?.(index) ?? "";
      const folder = code === dropped ? "" : namespaces[code] ?? "";
      const name = kind === "single" ? decoder.decode(raw.slice()) : shownName(raw);
      if (kind === "member") this.#raw.set(row, this.#table.rawNames.get(row) ?? this.#table.pathBytes(row).slice());
      if (folder === "") this.#paths[row] = path.startsWith("maps/") ? path : name;
      else this.#paths[row] = folder === "skins" ? `skins/${this.#stem}/${name}` : `${folder}/${name}`;
      if (code === dropped) this.#dropped.add(row);
      else this.#dropped.delete(row);
      if (wad !== null) this.#raw.set(row, encoder.encode(`${wad}/${decoder.decode(raw.slice())}`));
    }
  }

  /** Adds a second path, outside their namespace, to some lumps of a file. */
  addOutside({ rows }: Block, lumps: readonly number[]): void {
    for (const lump of lumps) this.#outside.push(elementAt(rows, lump));
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
