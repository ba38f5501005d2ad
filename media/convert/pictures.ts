/**
 * Converters of pictures to PNG. Pictures with a palette stay indexed, and nothing is compressed, so the size of a
 * result depends only on the header of the file.
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import { fileKindOf, isPicture, lumpKindOf, type PictureKind } from "../file_kind.ts";
import { tileSheet } from "../pictures/art.ts";
import { decodeJpeg, isJpeg } from "../pictures/jpeg.ts";
import { decodeBmp, readBmpHeader } from "../pictures/bmp.ts";
import { decodeDds, readDdsHeader } from "../pictures/dds.ts";
import {
  decodeColourMap,
  decodeFlat,
  decodePatch,
  decodePlaypal,
  flatSize,
  paletteBytes,
} from "../pictures/doom_picture.ts";
import { drawSheet, sheetLayout } from "../pictures/sheet.ts";
import { decodeGif } from "../pictures/gif.ts";
import { frameSheet, isSprite, readSprite, readSpriteList } from "../pictures/sprite.ts";
import {
  decodeDaikatanaWal,
  decodeFtx,
  decodeM32,
  decodeM8,
  readDaikatanaHeader,
  readFtxHeader,
  readM32Header,
  readM8Header,
  type TextureHeader,
} from "../pictures/texture_files.ts";
import type { Palette } from "../pictures/palette.ts";
import { decodePcx } from "../pictures/pcx.ts";
import { maxPixels, type Picture } from "../pictures/picture.ts";
import { decodePng, isPng } from "../pictures/png.ts";
import { type PngPixels, type PngShape, storedPng, storedPngSize } from "../pictures/png_writer.ts";
import { decodeLmp, decodeMip, decodeWal, headerlessKind, readMipHeader } from "../pictures/quake_picture.ts";
import { mayBeTranslucent, type StoredPicture } from "../pictures/stored_pixels.ts";
import { decodeTga } from "../pictures/tga.ts";
import { decodeVtf, readVtfHeader, textureOfMaterial } from "../pictures/vtf.ts";
import type { Converter, NamedFile, Surroundings } from "./converter.ts";
import { type PaletteGame, unknownPalette, viewPalette } from "./palette.ts";

/** A picture, and the source of its palette. */
export interface DecodedPicture {
  readonly picture: Picture;
  /** `TGA`, `MIP texture`, ... */
  readonly title: string;
  /** Source of its palette; null if the picture contains it. */
  readonly palette: string | null;
}

/**
 * Decodes a file that is one picture.
 * @param paletteOf Returns the palette of the view for pictures of a game.
 * @throws {MediaError} if it is damaged.
 */
export async function pictureOf(
  kind: PictureKind,
  bytes: Uint8Array,
  paletteOf: (game: PaletteGame) => Promise<Palette>,
): Promise<DecodedPicture> {
  const plain = (picture: Picture, title: string): DecodedPicture => ({ picture, title, palette: null });
  if (kind === "png") return plain(decodePng(bytes), "PNG");
  if (kind === "jpeg") return plain(await decodeJpeg(bytes), "JPEG");
  if (kind === "tga") return plain(decodeTga(bytes), "TGA");
  if (kind === "pcx") return plain(decodePcx(bytes), "PCX");
  if (kind === "m8") return plain(decodeM8(bytes), "M8");
  if (kind === "m32") return plain(decodeM32(bytes), "M32");
  if (kind === "dds") return plain(decodeDds(bytes), "DDS");
  if (kind === "vtf") return plain(decodeVtf(bytes), "VTF");
  if (kind === "gif") return plain(decodeGif(bytes), "GIF");
  if (kind === "bmp") return plain(decodeBmp(bytes), "BMP");
  if (kind === "ftx") return plain(decodeFtx(bytes), "FTX");
  if (kind === "playpal") return plain(decodePlaypal(bytes), "palettes of Doom");
  if (kind === "wal") {
    const daikatana = readDaikatanaHeader(new Reader(bytes));
    if (daikatana) return plain(decodeDaikatanaWal(bytes, daikatana), "WAL of Daikatana");
  }
  const palette = await paletteOf(gameOf(kind));
  if (kind === "mip") {
    const texture = decodeMip(bytes, 0, palette, true);
    return { picture: texture.picture, title: "MIP texture", palette: texture.palette.origin };
  }
  if (kind === "patch") return { picture: decodePatch(bytes, palette), title: "Doom patch", palette: palette.origin };
  if (kind === "colormap") {
    return { picture: decodeColourMap(bytes, palette), title: "colour map of Doom", palette: palette.origin };
  }
  if (kind === "flat") return { picture: decodeFlat(bytes, palette), title: "Doom flat", palette: palette.origin };
  const picture = kind === "wal" ? decodeWal(bytes, palette) : decodeLmp(bytes, palette);
  const isPalette = kind === "lmp" && headerlessKind(new Reader(bytes), bytes.length) === "palette";
  return { picture, title: kind.toUpperCase(), palette: isPalette ? null : picture.palette.origin };
}

