/**
 * Quake's PAK and its descendants: four letters, then the offset of the directory and its length in bytes. The formats
 * differ in the letters and the directory entries. All integers little-endian.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import type { Cursor } from "../core/cursor.ts";
import type { EntryFields, EntryTable } from "../core/entry_table.ts";
import { headerOf, type HeaderShape, listRecords, readTable, requireHeader } from "./records.ts";

/** Header and entries of one of these formats. Sizes in bytes. */
export interface PakShape extends HeaderShape {
  /** Size of an entry. */
  readonly entrySize: number;
  /**
   * Size of the name field at the beginning of an entry; may be filled without a NUL. Bytes after a NUL are garbage.
   */
  readonly nameSize: number;
}

/** Location of the directory according to the header. */
export interface PakLocation {
  /** Offset of the first entry. */
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
}

function locationOf(header: Cursor): PakLocation {
  return { offset: header.uint32(), length: header.uint32() };
}

/** Returns the location of the directory, or `undefined` if the archive does not begin with the magic of `shape`. */
export function pakLocation(reader: ByteReader, shape: HeaderShape): PakLocation | undefined {
  const header = headerOf(reader, shape);
  return header && locationOf(header);
}

/** Sets offset, sizes and method from the numbers after a name. */
export type PakRecordReader = (record: Cursor, fields: EntryFields) => void;

/**
 * Lists the members of a PAK-like archive.
 * @param check Receives the directory's bytes before they are used; may throw.
 * @throws {ArchiveError} if the header has another format, or the directory exceeds the file.
 */
export function readPak(
  reader: ByteReader,
  shape: PakShape,
  readRecord: PakRecordReader,
  check?: (directory: Uint8Array) => void,
): EntryTable {
  const { entrySize, nameSize, size } = shape;
  const location = locationOf(requireHeader(reader, shape));
  const directory = readTable(reader, { ...location, recordSize: entrySize, headerSize: size });
  check?.(directory);
  const entries = listRecords(
    reader,
    directory,
    entrySize,
    (record, fields) => {
      const name = record.name(nameSize);
      readRecord(record, fields);
      return name;
    },
    { fullName: nameSize },
  );
  const rest = directory.length % entrySize;
  if (rest !== 0) {
    entries.warnings.unshift(
      `the file table is ${directory.length} bytes, not a multiple of ${entrySize}; its last ${rest} bytes are ignored`,
    );
  }
  return entries;
}

/** Reads the record of a stored member: offset and size. */
export const readStoredRecord: PakRecordReader = (record, fields) => {
  fields.offset = record.uint32();
  fields.size = fields.packedSize = record.uint32();
};
