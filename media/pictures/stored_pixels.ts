/**
 * Decodes pixels as graphics cards store them: blocks of BC1 to BC5 (DXT1, DXT3, DXT5, ATI1, ATI2) and BC7, numbers with
 * masks of colours, and indices of a palette. (Khronos Data Format Specification, S3TC and RGTC.)
 * @module
 */
import { byteAt } from "../../formats/parts.ts";
import type { Reader } from "../core/reader.ts";
import { decodeBc7 } from "./bc7.ts";
import { emptyPicture, type Picture } from "./picture.ts";

/** Kind of blocks of 4 x 4 pixels. BC4 has one channel, which is shown as grey, BC5 has red and green. */
export type BlockKind = "bc1" | "bc2" | "bc3" | "bc4" | "bc5" | "bc7";

/** Blocks; in swizzled ones red and opacity have changed places. */
interface BlockPixels {
  readonly blocks: BlockKind;
  readonly isSwizzled: boolean;
}

/** Numbers with masks of red, green, blue and opacity. */
interface MaskedPixels {
  readonly bytes: number;
  readonly masks: readonly number[];
}

/** Pixels of a picture: indices have the offset of their palette, 256 colours of red, green, blue and opacity. */
export type StoredPixels = BlockPixels | MaskedPixels | { readonly palette: number };

/** A picture in a file. */
export interface StoredPicture {
  readonly width: number;
  readonly height: number;
  /** Offset of its pixels. */
  readonly data: number;
  readonly pixels: StoredPixels;
}

/** Returns the bytes that a picture of a size takes. */
export function storedSize(width: number, height: number, pixels: StoredPixels): number {
  if ("blocks" in pixels) return Math.ceil(width / 4) * Math.ceil(height / 4) * blockSize(pixels.blocks);
  return width * height * ("bytes" in pixels ? pixels.bytes : 1);
}

function blockSize(blocks: BlockKind): number {
  return blocks === "bc1" || blocks === "bc4" ? 8 : 16;
}

/** Returns the red, green and blue of a colour of 5, 6 and 5 bits. */
function widened(colour: number): [number, number, number] {
  const [red, green, blue] = [colour >> 11, (colour >> 5) & 63, colour & 31];
  return [red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2];
}

/** Writes the four colours of a block to 16 bytes. */
function writeColours(reader: Reader, offset: number, mayHaveHoles: boolean, colours: Uint8Array): void {
  const [first, second] = [reader.u16(offset), reader.u16(offset + 2)];
  const [low, high] = [widened(first), widened(second)];
  const hasHoles = mayHaveHoles && first <= second;
  for (let channel = 0; channel < 3; channel++) {
    const [a, b] = [low[channel] ?? 0, high[channel] ?? 0];
    colours[channel] = a;
    colours[4 + channel] = b;
    colours[8 + channel] = hasHoles ? (a + b) >> 1 : Math.floor((2 * a + b) / 3);
    colours[12 + channel] = hasHoles ? 0 : Math.floor((a + 2 * b) / 3);
  }
  colours[15] = hasHoles ? 0 : 255;
}

/** Writes the eight values of a block of one channel. */
function writeValues(first: number, second: number, values: Uint8Array): void {
  values[0] = first;
  values[1] = second;
  const steps = first > second ? 7 : 5;
  for (let step = 1; step < steps; step++) {
    values[step + 1] = Math.floor(((steps - step) * first + step * second) / steps);
  }
  if (steps === 5) {
    values[6] = 0;
    values[7] = 255;
  }
}

