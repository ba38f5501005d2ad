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
 * of the entries: a wrong length misplaces all members behind it. The game searches a sorted list, so two entries of one
 * name do not occur; the first is taken.
 *
 * Sources: PhysFS physfs_archiver_hog.c, SLADE, libgamearchive fmt-hog-descent.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { EntryTable } from "../core/entry_table.ts";
import {
  headerOf,
  type HeaderShape,
  nameField,
  readTable,
  requireHeader,
  storedFields,
  viewOf,
} from "./fixed_records.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { MemberNames } from "../core/names.ts";
import { recordDamage } from "./record_damage.ts";

const shape: HeaderShape = { title: "a Descent 3 HOG", magic: "HOG2", size: 68 };
const entrySize = 48;
const nameSize = 36;

function read(source: ByteReader): EntryTable {
  const header = requireHeader(source, shape);
  const table = readTable(source, {
    offset: shape.size,
    length: header.getUint32(4, true) * entrySize,
    recordSize: entrySize,
    headerSize: shape.size,
  });
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const view = viewOf(table);
  const fields = storedFields(source);
  let offset = header.getUint32(8, true);
  for (let start = 0; start < table.length; start += entrySize) {
    fields.offset = offset;
    fields.size = fields.packedSize = view.getUint32(start + 40, true);
    fields.mtime = view.getUint32(start + 44, true) * 1000;
    fields.damage = recordDamage(fields, source.size);
    names.add(nameField(table, start, nameSize), fields);
    offset += fields.size;
  }
  names.finish();
  return entries;
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
  detect: (source) => headerOf(source, shape) !== undefined,
  read,
};
