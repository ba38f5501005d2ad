/**
 * Daikatana PAK. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `PACK`                      |   |      0 |   56 | name, NUL-padded; may fill all 56 bytes,  |
 * |      4 |    4 | directory offset            |   |        |      | bytes after a NUL are garbage             |
 * |      8 |    4 | directory length in bytes   |   |     56 |    4 | data offset from the start of the file    |
 * |        |      |                             |   |     60 |    4 | decompressed size                         |
 * |        |      |                             |   |     64 |    4 | compressed size                           |
 * |        |      |                             |   |     68 |    4 | 0 stored, 1 compressed                    |
 *
 * Quake's archives begin with the same letters; `formats/archives/pak_layout.ts` distinguishes them. The compression is
 * described in `formats/codecs/daikatana.ts`. Stored members have a compressed size too; their decompressed size
 * counts. The game is built on Quake 2, which uses the first of two entries with the same name.
 *
 * Sources: PlanetDaikatana daipak.zip; entries and compression checked there against archives of Ion Storm's packer.
 * @module
 */
import { methodCode } from "../core/entry_table.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { type PakRecordReader, readPak } from "./pak_directory.ts";
import { daikatanaShape, detectPakLayout, requireLayout } from "./pak_layout.ts";

const methods: Readonly<Record<number, number>> = { 0: methodCode.store, 1: methodCode.daikatana };

const readRecord: PakRecordReader = (record, fields) => {
  fields.offset = record.uint32();
  fields.size = record.uint32();
  const compressedSize = record.uint32();
  fields.method = methods[record.uint32()] ?? methodCode.unsupported;
  fields.packedSize = fields.method === methodCode.store ? fields.size : compressedSize;
};

/** The Daikatana PAK format. */
export const daikatanaPak: ArchiveFormat = {
  name: "daikatana-pak",
  title: "Daikatana PAK",
  games: "Daikatana",
  signature: "PACK, and a directory of 72-byte entries",
  methods: ["store", "daikatana"],
  extensions: [".pak"],
  duplicates: "first",
  detect: (reader) => detectPakLayout(reader) === "daikatana",
  read: (reader) =>
    readPak(reader, daikatanaShape, readRecord, (directory) => requireLayout(reader, directory, "daikatana")),
};
