/**
 * Doom WAD: Doom, Doom II, Heretic, Hexen, Strife, Chex Quest, Freedoom. All integers little-endian; WADs of consoles
 * (Jaguar) are big-endian and are read where the little-endian reading does not fit the file.
 *
 * | offset | size | header                      |   | offset | size | entry                                       |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|---------------------------------------------|
 * |      0 |    4 | `IWAD` or `PWAD`            |   |      0 |    4 | data offset; any number for an empty lump   |
 * |      4 |    4 | number of entries           |   |      4 |    4 | data length                                 |
 * |      8 |    4 | directory offset            |   |      8 |    8 | name, NUL-padded; may fill all 8 bytes      |
 *
 * Lumps have names without directories, and names repeat: every map has a `THINGS`. Order gives them their meaning, and
 * that is what the shown directories are made from (`formats/archives/wad_groups.ts`). Nothing is lost: each entry is one file.
 * Engines search from the end, so of several lumps of one name in one directory the last keeps the name, and those
 * before it get `~2`, `~3` in the order in which a search would come to them.
 *
 * A first name byte of 0x80 or more marks a lump that is packed (LZSS of the Jaguar): it is listed as such, not read.
 *
 * Sources: id-Software/DOOM linuxdoom-1.10/w_wad.c (`wadinfo_t`, `filelump_t`, W_CheckNumForName); ZDoom/gzdoom
 * src/common/filesystem/source/file_wad.cpp (byte order, compressed lumps).
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { damageCode, EntryTable, methodCode } from "../core/entry_table.ts";
import {
  headerOf,
  type HeaderShape,
  nameField,
  readTable,
  requireHeader,
  storedFields,
  viewOf,
} from "./fixed_records.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { lumpName, MemberNames } from "../core/names.ts";
import { recordDamage } from "./record_damage.ts";
import { type Grouping, groupLumps } from "./wad_groups.ts";

const headerSize = 12;
const entrySize = 16;
const nameSize = 8;
/** In the first byte of a name: the lump is packed. */
const packedBit = 0x80;

/** `IWAD` is a game's, `PWAD` a mod's. */
function shapeOf(source: ByteReader): HeaderShape {
  const isGame = source.size > 0 && source.read(0, 1)[0] === 0x49;
  return { title: "a Doom WAD", magic: isGame ? "IWAD" : "PWAD", size: headerSize };
}

/** Whether the little-endian reading fits, or neither does. */
function isLittleEndian(header: DataView, size: number): boolean {
  const fits = (littleEndian: boolean) =>
    header.getUint32(8, littleEndian) + header.getUint32(4, littleEndian) * entrySize <= size;
  return fits(true) || !fits(false);
}

/** The name of an entry, without the mark of compressed lumps. */
function nameAt(table: Uint8Array, start: number): Uint8Array {
  const name = nameField(table, start, nameSize);
  const first = name[0] ?? 0;
  return first < packedBit ? name : Uint8Array.of(first - packedBit, ...name.subarray(1));
}

function read(source: ByteReader): EntryTable {
  const header = requireHeader(source, shapeOf(source));
  const littleEndian = isLittleEndian(header, source.size);
  const bytes = readTable(source, {
    offset: header.getUint32(8, littleEndian),
    length: header.getUint32(4, littleEndian) * entrySize,
    recordSize: entrySize,
    headerSize,
  });
  return listLumps(source, bytes, littleEndian);
}

function listLumps(source: ByteReader, bytes: Uint8Array, littleEndian: boolean): EntryTable {
  const shownNames: string[] = [];
  for (let start = 0; start < bytes.length; start += entrySize) shownNames.push(lumpName(nameAt(bytes, start + 8)));
  const table = new EntryTable();
  const names = new MemberNames(table);
  const view = viewOf(bytes);
  const fields = storedFields(source);
  eachPath(shownNames, groupLumps(shownNames), (path, index) => {
    const start = index * entrySize;
    const offset = view.getUint32(start, littleEndian);
    const size = view.getUint32(start + 4, littleEndian);
    const isCompressed = size > 0 && (bytes[start + 8] ?? 0) >= packedBit;
    // The offset of an empty lump means nothing.
    fields.offset = size === 0 ? Math.min(offset, source.size) : offset;
    fields.packedSize = size;
    fields.size = size;
    fields.method = isCompressed ? methodCode.unsupported : methodCode.store;
    fields.damage = isCompressed ? damageCode["unsupported-method"] : recordDamage(fields, source.size);
    names.addLump(path, nameAt(bytes, start + 8), fields);
  });
  names.finish();
  return table;
}

/** Calls `list` with the path of each lump, all different. The last of several that would have one path keeps it. */
function eachPath(
  shownNames: readonly string[],
  { groups, groupOf }: Grouping,
  list: (path: string, index: number) => void,
): void {
  const parents = groups.map(({ parent, name }) => name === "" ? parent : `${parent}/${name}`);
  const directoryNumbers = numbersOf(parents);
  const directories = parents.map((path, index) => numbered(path, directoryNumbers[index]));
  const paths = shownNames.map((name, index) => `${directories[groupOf[index] ?? 0] ?? ""}/${name}`);
  const numbers = numbersOf(paths);
  for (const [index, path] of paths.entries()) list(numbered(path, numbers[index]), index);
}

function numbered(path: string, number = 1): string {
  return number === 1 ? path : `${path}~${number}`;
}

/**
 * The numbers that make paths different, as in `~2`, `~3`, from the end to the start. What two paths get can never be
 * the same, so that only the paths themselves have to be avoided.
 */
function numbersOf(paths: readonly string[]): Uint32Array {
  const numbers = new Uint32Array(paths.length).fill(1);
  const taken = new Set(paths);
  if (taken.size === paths.length) return numbers;
  const seen = new Map<string, number>();
  for (let index = paths.length - 1; index >= 0; index--) {
    const path = paths[index] ?? "";
    let number = (seen.get(path) ?? 0) + 1;
    if (number > 1) { while (taken.has(numbered(path, number))) number++; }
    seen.set(path, number);
    numbers[index] = number;
  }
  return numbers;
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
  detect: (source) => headerOf(source, shapeOf(source)) !== undefined,
  read,
};