function gameOf(kind: PictureKind): PaletteGame {
  if (kind === "wal") return "quake2";
  return kind === "patch" || kind === "flat" || kind === "colormap" ? "doom" : "quake";
}

/**
 * Converts a file of any kind of picture to PNG.
 * @throws {MediaError} if it is damaged or no picture.
 */
export async function pngOf({ qpath, bytes }: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const kind = fileKindOf(qpath, bytes);
  if (kind === undefined || !isPicture(kind)) throw new MediaError("it is no picture");
  const { picture } = await pictureOf(kind, bytes, (game) => paletteIn(surroundings, game));
  return storedPng(picture, shapeOf(kind, bytes, bytes.length)?.pixels);
}

async function paletteIn(surroundings: Surroundings, game: PaletteGame): Promise<Palette> {
  return await viewPalette(surroundings, game) ?? unknownPalette;
}

/** Returns the dimensions of the PNG of a file from its beginning; undefined if it does not determine them. */
type ShapeOf = (reader: Reader, fileSize: number) => PngShape | undefined;

const hole = "indexed with a hole";

/** Returns the dimensions of a picture whose pixels, `bytes` each, must be in the file from offset `data`. */
function stored({ width, height, data }: TextureHeader, fileSize: number, pixels: PngPixels, bytes = 1) {
  return data + width * height * bytes <= fileSize ? { width, height, pixels } : undefined;
}

function shapeOfStored(header: StoredPicture): PngShape {
  return { width: header.width, height: header.height, pixels: mayBeTranslucent(header) ? "rgba" : "rgb" };
}

/** Shapes of the kinds whose header decides them. */
const shapes: Partial<Readonly<Record<PictureKind, ShapeOf>>> = {
  lmp: (reader, fileSize) => {
    const kind = headerlessKind(reader, fileSize);
    if (kind === "palette") return { width: 128, height: 128, pixels: "indexed" };
    if (kind === "character set") return { width: 128, height: 128, pixels: hole };
    if (kind === "colour map") return { width: 256, height: 64, pixels: "indexed" };
    return stored({ width: reader.u32(0), height: reader.u32(4), data: 8 }, fileSize, hole);
  },
  mip: (reader, fileSize) => {
    const { name, ...header } = readMipHeader(reader, 0);
    return header.data === 0 ? undefined : stored(header, fileSize, name.startsWith("{") ? hole : "indexed");
  },
  wal: (reader, fileSize) => {
    const quake2 = { width: reader.u32(32), height: reader.u32(36), data: reader.u32(40) };
    return fileSize < 100 ? undefined : stored(readDaikatanaHeader(reader) ?? quake2, fileSize, "indexed");
  },
  pcx: (reader) => ({
    width: reader.u16(8) - reader.u16(4) + 1,
    height: reader.u16(10) - reader.u16(6) + 1,
    pixels: reader.u8(65) === 1 ? "indexed" : "rgb",
  }),
  tga: (reader) => {
    const type = reader.u8(2) & 7;
    const colours = reader.u8(type === 1 ? 7 : 16) === 32 ? "rgba" : "rgb";
    return { width: reader.u16(12), height: reader.u16(14), pixels: type === 3 ? "grey" : colours };
  },
  m8: (reader, fileSize) => stored(readM8Header(reader), fileSize, "indexed"),
  m32: (reader, fileSize) => stored(readM32Header(reader), fileSize, "rgba", 4),
  ftx: (reader, fileSize) => stored(readFtxHeader(reader), fileSize, "rgba", 4),
  dds: (reader) => shapeOfStored(readDdsHeader(reader)),
  vtf: (reader) => shapeOfStored(readVtfHeader(reader)),
  gif: (reader) => ({ width: reader.u16(6), height: reader.u16(8), pixels: "rgba" }),
  bmp: (reader) => {
    const { width, height, masks } = readBmpHeader(reader);
    return { width, height, pixels: masks?.[3] ? "rgba" : "rgb" };
  },
  patch: (reader) => ({ width: reader.u16(0), height: reader.u16(2), pixels: hole }),
  flat: (_, fileSize) => {
    const [width, height] = flatSize(fileSize);
    return stored({ width, height, data: 0 }, fileSize, "indexed");
  },
  colormap: (_, fileSize) => ({ width: 256, height: Math.floor(fileSize / 256), pixels: "indexed" }),
  playpal: (_, fileSize) => ({ width: 256, height: Math.floor(fileSize / paletteBytes), pixels: "rgb" }),
};

