/**
 * Inner archives: the members of `gfx.wad` in a pack are listed below `gfx.wad.d/`, next to the file itself; members of
 * packs that an engine searches are listed with their names.
 *
 * Their rows are appended to the table of the outer archive. A stored archive is read in place: its members are ranges
 * of the outer archive. A compressed archive is decompressed for listing, and its decompressed bytes become another
 * file of the outer archive's layout.
 * @module
 */
import { grouped } from "./core/grouped.ts";
import { crc32 } from "./core/crc32.ts";
import { type ByteReader, MemoryReader } from "./core/byte_reader.ts";
import { elementAt, joined } from "./core/cursor.ts";
import { damageCode, type EntryTable, type FormatName } from "./core/entry_table.ts";
import { ArchiveError, ReadError } from "./core/errors.ts";
import type { ArchiveFormat } from "./core/format.ts";
import { joinFiles, RangesReader } from "./joined_reader.ts";
import {
  maxEntryCount,
  maxNestedArchive,
  maxNestedTotal,
  maxNesting,
  maxSearchedPacks,
  maxSearchedTotal,
} from "./core/limits.ts";
import { type Located, locateMember, readMember, requireChecksum } from "./member.ts";
import { maxPathBytes } from "./core/names.ts";
import { type ArchiveFile, type ArchiveLayout, type Ranges, RangesBuilder } from "./core/ranges.ts";
import { archiveFormats, detectFormat } from "./table.ts";

/** Suffix of the directory that shows the members of an inner archive. */
const nestedSuffix = ".d";

/** Maximum bytes of a file in a pack that lists inner packs. */
const maxListBytes = 1024 * 1024;

/** Maximum length of the path of a pack inside packs: its members store it with their names. */
const maxSearchedPath = 256;

/** Bytes of a stored archive that are read at a time to verify its checksum. */
const verifyPiece = 1024 * 1024;

const encoder = new TextEncoder();

/**
 * Lists the members of inner archives in the same table. Members with an archive's extension are opened; their content
 * decides. An unreadable archive is a warning of the table.
 * @param archive File of the archive with the layout {@linkcode EntryTable.layout}.
 */
export function addNested(archive: ByteReader, format: ArchiveFormat, table: EntryTable): void {
  new NestedReader(archive, format, table).run();
}

/**
 * Lists the members of WADs at some rows of `table`, in the same table, by the names stored in the WADs. An unreadable
 * WAD is a warning of the table.
 * @param archive File of the archive with the layout {@linkcode EntryTable.layout}.
 */
export function addEmbeddedWads(
  archive: ByteReader,
  format: ArchiveFormat,
  table: EntryTable,
  rows: readonly number[],
): void {
  new NestedReader(archive, format, table, "wad").runOn(rows);
}

/** How an engine finds packs among the members of a pack. */
export interface PackSearch {
  /** Whether they are searched before the outer pack. */
  readonly isAbove: boolean;
  /**
   * Returns the rows `[first, end)` that are packs, the first searched first.
   * @param textOf Returns the text of a small file among those rows; `undefined` if it is missing or too large.
   */
  choose(first: number, end: number, textOf: (name: string) => string | undefined): readonly number[];
  /** Formats of a pack with that name in the engine. */
  formats(name: string): readonly FormatName[];
  /** Returns the list of a pack with the names that the engine gives to its members. */
  listed(table: EntryTable, format: FormatName, name: string): EntryTable;
}

/**
 * Lists the members of inner packs that an engine loads, at any depth, in the table of the outer pack, with their
 * names. An unreadable pack is a warning of the table.
 * @param archive File of the archive with the layout {@linkcode EntryTable.layout}.
 */
export function addSearchedPacks(
  archive: ByteReader,
  format: ArchiveFormat,
  table: EntryTable,
  search: PackSearch,
): void {
  new NestedReader(archive, format, table).runSearch(search);
}

/** Archive found among the members. */
interface Inner {
  readonly source: ByteReader;
  readonly format: ArchiveFormat;
  /** Returns the address of its first byte in the outer archive, after adding it there if necessary. */
  readonly address: () => number;
}

