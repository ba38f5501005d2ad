/**
 * Reads BMP: 1, 4, 8, 16, 24 and 32 bits a pixel, not compressed.
 *
 * `BM`, u32 length, u32 0, u32 offset of the pixels; u32 length of the rest of the header. If that is 12: u16 width, height,
 * planes, bits; else i32 width, i32 height, u16 planes, u16 bits at 28, u32 compression at 30 (0 none, 3 masks), u32 colours
 * at 46, masks at 54. Colours follow: blue, green, red, and a fourth byte unless that length is 12. Rows are stored from the
 * bottom, unless the height is negative, each in multiples of four bytes. Only a mask makes a picture translucent.
 * (Microsoft, Bitmap Storage; BITMAPV5HEADER.)
 * @module
 */
import { byteAt } from "../../formats/parts.ts";
import { MediaError, Reader } from "../core/reader.ts";
import { emptyPicture, type Picture, requireSize } from "./picture.ts";
import { channelReader } from "./stored_pixels.ts";

const coreHeader = 12;
const masksOfBits: ReadonlyMap<number, readonly number[]> = new Map([
  [16, [0x7c00, 0x3e0, 0x1f, 0]],
  [24, [0xff0000, 0xff00, 0xff, 0]],
  [32, [0xff0000, 0xff00, 0xff, 0]],
]);
/** Minimum length of the header in which a mask of opacity is. */
const opacityHeader = 56;

/** Facts of a header. */
export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bits: number;
  readonly data: number;
  /** Masks of red, green, blue and opacity; undefined for indices. */
  readonly masks: readonly number[] | undefined;
}

/**
 * Reads the header of a BMP.
 * @throws {MediaError} if it is no BMP, or of an unsupported kind.
 */
export function readBmpHeader(reader: Reader): BmpHeader {
  if (!reader.startsWith("BM")) throw new MediaError("it does not begin like a BMP", { offset: 0 });
  const data = reader.u32(10);
  const length = reader.u32(14);
  const isCore = length === coreHeader;
  if (!isCore && length < 40) {
    throw new MediaError(`a BMP with a header of ${length} bytes is not shown`, { offset: 14 });
  }
  const [width, signed] = isCore ? [reader.u16(18), reader.u16(20)] : [reader.i32(18), reader.i32(22)];
  const bits = reader.u16(isCore ? 24 : 28);
  const compression = isCore ? 0 : reader.u32(30);
  if (![1, 4, 8, 16, 24, 32].includes(bits) || (compression !== 0 && compression !== 3)) {
    throw new MediaError(`a BMP of ${bits} bits a pixel and compression ${compression} is not shown`, { offset: 28 });
  }
  const masks = compression === 3 && bits > 8
    ? [reader.u32(54), reader.u32(58), reader.u32(62), length >= opacityHeader ? reader.u32(66) : 0]
    : masksOfBits.get(bits);
  return { width, height: Math.abs(signed), isTopDown: signed < 0, bits, data, masks };
}

/**
 * Reads a BMP.
 * @throws {MediaError} if it is no BMP, truncated, or of an unsupported kind.
 */
export function decodeBmp(bytes: Uint8Array): Picture {
  const reader = new Reader(bytes);
  const { width, height, isTopDown, bits, data, masks } = readBmpHeader(reader);
  requireSize(width, height);
  const stride = Math.ceil(width * bits / 32) * 4;
  reader.require(data, stride * height, `a picture of ${width} x ${height} pixels`);
  const picture = emptyPicture(width, height);
  const channels = masks?.map(channelReader);
  const colourAt = masks ? undefined : paletteOf(reader, bits);
  for (let y = 0; y < height; y++) {
    const row = data + (isTopDown ? y : height - 1 - y) * stride;
    for (let x = 0; x < width; x++) {
      const target = (y * width + x) * 4;
      picture.rgba[target + 3] = 255;
      if (colourAt) {
        const at = x * bits;
        const index = byteAt(bytes, row + (at >> 3)) >> 8 - bits - (at & 7) & (1 << bits) - 1;
        for (let channel = 0; channel < 3; channel++) picture.rgba[target + channel] = colourAt(index, channel);
        continue;
      }
      let pixel = 0;
      for (let byte = 0; byte < bits / 8; byte++) pixel |= byteAt(bytes, row + x * bits / 8 + byte) << byte * 8;
      for (let channel = 0; channel < (masks?.[3] ? 4 : 3); channel++) {
        picture.rgba[target + channel] = channels?.[channel]?.(pixel) ?? 0;
      }
    }
  }
  return picture;
}

/** Returns the function that looks up red, green or blue of an index; colours that are missing are black. */
function paletteOf(reader: Reader, bits: number): (index: number, channel: number) => number {
  const length = reader.u32(14);
  const isCore = length === coreHeader;
  const most = 2 ** bits;
  const stated = isCore ? most : reader.u32(46);
  const count = stated === 0 || stated > most ? most : stated;
  const size = isCore ? 3 : 4;
  const colours = reader.slice(14 + length, count * size, `${count} colours`);
  return (index, channel) => colours[index * size + 2 - channel] ?? 0;
}
