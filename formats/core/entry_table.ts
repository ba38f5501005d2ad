/**
 * Members of one archive or directory, in columns. A reader fills it, the index copies from it. Without an object per
 * file, a million members cost about 60 bytes each beyond their names.
 * @module
 */

import { elementAt } from "./cursor.ts";
import type { ArchiveLayout } from "./ranges.ts";
import { RawNames } from "./raw_names.ts";

/** Names of the archive formats, as used on the command line and in JSON. */
export type FormatName =
  | "quake-pak"
  | "daikatana-pak"
  | "sin-pak"
  | "anachronox-dat"
  | "wad"
  | "wad2"
  | "wad3"
  | "grp"
  | "rff"
  | "hog"
  | "hog2"
  | "vpk"
  | "dragonnest-pak"
  | "grimrock"
  | "bfg-resources"
  | "gma"
  | "source-bsp"
  | "zip"
  | "hashed-pack"
  | "tar"
  | "7z"
  | "rar"
  | "iso"
  | "cpio"
  | "lha"
  | "cab";

/** Compression of a member's bytes. `formats/codecs/codecs.ts` decompresses each. */
export type Method =
  | "store"
  | "deflate"
  | "zlib"
  | "unsupported"
  | "daikatana"
  | "rff"
  | "gzip"
  | "zstd"
  | "lz4"
  | "lzma"
  | "bzip2";

/** Methods by their code in {@linkcode EntryTable.methods}. New ones go at the end. */
export const methodNames: readonly Method[] = [
  "store",
  "deflate",
  "zlib",
  "unsupported",
  "daikatana",
  "rff",
  "gzip",
  "zstd",
  "lz4",
  "lzma",
  "bzip2",
];

/** Code of a method name in {@linkcode EntryTable.methods}. */
export const methodCode: Readonly<Record<Method, number>> = codesOf(methodNames);

function codesOf<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name, code) => [name, code])) as Record<Name, number>;
}

/** Bit in {@linkcode EntryTable.flags}: the member is a directory. */
export const entryIsDirectory = 1;
/** Bit in {@linkcode EntryTable.flags}: `crc32` holds the checksum of the decompressed bytes. */
export const entryHasCrc = 2;
/** Bit in {@linkcode EntryTable.flags}: the engine drops the member when it loads the archive. */
export const entryIsDropped = 4;
/** Bit in {@linkcode EntryTable.flags}: an additional path of an earlier member. */
export const entryIsRepeated = 8;

/** Damage names by their code in {@linkcode EntryTable.damage}; 0 means valid. New ones go at the end. */
export const damageNames = [
  "none",
  "past-end",
  "encrypted",
  "unsupported-method",
  "overlap",
  "bad-local-header",
  "too-large",
  "bad-name",
  "size-mismatch",
  "missing-part",
  "unknown-size",
  "unreadable",
  "missing-target",
] as const;

/**
 * Reason why a member cannot be read. `damageSentence()` creates the message on demand, so that damage costs one byte
 * per member.
 */
export type Damage = typeof damageNames[number];

/** Code of a damage name in {@linkcode EntryTable.damage}. */
export const damageCode: Readonly<Record<Damage, number>> = codesOf(damageNames);

/** Exact sizes of a member, if one exceeds 2^53 and is rounded in its column. */
export interface ExactSizes {
  /** Decompressed size in bytes. */
  readonly size: bigint;
  /** Compressed size in bytes. */
  readonly packedSize: bigint;
}

/** Fields of one member. Sizes and offsets in bytes; `mtime` in milliseconds since the epoch. */
export interface EntryFields {
  /** Offset of the member's record in the archive: the local header of a zip, else the data. */
  offset: number;
  /** Compressed size, without the record; in a listed directory the time of the last change of a file (`ctime`). */
  packedSize: number;
  /** Decompressed size. */
  size: number;
  /** Modification time. */
  mtime: number;
  /**
   * CRC-32 of the decompressed bytes, with {@linkcode entryHasCrc}; in a listed directory the number of the parent
   * directory, see `directoryNumber()`.
   */
  crc32: number;
  /** Index into {@linkcode methodNames}. */
  method: number;
  /** {@linkcode entryIsDirectory} and {@linkcode entryHasCrc}, added up. */
  flags: number;
  /** Index into {@linkcode damageNames}. */
  damage: number;
}