/**
 * Returns the dimensions of the PNG of a file of a kind from its beginning; undefined if only decoding determines them.
 */
function shapeOf(kind: PictureKind, start: Uint8Array, fileSize: number): PngShape | undefined {
  try {
    const shape = shapes[kind]?.(new Reader(start), fileSize);
    return shape && shape.width > 0 && shape.height > 0 && shape.width * shape.height <= maxPixels ? shape : undefined;
  } catch (error) {
    if (error instanceof MediaError) return undefined;
    throw error;
  }
}

function pictureRow(kind: PictureKind, title: string, extensions: readonly string[]): Converter {
  return {
    name: `${kind}-png`,
    title,
    extensions,
    to: "png",
    convert: pngOf,
    // Files whose content does not fit their names are not predicted.
    size: (start, fileSize) => {
      if (fileKindOf(`.${extensions[0]}`, start) !== kind) return undefined;
      const shape = shapeOf(kind, start, fileSize);
      return shape && storedPngSize(shape);
    },
  };
}

/**
 * Returns a row for lumps of Doom, which have no extension.
 * @param sample A path of the row.
 */
function lumpRow(name: string, kind: PictureKind, title: string, sample: string, paths: RegExp): Converter {
  const isKind = (start: Uint8Array, fileSize: number) => {
    return !isPng(start) && !isJpeg(start) && lumpKindOf(sample, start, fileSize) === kind;
  };
  return {
    name,
    title,
    extensions: [""],
    paths,
    to: "png",
    accepts: isKind,
    convert: pngOf,
    size: (start, fileSize) => {
      const shape = isKind(start, fileSize) ? shapeOf(kind, start, fileSize) : undefined;
      return shape && storedPngSize(shape);
    },
  };
}

/** All frames of a sprite of Quake on one sheet. */
async function spriteSheet({ bytes }: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const reader = new Reader(bytes);
  const sprite = readSprite(reader);
  const { colours } = sprite;
  const own = colours ? { colours, origin: "the file itself" } : unknownPalette;
  const palette = colours || sprite.isRgba ? own : await paletteIn(surroundings, "quake");
  return storedPng(frameSheet(reader, sprite, palette));
}

/** The texture of a material of the Source engine. */
async function materialTexture({ bytes }: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const name = textureOfMaterial(bytes);
  if (name === undefined) throw new MediaError("it names no $basetexture");
  const file = await surroundings.file(name);
  if (!file) throw new MediaError(`its texture ${name} is missing`);
  const header = readVtfHeader(new Reader(file.bytes));
  return storedPng(decodeVtf(file.bytes), shapeOfStored(header).pixels);
}

/** Maximum frames of a sprite whose frames are files. */
const maxFrameFiles = 256;

/**
 * All frames of a sprite of Quake 2, each in a file, on one sheet. Nexuiz's have the format of Quake's: DarkPlaces takes
 * any sprite by its beginning (model_shared.c).
 */
