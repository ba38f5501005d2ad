/**
 * Reads pictures of Doom, Heretic, Hexen and Strife, which are indices of `PLAYPAL`.
 *
 * Patch (`patch_t` and `post_t` of id-Software/DOOM `r_defs.h`): u16 width, u16 height, i16 left, i16 top, u32 offset
 * of each column; a column is posts of u8 row, u8 length, an unused byte, indices, an unused byte, and ends with row
 * 255. In patches over 254 rows, a row that is not greater than the previous one is relative to it (DeePsea's tall
 * patches, as in GZDoom). Flat: 64 x 64 indices and, in later games, other squares (`FFlatTexture` of GZDoom). Screens
 * of Heretic and Hexen: 320 x 200 indices. `PLAYPAL`: palettes of 768 bytes. `COLORMAP`: for each light level an index
 * for each colour.
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import type { Palette } from "./palette.ts";
import { byteAt } from "../../formats/parts.ts";
import { emptyPicture, IndexedPicture, type Picture, requireSize } from "./picture.ts";

const headerBytes = 8;
const endOfColumn = 255;
/** Maximum width and height of a patch, as in GZDoom. */
const maxSide = 4096;
/** Maximum number of posts of a column, even for overlapping ones. */
const sparePosts = 256;

/** Returns whether a file begins like a patch, the format with the weakest signature. */
export function isPatch(start: Uint8Array, fileSize: number): boolean {
  const reader = new Reader(start);
  if (start.length < headerBytes + 4) return false;
  const [width, height] = [reader.u16(0), reader.u16(2)];
  const columnsEnd = headerBytes + width * 4;
  if (width < 1 || height < 1 || width > maxSide || height > maxSide || columnsEnd >= fileSize) return false;
  for (let offset = headerBytes; offset < columnsEnd && offset + 4 <= start.length; offset += 4) {
    const column = reader.u32(offset);
    if (column < columnsEnd || column >= fileSize) return false;
  }
  return true;
}

/** Indices of a patch, and the mask of drawn pixels. */
interface Drawn {
  readonly indices: Uint8Array;
  readonly isDrawn: Uint8Array;
}

function drawColumn(reader: Reader, start: number, x: number, width: number, height: number, drawn: Drawn): void {
  let offset = start;
  let top = -1;
  for (let posts = 0;; posts++) {
    const row = reader.u8(offset);
    if (row === endOfColumn) return;
    if (posts > height + sparePosts) throw new MediaError(`column ${x} has more posts than rows`, { offset });
    top = row <= top ? top + row : row;
    const length = reader.u8(offset + 1);
    const pixels = reader.slice(offset + 3, length, `column ${x}`);
    for (let index = 0; index < length && top + index < height; index++) {
      const target = (top + index) * width + x;
      drawn.indices[target] = byteAt(pixels, index);
      drawn.isDrawn[target] = 1;
    }
    offset += 4 + length;
  }
}

/** Returns an index that no drawn pixel uses; if all are used, two indices of equal colours are merged. */
function freeIndex({ indices, isDrawn }: Drawn, { colours }: Palette): number {
  const used = new Uint8Array(256);
  for (let pixel = 0; pixel < indices.length; pixel++) if (isDrawn[pixel]) used[byteAt(indices, pixel)] = 1;
  const free = used.lastIndexOf(0);
  if (free >= 0) return free;
  const first = new Map<number, number>();
  for (let index = 0; index < 256; index++) {
    const colour = byteAt(colours, index * 3) << 16 | byteAt(colours, index * 3 + 1) << 8 |
      byteAt(colours, index * 3 + 2);
    const same = first.get(colour);
    if (same !== undefined) {
      for (let pixel = 0; pixel < indices.length; pixel++) if (indices[pixel] === index) indices[pixel] = same;
      return index;
    }
    first.set(colour, index);
  }
  throw new MediaError("it uses 256 colours, which leaves none for its holes");
}

/**
 * Reads a patch: a picture with holes.
 * @throws {MediaError} if it is no patch, or truncated.
 */
export function decodePatch(bytes: Uint8Array, palette: Palette): IndexedPicture {
  if (!isPatch(bytes, bytes.length)) throw new MediaError("it does not begin like a patch", { offset: 0 });
  const reader = new Reader(bytes);
  const [width, height] = [reader.u16(0), reader.u16(2)];
  const drawn = { indices: new Uint8Array(width * height), isDrawn: new Uint8Array(width * height) };
  for (let x = 0; x < width; x++) drawColumn(reader, reader.u32(headerBytes + x * 4), x, width, height, drawn);
  if (!drawn.isDrawn.includes(0)) return new IndexedPicture(width, height, drawn.indices, palette);
  const hole = freeIndex(drawn, palette);
  for (let pixel = 0; pixel < drawn.indices.length; pixel++) {
    if (!drawn.isDrawn[pixel]) drawn.indices[pixel] = hole;
  }
  return new IndexedPicture(width, height, drawn.indices, palette, hole);
}

/** Sizes of flats other than 64 x 64, as width and height. */
const flatSizes: ReadonlyMap<number, readonly [number, number]> = new Map([
  [64 * 128, [64, 128]],
  [128 * 128, [128, 128]],
  [256 * 256, [256, 256]],
  [512 * 512, [512, 512]],
  [1024 * 1024, [1024, 1024]],
  [2048 * 2048, [2048, 2048]],
  [320 * 200, [320, 200]],
]);

/** Returns the size of a picture without a header from its length: a flat, or a screen of 320 x 200. */
export function flatSize(fileSize: number): readonly [width: number, height: number] {
  return flatSizes.get(fileSize) ?? [64, 64];
}

/**
 * Reads a flat or a screen: indices without a header.
 * @throws {MediaError} if it is too short.
 */
export function decodeFlat(bytes: Uint8Array, palette: Palette): IndexedPicture {
  const [width, height] = flatSize(bytes.length);
  const pixels = new Reader(bytes).slice(0, width * height, `a flat of ${width} x ${height} pixels`);
  return new IndexedPicture(width, height, pixels, palette);
}

/** Colours of a palette, followed by indices of each table of a colour map. */
const colours = 256;

/**
 * Reads a colour map: a row of pixels per table.
 * @throws {MediaError} if it has none.
 */
export function decodeColourMap(bytes: Uint8Array, palette: Palette): IndexedPicture {
  const rows = Math.floor(bytes.length / colours);
  requireSize(colours, rows);
  return new IndexedPicture(colours, rows, bytes.subarray(0, colours * rows), palette);
}

/** Bytes of a palette. */
export const paletteBytes = 768;

/**
 * Draws the palettes of `PLAYPAL`, one per row.
 * @throws {MediaError} if there is none.
 */
export function decodePlaypal(bytes: Uint8Array): Picture {
  const rows = Math.floor(bytes.length / paletteBytes);
  requireSize(256, rows);
  const picture = emptyPicture(256, rows);
  for (let pixel = 0; pixel < 256 * rows; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      picture.rgba[pixel * 4 + channel] = byteAt(bytes, pixel * 3 + channel);
    }
    picture.rgba[pixel * 4 + 3] = 255;
  }
  return picture;
}
