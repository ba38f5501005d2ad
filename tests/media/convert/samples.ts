/**
 * Handwritten files of games in formats that only converters read, and a resolver with a palette.
 * @module
 */
import type { NamedFile, Surroundings } from "../../../media/convert/converter.ts";
import { storedPng } from "../../../media/pictures/png_writer.ts";
import { encodeLmp, encodePcx, encodeTga } from "../../../daemon/demo/image.ts";
import { demoPalette } from "../../../daemon/demo/palette.ts";
import { hex, join, padded, text, u16, u32 } from "../../formats/bytes.ts";
import {
  halfLifeSprite,
  mip,
  quake2Map,
  quake3Map,
  quakeMap,
  sprite,
  spriteList,
  testPalette,
  textureWad,
} from "../handmade.ts";
import { richBlocks } from "../rich_files.ts";

/** A resolver with these files. */
export function among(...files: readonly NamedFile[]): Surroundings {
  const file = (name: string) => Promise.resolve(files.find(({ qpath }) => qpath === name));
  const filesAt = async (name: string) => {
    const found = await file(name);
    return found ? [{ ...found, source: "" }] : [];
  };
  return { file, files: filesAt, image: file };
}

/** A picture of 6 x 5 pixels. */
export const image = {
  width: 6,
  height: 5,
  rgba: Uint8Array.from({ length: 120 }, (_, index) => index % 4 === 3 ? 255 : index * 2),
};

/** A resolver with palettes of all games, names of patches and a frame of a sprite. */
export const everything: Surroundings = among(
  { qpath: "gfx/palette.lmp", bytes: testPalette() },
  { qpath: "PLAYPAL", bytes: testPalette() },
  { qpath: "PNAMES", bytes: join(u32(2), padded(text("WALL"), 8), padded(text("DOOR"), 8)) },
  { qpath: "a.pcx", bytes: encodePcx(image, demoPalette()) },
  { qpath: "PALETTE.DAT", bytes: Uint8Array.from({ length: 800 }, (_, index) => index % 64) },
  { qpath: "materials/brick/wall.vtf", bytes: vtf({ width: 1, height: 1, kind: 3, data: hex("010203") }) },
);

/** A patch of 3 x 4 pixels: a full column, one with a hole in the middle, an empty one. */
export function patch(): Uint8Array {
  const columns = [hex("00 04 00 01020304 00 ff"), hex("00 01 00 05 00 02 02 00 0607 00 ff"), hex("ff")];
  let offset = 8 + columns.length * 4;
  const offsets = columns.map((column) => (offset += column.length) - column.length);
  return join(u16(3, 4, 0, 0), u32(...offsets), ...columns);
}

const levels = (first: number) => u32(first, ...new Array<number>(15).fill(0));

/** An M8 of 2 x 1 pixels of colours 1 and 2. */
export function m8(): Uint8Array {
  const levelled = join(levels(2), levels(1), levels(1040));
  return join(u32(2), new Uint8Array(32), levelled, new Uint8Array(32), testPalette(), u32(0, 0, 0), hex("0102"));
}

/** An M32 of 2 x 1 pixels. */
export function m32(): Uint8Array {
  const levelled = join(levels(2), levels(1), levels(968));
  return join(u32(4), new Uint8Array(512), levelled, new Uint8Array(968 - 4 - 512 - 192), hex("01020304 05060708"));
}

/** A WAL of Daikatana of 2 x 1 pixels of colours 1 and 2. */
export function daikatanaWal(): Uint8Array {
  const offsets = u32(892, ...new Array<number>(8).fill(0));
  return join(
    hex("03"),
    new Uint8Array(35),
    u32(2, 1),
    offsets,
    new Uint8Array(40),
    testPalette(),
    u32(0),
    hex("0102"),
  );
}

/** A header of a DDS whose pixel format has these four letters, or bits and masks. */
export function ddsHeader(
  width: number,
  height: number,
  letters: string,
  bits = 0,
  masks: readonly number[] = [],
): Uint8Array {
  const kind = letters === "" ? 0x41 : 4;
  const size = join(text("DDS "), u32(124, 0x1007, height, width, 0, 0, 0), new Uint8Array(44));
  return padded(join(size, u32(32, kind), padded(text(letters), 4), u32(bits, ...masks)), 128);
}

