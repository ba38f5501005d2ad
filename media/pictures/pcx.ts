/**
 * Reads ZSoft PCX as in Quake 2, with 256 colours at the end of the file, and the 24-bit variant of paint programs.
 *
 * Header of 128 bytes: 0 maker (10), 1 version, 2 encoding (1 = runs), 3 bits per pixel and plane, 4 u16 left, top,
 * right, bottom (the last two inclusive), 65 planes, 66 u16 bytes of a plane's row. A byte from 0xC0 up repeats the
 * byte after it (byte & 0x3F) times. Palette: 0x0C and 768 bytes, the file's last 769. (ZSoft's technical reference,
 * revision 5.)
 * @module
 */
import type { Palette } from "./palette.ts";
import { byteAt } from "../../formats/parts.ts";
import { emptyPicture, IndexedPicture, type Picture, requireSize } from "./picture.ts";
import { MediaError, Reader } from "../core/reader.ts";

const headerLength = 128;
const paletteLength = 769;

/** Decompresses the rows of all planes; `length` is the decompressed size. */
function decompressRuns(data: Uint8Array, length: number): Uint8Array {
  // Two bytes yield at most 63: a file that cannot hold its rows is rejected before memory is allocated.
  if (length > data.length * 32) throw cutShort();
  const rows = new Uint8Array(length);
  let filled = 0;
  for (let offset = 0; filled < length; offset++) {
    const byte = data[offset];
    if (byte === undefined) throw cutShort();
    if (byte < 0xc0) {
      rows[filled++] = byte;
      continue;
    }
    const value = data[++offset];
    if (value === undefined) throw cutShort();
    const end = Math.min(length, filled + (byte & 0x3f));
    rows.fill(value, filled, end);
    filled = end;
  }
  return rows;
}

function cutShort(): MediaError {
  return new MediaError("its rows end before the picture is full; it may be cut short");
}

/**
 * Reads the palette at the end of a PCX; Quake 2's colours are in `pics/colormap.pcx`.
 * @throws {MediaError} if it is missing.
 */
export function pcxPalette(bytes: Uint8Array, origin: string): Palette {
  const offset = bytes.length - paletteLength;
  if (offset >= headerLength && bytes[offset] === 12) return { colours: bytes.slice(offset + 1), origin };
  throw new MediaError("it has no palette of 256 colours at its end", { offset: Math.max(0, offset) });
}

/**
 * Reads a PCX.
 * @throws {MediaError} if it is not a PCX, truncated, or of an unsupported kind.
 */
export function decodePcx(bytes: Uint8Array): Picture {
  const reader = new Reader(bytes);
  reader.require(0, headerLength, "the header of a PCX");
  if (reader.u8(0) !== 10) throw new MediaError("it does not begin like a PCX", { offset: 0 });
  const width = reader.u16(8) - reader.u16(4) + 1;
  const height = reader.u16(10) - reader.u16(6) + 1;
  requireSize(width, height);
  const bits = reader.u8(3);
  const planes = reader.u8(65);
  const stride = reader.u16(66);
  if (bits !== 8 || (planes !== 1 && planes !== 3)) {
    throw new MediaError(`a PCX of ${planes} planes of ${bits} bits is not shown; those of 1 x 8 and 3 x 8 are`);
  }
  if (stride < width) throw new MediaError(`its rows of ${stride} bytes are shorter than its width, ${width}`);
  const data = bytes.subarray(
    headerLength,
    planes === 1 ? Math.max(headerLength, bytes.length - paletteLength) : undefined,
  );
  const length = stride * planes * height;
  const isCompressed = reader.u8(2) === 1;
  if (!isCompressed && data.length < length) throw cutShort();
  const rows = isCompressed ? decompressRuns(data, length) : data;
  return planes === 1
    ? indexedRows(rows, width, height, stride, pcxPalette(bytes, "the file itself"))
    : planeRows(rows, width, height, stride);
}

function indexedRows(rows: Uint8Array, width: number, height: number, stride: number, palette: Palette): Picture {
  const indices = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) indices.set(rows.subarray(y * stride, y * stride + width), y * width);
  return new IndexedPicture(width, height, indices, palette);
}

function planeRows(rows: Uint8Array, width: number, height: number, stride: number): Picture {
  const picture = emptyPicture(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const target = (y * width + x) * 4;
      for (let plane = 0; plane < 3; plane++) picture.rgba[target + plane] = byteAt(rows, (y * 3 + plane) * stride + x);
      picture.rgba[target + 3] = 255;
    }
  }
  return picture;
}
