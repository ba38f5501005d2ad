/**
 * Reads Truevision TGA: the types that engines read (2, 3, 10) and further types of paint programs (1, 9, 11).
 *
 * Header of 18 bytes: 0 length of the comment after it, 1 whether there is a colour map, 2 type, 3 u16 first entry of
 * the map, 5 u16 its length, 7 its bits an entry, 12 u16 width, 14 u16 height, 16 bits a pixel, 17 bits of opacity (low
 * four), 0x10 rows from the right, 0x20 rows from the top. Types from 8 up are compressed: a byte below 128 precedes
 * (byte + 1) pixels, any other byte a pixel that is repeated (byte - 127) times. Colours are stored blue first.
 * (Truevision TGA File Format Specification 2.0.)
 * @module
 */
import { byteAt } from "../../formats/parts.ts";
import { emptyPicture, maxPixels, type Picture, requireSize } from "./picture.ts";
import { MediaError, Reader } from "../core/reader.ts";

const headerLength = 18;
const kinds: ReadonlyMap<number, "mapped" | "colour" | "grey"> = new Map([[1, "mapped"], [2, "colour"], [3, "grey"]]);

/** Writes one stored pixel to four bytes. */
type PutPixel = (data: Uint8Array, offset: number, rgba: Uint8Array, target: number) => void;

/** Widens a channel of five bits to eight. */
function widened(value: number): number {
  return (value << 3) | (value >> 2);
}

const putters: ReadonlyMap<number, PutPixel> = new Map<number, PutPixel>([
  [16, (data, offset, rgba, target) => {
    const pixel = byteAt(data, offset) | (byteAt(data, offset + 1) << 8);
    rgba[target] = widened((pixel >> 10) & 31);
    rgba[target + 1] = widened((pixel >> 5) & 31);
    rgba[target + 2] = widened(pixel & 31);
    rgba[target + 3] = 255;
  }],
  [24, (data, offset, rgba, target) => {
    rgba[target] = byteAt(data, offset + 2);
    rgba[target + 1] = byteAt(data, offset + 1);
    rgba[target + 2] = byteAt(data, offset);
    rgba[target + 3] = 255;
  }],
  [32, (data, offset, rgba, target) => {
    rgba[target] = byteAt(data, offset + 2);
    rgba[target + 1] = byteAt(data, offset + 1);
    rgba[target + 2] = byteAt(data, offset);
    rgba[target + 3] = byteAt(data, offset + 3);
  }],
]);

function putGrey(data: Uint8Array, offset: number, rgba: Uint8Array, target: number): void {
  rgba.fill(byteAt(data, offset), target, target + 3);
  rgba[target + 3] = 255;
}

function colourPutter(bits: number): PutPixel {
  const putter = putters.get(bits === 15 ? 16 : bits);
  if (putter) return putter;
  throw new MediaError(`a TGA of ${bits} bits a colour is not shown; those of 15, 16, 24 and 32 are`);
}

/** Reads the colour map, and returns a function that writes its entries. */
function mapPutter(reader: Reader, bits: number): { put: PutPixel; length: number } {
  if (bits !== 8) throw new MediaError(`a TGA of ${bits} bits a pixel with a colour map is not shown`);
  const first = reader.u16(3);
  const count = reader.u16(5);
  const entryBits = reader.u8(7);
  const size = Math.ceil(entryBits / 8);
  const entries = reader.slice(headerLength + reader.u8(0), count * size, "the colour map");
  const putEntry = colourPutter(entryBits);
  const colours = new Uint8Array(256 * 4);
  for (let entry = 0; entry < count && first + entry < 256; entry++) {
    putEntry(entries, entry * size, colours, (first + entry) * 4);
  }
  const put: PutPixel = (data, offset, rgba, target) => {
    const index = byteAt(data, offset);
    rgba.set(colours.subarray(index * 4, index * 4 + 4), target);
  };
  return { put, length: count * size };
}

