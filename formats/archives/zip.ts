/**
 * Zip: pk3, pk4, pkz, kpf and plain zip. All integers little-endian (PKWARE APPNOTE.TXT 6.3.10, sections 4.3 to 4.5).
 *
 * An archive consists of members, each a local header and compressed bytes; the central directory; and the end record.
 * Readers start at the end. An archive may follow other data (self-extracting programs), whose length is then missing
 * in all offsets. See `zip_surroundings.ts` for the consequences.
 *
 * | offset | size | local header `PK\3\4`       |   | offset | size | central record `PK\1\2`                   |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | signature                   |   |      0 |    4 | signature                                 |
 * |      4 |    2 | version needed              |   |      4 |    4 | version made by, version needed           |
 * |      6 |    2 | flags                       |   |      8 |    2 | flags: 1 encrypted, 8 sizes follow the    |
 * |        |      |                             |   |        |      | data, 0x800 name is UTF-8                 |
 * |      8 |    2 | method                      |   |     10 |    2 | method: 0 stored, 8 deflate               |
 * |     10 |    4 | DOS time, date              |   |     12 |    4 | DOS time, date                            |
 * |     14 |    4 | CRC-32                      |   |     16 |    4 | CRC-32                                    |
 * |     18 |    4 | compressed size             |   |     20 |    4 | compressed size                           |
 * |     22 |    4 | size                        |   |     24 |    4 | size                                      |
 * |     26 |    2 | name length                 |   |     28 |    2 | name length                               |
 * |     28 |    2 | extra length                |   |     30 |    4 | extra length, comment length              |
 * |     30 |      | name, extra, data           |   |     34 |    8 | disk, internal and external attributes    |
 * |        |      |                             |   |     42 |    4 | offset of the local header                |
 * |        |      |                             |   |     46 |      | name, extra, comment                      |
 *
 * | offset | size | end record `PK\5\6`         |   | offset | size | zip64 end record `PK\6\6`                 |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | signature                   |   |      0 |   12 | signature, size of the rest               |
 * |      4 |    4 | disk numbers                |   |     12 |   12 | versions, disk numbers                    |
 * |      8 |    4 | member counts: disk, all    |   |     24 |   16 | member counts: disk, all                  |
 * |     12 |    4 | central directory size      |   |     40 |    8 | central directory size                    |
 * |     16 |    4 | central directory offset    |   |     48 |    8 | central directory offset                  |
 * |     20 |    2 | comment length              |   |        |      | followed by its locator `PK\6\7`:         |
 * |     22 |      | comment                     |   |      0 |   20 | signature, disk, record offset (8), disks |
 *
 * Values that do not fit are stored as all ones, and as 64 bits in extra field 0x0001 or the zip64 end record. Listing
 * needs only the central directory, so data descriptors, which repeat the sizes after the data, are never read.
 *
 * A member's time is the Unix time of extra field 0x5455 (Info-ZIP) if the central directory has it, else of 0x5855 (its
 * predecessor) or 0x000a (NTFS, written by 7-Zip), else the DOS time in the local time zone, as in unzip, Python and
 * 7-Zip. The writer stores both, with the DOS time in UTC, so that the
 * same files give the same bytes in every time zone. Encryption and unknown methods (`zip_methods.ts`) are marked as
 * damage; a symbolic link is an ordinary file with its target as content, as in Quake 3.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor, elementAt } from "../core/cursor.ts";
import { damageSentence } from "../core/damage.ts";
import { type Damage, type EntryTable, methodCode, methodNames } from "../core/entry_table.ts";
import { DamagedMemberError } from "../core/errors.ts";
import type { ArchiveFormat, DecryptedMember } from "../core/format.ts";
import { decryptedPieces, encryptionOverhead, readAesField, type ZipEncryption } from "../codecs/zip_crypto.ts";
import { hasZipDirectory, readZipDirectory } from "./zip_directory.ts";
import { isOtherFormat } from "./zip_surroundings.ts";
import { zipMethodCodes } from "../core/zip_methods.ts";
import { writeZip } from "./zip_writer.ts";

const localSignature = 0x04034b50;
const endSignature = 0x06054b50;
const localSize = 30;
const flagEncrypted = 1;
const flagDescriptor = 1 << 3;
/** Encryption with PKWARE's "strong" scheme, which is not supported. */
const flagStrong = 1 << 6;
const methodAes = 99;
const extraAes = 0x9901;
/** Encrypted bytes read at a time. */
const encryptedPiece = 64 * 1024;

function detect(reader: ByteReader): boolean {
  if (reader.size < 4) return false;
  const signature = new Cursor(reader.read(0, 4)).uint32();
  if (signature === localSignature || signature === endSignature) return true;
  return hasZipDirectory(reader) && !isOtherFormat(reader);
}

