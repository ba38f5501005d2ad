/**
 * GMA, an addon of Garry's Mod. All integers little-endian, all strings end with a NUL.
 *
 * | size | header                                                 |   | size | entry                                   |
 * |-----:|--------------------------------------------------------|---|-----:|-----------------------------------------|
 * |    4 | `GMAD`                                                 |   |    4 | number of the file; 0 after the last    |
 * |    1 | version, 1 to 3                                        |   |      | name                                    |
 * |   16 | Steam id, time                                         |   |    8 | size                                    |
 * |      | from version 2 on: required files, then an empty string |   |    4 | CRC-32, or 0 without one                |
 * |      | title, description, author                             |   |      |                                         |
 * |    4 | version of the addon                                   |   |      |                                         |
 *
 * The entries follow the header, and the data of all files follow them one after the other: a wrong size misplaces all
 * files after it. The tool that makes addons extracts them in order, so of equal names the last stays.
 *
 * Sources: Facepunch/gmad include/AddonReader.h, src/create_gmad.cpp.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor } from "../core/cursor.ts";
import { entryHasCrc, EntryTable } from "../core/entry_table.ts";
import { CorruptArchiveError, UnknownFormatError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { maxTableBytes } from "../core/limits.ts";
import { MemberNames } from "../core/names.ts";
import { headerOf, type HeaderShape, recordDamage, requireCount, requireHeader, storedFields } from "./records.ts";

const shape: HeaderShape = { title: "an addon of Garry's Mod", magic: "GMAD", size: 5 };
const lastVersion = 3;
/** Bytes of the table that are read at first; it has no length, so more is read if it does not end there. */
const firstRead = 64 * 1024;

/** Reads the fields of the table, which may end anywhere. */
class TableCursor {
  readonly #reader: ByteReader;
  #cursor: Cursor;
  #length: number;

  constructor(reader: ByteReader) {
    this.#reader = reader;
    this.#length = Math.min(firstRead, reader.size);
    this.#cursor = new Cursor(reader.read(0, this.#length));
  }

  /** Offset of the next field. */
  get offset(): number {
    return this.#cursor.offset;
  }

  /** Returns a cursor with at least `length` bytes. */
  need(length: number): Cursor {
    while (this.#cursor.remaining < length) this.#grow();
    return this.#cursor;
  }

  string(): Uint8Array {
    for (;;) {
      const found = this.#cursor.terminated();
      if (found) return found;
      this.#grow();
    }
  }

  #grow(): void {
    const { path, size } = this.#reader;
    if (this.#length === Math.min(size, maxTableBytes)) {
      throw new CorruptArchiveError(`the file table does not end before byte ${this.#length}; the file is cut short`, {
        path,
        offset: this.#cursor.offset,
      });
    }
    const { offset } = this.#cursor;
    this.#length = Math.min(size, maxTableBytes, this.#length * 4);
    this.#cursor = new Cursor(this.#reader.read(0, this.#length)).skip(offset);
  }
}

function read(reader: ByteReader): EntryTable {
  const version = requireHeader(reader, shape).uint8();
  const { path } = reader;
  if (version === 0 || version > lastVersion) {
    throw new UnknownFormatError(`version ${version} of Garry's Mod addons is not known`, { path, offset: 4 });
  }
  const cursor = new TableCursor(reader);
  cursor.need(shape.size + 16).skip(shape.size + 16);
  if (version > 1) { while (cursor.string().length > 0); }
  for (let text = 0; text < 3; text++) cursor.string();
  cursor.need(4).skip(4);
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const fields = storedFields(reader);
  /** Sizes of the files, which are too large to be added up if the archive is damaged. */
  const sizes: number[] = [];
  while (cursor.need(4).uint32() !== 0) {
    const name = cursor.string();
    const record = cursor.need(12);
    fields.size = fields.packedSize = record.uint64();
    fields.crc32 = record.uint32();
    fields.flags = fields.crc32 === 0 ? 0 : entryHasCrc;
    requireCount(reader, sizes.push(fields.size));
    names.add(name, fields);
  }
  let offset = cursor.offset;
  for (const [index, size] of sizes.entries()) {
    entries.offsets[index] = offset;
    entries.damage[index] = recordDamage({ ...fields, offset, size, packedSize: size }, reader.size);
    offset += size;
  }
  names.finish();
  return entries;
}

/** The GMA format. */
export const gma: ArchiveFormat = {
  name: "gma",
  title: "Garry's Mod addon",
  games: "Garry's Mod",
  signature: "GMAD",
  methods: ["store"],
  extensions: [".gma"],
  duplicates: "last",
  detect: (reader) => headerOf(reader, shape) !== undefined,
  read,
};
