/**
 * WAD2 and WAD3: textures and pictures of Quake (`gfx.wad`, map makers' texture WADs) and of Half-Life. All integers
 * little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                       |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|---------------------------------------------|
 * |      0 |    4 | `WAD2` or `WAD3`            |   |      0 |    4 | data offset                                 |
 * |      4 |    4 | number of entries           |   |      4 |    4 | length in the file                          |
 * |      8 |    4 | directory offset            |   |      8 |    4 | decompressed length                         |
 * |        |      |                             |   |     12 |    1 | type                                        |
 * |        |      |                             |   |     13 |    1 | compression: 0, or 1 which no engine reads  |
 * |        |      |                             |   |     14 |    2 | padding                                     |
 * |        |      |                             |   |     16 |   16 | name, NUL-padded; may fill all 16 bytes     |
 *
 * There are no directories, and a picture and a texture may share a name. So the type is shown as an extension:
 * `conback.qpic`, `*lava1.miptex`. Engines use the first of several.
 *
 * Sources: id-Software/Quake WinQuake/wad.h (`wadinfo_t`, `lumpinfo_t`, `TYP_*`), wad.c; sirjuddington/SLADE
 * Wad2Archive; TrenchBroom WadFileSystem (types as extensions). The types of WAD3 that Quake does not have are Valve's:
 * 64 of `tempdecal.wad`, 67 textures, 70 fonts.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { damageCode, type EntryTable, methodCode } from "../core/entry_table.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { lumpName } from "../core/names.ts";
import { headerOf, type HeaderShape, listRecords, readTable, requireHeader } from "./records.ts";

const headerSize = 12;
const recordSize = 32;
const nameSize = 16;

type Magic = "WAD2" | "WAD3";

/** Extensions by type. Any other type is shown as its number. */
const endings: Readonly<Record<Magic, Readonly<Record<number, string>>>> = {
  WAD2: { 0: "none", 1: "label", 64: "palette", 65: "qtex", 66: "qpic", 67: "sound", 68: "miptex" },
  WAD3: { 0: "none", 1: "label", 64: "decal", 65: "qtex", 66: "qpic", 67: "miptex", 68: "miptex2", 70: "font" },
};

/** Returns whether the format with this name is WAD2 or WAD3. */
export function isTypedWad(format: string): boolean {
  return format === "wad2" || format === "wad3";
}

/** Returns the type of a lump from its displayed path. */
export function lumpType(path: string, format: string): number {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const known = Object.entries(endings[format === "wad2" ? "WAD2" : "WAD3"]).find(([, word]) => word === ending);
  return Number(known?.[0] ?? ending.replace("type", ""));
}

function shapeOf(magic: Magic): HeaderShape {
  return { title: `a ${magic}`, magic, size: headerSize };
}

function read(reader: ByteReader, magic: Magic): EntryTable {
  const header = requireHeader(reader, shapeOf(magic));
  const length = header.uint32() * recordSize;
  const directory = readTable(reader, { offset: header.uint32(), length, recordSize, headerSize });
  return listRecords(reader, directory, recordSize, (record, fields) => {
    fields.offset = record.uint32();
    fields.packedSize = record.uint32();
    const size = record.uint32();
    const type = record.uint8();
    const isCompressed = record.uint8() !== 0;
    // Quake reads neither length; if they differ without compression, the length in the file is used.
    fields.size = isCompressed ? size : fields.packedSize;
    fields.method = isCompressed ? methodCode.unsupported : methodCode.store;
    if (isCompressed) fields.damage = damageCode["unsupported-method"];
    const raw = record.skip(2).name(nameSize);
    return { path: `${lumpName(raw)}.${endings[magic][type] ?? `type${type}`}`, raw };
  });
}

function format(magic: Magic, name: "wad2" | "wad3", games: string): ArchiveFormat {
  return {
    name,
    title: magic,
    games,
    signature: magic,
    methods: ["store"],
    extensions: [".wad"],
    duplicates: "first",
    detect: (reader) => headerOf(reader, shapeOf(magic)) !== undefined,
    read: (reader) => read(reader, magic),
  };
}

/** The WAD2 format. */
export const wad2: ArchiveFormat = format("WAD2", "wad2", "Quake (gfx.wad, textures)");
/** The WAD3 format. */
export const wad3: ArchiveFormat = format("WAD3", "wad3", "Half-Life (textures)");