/** Local header of a member. */
interface LocalHeader {
  readonly flags: number;
  readonly time: number;
  readonly method: number;
  /** Offset of the extra field. */
  readonly extraStart: number;
  /** Offset of the data. */
  readonly dataStart: number;
}

function damaged(reader: ByteReader, table: EntryTable, index: number, name: Damage): DamagedMemberError {
  const offset = elementAt(table.offsets, index);
  const member = table.path(index);
  const sentence = damageSentence(name, { member, offset, packedSize: table.compressedSizes[index] });
  return new DamagedMemberError(sentence, { path: reader.path, offset, member });
}

/**
 * Reads the local header, whose name and extra field may have other lengths than in the central directory. Checks the
 * signature, and that the data end within the file.
 */
function readLocalHeader(reader: ByteReader, table: EntryTable, index: number): LocalHeader {
  const offset = elementAt(table.offsets, index);
  if (offset + localSize > reader.size) throw damaged(reader, table, index, "past-end");
  const header = new Cursor(reader.read(offset, localSize));
  if (header.uint32() !== localSignature) throw damaged(reader, table, index, "bad-local-header");
  const flags = header.skip(2).uint16();
  const method = header.uint16();
  const time = header.uint16();
  const extraStart = offset + localSize + header.skip(14).uint16();
  const dataStart = extraStart + header.uint16();
  if (dataStart + elementAt(table.compressedSizes, index) > reader.size) {
    throw damaged(reader, table, index, "past-end");
  }
  return { flags, time, method, extraStart, dataStart };
}

function dataOffset(reader: ByteReader, table: EntryTable, index: number): number {
  const { flags, method, dataStart } = readLocalHeader(reader, table, index);
  if ((flags & flagEncrypted) === 0 && zipMethodCodes.get(method) === table.methods[index]) return dataStart;
  throw damaged(reader, table, index, "bad-local-header");
}

/** Returns the data of an extra field of a local header. */
function extraField(reader: ByteReader, { extraStart, dataStart }: LocalHeader, kind: number): Uint8Array | undefined {
  const fields = new Cursor(reader.read(extraStart, dataStart - extraStart));
  while (fields.remaining >= 4) {
    const found = fields.uint16();
    const length = fields.uint16();
    if (length > fields.remaining) return undefined;
    const data = fields.bytes(length);
    if (found === kind) return data;
  }
  return undefined;
}

function decrypt(reader: ByteReader, table: EntryTable, index: number, password: string): DecryptedMember {
  const header = readLocalHeader(reader, table, index);
  const crc = table.crc(index) ?? 0;
  const field = header.method === methodAes ? extraField(reader, header, extraAes) : undefined;
  const aes = field && readAesField(field);
  const isStrong = (header.flags & flagStrong) !== 0 || (header.method === methodAes && !aes);
  const method = methodNames[zipMethodCodes.get(aes?.method ?? header.method) ?? methodCode.unsupported];
  if (isStrong || method === undefined || method === "unsupported") throw damaged(reader, table, index, "encrypted");
  // If sizes follow the data, the checksum was not yet known when the header was written.
  const check = (header.flags & flagDescriptor) !== 0 ? header.time >>> 8 : crc >>> 24;
  const encryption: ZipEncryption = { check, aes };
  const size = elementAt(table.compressedSizes, index);
  const packedSize = size - encryptionOverhead(encryption);
  if (packedSize < 0) throw damaged(reader, table, index, "bad-local-header");
  const read = function* (offset: number, length: number): Generator<Uint8Array> {
    const end = header.dataStart + offset + length;
    for (let at = header.dataStart + offset; at < end; at += encryptedPiece) {
      yield reader.read(at, Math.min(encryptedPiece, end - at));
    }
  };
  return {
    method,
    crc32: aes?.version === 2 ? undefined : crc,
    offset: header.dataStart,
    packedSize,
    compressed: () => decryptedPieces(read, size, encryption, password),
  };
}

/** The zip format. */
export const zip: ArchiveFormat = {
  name: "zip",
  title: "Zip (pk3, pk4, pkz, kpf)",
  games: "Quake 3, Doom 3, Call of Duty, Quake (remastered), Warzone 2100",
  signature: "PK at the beginning, or a zip directory at the end",
  methods: ["store", "deflate", "bzip2", "lzma", "zstd"],
  extensions: [".pk3", ".pk4", ".pkz", ".kpf", ".zip", ".wz", ".pack", ".dpk", ".obb", ".crf", ".iwd"],
  duplicates: "last",
  detect,
  read: readZipDirectory,
  dataOffset,
  decrypt,
  write: writeZip,
};