function decodeBlocks(
  reader: Reader,
  { width, height, data }: StoredPicture,
  { blocks, isSwizzled }: BlockPixels,
): Picture {
  const size = blockSize(blocks);
  const [columns, rows] = [Math.ceil(width / 4), Math.ceil(height / 4)];
  reader.require(data, columns * rows * size, `a picture of ${width} x ${height} pixels`);
  const picture = emptyPicture(width, height);
  const colours = new Uint8Array(16).fill(255);
  const [first, second] = [new Uint8Array(8), new Uint8Array(8)];
  const pixels = new Uint8Array(64);
  /** Returns the value of a pixel in a block of one channel. */
  const valueAt = (values: Uint8Array, block: number, pixel: number): number => {
    const bit = pixel * 3;
    const pair = reader.u8(block + 2 + (bit >> 3)) | (bit >> 3 < 5 ? reader.u8(block + 3 + (bit >> 3)) : 0) << 8;
    return byteAt(values, pair >> (bit & 7) & 7);
  };
  const opacityAt = (block: number, pixel: number): number =>
    blocks === "bc2" ? (reader.u8(block + (pixel >> 1)) >> (pixel & 1) * 4 & 15) * 17 : valueAt(first, block, pixel);
  const hasColours = blocks !== "bc4" && blocks !== "bc5" && blocks !== "bc7";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const block = data + (row * columns + column) * size;
      const colourBlock = block + size - 8;
      if (blocks === "bc7") decodeBc7(reader.bytes.subarray(block, block + size), pixels);
      if (hasColours) writeColours(reader, colourBlock, blocks === "bc1", colours);
      if (blocks !== "bc1" && blocks !== "bc2" && blocks !== "bc7") {
        writeValues(reader.u8(block), reader.u8(block + 1), first);
      }
      if (blocks === "bc5") writeValues(reader.u8(block + 8), reader.u8(block + 9), second);
      const choices = reader.u32(colourBlock + 4);
      for (let pixel = 0; pixel < 16; pixel++) {
        const [x, y] = [column * 4 + pixel % 4, row * 4 + (pixel >> 2)];
        if (x >= width || y >= height) continue;
        const target = (y * width + x) * 4;
        if (blocks === "bc7") {
          for (let channel = 0; channel < 4; channel++) {
            picture.rgba[target + channel] = byteAt(pixels, pixel * 4 + channel);
          }
          continue;
        }
        if (!hasColours) {
          const value = valueAt(first, block, pixel);
          picture.rgba[target] = value;
          picture.rgba[target + 1] = blocks === "bc4" ? value : valueAt(second, block + 8, pixel);
          picture.rgba[target + 2] = blocks === "bc4" ? value : 0;
          picture.rgba[target + 3] = 255;
          continue;
        }
        const chosen = (choices >>> pixel * 2 & 3) * 4;
        for (let channel = 0; channel < 4; channel++) {
          picture.rgba[target + channel] = byteAt(colours, chosen + channel);
        }
        if (blocks !== "bc1") picture.rgba[target + 3] = opacityAt(block, pixel);
        if (isSwizzled) {
          picture.rgba[target] = byteAt(picture.rgba, target + 3);
          picture.rgba[target + 3] = 255;
        }
      }
    }
  }
  return picture;
}

/** Returns the function that reads the channel of a mask as eight bits. */
export function channelReader(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (pixel) => Math.round(((pixel & mask) >>> shift) * 255 / most);
}

function decodeMasked(
  reader: Reader,
  { width, height, data }: StoredPicture,
  { bytes, masks }: MaskedPixels,
): Picture {
  const stored = reader.slice(data, width * height * bytes, `a picture of ${width} x ${height} pixels`);
  const picture = emptyPicture(width, height);
  const channels = masks.map(channelReader);
  const isOpaque = masks[3] === 0;
  for (let index = 0; index < width * height; index++) {
    let pixel = 0;
    for (let byte = 0; byte < bytes; byte++) pixel |= byteAt(stored, index * bytes + byte) << byte * 8;
    for (let channel = 0; channel < 4; channel++) picture.rgba[index * 4 + channel] = channels[channel]?.(pixel) ?? 0;
    if (isOpaque) picture.rgba[index * 4 + 3] = 255;
  }
  return picture;
}

function decodePalette(reader: Reader, { width, height, data }: StoredPicture, palette: number): Picture {
  const colours = reader.slice(palette, 256 * 4, "a palette");
  const indices = reader.slice(data, width * height, `a picture of ${width} x ${height} pixels`);
  const picture = emptyPicture(width, height);
  for (const [pixel, index] of indices.entries()) {
    picture.rgba.set(colours.subarray(index * 4, index * 4 + 4), pixel * 4);
  }
  return picture;
}

/** Returns whether pixels may be other than opaque, by their kind alone. */
export function mayBeTranslucent({ pixels }: Pick<StoredPicture, "pixels">): boolean {
  if ("masks" in pixels) return pixels.masks[3] !== 0;
  return "palette" in pixels || (!pixels.isSwizzled && pixels.blocks !== "bc4" && pixels.blocks !== "bc5");
}

/**
 * Decodes a picture, whose size must have been checked.
 * @throws {MediaError} if the file ends before it does.
 */
export function decodeStored(reader: Reader, picture: StoredPicture): Picture {
  const { pixels } = picture;
  if ("blocks" in pixels) return decodeBlocks(reader, picture, pixels);
  return "palette" in pixels ? decodePalette(reader, picture, pixels.palette) : decodeMasked(reader, picture, pixels);
}
