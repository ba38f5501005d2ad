/**
 * Resource container of Doom 3 BFG Edition. Integers are big-endian, except the lengths of names.
 *
 * | offset | size | header                       |   | in the table                                           |
 * |-------:|-----:|------------------------------|---|--------------------------------------------------------|
 * |      0 |    4 | 0xD000000D                   |   | 4: number of files, then for each:                     |
 * |      4 |    4 | offset of the table          |   | 4: length of the name, little-endian; the name, no NUL |
 * |      8 |    4 | length of the table          |   | 4: data offset from the start of the file              |
 * |        |      | data, then usually the table |   | 4: data length                                         |
 *
 * Nothing is compressed. The program that writes containers gives empty files an empty name: such an entry is no file.
 * Among equal names the engine uses the last; it compares them in lower case, with `\\` as `/`.
 *
 * Sources: RobertBeckebans/RBDOOM-3-BFG neo/framework/File_Resource.cpp, File_Resource.h, File.cpp
 * (`idFile::ReadString`).
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor } from "../core/cursor.ts";
import { damageCode, EntryTable } from "../core/entry_table.ts";
import { CorruptArchiveError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { MemberNames } from "../core/names.ts";
import {
  headerOf,
  type HeaderShape,
  readTable,
  recordDamage,
  requireCount,
  requireHeader,
  storedFields,
} from "./records.ts";

const shape: HeaderShape = { title: "a resource container of Doom 3 BFG", magic: "\xd0\x00\x00\x0d", size: 12 };
/** Length of a record without its name. */
const recordSize = 12;
/**
 * Size of the engine's name buffer (`idStrStatic<256>`). Tables with the maximum number of files stay below this
 * length.
 */
const maxName = 256;

function read(reader: ByteReader): EntryTable {
  requireHeader(reader, shape);
  const header = new Cursor(reader.read(0, shape.size), false).skip(shape.magic.length);
  const offset = header.uint32();
  const length = header.uint32();
  const bytes = readTable(reader, { offset, length, recordSize: recordSize + maxName, headerSize: shape.size });
  const corrupt = (problem: string, position: number) =>
    new CorruptArchiveError(`${problem} (byte ${offset + position})`, { path: reader.path, offset: offset + position });
  if (bytes.length < 4) throw corrupt("the file table is shorter than its number of files", 0);
  const record = new Cursor(bytes, false);
  const lengths = new Cursor(bytes);
  const count = record.uint32();
  requireCount(reader, count);
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const fields = storedFields(reader);
  for (let number = 0; number < count; number++) {
    const start = record.offset;
    if (record.remaining < recordSize) {
      throw corrupt(`the file table ends before file ${number + 1} of ${count}`, start);
    }
    lengths.offset = start;
    const nameLength = lengths.uint32();
    record.skip(4);
    if (nameLength + recordSize - 4 > record.remaining) {
      throw corrupt(`the name of file ${number + 1} does not end before the file table does`, start);
    }
    const name = record.bytes(nameLength);
    fields.offset = record.uint32();
    fields.size = fields.packedSize = record.uint32();
    if (nameLength === 0 && fields.size === 0) continue;
    fields.damage = damageCode.none;
    fields.damage = recordDamage(fields, reader.size);
    names.add(name, fields);
  }
  if (record.remaining > 0) {
    entries.warnings.push(`the file table has ${record.remaining} bytes after the last file, which are not read`);
  }
  names.finish();
  return entries;
}

/** The format of Doom 3 BFG Edition's resource containers. */
export const bfgResources: ArchiveFormat = {
  name: "bfg-resources",
  title: "Doom 3 BFG resources",
  games: "Doom 3 BFG Edition",
  signature: "d0 00 00 0d",
  methods: ["store"],
  extensions: [".resources"],
  duplicates: "last",
  detect: (reader) => headerOf(reader, shape) !== undefined,
  read,
};
