/**
 * The archive in a map of the Source engine: lump 40 of the map is a zip, with the map's own textures, models and sounds.
 * All integers little-endian.
 *
 * | offset | size | header                           |   | offset | size | lump                                    |
 * |-------:|-----:|----------------------------------|---|-------:|-----:|-----------------------------------------|
 * |      0 |    4 | `VBSP`                           |   |      0 |    4 | offset                                  |
 * |      4 |    4 | version                          |   |      4 |    4 | length                                  |
 * |      8 | 1024 | 64 lumps                         |   |      8 |    8 | version, length if it is compressed     |
 *
 * Left 4 Dead 2 has the version first in a lump. Offsets in the zip count from its own first byte. The engine searches
 * the archive while it plays the map, before everything else; so it is no pack of the game.
 *
 * Sources: ValveSoftware/source-sdk-2013 src/public/bspfile.h, src/public/zip_utils.cpp.
 * @module
 */
import { type ByteReader, requireRange } from "../core/byte_reader.ts";
import type { EntryTable } from "../core/entry_table.ts";
import { UnknownFormatError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { headerOf, type HeaderShape } from "./records.ts";
import { zip } from "./zip.ts";
import { hasZipDirectory, readZipDirectory } from "./zip_directory.ts";

const shape: HeaderShape = { title: "a map of the Source engine", magic: "VBSP", size: 1032 };
const archiveLump = 8 + 40 * 16;

/** A part of a file as a file of its own, which closes with the whole. */
class LumpReader implements ByteReader {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  /** Offset of the first byte in the file. */
  readonly start: number;
  readonly #file: ByteReader;

  constructor(file: ByteReader, start: number, size: number) {
    this.path = file.path;
    this.mtime = file.mtime;
    this.start = start;
    this.size = size;
    this.#file = file;
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    return this.#file.read(this.start + offset, length);
  }

  close(): void {}

  [Symbol.dispose](): void {}
}

/** Returns the zip in a map, if it has one. */
function lumpOf(reader: ByteReader): LumpReader | undefined {
  for (const before of [0, 4]) {
    const header = headerOf(reader, shape);
    if (!header) return undefined;
    header.offset = archiveLump + before;
    const start = header.uint32();
    const size = header.uint32();
    if (start < shape.size || start + size > reader.size) continue;
    const lump = new LumpReader(reader, start, size);
    if (hasZipDirectory(lump)) return lump;
  }
  return undefined;
}

function read(reader: ByteReader): EntryTable {
  const lump = lumpOf(reader);
  if (!lump) throw new UnknownFormatError("not a map of the Source engine with an archive", { path: reader.path });
  const table = readZipDirectory(lump);
  for (let index = 0; index < table.length; index++) table.offsets[index] = (table.offsets[index] ?? 0) + lump.start;
  return table;
}

const { write: _, ...readable } = zip;

/** The format of archives in maps. */
export const sourceBsp: ArchiveFormat = {
  ...readable,
  name: "source-bsp",
  title: "Archive in a map of Source (.bsp)",
  games: "Half-Life 2, Team Fortress 2, Counter-Strike: Source and others",
  signature: "VBSP, and a zip in lump 40",
  // Maps of other engines have the same, and are no archives.
  extensions: [],
  isNoPack: true,
  detect: (reader) => lumpOf(reader) !== undefined,
  read,
};
