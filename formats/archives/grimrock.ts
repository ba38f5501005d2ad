/**
 * DAT of Legend of Grimrock (the first). All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `GRAR`                      |   |      0 |    4 | FNV-1a hash of the name                   |
 * |      4 |    4 | number of entries           |   |      4 |    4 | data offset from the start of the file    |
 * |        |      |                             |   |      8 |    4 | packed length; 0: stored                  |
 * |        |      |                             |   |     12 |    4 | decompressed length                           |
 *
 * The entries follow the header. Compressed data are the decompressed length once more (4 bytes, which the packed length counts)
 * and zlib data. There are no names: members are shown as `unknown/<hash>.<kind of content>`, and the hash in eight hex
 * digits is what a member is called in the archive.
 *
 * Sources: UnpackShell GrimrockDATUnpacker.cs, pastebin w6anxSjY.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { contentType, contentTypeBytes } from "../core/content_type.ts";
import { damageSentence } from "../core/damage.ts";
import { damageCode, type EntryFields, EntryTable, methodCode } from "../core/entry_table.ts";
import { DamagedMemberError } from "../core/errors.ts";
import { headerOf, type HeaderShape, readTable, requireHeader, storedFields, viewOf } from "./fixed_records.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { hashDigits, unknownDirectory } from "./hashed_pack.ts";
import { probeCompression, probedBytes } from "../codecs/compression_probe.ts";
import { recordDamage } from "./record_damage.ts";

const shape: HeaderShape = { title: "a Legend of Grimrock DAT", magic: "GRAR", size: 8 };
const entrySize = 16;
/** The length in front of compressed data. */
const prefixSize = 4;
/** Members whose data are looked at while listing; the kind of content of others is not told. */
const maxProbed = 65_536;

const encoder = new TextEncoder();

/** The kind of a member's content, by its first bytes. */
function kindOf(source: ByteReader, { offset, packedSize, size, method }: EntryFields): string {
  if (method === methodCode.store) return contentType(source.read(offset, Math.min(size, contentTypeBytes)), size);
  const start = source.read(offset, Math.min(prefixSize + packedSize, probedBytes));
  const { skip, head } = probeCompression(start, size);
  return skip === prefixSize ? contentType(head, size) : "bin";
}

function read(source: ByteReader): EntryTable {
  const table = readTable(source, {
    offset: shape.size,
    length: requireHeader(source, shape).getUint32(4, true) * entrySize,
    recordSize: entrySize,
    headerSize: shape.size,
  });
  const entries = new EntryTable();
  const view = viewOf(table);
  const fields = storedFields(source);
  /** A path and a hash. */
  const text = new Uint8Array(64);
  for (let start = 0; start < table.length; start += entrySize) {
    const hash = hashDigits(view.getUint32(start, true));
    const packedSize = view.getUint32(start + 8, true);
    fields.offset = view.getUint32(start + 4, true);
    fields.size = view.getUint32(start + 12, true);
    fields.method = packedSize === 0 ? methodCode.store : methodCode.zlib;
    fields.packedSize = packedSize === 0 ? fields.size : Math.max(0, packedSize - prefixSize);
    fields.damage = recordDamage(fields, source.size);
    if (fields.offset + packedSize > source.size) fields.damage = damageCode["past-end"];
    const kind = fields.damage === damageCode.none && entries.length < maxProbed ? kindOf(source, fields) : "bin";
    const pathEnd = encoder.encodeInto(`${unknownDirectory}/${hash}.${kind}`, text).written;
    const hashEnd = pathEnd + encoder.encodeInto(hash, text.subarray(pathEnd)).written;
    entries.add(text.subarray(0, pathEnd), fields, text.subarray(pathEnd, hashEnd));
  }
  if (entries.length > 0) entries.warnings.push("the archive keeps no file names, only their hashes");
  return entries;
}

/** Behind the length in front of compressed data, which must be the one in the table. */
function dataOffset(source: ByteReader, table: EntryTable, index: number): number {
  const offset = table.offsets[index] ?? 0;
  if (table.methods[index] === methodCode.store) return offset;
  const size = viewOf(source.read(offset, prefixSize)).getUint32(0, true);
  if (size === table.sizes[index]) return offset + prefixSize;
  const member = table.path(index);
  throw new DamagedMemberError(damageSentence("bad-local-header", { member, offset }), {
    path: source.path,
    offset,
    member,
    expected: table.sizes[index] ?? 0,
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
  detect: (source) => headerOf(source, shape) !== undefined,
  read,
  dataOffset,
};
