/**
 * Doom WAD: Doom, Doom II, Heretic, Hexen, Strife, Chex Quest, Freedoom. All integers little-endian; WADs of consoles
 * (Jaguar) are big-endian, which is tried if the little-endian reading does not fit the file.
 *
 * | offset | size | header                      |   | offset | size | entry                                       |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|---------------------------------------------|
 * |      0 |    4 | `IWAD` or `PWAD`            |   |      0 |    4 | data offset; any number for an empty lump   |
 * |      4 |    4 | number of entries           |   |      4 |    4 | data length                                 |
 * |      8 |    4 | directory offset            |   |      8 |    8 | name, NUL-padded; may fill all 8 bytes      |
 *
 * Lumps have names without directories, and names repeat: every map has a `THINGS`. Their order gives them their
 * meaning, and the shown directories follow it (`formats/archives/wad_groups.ts`). Each entry is one file. Engines
 * search from the end, so the last of several equal names in one directory keeps the name, and the others get `~2`,
 * `~3` in search order.
 *
 * A first name byte of 0x80 or more marks a compressed lump (LZSS of the Jaguar): it is listed but cannot be read.
 *
 * Sources: id-Software/DOOM linuxdoom-1.10/w_wad.c (`wadinfo_t`, `filelump_t`, W_CheckNumForName); ZDoom/gzdoom
 * src/common/filesystem/source/file_wad.cpp (byte order, compressed lumps).
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor, elementAt } from "../core/cursor.ts";
import { damageCode, type EntryTable, methodCode } from "../core/entry_table.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { lumpName } from "../core/names.ts";
import { LumpNames, numbersFromEnd, numberSuffix } from "./lump_names.ts";
import { headerOf, type HeaderShape, listRecords, readTable, requireHeader } from "./records.ts";
import { type Grouping, groupLumps } from "./wad_groups.ts";
import { writeWad } from "./wad_writer.ts";

const headerSize = 12;
const recordSize = 16;
const nameSize = 8;
/** Flag in the first byte of a name: the lump is compressed. */
const compressedBit = 0x80;
const noBytes = new Uint8Array(0);

/** `IWAD` belongs to a game, `PWAD` to a mod. */
function shapeOf(reader: ByteReader): HeaderShape {
  const isGame = reader.size > 0 && reader.read(0, 1)[0] === 0x49;
  return { title: "a Doom WAD", magic: isGame ? "IWAD" : "PWAD", size: headerSize };
}

interface Directory {
  readonly length: number;
  readonly offset: number;
  readonly isLittleEndian: boolean;
}

/** Returns the directory read as little-endian, unless only big-endian fits the file. */
function readHeader(reader: ByteReader): Directory {
  requireHeader(reader, shapeOf(reader));
  const bytes = reader.read(4, 8);
  const [little, big] = [true, false].map((isLittleEndian) => {
    const header = new Cursor(bytes, isLittleEndian);
    return { length: header.uint32() * recordSize, offset: header.uint32(), isLittleEndian };
  }) as [Directory, Directory];
  const fits = ({ offset, length }: Directory) => offset + length <= reader.size;
  return fits(little) || !fits(big) ? little : big;
}

function isMarked(name: Uint8Array): boolean {
  return name.length > 0 && elementAt(name, 0) >= compressedBit;
}

/** Returns the name of a lump without the flag of compressed lumps. */
function unmarked(name: Uint8Array): Uint8Array {
  return isMarked(name) ? Uint8Array.of(elementAt(name, 0) - compressedBit, ...name.subarray(1)) : name;
}

function read(reader: ByteReader): EntryTable {
  const { isLittleEndian, ...location } = readHeader(reader);
  const directory = readTable(reader, { ...location, recordSize, headerSize });
  const pathOf = lumpPaths(directory);
  return listRecords(reader, directory, recordSize, (record, fields) => {
    const path = pathOf(record.offset / recordSize);
    const offset = record.uint32();
    const size = record.uint32();
    const name = record.name(nameSize);
    const isCompressed = size > 0 && isMarked(name);
    // The offset of an empty lump is arbitrary.
    fields.offset = size === 0 ? Math.min(offset, reader.size) : offset;
    fields.size = fields.packedSize = size;
    fields.method = isCompressed ? methodCode.unsupported : methodCode.store;
    if (isCompressed) fields.damage = damageCode["unsupported-method"];
    return { path, raw: unmarked(name) };
  }, { isLittleEndian });
}

function lumpPaths(directory: Uint8Array): (index: number) => string {
  const names = new LumpNames(Math.floor(directory.length / recordSize));
  const record = new Cursor(directory);
  while (record.remaining >= recordSize) names.push(lumpName(unmarked(record.skip(8).name(nameSize))));
  return pathsOf(names);
}

/** Returns a function for the path of each lump of a WAD whose lumps have these stored names. */
export function wadPaths(stored: readonly Uint8Array[]): (index: number) => string {
  const names = new LumpNames(stored.length);
  for (const name of stored) names.push(lumpName(name));
  return pathsOf(names);
}

/** Returns a function for the unique path of each lump. */
function pathsOf(names: LumpNames): (index: number) => string {
  const { groups, groupOf }: Grouping = groupLumps(names);
  const mapNumbers = numbersFromEnd({
    length: groups.length,
    // Directories other than maps have unique names.
    groupOf: (group) => elementAt(groups, group).lump < 0 ? group + 1 : 0,
    bytes: (group) => elementAt(groups, group).lump < 0 ? noBytes : names.bytes(elementAt(groups, group).lump),
  });
  const numbers = numbersFromEnd({
    length: names.length,
    groupOf: (index) => elementAt(groupOf, index),
    bytes: (index) => names.bytes(index),
  });
  return (index) => {
    const group = elementAt(groupOf, index);
    const { parent, lump } = elementAt(groups, group);
    const map = lump < 0 ? "" : `/${names.text(lump)}${numberSuffix(elementAt(mapNumbers, group))}`;
    return `${parent}${map}/${names.text(index)}${numberSuffix(elementAt(numbers, index))}`;
  };
}

/** The Doom WAD format. */
export const wad: ArchiveFormat = {
  name: "wad",
  title: "Doom WAD",
  games: "Doom, Heretic, Hexen, Strife",
  signature: "IWAD or PWAD",
  methods: ["store"],
  extensions: [".wad"],
  duplicates: "last",
  detect: (reader) => headerOf(reader, shapeOf(reader)) !== undefined,
  read,
  write: writeWad,
};
