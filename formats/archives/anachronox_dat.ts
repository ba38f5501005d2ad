/**
 * Anachronox DAT. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `ADAT`                      |   |      0 |  128 | name, NUL-padded; may fill all 128 bytes  |
 * |      4 |    4 | directory offset            |   |    128 |    4 | data offset from the start of the file    |
 * |      8 |    4 | directory length in bytes   |   |    132 |    4 | decompressed size                         |
 * |     12 |    4 | version: 9                  |   |    136 |    4 | compressed size; 0: stored                |
 * |        |      |                             |   |    140 |    4 | unknown, perhaps a checksum               |
 *
 * Compressed members are zlib data. The game is built on Quake 2, which uses the first of two entries with the same
 * name.
 *
 * Sources: snake-biscuits/bsp_tool archives/ion_storm.py; SLADE ADatArchive.cpp and GameExtractor agree except for
 * stored members, which they do not know.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { type EntryTable, methodCode } from "../core/entry_table.ts";
import { UnknownFormatError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { type PakRecordReader, type PakShape, readPak } from "./pak_directory.ts";
import { headerOf, requireHeader } from "./records.ts";

const shape: PakShape = { title: "an Anachronox DAT", magic: "ADAT", size: 16, entrySize: 144, nameSize: 128 };
const knownVersion = 9;

function detect(reader: ByteReader): boolean {
  const header = headerOf(reader, shape)?.skip(4);
  return header !== undefined && header.uint32() % shape.entrySize === 0 && header.uint32() === knownVersion;
}

const readRecord: PakRecordReader = (record, fields) => {
  fields.offset = record.uint32();
  fields.size = record.uint32();
  const compressedSize = record.uint32();
  fields.method = compressedSize === 0 ? methodCode.store : methodCode.zlib;
  fields.packedSize = compressedSize === 0 ? fields.size : compressedSize;
};

function read(reader: ByteReader): EntryTable {
  const version = requireHeader(reader, shape).skip(8).uint32();
  if (version !== knownVersion) {
    throw new UnknownFormatError(`is an Anachronox DAT of version ${version}; only version ${knownVersion} is known`, {
      path: reader.path,
      offset: 12,
      expected: knownVersion,
      actual: version,
    });
  }
  return readPak(reader, shape, readRecord);
}

/** The Anachronox DAT format. */
export const anachronoxDat: ArchiveFormat = {
  name: "anachronox-dat",
  title: "Anachronox DAT",
  games: "Anachronox",
  signature: "ADAT, version 9",
  methods: ["store", "zlib"],
  extensions: [".dat"],
  duplicates: "first",
  detect,
  read,
};
