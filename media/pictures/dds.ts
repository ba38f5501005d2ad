/**
 * Reads DirectDraw surfaces: BC1 to BC5 (DXT1 to DXT5, ATI1, ATI2), BC7, pixels without compression, opacity alone,
 * indices. The largest picture is read, not the smaller ones, other sides of cubes or layers. Not from a library: those on
 * npm are not kept, or do not check bounds.
 *
 * `DDS `, u32 124, flags, height, width; at 76 the pixels' format: u32 32, flags (1 opacity, 2 opacity alone, 4 a name,
 * 0x20 a palette, 0x40 colours, 0x20000 grey), four letters, u32 bits of a pixel, masks of red, green, blue and opacity;
 * data from 128, or from 148 with a number of DXGI at 128 if the letters are `DX10`. (Microsoft, Programming guide for DDS;
 * Khronos Data Format Specification, S3TC.)
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import { type Picture, requireSize } from "./picture.ts";
import { type BlockKind, decodeStored, type StoredPicture, type StoredPixels } from "./stored_pixels.ts";

const headerBytes = 128;
const extendedBytes = 148;
const flags = { opacity: 1, opacityAlone: 2, named: 4, palette: 0x20, colours: 0x40, grey: 0x20000 } as const;
const paletteBytes = 256 * 4;

const byLetters: ReadonlyMap<string, BlockKind> = new Map([
  ["DXT1", "bc1"],
  ["DXT2", "bc2"],
  ["DXT3", "bc2"],
  ["DXT4", "bc3"],
  ["DXT5", "bc3"],
  ["RXGB", "bc3"],
  ["ATI1", "bc4"],
  ["BC4U", "bc4"],
  ["ATI2", "bc5"],
  ["BC5U", "bc5"],
]);
const blockNumbers = [
  ...[[71, "bc1"], [72, "bc1"], [74, "bc2"], [75, "bc2"], [77, "bc3"], [78, "bc3"]] as const,
  ...[[80, "bc4"], [83, "bc5"], [98, "bc7"], [99, "bc7"]] as const,
] as const;
const rgba: StoredPixels = { bytes: 4, masks: [0xff, 0xff00, 0xff0000, 0xff000000] };
const bgra: StoredPixels = { bytes: 4, masks: [0xff0000, 0xff00, 0xff, 0xff000000] };
const opacity: StoredPixels = { bytes: 1, masks: [0, 0, 0, 0xff] };
/** Numbers of DXGI: BC1 to BC5, BC7, 8 bits of red, green, blue and opacity in two orders, and opacity alone. */
const byNumber: ReadonlyMap<number, StoredPixels> = new Map([
  ...blockNumbers.map(([number, blocks]): [number, StoredPixels] => [number, { blocks, isSwizzled: false }]),
  ...[[28, rgba], [29, rgba], [87, bgra], [91, bgra], [65, opacity]] as const,
]);

function namedPixels(reader: Reader): StoredPixels {
  const letters = reader.text(84, 4);
  const blocks = byLetters.get(letters);
  // Doom 3's normal maps store red in place of opacity.
  if (blocks) return { blocks, isSwizzled: letters === "RXGB" };
  if (letters !== "DX10") throw new MediaError(`a DDS of ${letters || "unknown"} pixels is not shown`, { offset: 84 });
  const number = reader.u32(headerBytes);
  const pixels = byNumber.get(number);
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
export function readDdsHeader(reader: Reader): StoredPicture {
  if (!isDds(reader)) throw new MediaError("it does not begin like a DDS", { offset: 0 });
  const [height, width, kind] = [reader.u32(12), reader.u32(16), reader.u32(80)];
  if (kind & flags.named) {
    const data = reader.startsWith("DX10", 84) ? extendedBytes : headerBytes;
    return { width, height, data, pixels: namedPixels(reader) };
  }
  const isGrey = (kind & flags.grey) !== 0;
  const bits = reader.u32(88);
  if (kind & flags.palette && bits === 8) {
    return { width, height, data: headerBytes + paletteBytes, pixels: { palette: headerBytes } };
  }
  if (kind & flags.opacityAlone && bits === 8) return { width, height, data: headerBytes, pixels: opacity };
  if ((!isGrey && !(kind & flags.colours)) || bits % 8 !== 0 || bits < 8 || bits > 32) {
    throw new MediaError(`a DDS of ${bits} bits a pixel is not shown; those of 8, 16, 24 and 32 are`, { offset: 88 });
  }
  const opacityMask = kind & flags.opacity ? reader.u32(104) : 0;
  const red = reader.u32(92);
  const masks = [red, isGrey ? red : reader.u32(96), isGrey ? red : reader.u32(100), opacityMask];
  return { width, height, data: headerBytes, pixels: { bytes: bits / 8, masks } };
}

/**
 * Reads a DDS.
 * @throws {MediaError} if it is no DDS, truncated, or of an unsupported kind.
 */
export function decodeDds(bytes: Uint8Array): Picture {
  const reader = new Reader(bytes);
  const header = readDdsHeader(reader);
  requireSize(header.width, header.height);
  return decodeStored(reader, header);
}
