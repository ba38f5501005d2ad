/**
 * GRP of the Build engine: Duke Nukem 3D, Shadow Warrior, Redneck Rampage and others. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |   12 | `KenSilverman`              |   |      0 |   12 | name, NUL- or space-padded                |
 * |     12 |    4 | number of entries           |   |     12 |    4 | data length                               |
 *
 * The entries follow the header, the data of all members follow the entries, in their order and without gaps: a wrong
 * length misplaces all members after it. It has no directories, times or checksums. Names are 8.3 of DOS, and the
 * engine ignores their case. It searches from the last entry, so the last of two equal names wins.
 *
 * Source: Ken Silverman's Build engine, CACHE1D.C (`initgroupfile`, `kopen4load`).
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import type { EntryTable } from "../core/entry_table.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { headerOf, type HeaderShape, listRecords, readTable, requireHeader } from "./records.ts";

const shape: HeaderShape = { title: "a Build GRP", magic: "KenSilverman", size: 16 };
const recordSize = 16;
const nameSize = 12;
const space = 0x20;

function unpadded(name: Uint8Array): Uint8Array {
  let end = name.length;
  while (end > 0 && name[end - 1] === space) end--;
  return name.subarray(0, end);
}

function read(reader: ByteReader): EntryTable {
  const length = requireHeader(reader, shape).uint32() * recordSize;
  const table = readTable(reader, { offset: shape.size, length, recordSize, headerSize: shape.size });
  let offset = shape.size + length;
  return listRecords(reader, table, recordSize, (record, fields) => {
    const name = unpadded(record.name(nameSize));
    fields.offset = offset;
    fields.size = fields.packedSize = record.uint32();
    offset += fields.size;
    return name;
  });
}

/** The GRP format. */
export const grp: ArchiveFormat = {
  name: "grp",
  title: "Build GRP",
  games: "Duke Nukem 3D, Shadow Warrior, Redneck Rampage",
  signature: "KenSilverman",
  methods: ["store"],
  extensions: [".grp"],
  duplicates: "last",
  detect: (reader) => headerOf(reader, shape) !== undefined,
  read,
};