async function spriteListSheet(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const reader = new Reader(file.bytes);
  if (isSprite(reader)) return await spriteSheet(file, surroundings);
  const names = readSpriteList(reader).map(({ name }) => name);
  if (names.length > maxFrameFiles) throw new MediaError(`its ${names.length} frames are too many`);
  const pictures = new Map<string, Picture>();
  for (const name of new Set(names)) {
    if (name === "") throw new MediaError("a frame names no file");
    // deno-lint-ignore no-await-in-loop -- one frame at a time bounds memory
    const frame = await surroundings.file(name);
    if (!frame) throw new MediaError(`its frame ${name} is missing`);
    const kind = fileKindOf(name, frame.bytes);
    if (kind === undefined || !isPicture(kind)) throw new MediaError(`its frame ${name} is no picture`);
    // deno-lint-ignore no-await-in-loop -- as above
    const { picture } = await pictureOf(kind, frame.bytes, (game) => paletteIn(surroundings, game));
    pictures.set(name, picture);
    sheetLayout([...pictures.values()]);
  }
  const frames = names.flatMap((name) => pictures.get(name) ?? []);
  const [only] = frames;
  return storedPng(only && frames.length === 1 ? only : drawSheet(frames, (frame) => frame));
}

/** Paths without markers of sections, such as `S_START`. */
const noMarker = /^(?!(.*\/)?[^/]*_(start|end)(~\d+)?$)/;

/** Paths of lumps that may be patches and screens: no marker such as `S_START`, and no palette or colour map. */
const outsideOfOthers =
  /^(?!(.*\/)?(flats|maps|colormaps|acs)\/)(?!(.*\/)?([^/]*_(start|end)|playpal|colormap)(~\d+)?$)/;

/** Converters of pictures. */
export const pictureConverters: readonly Converter[] = [
  pictureRow("lmp", "pictures of Quake", ["lmp", "qpic", "palette"]),
  pictureRow("mip", "textures of Quake and Half-Life", ["mip", "miptex", "miptex2", "decal"]),
  pictureRow("wal", "textures of Quake 2 and Daikatana", ["wal"]),
  pictureRow("m8", "textures of Heretic II", ["m8"]),
  pictureRow("m32", "textures of Heretic II and Soldier of Fortune", ["m32"]),
  pictureRow("pcx", "pictures of Quake 2", ["pcx"]),
  pictureRow("tga", "pictures of Quake III and Doom 3", ["tga"]),
  pictureRow("dds", "compressed textures: BC1 to BC5, BC7, and plain pixels", ["dds"]),
  pictureRow("vtf", "textures of the Source engine: the first frame", ["vtf"]),
  {
    name: "vmt-png",
    title: "materials of the Source engine: their texture",
    extensions: ["vmt"],
    to: "png",
    convert: materialTexture,
  },
  pictureRow("bmp", "bitmaps of Windows", ["bmp"]),
  pictureRow("gif", "GIFs: the first picture", ["gif"]),
  {
    name: "art-png",
    title: "tiles of the Build engine: all on one sheet",
    extensions: ["art"],
    to: "png",
    convert: async ({ bytes }, surroundings) =>
      storedPng(tileSheet(new Reader(bytes), await paletteIn(surroundings, "build"))),
  },
  pictureRow("ftx", "textures of Heavy Metal: FAKK2", ["ftx"]),
  {
    name: "spr-png",
    title: "sprites of Quake, Half-Life and DarkPlaces: all frames on one sheet",
    extensions: ["spr"],
    to: "png",
    convert: spriteSheet,
  },
  {
    name: "sp2-png",
    title: "sprites of Quake 2: all frames on one sheet",
    extensions: ["sp2"],
    to: "png",
    convert: spriteListSheet,
  },
  lumpRow("playpal-png", "playpal", "palettes of Doom", "playpal", /(^|\/)playpal(~\d+)?$/),
  lumpRow(
    "colormap-png",
    "colormap",
    "colour maps of Doom",
    "colormap",
    /(^|\/)(colormap(~\d+)?|colormaps\/(?![^/]*_(start|end)(~\d+)?$)[^/]*)$/,
  ),
  lumpRow("flat-png", "flat", "flats of Doom", "flats/a", /(^|\/)flats\/(?![^/]*_(start|end)(~\d+)?$)[^/]*$/),
  lumpRow("patch-png", "patch", "patches and sprites of Doom", "a", outsideOfOthers),
  lumpRow("screen-png", "flat", "screens of Heretic and Hexen", "a", outsideOfOthers),
  {
    name: "lump-png",
    title: "lumps that are PNG, as they are",
    extensions: [""],
    paths: noMarker,
    to: "png",
    isCopy: true,
    accepts: isPng,
    convert: ({ bytes }) => Promise.resolve(bytes),
    size: (start, fileSize) => isPng(start) ? fileSize : undefined,
  },
];