function cutShort(): MediaError {
  return new MediaError("its pixels end before the picture is full; it may be cut short");
}

/**
 * Reads a TGA of up to `max` pixels.
 * @throws {MediaError} if it is not a TGA, truncated, too large or of an unsupported kind.
 */
export function decodeTga(bytes: Uint8Array, max = maxPixels): Picture {
  const reader = new Reader(bytes);
  reader.require(0, headerLength, "the header of a TGA");
  const type = reader.u8(2);
  const kind = kinds.get(type & 7);
  if (!kind || type > 11) throw new MediaError(`unknown type ${type} of TGA`, { offset: 2 });
  const width = reader.u16(12);
  const height = reader.u16(14);
  requireSize(width, height, max);
  const bits = reader.u8(16);
  const size = Math.ceil(bits / 8);
  const hasMap = reader.u8(1) === 1;
  if (kind === "mapped" && !hasMap) throw new MediaError("it needs a colour map and has none", { offset: 1 });
  if (kind === "grey" && bits !== 8) throw new MediaError(`a grey TGA of ${bits} bits a pixel is not shown`);
  const map = kind === "mapped" ? mapPutter(reader, bits) : undefined;
  const unusedMap = hasMap ? reader.u16(5) * Math.ceil(reader.u8(7) / 8) : 0;
  const put = map?.put ?? (kind === "grey" ? putGrey : colourPutter(bits));
  const start = headerLength + reader.u8(0) + (map?.length ?? unusedMap);
  reader.require(start, 0, "the pixels");
  const data = bytes.subarray(start);
  requirePixels(data, type >= 8, size, width * height);
  const picture = emptyPicture(width, height);
  drawPixels(data, type >= 8, size, reader.u8(17), put, picture);
  // Some programs write four bytes but mean three: an entirely transparent picture is opaque.
  if (bits === 32 && (reader.u8(17) & 15) === 0) showIfInvisible(picture);
  return picture;
}

/** A run has at most 128 pixels: data that are too short are rejected before memory is allocated. */
function requirePixels(data: Uint8Array, isCompressed: boolean, size: number, count: number): void {
  const most = isCompressed ? Math.ceil(data.length / (size + 1)) * 128 : Math.floor(data.length / size);
  if (most < count) throw cutShort();
}

/** Returns the index of the first pixel of a row, and the step to the next one. */
function rowOf(row: number, { width, height }: Picture, descriptor: number): [first: number, step: number] {
  const start = ((descriptor & 0x20) !== 0 ? row : height - 1 - row) * width;
  return (descriptor & 0x10) !== 0 ? [start + width - 1, -1] : [start, 1];
}

/** Draws pixels of `size` bytes; compressed pictures store runs, which may continue in the next row. */
function drawPixels(
  data: Uint8Array,
  isCompressed: boolean,
  size: number,
  descriptor: number,
  put: PutPixel,
  picture: Picture,
): void {
  let offset = 0;
  let left = isCompressed ? 0 : picture.width * picture.height;
  let isRepeated = false;
  for (let row = 0; row < picture.height; row++) {
    let [pixel, step] = rowOf(row, picture, descriptor);
    for (let column = 0; column < picture.width; column++, pixel += step) {
      if (left === 0) {
        const byte = data[offset++];
        if (byte === undefined) throw cutShort();
        isRepeated = byte >= 128;
        left = (byte & 127) + 1;
      }
      if (offset + size > data.length) throw cutShort();
      put(data, offset, picture.rgba, pixel * 4);
      left--;
      if (!isRepeated || left === 0) offset += size;
    }
  }
}

function showIfInvisible({ rgba }: Picture): void {
  for (let target = 3; target < rgba.length; target += 4) {
    if (rgba[target] !== 0) return;
  }
  for (let target = 3; target < rgba.length; target += 4) rgba[target] = 255;
}