class NestedReader {
  readonly #archive: ByteReader;
  readonly #format: ArchiveFormat;
  readonly #table: EntryTable;
  readonly #endings: readonly string[];
  readonly #files: ArchiveFile[];
  readonly #ranges = new RangesBuilder();
  readonly #joined: ByteReader;
  /** The only format that is searched, whose names are used unchanged; null: any format, with a directory. */
  readonly #only: FormatName | null;
  #decompressedBytes = 0;
  #maxDecompressed = maxNestedTotal;
  #scratch = new Uint8Array(0);
  /** Whether no further packs are searched. */
  #isFull = false;

  constructor(archive: ByteReader, format: ArchiveFormat, table: EntryTable, only: FormatName | null = null) {
    this.#only = only;
    this.#archive = archive;
    this.#format = format;
    this.#table = table;
    this.#endings = archiveFormats.flatMap(({ extensions }) => extensions);
    this.#files = [...table.layout?.files ?? [{ kind: "archive" as const }]];
    if (table.layout) this.#ranges.addSlice(table.layout.ranges, 0, table.layout.ranges.size);
    else this.#ranges.add(0, 0, archive.size);
    this.#joined = joinFiles(archive, format, table, { files: this.#files, ranges: this.#ranges });
  }

  run(): void {
    let first = 0;
    for (let depth = 1; depth <= maxNesting && first < this.#table.length; depth++) {
      const end = this.#table.length;
      for (const row of this.#candidates(first, end)) this.#tryRow(row);
      first = end;
    }
    this.#finish();
  }

  /** Lists packs that an engine searches, in the order in which it finds them. */
  runSearch(search: PackSearch): void {
    this.#maxDecompressed = maxSearchedTotal;
    const order = this.#searched(search, 0, this.#table.length, -1, "", 1);
    const own = order.indexOf(-1);
    for (const [position, index] of order.entries()) {
      if (index >= 0) this.#table.nested[index] = { ...elementAt(this.#table.nested, index), rank: position - own };
    }
    this.#finish();
  }

  /**
   * Lists the packs among some rows, which belong to the pack at `own` of the table's list, or to the archive. Returns
   * the indexes of all of them, the first searched first.
   */
  #searched(search: PackSearch, first: number, end: number, own: number, around: string, depth: number): number[] {
    const rows = search.choose(first, end, (name) => this.#textOf(name, first, end));
    const inner = rows.flatMap((row) => {
      if (this.#isFull) return [];
      const name = `${around}${this.#table.path(row)}`;
      if (this.#table.nested.length === maxSearchedPacks || this.#table.length >= maxEntryCount) {
        this.#isFull = true;
        this.#table.warnings.push(
          `${name} and what is loaded before it is not searched: ${this.#table.nested.length} packs in it are, with ` +
            `${this.#table.length} files`,
        );
        return [];
      }
      if (depth > maxNesting) {
        this.#table.warnings.push(`${name} is not searched: it lies in packs deeper than ${maxNesting}`);
        return [];
      }
      const start = this.#table.length;
      return this.#trySearched(search, row, name)
        ? this.#searched(search, start, this.#table.length, this.#table.nested.length - 1, `${name}/`, depth + 1)
        : [];
    });
    return search.isAbove ? [...inner, own] : [own, ...inner];
  }

  #trySearched(search: PackSearch, row: number, name: string): boolean {
    try {
      if (name.length > maxSearchedPath) {
        throw new ArchiveError(`its path has more than ${maxSearchedPath} characters`, { path: name });
      }
      const inner = this.#open(row, name);
      const formats = search.formats(name);
      if (!inner || !formats.includes(inner.format.name)) {
        throw new ArchiveError(`it is not in the format ${formats.join(" or ")}`, { path: name });
      }
      const { source, format } = inner;
      const table = search.listed(format.read(source), format.name, name);
      this.#append(row, name, inner, table, Array.from({ length: table.length }, (_, index) => index));
      return true;
    } catch (error) {
      this.#warn(error, `${name} is not searched`);
      return false;
    }
  }

