/**
 * HOG of Descent and Descent II. All integers little-endian.
 *
 * | offset | size | what                                                                 |
 * |-------:|-----:|----------------------------------------------------------------------|
 * |      0 |    3 | `DHF`                                                                |
 * |      3 |      | members up to the end of the file, each:                             |
 * |      0 |   13 | name, 8.3 of DOS, NUL-padded; bytes after the NUL are garbage        |
 * |     13 |    4 | data length                                                          |
 * |     17 |      | data                                                                 |
 *
 * There is no table: the walk from member to member must end exactly at the end of the file. One whose length leads past
 * it is marked, and nothing can be found behind it. The engine takes the first of two members of one name.
 *
 * Sources: Descent's CFILE.C (`cfile_init_hogfile`), PhysFS physfs_archiver_hog.c.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { EntryTable } from "../core/entry_table.ts";
import { CorruptArchiveError } from "../core/errors.ts";
import {
  headerOf,
  type HeaderShape,
  isPrintableName,
  nameField,
  requireCount,
  requireHeader,
  storedFields,
  viewOf,
} from "./fixed_records.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { MemberNames } from "../core/names.ts";
import { recordDamage } from "./record_damage.ts";

const shape: HeaderShape = { title: "a Descent HOG", magic: "DHF", size: 3 };
const nameSize = 13;
const recordSize = 17;

/** Bytes read at a time: the records of small members come together. */
const windowSize = 4096;

/** The records of an archive, wherever they are. */
class Records {
  readonly #source: ByteReader;
  #window: Uint8Array = new Uint8Array(0);
  #start = 0;

  constructor(source: ByteReader) {
    this.#source = source;
  }

  /** The record at byte `offset`, which lies within the file. */
  at(offset: number): Uint8Array {
    if (offset < this.#start || offset + recordSize > this.#start + this.#window.length) {
      this.#start = offset;
      this.#window = this.#source.read(offset, Math.min(windowSize, this.#source.size - offset));
    }
    return this.#window.subarray(offset - this.#start, offset - this.#start + recordSize);
  }
}

/** The name of a record, or `undefined` if it cannot be one: that is no record. */
function nameOf(record: Uint8Array): Uint8Array | undefined {
  const name = nameField(record, 0, nameSize);
  return isPrintableName(name) ? name : undefined;
}

function detect(source: ByteReader): boolean {
  if (!headerOf(source, shape)) return false;
  if (source.size === shape.size) return true;
  if (source.size < shape.size + recordSize) return false;
  // Three letters are not much: the first member's name must look like one and end.
  const name = nameOf(source.read(shape.size, recordSize));
  return name !== undefined && name.length < nameSize;
}

function read(source: ByteReader): EntryTable {
  requireHeader(source, shape);
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const records = new Records(source);
  const fields = storedFields(source);
  let offset = shape.size;
  while (offset + recordSize <= source.size) {
    const record = records.at(offset);
    const name = nameOf(record);
    if (!name) break;
    fields.offset = offset + recordSize;
    fields.size = fields.packedSize = viewOf(record).getUint32(nameSize, true);
    fields.damage = recordDamage(fields, source.size);
    names.add(name, fields);
    requireCount(source, entries.length);
    offset = fields.offset + fields.size;
  }
  if (entries.length === 0 && offset < source.size) {
    throw new CorruptArchiveError(`there is no file at byte ${offset}, where the first should be`, {
      path: source.path,
      offset,
    });
  }
  if (offset < source.size) {
    entries.warnings.push(
      `there is no file at byte ${offset}, where the next should be; what is in the last ${
        source.size - offset
      } bytes ` +
        "is not shown",
    );
  } else if (offset > source.size) {
    entries.warnings.push(
      `the last file that was found reaches past the end, to byte ${offset}; the file is cut short`,
    );
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
