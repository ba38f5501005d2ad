/**
 * GRP of the Build engine: Duke Nukem 3D, Shadow Warrior, Redneck Rampage and others. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |   12 | `KenSilverman`              |   |      0 |   12 | name, NUL- or space-padded                |
 * |     12 |    4 | number of entries           |   |     12 |    4 | data length                               |
 *
 * The entries follow the header, the data of all members follow the entries, in their order and without gaps: a wrong
 * length misplaces all members behind it. There are no directories, times or checksums. Names are 8.3 of DOS, and the
 * engine does not mind their case. It looks at the last entry first, so that counts of two of one name.
 *
 * Source: Ken Silverman's Build engine, CACHE1D.C (`initgroupfile`, `kopen4load`).
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

const shape: HeaderShape = { title: "a Build GRP", magic: "KenSilverman", size: 16 };
const entrySize = 16;
const nameSize = 12;
const space = 0x20;

function unpadded(name: Uint8Array): Uint8Array {
  let end = name.length;
  while (end > 0 && name[end - 1] === space) end--;
  return name.subarray(0, end);
}

function read(source: ByteReader): EntryTable {
  const count = requireHeader(source, shape).getUint32(12, true);
  const table = readTable(source, {
    offset: shape.size,
    length: count * entrySize,
    recordSize: entrySize,
    headerSize: shape.size,
  });
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const view = viewOf(table);
  const fields = storedFields(source);
  let offset = shape.size + table.length;
  for (let start = 0; start < table.length; start += entrySize) {
    fields.offset = offset;
    fields.size = fields.packedSize = view.getUint32(start + nameSize, true);
    fields.damage = recordDamage(fields, source.size);
    names.add(unpadded(nameField(table, start, nameSize)), fields);
    offset += fields.size;
  }
  names.finish();
  return entries;
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
  detect: (source) => headerOf(source, shape) !== undefined,
  read,
};
