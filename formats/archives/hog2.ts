/**
 * HOG2 of Descent 3. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `HOG2`                      |   |      0 |   36 | name, NUL-padded                          |
 * |      4 |    4 | number of entries           |   |     36 |    4 | flags: 0                                  |
 * |      8 |    4 | offset of the data          |   |     40 |    4 | data length                               |
 * |     12 |   56 | reserved, filled with 0xFF  |   |     44 |    4 | time, seconds since 1970                  |
 *
 * The entries follow the header; the data of all members follow each other from the offset in the header, in the order
 * of the entries: a wrong length misplaces all members after it. The game searches a sorted list, so two entries with
 * the same name do not occur; the first is used.
 *
 * Sources: PhysFS physfs_archiver_hog.c, SLADE, libgamearchive fmt-hog-descent.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import type { EntryTable } from "../core/entry_table.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { headerOf, type HeaderShape, listRecords, readTable, requireHeader } from "./records.ts";

const shape: HeaderShape = { title: "a Descent 3 HOG", magic: "HOG2", size: 68 };
const recordSize = 48;

function read(reader: ByteReader): EntryTable {
  const header = requireHeader(reader, shape);
  const length = header.uint32() * recordSize;
  let offset = header.uint32();
  const table = readTable(reader, { offset: shape.size, length, recordSize, headerSize: shape.size });
  return listRecords(reader, table, recordSize, (record, fields) => {
    const name = record.name(36);
    fields.offset = offset;
    fields.size = fields.packedSize = record.skip(4).uint32();
    fields.mtime = record.uint32() * 1000;
    offset += fields.size;
    return name;
  });
}

/** The HOG2 format. */
export const hog2: ArchiveFormat = {
  name: "hog2",
  title: "Descent 3 HOG",
  games: "Descent 3",
  signature: "HOG2",
  methods: ["store"],
  extensions: [".hog", ".mn3"],
  duplicates: "first",
  detect: (reader) => headerOf(reader, shape) !== undefined,
  read,
};