/** Inner archive, and the rows of its members. */
export interface NestedRows {
  /** Row of the inner archive. */
  readonly member: number;
  /** Row of its first member. */
  readonly firstRow: number;
  /** Number of its members. */
  readonly rowCount: number;
  /**
   * Position in the search order of an engine that searches inner packs: negative before the outer archive, positive
   * after it, the lowest first. Absent: it is no pack, and is shown as a directory.
   */
  readonly rank?: number;
}

/** Inner archive whose members are rows in the table of the outer archive. */
export interface NestedArchive extends NestedRows {
  /** Format of the inner archive. */
  readonly format: FormatName;
}

/** Returns the innermost archive that a row belongs to; `undefined` for rows of the archive itself. */
export function nestedAt<Rows extends NestedRows>(nested: readonly Rows[], row: number): Rows | undefined {
  let low = 0;
  let high = nested.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (elementAt(nested, middle).firstRow <= row) low = middle + 1;
    else high = middle;
  }
  const found = nested[low - 1];
  return found && row < found.firstRow + found.rowCount ? found : undefined;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const initialEntries = 64;
const initialNameBytes = 4096;

/** Empty columns: many tables have no members, or get their columns as a whole. */
const noFloats = new Float64Array(0);
const noIntegers = new Uint32Array(0);
const noBytes = new Uint8Array(0);
/** Bytes of a row in all columns: four columns of eight bytes, two of four, three of one. */
const rowBytes = 4 * 8 + 2 * 4 + 3;

