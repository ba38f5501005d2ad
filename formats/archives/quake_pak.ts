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
 * The directory may be anywhere; data may be in any order, overlap or leave holes. Nothing is compressed, and checksums
 * and times are missing. Engines read the integers as signed and so can use 2 GiB; here they are unsigned. Names are
 * `/`-separated. Quake and Quake 2 use the first of two entries with the same name.
 *
 * Sources: id-Software/Quake WinQuake/common.c (`dpackheader_t`, `dpackfile_t`), id-Software/Quake-2 qcommon/qfiles.h.
 * Daikatana's archives begin with `PACK` too; `formats/archives/pak_layout.ts` distinguishes them.
 * @module
 */
import type { ArchiveFormat } from "../core/format.ts";
import { readPak, readStoredRecord } from "./pak_directory.ts";
import { detectPakLayout, quakeShape, requireLayout } from "./pak_layout.ts";
import { writeQuakePak } from "./quake_pak_writer.ts";

/** The Quake PAK format. */
export const quakePak: ArchiveFormat = {
  name: "quake-pak",
  title: "Quake PAK",
  games: "Quake, Hexen II, Quake 2, Half-Life",
  signature: "PACK, and a directory of 64-byte entries",
  methods: ["store"],
  extensions: [".pak"],
  duplicates: "first",
  detect: (reader) => detectPakLayout(reader) === "quake",
  read: (reader) =>
    readPak(reader, quakeShape, readStoredRecord, (directory) => requireLayout(reader, directory, "quake")),
  write: writeQuakePak,
};
