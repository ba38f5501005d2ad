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
 * that is what the shown directories are made from (`formats/wad_groups.ts`). Nothing is lost: each entry is one file.
 * Engines search from the end, so of several lumps of one name in one directory the last keeps the name, and those
 * before it get `~2`, `~3` in the order in which a search would come to them.
 *
 * A first name byte of 0x80 or more marks a lump that is packed (LZSS of the Jaguar): it is listed as such, not read.
 *
 * Sources: id-Software/DOOM linuxdoom-1.10/w_wad.c (`wadinfo_t`, `filelump_t`, W_CheckNumForName); ZDoom/gzdoom
 * src/common/filesystem/source/file_wad.cpp (byte order, packed lumps).
 * @module
 */
import type { ByteSource } from "./byte_source.ts";
import { damageCode, type EntryFields, EntryTable, methodCode } from "./entry_table.ts";
import { LimitError, TruncatedError, UnknownFormatError } from "./errors.ts";
import type { ArchiveFormat } from "./format.ts";
import { largestEntryCount } from "./limits.ts";
import { lumpName, MemberNames } from "./names.ts";
import { type Grouping, groupLumps } from "./wad_groups.ts";

const headerSize = 12;
const entrySize = 16;
const nameSize = 8;
/** In the first byte of a name: the lump is packed. */
const packedBit = 0x80;

interface Directory {
  readonly count: number;
  readonly offset: number;
  readonly littleEndian: boolean;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function magicOf(source: ByteSource): string {
  return String.fromCharCode(...source.read(0, Math.min(4, source.size)));
}

function isWad(source: ByteSource): boolean {
  const magic = magicOf(source);
  return magic === "IWAD" || magic === "PWAD";
}

function detect(source: ByteSource): boolean {
  return source.size >= headerSize && isWad(source);
}

function findDirectory(source: ByteSource): Directory {
  const header = viewOf(source.read(0, headerSize));
  const [little, big] = [true, false].map((littleEndian): Directory => ({
    count: header.getUint32(4, littleEndian),
    offset: header.getUint32(8, littleEndian),
    littleEndian,
  }));
  const fits = (directory: Directory | undefined) =>
    directory !== undefined && directory.offset + directory.count * entrySize <= source.size;
  const found = fits(little) || !fits(big) ? little : big;
  if (!found) throw new RangeError("Cannot choose a byte order: there are two");
  return found;
}

function requireDirectory(source: ByteSource, { count, offset }: Directory): void {
  const length = count * entrySize;
  if (offset + length > source.size) {
    throw new TruncatedError(
      `the directory (${count} lumps at byte ${offset}) lies outside the file (${source.size} bytes); ` +
        "the file is cut short",
      { path: source.path, offset, expected: offset + length, actual: source.size },
    );
  }
  if (count > largestEntryCount) {
    throw new LimitError(`the directory lists ${count} lumps; more than ${largestEntryCount} are not read`, {
      path: source.path,
      offset: 4,
      expected: largestEntryCount,
      actual: count,
    });
  }
}

/** The bytes of a name up to its NUL, without the mark of packed lumps. */
function nameAt(table: Uint8Array, start: number): Uint8Array {
  const name = table.slice(start, start + nameSize);
  const nul = name.indexOf(0);
  const first = name[0] ?? 0;
  if (first >= packedBit) name[0] = first - packedBit;
  return nul < 0 ? name : name.subarray(0, nul);
}

function read(source: ByteSource): EntryTable {
  if (source.size < headerSize) {
    throw new TruncatedError(`not a WAD: ${source.size} bytes are less than its header`, {
      path: source.path,
      offset: 0,
      expected: headerSize,
      actual: source.size,
    });
  }
  if (!isWad(source)) {
    throw new UnknownFormatError(`not a WAD (starts with ${JSON.stringify(magicOf(source))})`, {
      path: source.path,
      offset: 0,
      expected: "IWAD or PWAD",
    });
  }
  const directory = findDirectory(source);
  requireDirectory(source, directory);
  const bytes = source.read(directory.offset, directory.count * entrySize);
  return listLumps(source, bytes, directory.littleEndian);
}

function listLumps(source: ByteSource, bytes: Uint8Array, littleEndian: boolean): EntryTable {
  const rawNames: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += entrySize) rawNames.push(nameAt(bytes, start + 8));
  const shownNames = rawNames.map(lumpName);
  const paths = shownPaths(shownNames, groupLumps(shownNames));
  const table = new EntryTable();
  const names = new MemberNames(table);
  const view = viewOf(bytes);
  const fields: EntryFields = {
    offset: 0,
    packedSize: 0,
    size: 0,
    mtime: source.mtime,
    crc32: 0,
    method: methodCode.store,
    flags: 0,
    damage: damageCode.none,
  };
  for (const [index, rawName] of rawNames.entries()) {
    const start = index * entrySize;
    const offset = view.getUint32(start, littleEndian);
    const size = view.getUint32(start + 4, littleEndian);
    const isPacked = size > 0 && (bytes[start + 8] ?? 0) >= packedBit;
    // The offset of an empty lump means nothing.
    fields.offset = size === 0 ? Math.min(offset, source.size) : offset;
    fields.packedSize = size;
    fields.size = size;
    fields.method = isPacked ? methodCode.unsupported : methodCode.store;
    fields.damage = damageOf(offset, size, isPacked, source.size);
    names.addLump(paths[index] ?? "", rawName, fields);
  }
  names.finish();
  return table;
}

function damageOf(offset: number, size: number, isPacked: boolean, archiveSize: number): number {
  if (isPacked) return damageCode["unsupported-method"];
  return size > 0 && offset + size > archiveSize ? damageCode["past-end"] : damageCode.none;
}

/** The path of each lump, all different. The last of several that would have one path keeps it. */
function shownPaths(shownNames: readonly string[], { groups, groupOf }: Grouping): string[] {
  const directories = numbered(groups.map(({ parent, name }) => name === "" ? parent : `${parent}/${name}`));
  return numbered(shownNames.map((name, index) => `${directories[groupOf[index] ?? 0] ?? ""}/${name}`));
}

/** Makes paths different with `~2`, `~3`, ... from the end to the start. */
function numbered(paths: readonly string[]): string[] {
  const taken = new Set(paths);
  const seen = new Map<string, number>();
  const result = paths.slice();
  for (let index = paths.length - 1; index >= 0; index--) {
    const path = paths[index] ?? "";
    let number = (seen.get(path) ?? 0) + 1;
    seen.set(path, number);
    if (number === 1) continue;
    while (taken.has(`${path}~${number}`)) number++;
    seen.set(path, number);
    result[index] = `${path}~${number}`;
    taken.add(`${path}~${number}`);
  }
  return result;
}

/** The Doom WAD format. */
export const wad: ArchiveFormat = {
  name: "wad",
  title: "Doom WAD (Doom, Heretic, Hexen, Strife)",
  extensions: [".wad"],
  duplicates: "last",
  detect,
  read,
};
