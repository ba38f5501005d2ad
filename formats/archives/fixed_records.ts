/**
 * What readers of headers and tables of fixed-size records share: every bound is checked before anything is read, and
 * every failure says where. Offsets and lengths in bytes.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { CorruptArchiveError, LimitError, TruncatedError, UnknownFormatError } from "../core/errors.ts";
import { damageCode, type EntryFields, methodCode } from "../core/entry_table.ts";
import { maxEntryCount } from "../core/limits.ts";

/** How an archive begins. */
export interface HeaderShape {
  /** Name of the format with its article, for messages: `a Quake PAK`. */
  readonly title: string;
  /** The first bytes, as ASCII. */
  readonly magic: string;
  /** Length of the header. */
  readonly size: number;
}

/** A view of `bytes` for reading numbers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** The header, if `source` is long enough and begins with its magic. */
export function headerOf(source: ByteReader, { magic, size }: HeaderShape): DataView | undefined {
  if (source.size < size) return undefined;
  const bytes = source.read(0, size);
  return latin1(bytes.subarray(0, magic.length)) === magic ? viewOf(bytes) : undefined;
}

/**
 * The header.
 * @throws {TruncatedError} if the archive is shorter than that.
 * @throws {UnknownFormatError} if it begins otherwise.
 */
export function requireHeader(source: ByteReader, shape: HeaderShape): DataView {
  const header = headerOf(source, shape);
  if (header) return header;
  const { title, magic, size } = shape;
  const { path } = source;
  const start = latin1(source.read(0, Math.min(magic.length, source.size)));
  if (source.size < size && magic.startsWith(start)) {
    throw new TruncatedError(`not ${title}: ${source.size} bytes are less than its header`, {
      path,
      offset: 0,
      expected: size,
      actual: source.size,
    });
  }
  throw new UnknownFormatError(`not ${title} (starts with ${JSON.stringify(start)})`, {
    path,
    offset: 0,
    expected: magic,
  });
}

/** Where a table of members is said to be. */
export interface TableLocation {
  /** Where it begins. */
  readonly offset: number;
  /** Its length. */
  readonly length: number;
  /** Length of one record. */
  readonly recordSize: number;
  /** Length of the header, which the table cannot be in. */
  readonly headerSize: number;
}

/**
 * Reads a table of members.
 * @throws {CorruptArchiveError} if it is said to be inside the header.
 * @throws {TruncatedError} if it reaches past the end.
 * @throws {LimitError} if it lists too many members.
 */
export function readTable(source: ByteReader, { offset, length, recordSize, headerSize }: TableLocation): Uint8Array {
  const { path, size } = source;
  if (offset < headerSize && length > 0) {
    throw new CorruptArchiveError(
      `the header says that the file table is at byte ${offset}, inside the header itself`,
      { path, offset, expected: headerSize, actual: offset },
    );
  }
  if (offset + length > size) {
    throw new TruncatedError(
      `the file table (at byte ${offset}, ${length} bytes) lies outside the file (${size} bytes); the file is cut short`,
      { path, offset, expected: offset + length, actual: size },
    );
  }
  requireCount(source, Math.floor(length / recordSize));
  return source.read(offset, length);
}

/**
 * Refuses an archive that lists more members than are kept.
 * @throws {LimitError} if it does.
 */
export function requireCount(source: ByteReader, count: number): void {
  if (count <= maxEntryCount) return;
  throw new LimitError(`the file table lists ${count} files; more than ${maxEntryCount} are not read`, {
    path: source.path,
    expected: maxEntryCount,
    actual: count,
  });
}

/** The name in a field of `size` bytes at `start`: up to its first NUL, or all of it. */
export function nameField(table: Uint8Array, start: number, size: number): Uint8Array {
  const nul = table.subarray(start, start + size).indexOf(0);
  return table.subarray(start, start + (nul < 0 ? size : nul));
}

/** Whether a name is neither empty nor holds control characters, as names in a real table do. */
export function isPrintableName(name: Uint8Array): boolean {
  return name.length > 0 && name.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

/** Fields of a stored member to begin with, dated as its archive is. */
export function storedFields(source: ByteReader): EntryFields {
  return {
    offset: 0,
    packedSize: 0,
    size: 0,
    mtime: source.mtime,
    crc32: 0,
    method: methodCode.store,
    flags: 0,
    damage: damageCode.none,
  };
}
