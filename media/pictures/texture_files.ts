/**
 * Reads textures of games built on the engines of Quake 2 and 3.
 *
 * M8 (`miptex_t` of Heretic II): i32 2, name of 32 bytes, u32 widths, heights and offsets of 16 levels, name of 32
 * bytes, 256 colours, three i32. M32 (`miptex32_t`, also Soldier of Fortune): i32 4, four names of 128 bytes, u32
 * widths, heights and offsets of 16 levels; pixels are red, green, blue, opacity. WAL of Daikatana: u8 3, name of 32
 * bytes, three unused bytes, u32 width, height, nine offsets, name of 32 bytes, two i32, 256 colours. FTX (Heavy Metal:
 * FAKK2): u32 width, height, u32 translucent, then red, green, blue and opacity of each pixel.
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import { IndexedPicture, type Picture, requireSize } from "./picture.ts";

/** Location of the largest picture in a file. */
export interface TextureHeader {
  readonly width: number;
  readonly height: number;
  /** Offset of the first pixel. */
  readonly data: number;
}

const levels = 16;

function levelsAt(reader: Reader, offset: number): TextureHeader {
  return {
    width: reader.u32(offset),
    height: reader.u32(offset + levels * 4),
    data: reader.u32(offset + levels * 8),
  };
}

function indexed(reader: Reader, { width, height, data }: TextureHeader, colours: number): IndexedPicture {
  requireSize(width, height);
  const palette = { colours: reader.slice(colours, 768, "a palette"), origin: "the file itself" };
  const pixels = reader.slice(data, width * height, `a picture of ${width} x ${height} pixels`);
  return new IndexedPicture(width, height, pixels, palette);
}

function coloured(reader: Reader, { width, height, data }: TextureHeader): Picture {
  requireSize(width, height);
  const rgba = reader.slice(data, width * height * 4, `a picture of ${width} x ${height} pixels`);
  return { width, height, rgba };
}

function requireVersion(found: number, version: number, title: string): void {
  if (found !== version) {
    throw new MediaError(`unknown version ${found} of ${title}; ${version} can be read`, { offset: 0 });
  }
}

/** Reads the header of an M8. */
export function readM8Header(reader: Reader): TextureHeader {
  requireVersion(reader.u32(0), 2, "M8");
  return levelsAt(reader, 36);
}

/**
 * Reads an M8.
 * @throws {MediaError} if it is no M8, or truncated.
 */
export function decodeM8(bytes: Uint8Array): IndexedPicture {
  const reader = new Reader(bytes);
  return indexed(reader, readM8Header(reader), 260);
}

/** Reads the header of an M32. */
export function readM32Header(reader: Reader): TextureHeader {
  requireVersion(reader.u32(0), 4, "M32");
  return levelsAt(reader, 516);
}

/**
 * Reads an M32.
 * @throws {MediaError} if it is no M32, or truncated.
 */
export function decodeM32(bytes: Uint8Array): Picture {
  const reader = new Reader(bytes);
  return coloured(reader, readM32Header(reader));
}

/** Reads the header of a WAL of Daikatana; undefined for one of Quake 2. */
export function readDaikatanaHeader(reader: Reader): TextureHeader | undefined {
  if (reader.u8(0) !== 3) return undefined;
  return { width: reader.u32(36), height: reader.u32(40), data: reader.u32(44) };
}

/**
 * Reads a WAL of Daikatana.
 * @throws {MediaError} if it is truncated.
 */
export function decodeDaikatanaWal(bytes: Uint8Array, header: TextureHeader): IndexedPicture {
  return indexed(new Reader(bytes), header, 120);
}

/** Reads the header of an FTX. */
export function readFtxHeader(reader: Reader): TextureHeader {
  return { width: reader.u32(0), height: reader.u32(4), data: 12 };
}

/**
 * Reads an FTX.
 * @throws {MediaError} if it is truncated.
 */
export function decodeFtx(bytes: Uint8Array): Picture {
  const reader = new Reader(bytes);
  return coloured(reader, readFtxHeader(reader));
}