  /** Returns the text of a small file at the top level of an archive; `undefined` if it cannot be read. */
  #textOf(name: string, first: number, end: number): string | undefined {
    for (let row = first; row < end; row++) {
      if (this.#table.path(row).toLowerCase() !== name || this.#table.isDirectory(row)) continue;
      if (elementAt(this.#table.sizes, row) > maxListBytes) return undefined;
      try {
        return new TextDecoder().decode(readMember(this.#joined, this.#format, this.#table, row));
      } catch (error) {
        this.#warn(error, `${name} is not read`);
        return undefined;
      }
    }
    return undefined;
  }

  /** Lists only the members of the archives at some rows. */
  runOn(rows: readonly number[]): void {
    for (const row of rows) this.#tryRow(row);
    this.#finish();
  }

  #finish(): void {
    if (this.#table.nested.length > 0) {
      this.#table.layout = { files: this.#files, ranges: this.#ranges.finish() };
    }
  }

  /** Returns rows that may be archives; among equal paths, the one that the format's engine uses. */
  #candidates(first: number, end: number): Iterable<number> {
    const { duplicates } = this.#format;
    const rows = new Map<string, number>();
    const searched = new Set(this.#table.nested.map(({ member }) => member));
    for (let row = first; row < end; row++) {
      if (searched.has(row) || this.#table.isDirectory(row) || this.#table.damage[row] !== damageCode.none) continue;
      const path = this.#table.path(row);
      const lower = path.toLowerCase();
      if (!this.#endings.some((ending) => lower.endsWith(ending))) continue;
      if (duplicates === "last" || !rows.has(path)) rows.set(path, row);
    }
    return rows.values();
  }

  #tryRow(row: number): void {
    const path = this.#table.path(row);
    try {
      const inner = this.#open(row, path);
      if (!inner) return;
      const { source, format } = inner;
      if (this.#only !== null && format.name !== this.#only) {
        throw new ArchiveError(`its format is ${format.name}, not ${this.#only}`, { path: source.path });
      }
      const table = format.read(source);
      this.#append(row, path, inner, table, countingRows(table, format), `${path}${nestedSuffix}/`);
    } catch (error) {
      this.#warn(error, `${path} is not shown as a directory`);
    }
  }

  /** Records the error of an archive that is omitted; read errors may be temporary, and are thrown. */
  #warn(error: unknown, what: string): void {
    if (!(error instanceof ArchiveError) || error instanceof ReadError) throw error;
    const start = `${error.path}: `;
    const reason = error.message.startsWith(start) ? error.message.slice(start.length) : error.message;
    this.#table.warnings.push(`${what}: ${reason}`);
  }

  #open(row: number, path: string): Inner | undefined {
    const located = locateMember(this.#joined, this.#format, this.#table, row);
    const name = `${this.#archive.path}/${path}`;
    const mtime = elementAt(this.#table.mtimes, row);
    return located.method === "store"
      ? this.#openStored(located, name, mtime)
      : this.#openCompressed(row, located, name, mtime);
  }

  #openStored(located: Located, name: string, mtime: number): Inner | undefined {
    const slice: Ranges = { starts: [0], files: [0], offsets: [located.offset], size: located.size };
    const source = new RangesReader(name, mtime, slice, () => this.#joined);
    const format = detectFormat(source);
    if (!format) return undefined;
    this.#verify(source, located);
    return { source, format, address: () => located.offset };
  }

  #openCompressed(row: number, located: Located, name: string, mtime: number): Inner | undefined {
    if (located.size > maxNestedArchive || this.#decompressedBytes + located.size > this.#maxDecompressed) {
      throw new ArchiveError(
        `it is compressed and decompresses to ${grouped(located.size)} bytes, too much to look into; extract it`,
        { path: this.#archive.path, member: located.member },
      );
    }
    const source = new MemoryReader(readMember(this.#joined, this.#format, this.#table, row), name, mtime);
    const format = detectFormat(source);
    if (!format) return undefined;
    const address = () => {
      this.#decompressedBytes += located.size;
      return this.#ranges.add(this.#files.push({ kind: "decompressed", member: row }) - 1, 0, located.size);
    };
    return { source, format, address };
  }

  /** Verifies an archive that is read in place, because reading its members does not verify the whole. */
  #verify(source: ByteReader, located: Located): void {
    if (located.crc32 === undefined) return;
    let checksum = 0;
    for (let offset = 0; offset < source.size; offset += verifyPiece) {
      checksum = crc32(source.read(offset, Math.min(verifyPiece, source.size - offset)), checksum);
    }
    requireChecksum(source, located, checksum);
  }

  /**
   * @param prefix Prefix of the names of members; absent: it is a pack, whose names are unchanged.
   */
  #append(
    row: number,
    path: string,
    { source, format, address }: Inner,
    inner: EntryTable,
    rows: Iterable<number>,
    prefix?: string,
  ): void {
    if (this.#table.length + inner.length > maxEntryCount) {
      this.#isFull = prefix === undefined;
      throw new ArchiveError(`with its members the table would exceed ${maxEntryCount} files`, { path: source.path });
    }
    const start = address();
    const rangesEnd = this.#ranges.size;
    if (inner.layout) this.#addPieces(inner.layout, start);
    const addressOf = (offset: number) => offset < source.size ? start + offset : rangesEnd + (offset - source.size);
    const firstRow = this.#table.length;
    const before = encoder.encode(prefix ?? "");
    const around = prefix === undefined ? encoder.encode(`${path}/`) : undefined;
    let tooLong = 0;
    for (const index of rows) {
      const name = inner.pathBytes(index);
      if (before.length + name.length > maxPathBytes) tooLong++;
      else this.#add(before.length === 0 ? name : joined(before, name), around, inner, index, addressOf);
    }
    this.#table.nested.push({ member: row, firstRow, rowCount: this.#table.length - firstRow, format: format.name });
    for (const warning of inner.warnings) this.#table.warnings.push(`${path}: ${warning}`);
    if (tooLong > 0) {
      this.#table.warnings.push(`${path}: ${tooLong} of its files have too long paths and are not shown`);
    }
  }

  /**
   * Adds the pieces of an inner archive's own layout, which lie after that: in it, or in the file that it was unpacked to.
   * It has no parts next to it.
   */
  #addPieces({ files, ranges: { starts, files: numbers, offsets, size } }: ArchiveLayout, start: number): void {
    for (let piece = 1; piece < starts.length; piece++) {
      const length = (starts[piece + 1] ?? size) - elementAt(starts, piece);
      const file = files[elementAt(numbers, piece)];
      if (file?.kind === "part") this.#ranges.add(this.#files.push(file) - 1, elementAt(offsets, piece), length);
      else this.#ranges.addSlice(this.#ranges, start + elementAt(offsets, piece), length);
    }
  }

  /**
   * @param around Path of a pack whose names are unchanged, which is stored after the name.
   */
  #add(
    path: Uint8Array,
    around: Uint8Array | undefined,
    inner: EntryTable,
    index: number,
    addressOf: (offset: number) => number,
  ): void {
    const fields = inner.fields(index);
    if (fields.damage === damageCode.none) fields.offset = addressOf(fields.offset);
    const own = this.#only === null && !around ? undefined : inner.rawNames.get(index);
    const row = this.#table.add(path, fields, around ? this.#after(around, own ?? inner.pathBytes(index)) : own);
    const foreign = inner.foreignMethods.get(index);
    if (foreign !== undefined) this.#table.foreignMethods.set(row, foreign);
  }

  /** Returns a name followed by the path of its pack, in memory that the next call overwrites. */
  #after(around: Uint8Array, name: Uint8Array): Uint8Array {
    const length = around.length + name.length;
    if (this.#scratch.length < length) this.#scratch = new Uint8Array(length * 2);
    this.#scratch.set(around);
    this.#scratch.set(name, around.length);
    return this.#scratch.subarray(0, length);
  }
}

/**
 * Returns the rows that an inner archive's engine would use: one per path, because the outer engine may choose
 * otherwise.
 */
function countingRows(table: EntryTable, { duplicates }: ArchiveFormat): Iterable<number> {
  const rows = new Map<string, number>();
  for (let row = 0; row < table.length; row++) {
    const path = table.path(row);
    if (duplicates === "last" || !rows.has(path)) rows.set(path, row);
  }
  return rows.values();
}