/** Makes an ART of tiles, numbered from 256 on; pixels in hex digits, column by column. */
export function art(tiles: readonly (readonly [width: number, height: number, pixels: string])[]): Uint8Array {
  return join(
    u32(1, 0, 256, 255 + tiles.length),
    u16(...tiles.map(([width]) => width)),
    u16(...tiles.map(([, height]) => height)),
    new Uint8Array(tiles.length * 4),
    ...tiles.map(([, , pixels]) => hex(pixels)),
  );
}

/** A sprite of DarkPlaces of one frame of 2 x 1 pixels. */
export function rgbaSprite(): Uint8Array {
  const header = join(text("IDSP"), u32(32, 2, 0, 2, 1, 1, 0, 0));
  return join(header, u32(0, 0, 0, 2, 1), hex("01020304 05060708"));
}

/** Parts of a VTF. */
export interface HandVtf {
  readonly minor?: number;
  readonly width: number;
  readonly height: number;
  /** Number of the kind of pixels. */
  readonly kind: number;
  readonly flags?: number;
  readonly frames?: number;
  readonly firstFrame?: number;
  readonly levels?: number;
  readonly depth?: number;
  /** Pixels of all levels, the smallest first. */
  readonly data: Uint8Array;
}

/** Makes a VTF with a thumbnail of 4 x 4 pixels. */
export function vtf(parts: HandVtf): Uint8Array {
  const { minor = 2, width, height, kind, flags = 0, frames = 1, firstFrame = 0, levels = 1, depth = 1, data } = parts;
  const size = minor < 3 ? 80 : 96;
  const sizes = join(u16(width, height), u32(flags), u16(frames, firstFrame), new Uint8Array(24), u32(kind));
  const start = join(
    text("VTF\0"),
    u32(7, minor, size),
    sizes,
    Uint8Array.of(levels),
    u32(13),
    hex("0404"),
    u16(depth),
  );
  if (minor < 3) return join(padded(start, size), new Uint8Array(8), data);
  const entries = join(u32(2), new Uint8Array(8), u32(1, size, 0x30, size + 8));
  return join(padded(start, 68), entries, new Uint8Array(8), data);
}

/** A TEXTURE1 of one texture of two patches. */
export function texture1(): Uint8Array {
  const first = join(u16(0, 0, 0, 1, 0), u16(65535, 8, 1, 1, 0));
  return join(u32(1, 8), padded(text("WALL1"), 8), u32(0), u16(64, 128), u32(0), u16(2), first);
}

/** A WAV of an encoding, with blocks of `blockBytes`. */
export function encodedWav(code: number, channels: number, blockBytes: number, data: Uint8Array): Uint8Array {
  const format = join(u16(code, channels), u32(8000, 8000), u16(blockBytes, code > 7 || code === 2 ? 4 : 8));
  const chunks = join(text("WAVEfmt "), u32(16), format, text("data"), u32(data.length), data);
  return join(text("RIFF"), u32(chunks.length), chunks);
}

/** A sound of Doom with these samples. */
export function dmx(...samples: number[]): Uint8Array {
  return join(
    u16(3, 11025),
    u32(samples.length + 32),
    new Uint8Array(16),
    Uint8Array.from(samples),
    new Uint8Array(16),
  );
}

/** Music of Doom with this score. */
export function mus(score: Uint8Array): Uint8Array {
  return join(text("MUS\x1a"), u16(score.length, 18, 2, 0, 1, 0, 5), score);
}

/** `GENMIDI`, whose first instrument has a fixed note and whose first drum two voices. */
export function instruments(): Uint8Array {
  const bytes = join(text("#OPL_II#"), new Uint8Array(175 * 36), new Uint8Array(175 * 32));
  bytes.set(u16(1), 8);
  bytes[11] = 60;
  bytes.set(u16(4), 8 + 128 * 36);
  bytes[10 + 128 * 36] = 130;
  bytes.set(text("Piano"), 8 + 175 * 36);
  bytes.set(text("Bass drum"), 8 + 175 * 36 + 128 * 32);
  return bytes;
}

