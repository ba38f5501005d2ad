/**
 * Reads tiles of the Build engine, ART: pictures of indices in the file, column by column; 255 is not drawn.
 *
 * i32 version 1, i32 number of tiles (not used), i32 numbers of the first and last tile; i16 width of each, i16 height of
 * each, i32 animation of each; pixels of all tiles one after the other. EDuke32 also takes `BUILDART` before that. The
 * colours are in `PALETTE.DAT`: 768 values up to 63 at its beginning, which the engine multiplies by four.
 * (Ken Silverman, BUILDINF.TXT; EDuke32 source/build/src/tiles.cpp, palette.cpp.)
 * @module
 */
import { MediaError, type Reader } from "../core/reader.ts";
import type { Palette } from "./palette.ts";
import { IndexedPicture, type Picture, requireSize } from "./picture.ts";
import { drawSheet } from "./sheet.ts";

const mark = "BUILDART";
const headerBytes = 16;
const transparentIndex = 255;
const paletteBytes = 768;

/** A tile that is not empty. */
export interface Tile {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** Offset of its pixels in the file. */
  readonly offset: number;
}

/**
 * Reads the list of tiles.
 * @throws {MediaError} if it is no ART, or truncated.
 */
export function readTiles(reader: Reader): Tile[] {
  const start = reader.startsWith(mark) ? mark.length : 0;
  if (reader.u32(start) !== 1) throw new MediaError("it does not begin like an ART", { offset: start });
  const [first, last] = [reader.u32(start + 8), reader.u32(start + 12)];
  const count = last - first + 1;
  if (count < 0 || count * 8 > reader.length) {
    throw new MediaError(`it cannot have ${count} tiles`, { offset: start + 8 });
  }
  const sizes = start + headerBytes;
  let offset = sizes + count * 8;
  const tiles: Tile[] = [];
  for (let index = 0; index < count; index++) {
    const [width, height] = [reader.i16(sizes + index * 2), reader.i16(sizes + count * 2 + index * 2)];
    if (width <= 0 || height <= 0) continue;
    requireSize(width, height);
    reader.require(offset, width * height, `tile ${first + index}`);
    tiles.push({ number: first + index, width, height, offset });
    offset += width * height;
  }
  return tiles;
}

function decodeTile(reader: Reader, { width, height, offset }: Tile, palette: Palette): Picture {
  const columns = reader.slice(offset, width * height, "a tile");
  const indices = new Uint8Array(width * height);
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) indices[y * width + x] = columns[x * height + y] ?? 0;
  }
  return new IndexedPicture(width, height, indices, palette, transparentIndex);
}

/**
 * Draws all tiles on one sheet, row by row, each at the upper left of a field as large as the largest.
 * @throws {MediaError} if the sheet would be too large or empty.
 */
export function tileSheet(reader: Reader, palette: Palette): Picture {
  const tiles = readTiles(reader);
  const [only] = tiles;
  if (only && tiles.length === 1) return decodeTile(reader, only, palette);
  return drawSheet(tiles, (tile) => decodeTile(reader, tile, palette));
}

/**
 * Reads `PALETTE.DAT`.
 * @throws {MediaError} if it is too short.
 */
export function readBuildPalette(bytes: Uint8Array, origin: string): Palette {
  if (bytes.length < paletteBytes) {
    throw new MediaError(`a palette has ${paletteBytes} bytes, this file ${bytes.length}`);
  }
  return { colours: bytes.slice(0, paletteBytes).map((value) => (value & 63) * 4), origin };
}
