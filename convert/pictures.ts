/**
 * Converters of pictures to PNG. Pictures with a palette stay indexed, and nothing is compressed: so the size of a result
 * follows from the header of its file.
 * @module
 */
import { MediaError, Reader } from "../media/core/reader.ts";
import { fileKindOf, isPicture, type PictureKind } from "../media/file_kind.ts";
import { decodeJpeg } from "../media/pictures/jpeg.ts";
import type { Palette } from "../media/pictures/palette.ts";
import { decodePcx } from "../media/pictures/pcx.ts";
import type { Picture } from "../media/pictures/picture.ts";
import { decodePng } from "../media/pictures/png.ts";
import { type PngPixels, type PngShape, storedPng, storedPngSize } from "../media/pictures/png_writer.ts";
import { decodeLmp, decodeMip, decodeWal } from "../media/pictures/quake_picture.ts";
import { decodeTga } from "../media/pictures/tga.ts";
import type { Converter, NamedFile, Surroundings } from "./converter.ts";
import { type PaletteGame, unknownPalette, viewPalette } from "./palette.ts";

/** A picture, and the origin of its colours. */
export interface DecodedPicture {
  readonly picture: Picture;
  /** `TGA`, `MIP texture`, ... */
  readonly title: string;
  /** Origin of its colours; null if it has its own. */
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
  const palette = await paletteOf(kind === "wal" ? "quake2" : "quake");
  if (kind === "mip") {
    const texture = decodeMip(bytes, 0, palette, true);
    return { picture: texture.picture, title: "MIP texture", palette: texture.palette.origin };
  }
  const picture = kind === "wal" ? decodeWal(bytes, palette) : decodeLmp(bytes, palette);
  const isPalette = kind === "lmp" && bytes.length === 768;
  return { picture, title: kind.toUpperCase(), palette: isPalette ? null : palette.origin };
}

/**
 * Converts a file that is one picture, of whatever kind it is, to PNG.
 * @throws {MediaError} if it is damaged or no picture.
 */
export async function pngOf({ qpath, bytes }: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const kind = fileKindOf(qpath, bytes);
  if (kind === undefined || !isPicture(kind)) throw new MediaError("it is no picture");
  const paletteOf = async (game: PaletteGame) => await viewPalette(surroundings, game) ?? unknownPalette;
  const { picture } = await pictureOf(kind, bytes, paletteOf);
  return storedPng(picture, kind === "tga" ? tgaPixels(bytes) : undefined);
}

/** Returns the size of a PNG whose file begins with `start`; undefined if it cannot be known by that. */
type SizeOf = (reader: Reader, fileSize: number) => PngShape | undefined;

/** Returns the shape of a picture whose pixels must be in the file behind `offset`. */
function stored(width: number, height: number, offset: number, fileSize: number, pixels: PngPixels) {
  return width > 0 && height > 0 && offset + width * height <= fileSize ? { width, height, pixels } : undefined;
}

const lmpShape: SizeOf = (reader, fileSize) => {
  if (fileSize === 768) return { width: 128, height: 128, pixels: "indexed" };
  if (fileSize === 128 * 128) return { width: 128, height: 128, pixels: "indexed with a hole" };
  if (fileSize === 256 * 64 + 1) return { width: 256, height: 64, pixels: "indexed" };
  return stored(reader.u32(0), reader.u32(4), 8, fileSize, "indexed with a hole");
};

const mipShape: SizeOf = (reader, fileSize) => {
  const [width, height, data] = [reader.u32(16), reader.u32(20), reader.u32(24)];
  return data === 0
    ? undefined
    : stored(width, height, data, fileSize, reader.startsWith("{") ? "indexed with a hole" : "indexed");
};

const walShape: SizeOf = (reader, fileSize) =>
  fileSize < 100 ? undefined : stored(reader.u32(32), reader.u32(36), reader.u32(40), fileSize, "indexed");

const pcxShape: SizeOf = (reader) => ({
  width: reader.u16(8) - reader.u16(4) + 1,
  height: reader.u16(10) - reader.u16(6) + 1,
  pixels: reader.u8(65) === 1 ? "indexed" : "rgb",
});

const tgaShape: SizeOf = (reader) => ({
  width: reader.u16(12),
  height: reader.u16(14),
  pixels: tgaPixels(reader.bytes),
});

/** Returns the samples of a TGA, by its header alone. */
function tgaPixels(bytes: Uint8Array): PngPixels {
  const reader = new Reader(bytes);
  const type = reader.u8(2) & 7;
  if (type === 3) return "grey";
  return reader.u8(type === 1 ? 7 : 16) === 32 ? "rgba" : "rgb";
}

/** Returns the function of a row that gives sizes: files of another kind than their name says are not judged. */
function sizeBy(kind: PictureKind, extension: string, shapeOf: SizeOf): NonNullable<Converter["size"]> {
  return (start, fileSize) => {
    if (fileKindOf(`.${extension}`, start) !== kind) return undefined;
    try {
      const shape = shapeOf(new Reader(start), fileSize);
      return shape && shape.width > 0 && shape.height > 0 ? storedPngSize(shape) : undefined;
    } catch (error) {
      if (error instanceof MediaError) return undefined;
      throw error;
    }
  };
}

function pictureRow(kind: PictureKind, title: string, extensions: readonly string[], shapeOf: SizeOf): Converter {
  return {
    name: `${kind}-png`,
    title,
    extensions,
    to: "png",
    convert: pngOf,
    size: sizeBy(kind, extensions[0] ?? "", shapeOf),
  };
}

/** Converters of pictures. */
export const pictureConverters: readonly Converter[] = [
  pictureRow("lmp", "pictures of Quake", ["lmp", "qpic", "palette"], lmpShape),
  pictureRow("mip", "textures of Quake and Half-Life", ["mip", "miptex"], mipShape),
  pictureRow("wal", "textures of Quake 2", ["wal"], walShape),
  pictureRow("pcx", "pictures of Quake 2", ["pcx"], pcxShape),
  pictureRow("tga", "pictures of Quake 3", ["tga"], tgaShape),
];
