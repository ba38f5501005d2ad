/**
 * Reads DirectDraw surfaces: BC1 to BC3 (DXT1 to DXT5) and pixels without compression. The largest picture is read, not
 * the smaller ones, other sides of cubes or layers. Not from a library: those on npm are not kept, or do not check bounds.
 *
 * `DDS `, u32 124, flags, height, width; at 76 the pixels' format: u32 32, flags (1 opacity, 4 a name, 0x40 colours, 0x20000
 * grey), four letters, u32 bits of a pixel, masks of red, green, blue and opacity; data from 128, or from 148 with a number
 * of DXGI at 128 if the letters are `DX10`. (Microsoft, Programming guide for DDS; Khronos Data Format Specification,
 * S3TC.)
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import { byteAt } from "../../formats/parts.ts";
import { emptyPicture, type Picture, requireSize } from "./picture.ts";

const headerBytes = 128;
const extendedBytes = 148;
const flags = { opacity: 1, named: 4, colours: 0x40, grey: 0x20000 } as const;

/** Kind of a block's opacity, or masks of pixels without compression. */
export type DdsPixels =
  | { readonly blocks: "bc1" | "bc2" | "bc3"; readonly isSwizzled: boolean }
  | { readonly bytes: number; readonly masks: readonly number[]; readonly isGrey: boolean };

/** Facts of a header. */
export interface DdsHeader {
  readonly width: number;
  readonly height: number;
  readonly data: number;
  readonly pixels: DdsPixels;
}

const byLetters: ReadonlyMap<string, "bc1" | "bc2" | "bc3"> = new Map([
  ["DXT1", "bc1"],
  ["DXT2", "bc2"],
  ["DXT3", "bc2"],
  ["DXT4", "bc3"],
  ["DXT5", "bc3"],
  ["RXGB", "bc3"],
]);
/** Numbers of DXGI: BC1 to BC3, and 8 bits of red, green, blue and opacity in two orders. */
const byNumber: ReadonlyMap<number, DdsPixels> = new Map(
  ([[71, "bc1"], [72, "bc1"], [74, "bc2"], [75, "bc2"], [77, "bc3"], [78, "bc3"]] as const).map(
    ([number, blocks]): [number, DdsPixels] => [number, { blocks, isSwizzled: false }],
  ),
);
const rgba: DdsPixels = { bytes: 4, masks: [0xff, 0xff00, 0xff0000, 0xff000000], isGrey: false };
const bgra: DdsPixels = { bytes: 4, masks: [0xff0000, 0xff00, 0xff, 0xff000000], isGrey: false };

function namedPixels(reader: Reader): DdsPixels {
  const letters = reader.text(84, 4);
  const blocks = byLetters.get(letters);
  // Doom 3's normal maps have red in the place of opacity.
  if (blocks) return { blocks, isSwizzled: letters === "RXGB" };
  if (letters !== "DX10") throw new MediaError(`a DDS of ${letters || "unknown"} pixels is not shown`, { offset: 84 });
  const number = reader.u32(headerBytes);
  const pixels = number === 28 || number === 29 ? rgba : number === 87 || number === 91 ? bgra : byNumber.get(number);
  if (pixels) return pixels;
  throw new MediaError(`a DDS of format ${number} of DXGI is not shown`, { offset: headerBytes });
}

/** Returns whether a file begins like a DDS. */
function isDds(reader: Reader): boolean {
  return reader.startsWith("DDS ") && reader.length >= headerBytes && reader.u32(4) === headerBytes - 4;
}

/**
 * Reads the header of a DDS.
 * @throws {MediaError} if it is no DDS, or of an unsupported kind.
 */