const entities = '{"classname" "worldspawn" "message" "a"}{"classname" "light"}';
const blocks = Uint8Array.from({ length: 64 }, (_, index) => index * 37);

/** Files by path, one for each row of the table that needs no other files. */
export const seeds: Readonly<Record<string, Uint8Array>> = {
  "gfx/a.lmp": encodeLmp(image, demoPalette()),
  "COLORMAP": Uint8Array.from({ length: 600 }, (_, index) => index * 3),
  "a.miptex": mip("{a", 3),
  "b.miptex": mip("a", 3).fill(0, 24, 40),
  "textures/a.wal": join(new Uint8Array(32), u32(4, 4, 100, 0, 0, 0), new Uint8Array(60)),
  "textures/b.wal": daikatanaWal(),
  "pics/a.pcx": encodePcx(image, demoPalette()),
  "a.tga": encodeTga(image),
  "b.tga": hex("00000a00000000000000000003000200182083010203810405 06"),
  "a.m8": m8(),
  "a.m32": m32(),
  "a.ftx": join(u32(2, 1, 1), hex("01020304 05060708")),
  "a.dds": join(ddsHeader(6, 5, "DXT1"), blocks),
  "b.dds": join(ddsHeader(6, 5, "DXT5"), blocks),
  "c.dds": join(ddsHeader(2, 1, "", 32, [0xff0000, 0xff00, 0xff, 0xff000000]), hex("01020304 05060708")),
  "d.dds": join(ddsHeader(6, 5, "ATI1"), blocks),
  "e.dds": join(ddsHeader(6, 5, "ATI2"), blocks, blocks),
  "a.vtf": vtf({ width: 6, height: 5, kind: 15, data: join(blocks, blocks) }),
  "b.vtf": vtf({ minor: 4, width: 2, height: 2, kind: 12, levels: 2, data: blocks }),
  "a.vmt": text('"LightmappedGeneric"\n{\n\t"$basetexture" "Brick\\wall"\n}\n'),
  "a.bmp": join(text("BM"), u32(0, 0, 54, 40, 2, 2), u16(1, 24), new Uint8Array(24), blocks),
  "a.gif": hex(
    "474946383961 0300 0200 80 0000 ff0000 0000ff 21f904 01 0000 01 00 2c 0000 0000 0300 0200 00 02 03 44865800 3b",
  ),
  "tiles000.art": art([[2, 2, "01020304"], [0, 0, ""], [1, 3, "05ff07"]]),
  "c.spr": rgbaSprite(),
  "progs/a.spr": sprite(),
  "b.spr": halfLifeSprite(3),
  "a.sp2": spriteList(["a.pcx", "a.pcx"]),
  "PLAYPAL": join(testPalette(), testPalette()),
  "flats/FLOOR": new Uint8Array(4096).fill(7),
  "TITLEPIC": patch(),
  "CREDIT": new Uint8Array(64000).fill(7),
  "a.wav": encodedWav(2, 1, 32, blocks),
  "b.wav": encodedWav(0x11, 2, 32, blocks),
  "c.wav": encodedWav(7, 1, 1, blocks),
  "d.wav": encodedWav(2, 2, 32, richBlocks()),
  "e.wav": encodedWav(6, 2, 2, blocks),
  "DSPISTOL": dmx(...blocks),
  "D_E1M1": mus(hex("90bc64 03 9fa37f 8100 003c 2f40 470005 440364 3a0b 60")),
  "a.mus": mus(hex("90bc64 03 9fa37f 8100 003c 2f40 470005 440364 3a0b 60")),
  "PNAMES": join(u32(1), padded(text("WALL"), 8)),
  "TEXTURE1": texture1(),
  "ENDOOM": new Uint8Array(4000).fill(0x41),
  "GENMIDI": instruments(),
  "patches/P": storedPng(image),
  "DSPLAIN": encodedWav(1, 1, 1, blocks),
  "MAPINFO": text('map MAP01 "a"\n'),
  "maps/a.bsp": quakeMap(entities),
  "maps/b.bsp": quake2Map(entities, ["a"]),
  "maps/c.bsp": quake3Map(entities, [["a", 1]]),
  "maps/a.ent": text(entities),
  "gfx.wad": textureWad([["b", 68, mip("b", 1)]]),
};
