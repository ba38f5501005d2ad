/**
 * SiN PAK: SiN and its mission pack. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `SPAK`                      |   |      0 |  120 | name, NUL-padded; may fill all 120 bytes, |
 * |      4 |    4 | directory offset            |   |        |      | bytes after a NUL are garbage             |
 * |      8 |    4 | directory length in bytes   |   |    120 |    4 | data offset from the start of the file    |
 * |        |      |                             |   |    124 |    4 | data length                               |
 *
 * Quake's PAK with longer names: all of `formats/archives/quake_pak.ts` applies. The game is built on Quake 2, which
 * uses the first of two entries with the same name.
 *
 * Sources: yquake2/pakextract pakextract.c, SLADE SiNArchive.cpp, ajbonner/pakka docs.
 * @module
 */
import type { ArchiveFormat } from "../core/format.ts";
import { type PakShape, readPak, readStoredRecord } from "./pak_directory.ts";
import { headerOf } from "./records.ts";

const shape: PakShape = { title: "a SiN PAK", magic: "SPAK", size: 12, entrySize: 128, nameSize: 120 };

/** The SiN PAK format. */
export const sinPak: ArchiveFormat = {
  name: "sin-pak",
  title: "SiN PAK",
  games: "SiN",
  signature: "SPAK",
  methods: ["store"],
  extensions: [".sin"],
  duplicates: "first",
  detect: (reader) => headerOf(reader, shape) !== undefined,
  read: (reader) => readPak(reader, shape, readStoredRecord),
};