export function readDdsHeader(reader: Reader): DdsHeader {
  if (!isDds(reader)) throw new MediaError("it does not begin like a DDS", { offset: 0 });
  const [height, width, kind] = [reader.u32(12), reader.u32(16), reader.u32(80)];
  if (kind & flags.named) {
    const data = reader.startsWith("DX10", 84) ? extendedBytes : headerBytes;
    return { width, height, data, pixels: namedPixels(reader) };
  }
  const isGrey = (kind & flags.grey) !== 0;
  const bits = reader.u32(88);
  if ((!isGrey && !(kind & flags.colours)) || bits % 8 !== 0 || bits < 8 || bits > 32) {
    throw new MediaError(`a DDS of ${bits} bits a pixel is not shown; those of 8, 16, 24 and 32 are`, { offset: 88 });
  }
  const opacity = kind & flags.opacity ? reader.u32(104) : 0;
  const red = reader.u32(92);
  const masks = [red, isGrey ? red : reader.u32(96), isGrey ? red : reader.u32(100), opacity];
  return { width, height, data: headerBytes, pixels: { bytes: bits / 8, masks, isGrey } };
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

/** Writes the eight opacities of a block of BC3. */
function writeOpacities(first: number, second: number, opacities: Uint8Array): void {
  opacities[0] = first;
  opacities[1] = second;
  const steps = first > second ? 7 : 5;
  for (let step = 1; step < steps; step++) {
    opacities[step + 1] = Math.floor(((steps - step) * first + step * second) / steps);
  }
  if (steps === 5) {
    opacities[6] = 0;
    opacities[7] = 255;
  }
}

function decodeBlocks(reader: Reader, { width, height, data, pixels }: DdsHeader): Picture {
  if (!("blocks" in pixels)) throw new RangeError("it has no blocks");
  const { blocks, isSwizzled } = pixels;
  const size = blocks === "bc1" ? 8 : 16;
  const [columns, rows] = [Math.ceil(width / 4), Math.ceil(height / 4)];
  reader.require(data, columns * rows * size, `a picture of ${width} x ${height} pixels`);
  const picture = emptyPicture(width, height);
  const colours = new Uint8Array(16).fill(255);
  const opacities = new Uint8Array(8);
  const opacityAt = (block: number, pixel: number): number => {
    if (blocks === "bc2") return (reader.u8(block + (pixel >> 1)) >> (pixel & 1) * 4 & 15) * 17;
    const bit = pixel * 3;
    const pair = reader.u8(block + 2 + (bit >> 3)) | (bit >> 3 < 5 ? reader.u8(block + 3 + (bit >> 3)) : 0) << 8;
    return byteAt(opacities, pair >> (bit & 7) & 7);
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const block = data + (row * columns + column) * size;
      const colourBlock = block + size - 8;
      writeColours(reader, colourBlock, blocks === "bc1", colours);
      if (blocks === "bc3") writeOpacities(reader.u8(block), reader.u8(block + 1), opacities);
      const choices = reader.u32(colourBlock + 4);
      for (let pixel = 0; pixel < 16; pixel++) {
        const [x, y] = [column * 4 + pixel % 4, row * 4 + (pixel >> 2)];
        if (x >= width || y >= height) continue;
        const chosen = (choices >>> pixel * 2 & 3) * 4;
        const target = (y * width + x) * 4;
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
function channelReader(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (pixel) => Math.round(((pixel & mask) >>> shift) * 255 / most);
}

function decodeMasked(reader: Reader, { width, height, data, pixels }: DdsHeader): Picture {
  if ("blocks" in pixels) throw new RangeError("it has blocks");
  const { bytes, masks } = pixels;
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

/** Returns whether pixels may be other than opaque, by the header alone. */
export function mayBeTranslucent({ pixels }: DdsHeader): boolean {
  return "blocks" in pixels ? !pixels.isSwizzled : pixels.masks[3] !== 0;
}

/**
 * Reads a DDS.
 * @throws {MediaError} if it is no DDS, truncated, or of an unsupported kind.
 */
export function decodeDds(bytes: Uint8Array): Picture {
  const reader = new Reader(bytes);
  const header = readDdsHeader(reader);
  requireSize(header.width, header.height);
  return "blocks" in header.pixels ? decodeBlocks(reader, header) : decodeMasked(reader, header);
}
