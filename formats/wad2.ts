/**
 * WAD2 and WAD3: textures and pictures of Quake (`gfx.wad`, map makers' texture WADs) and of Half-Life. All integers
 * little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                       |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|---------------------------------------------|
 * |      0 |    4 | `WAD2` or `WAD3`            |   |      0 |    4 | data offset                                 |
 * |      4 |    4 | number of entries           |   |      4 |    4 | length in the file                          |
 * |      8 |    4 | directory offset            |   |      8 |    4 | unpacked length                             |
 * |        |      |                             |   |     12 |    1 | type                                        |
 * |        |      |                             |   |     13 |    1 | compression: 0, or 1 which no engine reads  |
 * |        |      |                             |   |     14 |    2 | padding                                     |
 * |        |      |                             |   |     16 |   16 | name, NUL-padded; may fill all 16 bytes     |
 *
 * There are no directories, and an entry is known by its name and its type: a picture and a texture may share a name. So
 * the type is shown as the ending: `conback.qpic`, `*lava1.miptex`. Engines take the first of several.
 *
 * Sources: id-Software/Quake WinQuake/wad.h (`wadinfo_t`, `lumpinfo_t`, `TYP_*`), wad.c; sirjuddington/SLADE
 * Wad2Archive; TrenchBroom WadFileSystem (types as endings). The types of WAD3 that Quake does not have are Valve's:
 * 64 of `tempdecal.wad`, 67 textures, 70 fonts.
 * @module
 */
import type { ByteSource } from "./byte_source.ts";
import { damageCode, type EntryFields, EntryTable, methodCode } from "./entry_table.ts";
import { LimitError, TruncatedError, UnknownFormatError } from "./errors.ts";
import type { ArchiveFormat } from "./format.ts";
import { largestEntryCount } from "./limits.ts";
import { lumpName, MemberNames } from "./names.ts";

const headerSize = 12;
const entrySize = 32;
const nameOffset = 16;
const nameSize = 16;

type Magic = "WAD2" | "WAD3";

/** Endings by type. Any other type is shown as its number. */
const endings: Readonly<Record<Magic, Readonly<Record<number, string>>>> = {
  WAD2: { 0: "none", 1: "label", 64: "palette", 65: "qtex", 66: "qpic", 67: "sound", 68: "miptex" },
  WAD3: { 0: "none", 1: "label", 64: "decal", 65: "qtex", 66: "qpic", 67: "miptex", 68: "miptex2", 70: "font" },
};

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function magicOf(source: ByteSource): string {
  return String.fromCharCode(...source.read(0, Math.min(4, source.size)));
}

function readDirectory(source: ByteSource, magic: Magic): Uint8Array {
  if (source.size < headerSize) {
    throw new TruncatedError(`not a ${magic}: ${source.size} bytes are less than its header`, {
      path: source.path,
      offset: 0,
      expected: headerSize,
      actual: source.size,
    });
  }
  if (magicOf(source) !== magic) {
    throw new UnknownFormatError(`not a ${magic} (starts with ${JSON.stringify(magicOf(source))})`, {
      path: source.path,
      offset: 0,
      expected: magic,
    });
  }
  const header = viewOf(source.read(0, headerSize));
  const count = header.getUint32(4, true);
  const offset = header.getUint32(8, true);
  const end = offset + count * entrySize;
  if (end > source.size) {
    throw new TruncatedError(
      `the directory (${count} entries at byte ${offset}) lies outside the file (${source.size} bytes); ` +
        "the file is cut short",
      { path: source.path, offset, expected: end, actual: source.size },
    );
  }
  if (count > largestEntryCount) {
    throw new LimitError(`the directory lists ${count} entries; more than ${largestEntryCount} are not read`, {
      path: source.path,
      offset: 4,
      expected: largestEntryCount,
      actual: count,
    });
  }
  return source.read(offset, count * entrySize);
}

function nameAt(directory: Uint8Array, start: number): Uint8Array {
  const name = directory.subarray(start + nameOffset, start + nameOffset + nameSize);
  const nul = name.indexOf(0);
  return nul < 0 ? name : name.subarray(0, nul);
}

function read(source: ByteSource, magic: Magic): EntryTable {
  const directory = readDirectory(source, magic);
  const view = viewOf(directory);
  const table = new EntryTable();
  const names = new MemberNames(table);
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
  for (let start = 0; start < directory.length; start += entrySize) {
    const type = view.getUint8(start + 12);
    const isPacked = view.getUint8(start + 13) !== 0;
    fields.offset = view.getUint32(start, true);
    fields.packedSize = view.getUint32(start + 4, true);
    // Quake reads neither of the two lengths; where they differ though nothing is packed, what is in the file counts.
    fields.size = isPacked ? view.getUint32(start + 8, true) : fields.packedSize;
    fields.method = isPacked ? methodCode.unsupported : methodCode.store;
    if (isPacked) fields.damage = damageCode["unsupported-method"];
    else fields.damage = fields.offset + fields.size > source.size ? damageCode["past-end"] : damageCode.none;
    const raw = nameAt(directory, start);
    names.addLump(`${lumpName(raw)}.${endings[magic][type] ?? `type${type}`}`, raw, fields);
  }
  names.finish();
  return table;
}

function format(magic: Magic, name: "wad2" | "wad3", title: string): ArchiveFormat {
  return {
    name,
    title,
    extensions: [".wad"],
    duplicates: "first",
    detect: (source) => source.size >= headerSize && magicOf(source) === magic,
    read: (source) => read(source, magic),
  };
}

/** The WAD2 format. */
export const wad2: ArchiveFormat = format("WAD2", "wad2", "WAD2 (pictures and textures of Quake)");
/** The WAD3 format. */
export const wad3: ArchiveFormat = format("WAD3", "wad3", "WAD3 (textures of Half-Life)");
