/**
 * Daikatana PAK. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `PACK`                      |   |      0 |   56 | name, NUL-padded; may fill all 56 bytes,  |
 * |      4 |    4 | directory offset            |   |        |      | bytes after a NUL are garbage             |
 * |      8 |    4 | directory length in bytes   |   |     56 |    4 | data offset from the start of the file    |
 * |        |      |                             |   |     60 |    4 | decompressed length                           |
 * |        |      |                             |   |     64 |    4 | packed length                             |
 * |        |      |                             |   |     68 |    4 | 0 stored, 1 compressed                    |
 *
 * Quake's archives begin with the same letters; `formats/archives/pak_layout.ts` tells them apart. The compression is described
 * in `formats/codecs/daikatana.ts`. Stored members carry a packed length too; their decompressed length counts. The game is
 * built on Quake 2, where the first of two entries of one name counts.
 *
 * Sources: PlanetDaikatana daipak.zip; entries and compression checked there against archives of Ion Storm's packer.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { type EntryFields, type EntryTable, methodCode } from "../core/entry_table.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { readPak } from "./pak_directory.ts";
import { daikatanaShape, detectPakLayout, requireLayout } from "./pak_layout.ts";

const methods: Readonly<Record<number, number>> = { 0: methodCode.store, 1: methodCode.daikatana };

function readRecord(view: DataView, at: number, fields: EntryFields): void {
  fields.offset = view.getUint32(at, true);
  fields.size = view.getUint32(at + 4, true);
  fields.method = methods[view.getUint32(at + 12, true)] ?? methodCode.unsupported;
  fields.packedSize = fields.method === methodCode.store ? fields.size : view.getUint32(at + 8, true);
}

function read(source: ByteReader): EntryTable {
  return readPak(source, daikatanaShape, readRecord, (directory) => requireLayout(source, directory, "daikatana"));
}

/** The Daikatana PAK format. */
export const daikatanaPak: ArchiveFormat = {
  name: "daikatana-pak",
  title: "Daikatana PAK",
  games: "Daikatana",
  signature: "PACK, and a directory of 72-byte entries",
  methods: ["store", "daikatana"],
  extensions: [".pak"],
  duplicates: "first",
  detect: (source) => detectPakLayout(source) === "daikatana",
  read,
};
