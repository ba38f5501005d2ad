/**
 * Headers and tables of fixed-size records: a format's reader is only the loop over its records. Every bound is checked
 * before anything is read, and every failure has its location. Offsets and lengths in bytes.
 * @module
 */
import { codecs } from "../codecs/codecs.ts";
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor, elementAt, latin1 } from "../core/cursor.ts";
import { damageCode, type EntryFields, EntryTable, type Method, methodCode, methodNames } from "../core/entry_table.ts";
import { CorruptArchiveError, LimitError, TruncatedError, UnknownFormatError } from "../core/errors.ts";
import { maxDecompressedSize, maxEntryCount } from "../core/limits.ts";
import { type DecodedName, MemberNames } from "../core/names.ts";

/** Header of an archive. */
export interface HeaderShape {
  /** Name of the format with its article, for messages: `a Quake PAK`. */
  readonly title: string;
  /** First bytes, as Latin-1. */
  readonly magic: string;
  /** Length of the header. */
  readonly size: number;
}

/** Returns a cursor after the magic of the header, or `undefined` if the archive is too short or begins otherwise. */
export function headerOf(reader: ByteReader, { magic, size }: HeaderShape): Cursor | undefined {
  if (reader.size < size) return undefined;
  const bytes = reader.read(0, size);
  return latin1(bytes.subarray(0, magic.length)) === magic ? new Cursor(bytes).skip(magic.length) : undefined;
}

/**
 * Returns a cursor after the magic of the header.
 * @throws {TruncatedError} if the archive is shorter than the header.
 * @throws {UnknownFormatError} if it begins otherwise.
 */
export function requireHeader(reader: ByteReader, shape: HeaderShape): Cursor {
  const header = headerOf(reader, shape);
  if (header) return header;
  const { title, magic, size } = shape;
  const { path } = reader;
  const start = latin1(reader.read(0, Math.min(magic.length, reader.size)));
  if (reader.size < size && magic.startsWith(start)) throw shorterThanHeader(reader, title, size);
  throw new UnknownFormatError(`not ${title} (starts with ${JSON.stringify(start)})`, {
    path,
    offset: 0,
    expected: magic,
  });
}

/** Returns the error of an archive that is shorter than the header of its format. */
export function shorterThanHeader({ path, size }: ByteReader, title: string, expected: number): TruncatedError {
  const message = `not ${title}: ${size} bytes are less than its header`;
  return new TruncatedError(message, { path, offset: 0, expected, actual: size });
}

/**
 * Requires that a table is in the file.
 * @param table Its name in sentences.
 * @param field Offset of the field with its location.
 * @throws {TruncatedError} if it exceeds the file.
 */
export function requireTable(
  { path, size }: ByteReader,
  table: string,
  offset: number,
  length: number,
  field: number,
): void {
  if (offset + length <= size) return;
  throw new TruncatedError(
    `${table} (at byte ${offset}, ${length} bytes) lies outside the file (${size} bytes); the file is cut short`,
    { path, offset: field, expected: offset + length, actual: size },
  );
}

/** Location of a table of members according to the header. */
export interface TableLocation {
  /** Offset of the first record. */
  readonly offset: number;
  /** Length of all records. */
  readonly length: number;
  /** Length of one record. */
  readonly recordSize: number;
  /** Length of the header, which the table must not overlap. */
  readonly headerSize: number;
}

/**
 * Reads a table of members.
 * @throws {CorruptArchiveError} if it overlaps the header.
 * @throws {TruncatedError} if it exceeds the file.
 * @throws {LimitError} if it lists too many members.
 */
export function readTable(reader: ByteReader, { offset, length, recordSize, headerSize }: TableLocation): Uint8Array {
  const { path } = reader;
  if (offset < headerSize && length > 0) {
    throw new CorruptArchiveError(
      `the header says that the file table is at byte ${offset}, inside the header itself`,
      { path, offset, expected: headerSize, actual: offset },
    );
  }
  requireTable(reader, "the file table", offset, length, offset);
  requireCount(reader, Math.floor(length / recordSize));
  return reader.read(offset, length);
}

/**
 * Rejects an archive with more members than allowed.
 * @throws {LimitError} if it has.
 */
export function requireCount(reader: ByteReader, count: number): void {
  if (count <= maxEntryCount) return;
  throw new LimitError(`the file table lists ${count} files; more than ${maxEntryCount} are not read`, {
    path: reader.path,
    expected: maxEntryCount,
    actual: count,
  });
}

/** Name of a member in a format without directories. */
export interface Lump {
  /** Display path. */
  readonly path: string;
  /** Name in the archive. */
  readonly raw: Uint8Array;
}

/**
 * Reads one record: sets the fields that differ from a stored member with its archive's time, and returns the name, or
 * `undefined` for a record without a member. The caller checks for damage unless it is set.
 */
export type RecordReader = (record: Cursor, fields: EntryFields) => Uint8Array | Lump | undefined;

/** Options of {@linkcode listRecords}. */
export interface RecordOptions {
  /** Length of names that fill their field. Their spelling is kept, because engines differ about them. */
  readonly fullName?: number;
  /** Byte order of the records; default true. */
  readonly isLittleEndian?: boolean;
  /** Converts a name to UTF-8, for formats with their own character set. */
  readonly decodeName?: (raw: Uint8Array) => DecodedName;
}

/** Lists the members of a table of records. Bytes after the last whole record are ignored. */
export function listRecords(
  reader: ByteReader,
  table: Uint8Array,
  recordSize: number,
  readRecord: RecordReader,
  { fullName, isLittleEndian, decodeName }: RecordOptions = {},
): EntryTable {
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const fields = storedFields(reader);
  const record = new Cursor(table, isLittleEndian);
  for (let start = 0; start + recordSize <= table.length; start += recordSize) {
    record.offset = start;
    fields.damage = damageCode.none;
    const name = readRecord(record, fields);
    if (!name) continue;
    if (fields.damage === damageCode.none) fields.damage = recordDamage(fields, reader.size);
    if (!(name instanceof Uint8Array)) {
      names.addLump(name.path, name.raw, fields);
      continue;
    }
    const row = names.add(name, fields, decodeName);
    if (name.length === fullName) entries.rawNames.set(row, name);
  }
  names.finish();
  return entries;
}

/** Returns whether a name is non-empty and has no control characters, as in a real table. */
export function isPrintableName(name: Uint8Array): boolean {
  return name.length > 0 && name.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

/** Returns the fields of a stored member with its archive's time. */
export function storedFields(reader: ByteReader): EntryFields {
  return {
    offset: 0,
    packedSize: 0,
    size: 0,
    mtime: reader.mtime,
    crc32: 0,
    method: methodCode.store,
    flags: 0,
    damage: damageCode.none,
  };
}

const maxRatios = methodNames.map((method: Method) => codecs[method].maxRatio);

/** Returns the damage code of a member with impossible sizes for its method, else the code of `none`. */
export function sizeDamage({ packedSize, size, method }: EntryFields): number {
  const ratio = elementAt(maxRatios, method);
  if (method === methodCode.unsupported) return damageCode["unsupported-method"];
  if (ratio === 1) return size === packedSize ? damageCode.none : damageCode["size-mismatch"];
  return size > packedSize * ratio || size > maxDecompressedSize ? damageCode["too-large"] : damageCode.none;
}

/** Returns the damage code of a member whose data exceed the file, or the one from {@linkcode sizeDamage}. */
export function recordDamage(fields: EntryFields, archiveSize: number): number {
  return fields.offset + fields.packedSize > archiveSize ? damageCode["past-end"] : sizeDamage(fields);
}
