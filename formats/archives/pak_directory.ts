/**
 * What Quake's PAK and its descendants have in common: four letters, then the offset of the directory and its length in
 * bytes. They differ in the letters and in the directory's entries. All integers little-endian.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { type EntryFields, EntryTable } from "../core/entry_table.ts";
import {
  headerOf,
  type HeaderShape,
  nameField,
  readTable,
  requireHeader,
  storedFields,
  viewOf,
} from "./fixed_records.ts";
import { MemberNames } from "../core/names.ts";
import { recordDamage } from "./record_damage.ts";

/** The header and the entries of one of the formats. Sizes in bytes. */
export interface PakShape extends HeaderShape {
  /** Size of an entry. */
  readonly entrySize: number;
  /** Size of the name at its beginning; may be filled without a NUL. Bytes after a NUL are garbage. */
  readonly nameSize: number;
}

/** The directory, as the header has it. */
export interface PakTable {
  /** Where the directory begins. */
  readonly offset: number;
  /** Its length in bytes. */
  readonly length: number;
}

/** Where the directory is said to be, or `undefined` if the archive does not begin as `shape` says. */
export function pakTable(source: ByteReader, shape: HeaderShape): PakTable | undefined {
  const header = headerOf(source, shape);
  return header && { offset: header.getUint32(4, true), length: header.getUint32(8, true) };
}

/** Sets offset, sizes and method from the numbers behind a name, which begin at byte `at` of `view`. */
export type PakRecordReader = (view: DataView, at: number, fields: EntryFields) => void;

/**
 * Lists the members of a PAK-like archive, with each one's bounds checked.
 * @param check Told the directory's bytes before they are used; may refuse them.
 * @throws {ArchiveError} if the header is another's, or the directory is not inside the file.
 */
export function readPak(
  source: ByteReader,
  shape: PakShape,
  readRecord: PakRecordReader,
  check?: (directory: Uint8Array) => void,
): EntryTable {
  const { entrySize, nameSize } = shape;
  const header = requireHeader(source, shape);
  const directory = readTable(source, {
    offset: header.getUint32(4, true),
    length: header.getUint32(8, true),
    recordSize: entrySize,
    headerSize: shape.size,
  });
  check?.(directory);
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const view = viewOf(directory);
  const fields = storedFields(source);
  const end = directory.length - directory.length % entrySize;
  for (let start = 0; start < end; start += entrySize) {
    readRecord(view, start + nameSize, fields);
    fields.damage = recordDamage(fields, source.size);
    const name = nameField(directory, start, nameSize);
    const row = names.add(name, fields);
    // Engines differ about a name that fills its field, so that it is found again.
    if (name.length === nameSize) entries.rawNames.set(row, name);
  }
  if (end !== directory.length) {
    entries.warnings.push(
      `the file table is ${directory.length} bytes, not a multiple of ${entrySize}; its last ` +
        `${directory.length - end} bytes are ignored`,
    );
  }
  names.finish();
  return entries;
}

/** Record of stored members: offset and size. */
export const readStoredRecord: PakRecordReader = (view, at, fields) => {
  fields.offset = view.getUint32(at, true);
  fields.size = fields.packedSize = view.getUint32(at + 4, true);
};
