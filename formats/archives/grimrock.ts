/**
 * DAT of Legend of Grimrock (the first). All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `GRAR`                      |   |      0 |    4 | FNV-1a hash of the name                   |
 * |      4 |    4 | number of entries           |   |      4 |    4 | data offset from the start of the file    |
 * |        |      |                             |   |      8 |    4 | compressed size; 0: stored                |
 * |        |      |                             |   |     12 |    4 | decompressed size                         |
 *
 * The entries follow the header. Compressed data consist of the decompressed size again (4 bytes, included in the
 * compressed size) and zlib data. Names are missing: members are shown as `unknown/<hash>.<kind of content>`, and a
 * member's name in the archive is the hash in eight hex digits.
 *
 * Sources: UnpackShell GrimrockDATUnpacker.cs, pastebin w6anxSjY.
 * @module
 */
import { ProbeBudget, probeCompression, probedBytes } from "../codecs/compression_probe.ts";
import type { ByteReader } from "../core/byte_reader.ts";
import { contentType, contentTypeBytes } from "../core/content_type.ts";
import { Cursor, elementAt } from "../core/cursor.ts";
import { damageSentence } from "../core/damage.ts";
import { damageCode, type EntryFields, type EntryTable, methodCode } from "../core/entry_table.ts";
import { DamagedMemberError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { hashedLump } from "./hashed_pack.ts";
import { headerOf, type HeaderShape, listRecords, readTable, recordDamage, requireHeader } from "./records.ts";

const shape: HeaderShape = { title: "a Legend of Grimrock DAT", magic: "GRAR", size: 8 };
const recordSize = 16;
/** Length of the size field before compressed data. */
const prefixSize = 4;

/** Detects the type of a member's content by its first bytes. */
function kindOf(
  reader: ByteReader,
  { offset, packedSize, size, method }: EntryFields,
  budget: ProbeBudget,
): string {
  if (method === methodCode.store) return contentType(reader.read(offset, Math.min(size, contentTypeBytes)), size);
  const start = reader.read(offset, Math.min(prefixSize + packedSize, probedBytes));
  const { skip, head } = probeCompression(start, size, budget);
  return skip === prefixSize ? contentType(head, size) : "bin";
}

function read(reader: ByteReader): EntryTable {
  const length = requireHeader(reader, shape).uint32() * recordSize;
  const table = readTable(reader, { offset: shape.size, length, recordSize, headerSize: shape.size });
  const budget = new ProbeBudget();
  const entries = listRecords(reader, table, recordSize, (record, fields) => {
    const hash = record.uint32();
    fields.offset = record.uint32();
    const compressedSize = record.uint32();
    fields.size = record.uint32();
    const isStored = compressedSize === 0;
    fields.method = isStored ? methodCode.store : methodCode.zlib;
    fields.packedSize = isStored ? fields.size : Math.max(0, compressedSize - prefixSize);
    const isPastEnd = !isStored && fields.offset + prefixSize + fields.packedSize > reader.size;
    fields.damage = isPastEnd ? damageCode["past-end"] : recordDamage(fields, reader.size);
    const isProbed = fields.damage === damageCode.none && budget.takeMember();
    return hashedLump(hash, isProbed ? kindOf(reader, fields, budget) : "bin");
  });
  if (entries.length > 0) entries.warnings.push("the archive keeps no file names, only their hashes");
  return entries;
}

/** Returns the offset after the size before compressed data, which must equal the size in the table. */
function dataOffset(reader: ByteReader, table: EntryTable, index: number): number {
  const offset = elementAt(table.offsets, index);
  if (table.methods[index] === methodCode.store) return offset;
  const size = new Cursor(reader.read(offset, prefixSize)).uint32();
  const expected = elementAt(table.sizes, index);
  if (size === expected) return offset + prefixSize;
  const member = table.path(index);
  throw new DamagedMemberError(damageSentence("bad-local-header", { member, offset }), {
    path: reader.path,
    offset,
    member,
    expected,
    actual: size,
  });
}

/** The GRAR format. */
export const grimrock: ArchiveFormat = {
  name: "grimrock",
  title: "Legend of Grimrock DAT",
  games: "Legend of Grimrock",
  signature: "GRAR",
  nameless: true,
  methods: ["store", "zlib"],
  extensions: [".dat"],
  duplicates: "first",
  detect: (reader) => headerOf(reader, shape) !== undefined,
  read,
  dataOffset,
};
