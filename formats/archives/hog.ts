/**
 * HOG of Descent and Descent II. All integers little-endian.
 *
 * | offset | size | content                                                              |
 * |-------:|-----:|----------------------------------------------------------------------|
 * |      0 |    3 | `DHF`                                                                |
 * |      3 |      | members up to the end of the file, each:                             |
 * |      0 |   13 | name, 8.3 of DOS, NUL-padded; bytes after the NUL are garbage        |
 * |     13 |    4 | data length                                                          |
 * |     17 |      | data                                                                 |
 *
 * Without a table, the walk from member to member must end exactly at the end of the file. A member whose length
 * exceeds the file is marked as damaged, and later members cannot be found. The engine uses the first of two members
 * with the same name.
 *
 * Sources: Descent's CFILE.C (`cfile_init_hogfile`), PhysFS physfs_archiver_hog.c.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor, nameField } from "../core/cursor.ts";
import { EntryTable } from "../core/entry_table.ts";
import { CorruptArchiveError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { MemberNames } from "../core/names.ts";
import {
  headerOf,
  type HeaderShape,
  isPrintableName,
  recordDamage,
  requireCount,
  requireHeader,
  storedFields,
} from "./records.ts";

const shape: HeaderShape = { title: "a Descent HOG", magic: "DHF", size: 3 };
const nameSize = 13;
const recordSize = 17;

/** Bytes read at a time, so that one read covers many records of small members. */
const windowSize = 4096;

/** Records of an archive, at any offset. */
class Records {
  readonly #reader: ByteReader;
  #window: Uint8Array = new Uint8Array(0);
  #start = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** Returns the record at byte `offset`, which lies within the file. */
  at(offset: number): Cursor {
    if (offset < this.#start || offset + recordSize > this.#start + this.#window.length) {
      this.#start = offset;
      this.#window = this.#reader.read(offset, Math.min(windowSize, this.#reader.size - offset));
    }
    return new Cursor(this.#window).skip(offset - this.#start);
  }
}

function detect(reader: ByteReader): boolean {
  if (!headerOf(reader, shape)) return false;
  if (reader.size === shape.size) return true;
  if (reader.size < shape.size + recordSize) return false;
  // Three letters prove little: the first member's name must be printable and NUL-terminated.
  const name = nameField(reader.read(shape.size, nameSize));
  return isPrintableName(name) && name.length < nameSize;
}

function read(reader: ByteReader): EntryTable {
  requireHeader(reader, shape);
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const records = new Records(reader);
  const fields = storedFields(reader);
  let offset = shape.size;
  while (offset + recordSize <= reader.size) {
    const record = records.at(offset);
    const name = record.name(nameSize);
    if (!isPrintableName(name)) break;
    fields.offset = offset + recordSize;
    fields.size = fields.packedSize = record.uint32();
    fields.damage = recordDamage(fields, reader.size);
    names.add(name, fields);
    requireCount(reader, entries.length);
    offset = fields.offset + fields.size;
  }
  if (entries.length === 0 && offset < reader.size) {
    throw new CorruptArchiveError(`no file at byte ${offset}, where the first should be`, {
      path: reader.path,
      offset,
    });
  }
  if (offset < reader.size) {
    const rest = reader.size - offset;
    entries.warnings.push(`no file at byte ${offset}, where the next should be; the last ${rest} bytes are not shown`);
  } else if (offset > reader.size) {
    entries.warnings.push(`the last file reaches past the end, to byte ${offset}; the file is cut short`);
  }
  names.finish();
  return entries;
}

/** The HOG format. */
export const hog: ArchiveFormat = {
  name: "hog",
  title: "Descent HOG",
  games: "Descent, Descent II",
  signature: "DHF",
  methods: ["store"],
  extensions: [".hog"],
  duplicates: "first",
  detect,
  read,
};