function grownBytes(bytes: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

/**
 * Columns of members, in the order of the archive's own table. Directories that an archive lists are kept too
 * (flag {@linkcode entryIsDirectory}), so that empty ones survive.
 */
export class EntryTable {
  /** Number of members. */
  length = 0;
  /** Offset of each member's record, see {@linkcode EntryFields.offset}. */
  offsets: Float64Array = noFloats;
  /** Compressed sizes in bytes. */
  compressedSizes: Float64Array = noFloats;
  /** Decompressed sizes in bytes. */
  sizes: Float64Array = noFloats;
  /** Modification times, milliseconds since the epoch. */
  mtimes: Float64Array = noFloats;
  /** See {@linkcode EntryFields.crc32}. */
  crcs: Uint32Array = noIntegers;
  /** Indices into {@linkcode methodNames}. */
  methods: Uint8Array = noBytes;
  /** {@linkcode entryIsDirectory} and {@linkcode entryHasCrc}, added up. */
  flags: Uint8Array = noBytes;
  /** Indices into {@linkcode damageNames}. */
  damage: Uint8Array = noBytes;
  /** Display paths, UTF-8, one after another: member `i` is `[nameEnds[i - 1] or 0, nameEnds[i])`. */
  names: Uint8Array = noBytes;
  /** End of each display path in `names`. */
  nameEnds: Uint32Array = noIntegers;
  /** Names as spelled in the archive, only for members with another display path. */
  rawNames: RawNames = new RawNames();
  /** The archive's number of the compression method, only for members whose method is `unsupported`. */
  readonly foreignMethods: Map<number, number> = new Map();
  /** Exact sizes, only for members whose `sizes` or `compressedSizes` are rounded. No valid member has such a size. */
  readonly exactSizes: Map<number, ExactSizes> = new Map();
  /** Warnings about the archive as a whole. */
  readonly warnings: string[] = [];
  /** Address space of `offsets`, if the archive's bytes are in several files. */
  layout: ArchiveLayout | undefined;
  /** Inner archives whose members are listed too, in the order of their rows. */
  readonly nested: NestedArchive[] = [];

  /**
   * Appends one member.
   * @param path Display path, UTF-8, cleaned by the name policy (`formats/core/names.ts`).
   * @param rawName Bytes of the name in the archive, given only when they differ from `path`.
   * @returns The member's number.
   */
  add(path: Uint8Array, fields: EntryFields, rawName?: Uint8Array): number {
    const index = this.length;
    if (index === this.offsets.length) this.#growEntries();
    const start = index === 0 ? 0 : elementAt(this.nameEnds, index - 1);
    const end = start + path.length;
    if (end > this.names.length) {
      this.names = grownBytes(this.names, Math.max(end, this.names.length * 2, initialNameBytes));
    }
    this.names.set(path, start);
    this.nameEnds[index] = end;
    this.offsets[index] = fields.offset;
    this.compressedSizes[index] = fields.packedSize;
    this.sizes[index] = fields.size;
    this.mtimes[index] = fields.mtime;
    this.crcs[index] = fields.crc32;
    this.methods[index] = fields.method;
    this.flags[index] = fields.flags;
    this.damage[index] = fields.damage;
    if (rawName) this.rawNames.set(index, rawName);
    this.length = index + 1;
    return index;
  }

  /** Returns the fields of member `index`. */
  fields(index: number): EntryFields {
    return {
      offset: elementAt(this.offsets, index),
      packedSize: elementAt(this.compressedSizes, index),
      size: elementAt(this.sizes, index),
      mtime: elementAt(this.mtimes, index),
      crc32: elementAt(this.crcs, index),
      method: elementAt(this.methods, index),
      flags: elementAt(this.flags, index),
      damage: elementAt(this.damage, index),
    };
  }

  /** Returns the display path of member `index`, as bytes (a view). */
  pathBytes(index: number): Uint8Array {
    const start = index === 0 ? 0 : elementAt(this.nameEnds, index - 1);
    return this.names.subarray(start, this.nameEnds[index]);
  }

  /** Returns the display path of member `index`. */
  path(index: number): string {
    const bytes = this.pathBytes(index);
    // Rows that are created for one read have no name.
    return bytes.length === 0 ? "" : decoder.decode(bytes);
  }

  /** Returns whether member `index` is a directory. */
  isDirectory(index: number): boolean {
    return (elementAt(this.flags, index) & entryIsDirectory) !== 0;
  }

  /** Returns the CRC-32 of member `index`'s decompressed bytes, or `undefined` if the format stores none. */
  crc(index: number): number | undefined {
    return (elementAt(this.flags, index) & entryHasCrc) !== 0 ? this.crcs[index] : undefined;
  }

  /** Grows all columns, in one buffer: separate buffers would cost more than filling small tables. */
  #growEntries(): void {
    const capacity = Math.max(initialEntries, this.length * 2);
    const buffer = new ArrayBuffer(capacity * rowBytes);
    let position = 0;
    const floats = (column: Float64Array) => {
      const larger = new Float64Array(buffer, position, capacity);
      larger.set(column);
      position += larger.byteLength;
      return larger;
    };
    const integers = (column: Uint32Array) => {
      const larger = new Uint32Array(buffer, position, capacity);
      larger.set(column);
      position += larger.byteLength;
      return larger;
    };
    const bytes = (column: Uint8Array) => {
      const larger = new Uint8Array(buffer, position, capacity);
      larger.set(column);
      position += larger.byteLength;
      return larger;
    };
    this.offsets = floats(this.offsets);
    this.compressedSizes = floats(this.compressedSizes);
    this.sizes = floats(this.sizes);
    this.mtimes = floats(this.mtimes);
    this.crcs = integers(this.crcs);
    this.nameEnds = integers(this.nameEnds);
    this.methods = bytes(this.methods);
    this.flags = bytes(this.flags);
    this.damage = bytes(this.damage);
  }
}
