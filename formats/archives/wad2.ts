/**
 * WAD2 and WAD3: textures and pictures of Quake (`gfx.wad`, map makers' texture WADs) and of Half-Life. All integers
 * little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                       |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|---------------------------------------------|
 * |      0 |    4 | `WAD2` or `WAD3`            |   |      0 |    4 | data offset                                 |
 * |      4 |    4 | number of entries           |   |      4 |    4 | length in the file                          |
 * |      8 |    4 | directory offset            |   |      8 |    4 | decompressed length                             |
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

function shapeOf(magic: Magic): HeaderShape {
  return { title: `a ${magic}`, magic, size: headerSize };
}

function read(source: ByteReader, magic: Magic): EntryTable {
  const header = requireHeader(source, shapeOf(magic));
  const directory = readTable(source, {
    offset: header.getUint32(8, true),
    length: header.getUint32(4, true) * entrySize,
    recordSize: entrySize,
    headerSize,
  });
  const view = viewOf(directory);
  const table = new EntryTable();
  const names = new MemberNames(table);
  const fields = storedFields(source);
  for (let start = 0; start < directory.length; start += entrySize) {
    const type = view.getUint8(start + 12);
    const isCompressed = view.getUint8(start + 13) !== 0;
    fields.offset = view.getUint32(start, true);
    fields.packedSize = view.getUint32(start + 4, true);
    // Quake reads neither of the two lengths; where they differ though nothing is packed, what is in the file counts.
    fields.size = isCompressed ? view.getUint32(start + 8, true) : fields.packedSize;
    fields.method = isCompressed ? methodCode.unsupported : methodCode.store;
    fields.damage = isCompressed ? damageCode["unsupported-method"] : recordDamage(fields, source.size);
    const raw = nameField(directory, start + nameOffset, nameSize);
    names.addLump(`${lumpName(raw)}.${endings[magic][type] ?? `type${type}`}`, raw, fields);
  }
  names.finish();
  return table;
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
    detect: (source) => headerOf(source, shapeOf(magic)) !== undefined,
    read: (source) => read(source, magic),
  };
}

/** The WAD2 format. */
export const wad2: ArchiveFormat = format("WAD2", "wad2", "Quake (gfx.wad, textures)");
/** The WAD3 format. */
export const wad3: ArchiveFormat = format("WAD3", "wad3", "Half-Life (textures)");
