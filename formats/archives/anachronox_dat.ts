/**
 * Anachronox DAT. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `ADAT`                      |   |      0 |  128 | name, NUL-padded; may fill all 128 bytes  |
 * |      4 |    4 | directory offset            |   |    128 |    4 | data offset from the start of the file    |
 * |      8 |    4 | directory length in bytes   |   |    132 |    4 | decompressed length                           |
 * |     12 |    4 | version: 9                  |   |    136 |    4 | packed length; 0: stored                  |
 * |        |      |                             |   |    140 |    4 | not known, perhaps a checksum             |
 *
 * Compressed members are zlib data. The game is built on Quake 2, where the first of two entries of one name counts.
 *
 * Sources: snake-biscuits/bsp_tool archives/ion_storm.py; SLADE ADatArchive.cpp and GameExtractor agree but for stored
 * members, which they do not know.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { type EntryFields, type EntryTable, methodCode } from "../core/entry_table.ts";
import { UnknownFormatError } from "../core/errors.ts";
import { headerOf, requireHeader } from "./fixed_records.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { type PakShape, readPak } from "./pak_directory.ts";

const shape: PakShape = { title: "an Anachronox DAT", magic: "ADAT", size: 16, entrySize: 144, nameSize: 128 };
const knownVersion = 9;

function detect(source: ByteReader): boolean {
  const header = headerOf(source, shape);
  return header?.getUint32(12, true) === knownVersion && header.getUint32(8, true) % shape.entrySize === 0;
}

function readRecord(view: DataView, at: number, fields: EntryFields): void {
  fields.offset = view.getUint32(at, true);
  fields.size = view.getUint32(at + 4, true);
  const packedSize = view.getUint32(at + 8, true);
  fields.method = packedSize === 0 ? methodCode.store : methodCode.zlib;
  fields.packedSize = packedSize === 0 ? fields.size : packedSize;
}

function read(source: ByteReader): EntryTable {
  const version = requireHeader(source, shape).getUint32(12, true);
  if (version !== knownVersion) {
    throw new UnknownFormatError(`is an Anachronox DAT of version ${version}; only version ${knownVersion} is known`, {
      path: source.path,
      offset: 12,
      expected: knownVersion,
      actual: version,
    });
  }
  return readPak(source, shape, readRecord);
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
