/**
 * Quake PAK: Quake, Hexen II, Quake 2, Heretic II, Half-Life, Kingpin and others. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `PACK`                      |   |      0 |   56 | name, NUL-padded; may fill all 56 bytes,  |
 * |      4 |    4 | directory offset            |   |        |      | bytes after a NUL are garbage             |
 * |      8 |    4 | directory length in bytes   |   |     56 |    4 | data offset from the start of the file    |
 * |        |      |                             |   |     60 |    4 | data length                               |
 *
 * The directory may stand anywhere; data may be in any order, overlap or leave holes. Nothing is compressed and there
 * are no checksums or times. Engines read the integers as signed, so 2 GiB is the limit of what they can use; the
 * reader takes them as unsigned. Names are `/`-separated. Which of two entries of one name counts is the engine's
 * business: Quake and Quake 2 take the first.
 *
 * Sources: id-Software/Quake WinQuake/common.c (`dpackheader_t`, `dpackfile_t`), id-Software/Quake-2 qcommon/qfiles.h.
 * Daikatana's archives begin with `PACK` too; `formats/archives/pak_layout.ts` tells them apart.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import type { EntryTable } from "../core/entry_table.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { readPak, readStoredRecord } from "./pak_directory.ts";
import { detectPakLayout, quakeShape, requireLayout } from "./pak_layout.ts";
import { writeQuakePak } from "./quake_pak_writer.ts";

function read(source: ByteReader): EntryTable {
  return readPak(source, quakeShape, readStoredRecord, (directory) => requireLayout(source, directory, "quake"));
}

/** The Quake PAK format. */
export const quakePak: ArchiveFormat = {
  name: "quake-pak",
  title: "Quake PAK",
  games: "Quake, Hexen II, Quake 2, Half-Life",
  signature: "PACK, and a directory of 64-byte entries",
  methods: ["store"],
  extensions: [".pak"],
  duplicates: "first",
  detect: (source) => detectPakLayout(source) === "quake",
  read,
  write: writeQuakePak,
};
