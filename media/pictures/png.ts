/**
 * Reads PNG (ISO/IEC 15948). The libraries on npm decompress the whole file before they check its size; here the header
 * determines the decompressed length, and no more is allocated.
 *
 * The decoder uses zlib.
 * @module
 */
import { byteAt, zlib } from "../../formats/parts.ts";
import { emptyPicture, maxPixels, type Picture, requireSize } from "./picture.ts";
import { MediaError } from "../core/reader.ts";

/** First bytes of a PNG. */
export const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Returns whether a file begins like a PNG. */
export function isPng(bytes: Uint8Array): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** Samples per pixel, and allowed bits per sample, by colour type. */
const colourTypes: ReadonlyMap<number, { samples: number; depths: readonly number[] }> = new Map([
  [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { samples: 3, depths: [8, 16] }],
  [3, { samples: 1, depths: [1, 2, 4, 8] }],
  [4, { samples: 2, depths: [8, 16] }],
  [6, { samples: 4, depths: [8, 16] }],
]);

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly type: number;
  readonly samples: number;
  readonly interlaced: boolean;
}

interface Chunks {
  header?: Header;
  palette?: Uint8Array;
  transparency?: Uint8Array;
  readonly data: Uint8Array[];
}

function readHeader(view: DataView, max: number): Header {
  const [width, height, depth, type] = [view.getUint32(0), view.getUint32(4), view.getUint8(8), view.getUint8(9)];
  const layout = colourTypes.get(type);
  if (!layout?.depths.includes(depth)) throw new MediaError(`unknown colour type ${type} with ${depth} bits`);
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0 || view.getUint8(12) > 1) {
    throw new MediaError("unknown method of compression, filtering or interlacing", { offset: 26 });
  }
  requireSize(width, height, max);
  return { width, height, depth, type, samples: layout.samples, interlaced: view.getUint8(12) === 1 };
}

function readChunks(bytes: Uint8Array, max: number): Chunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunks = { data: [] };
  for (let offset = signature.length; offset + 12 <= bytes.length;) {
    const length = view.getUint32(offset);
    const name = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
    if (offset + 12 + length > bytes.length) {
      throw new MediaError(`chunk ${name} of ${length} bytes is cut short`, { offset });
    }
    const content = bytes.subarray(offset + 8, offset + 8 + length);
    // Chunks whose name begins with a lower-case letter do not affect the picture.
    if (
      /^[A-Z]/.test(name) &&
      zlib().crc32(bytes.subarray(offset + 4, offset + 8 + length)) !== view.getUint32(offset + 8 + length)
    ) {
      throw new MediaError(`the checksum of chunk ${name} at byte ${offset} is wrong`, { offset });
    }
    if (name === "IHDR" && length === 13) {
      chunks.header = readHeader(new DataView(content.buffer, content.byteOffset, length), max);
    } else if (name === "PLTE") chunks.palette = content;
    else if (name === "tRNS") chunks.transparency = content;
    else if (name === "IDAT") chunks.data.push(content);
    else if (name === "IEND") return chunks;
    offset += 12 + length;
  }
  return chunks;
}

/** A part of the picture whose rows are stored together: the whole, or one of the seven passes of Adam7. */
interface Pass {
  readonly firstX: number;
  readonly firstY: number;
  readonly stepX: number;
  readonly stepY: number;
  readonly columns: number;
  readonly rows: number;
  /** Bytes of a row, without its filter byte. */
  readonly stride: number;
}

const adam7: readonly (readonly [x: number, y: number, stepX: number, stepY: number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

function passesOf({ width, height, depth, samples, interlaced }: Header): Pass[] {
  const steps = interlaced ? adam7 : [[0, 0, 1, 1] as const];
  return steps.map(([firstX, firstY, stepX, stepY]) => {
    const columns = Math.ceil((width - firstX) / stepX);
    const rows = Math.ceil((height - firstY) / stepY);
    return { firstX, firstY, stepX, stepY, columns, rows, stride: Math.ceil(columns * depth * samples / 8) };
  }).filter(({ columns, rows }) => columns > 0 && rows > 0);
}

function inflated(data: readonly Uint8Array[], length: number): Uint8Array {
  const compressed = new Uint8Array(data.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of data) {
    compressed.set(part, offset);
    offset += part.length;
  }
  // Deflate cannot exceed 1:1032: data that are too short are rejected before memory is allocated.
  if (length > compressed.length * 1032) {
    throw new MediaError("its data are too short for its size; it may be cut short");
  }
  try {
    const rows = zlib().inflateSync(compressed, { maxOutputLength: length });
    if (rows.length === length) return rows;
  } catch (error) {
    throw new MediaError(`its data cannot be decompressed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
  throw new MediaError("its data end before the picture is full");
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

/** Undoes the filter of one row in place. `step` is the distance to the same sample of the previous pixel, in bytes. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  if (filter === 0) return;
  if (filter > 4) throw new MediaError(`unknown filter ${filter} of a row`);
  for (let index = 0; index < row.length; index++) {
    const left = index < step ? 0 : byteAt(row, index - step);
    const up = byteAt(above, index);
    const corner = index < step ? 0 : byteAt(above, index - step);
    const guess = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
    row[index] = byteAt(row, index) + guess;
  }
}

/** Returns sample `index` of a row, of up to 16 bits. */
function sampleOf(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return byteAt(row, index);
  if (depth === 16) return byteAt(row, index * 2) << 8 | byteAt(row, index * 2 + 1);
  const bit = index * depth;
  return byteAt(row, bit >> 3) >> (8 - depth - (bit & 7)) & ((1 << depth) - 1);
}

/** Writes pixel `column` of an unfiltered row to four bytes. */
type PutPixel = (row: Uint8Array, column: number, target: number) => void;

function palettePutter({ depth }: Header, { palette, transparency }: Chunks, rgba: Uint8Array): PutPixel {
  if (!palette) throw new MediaError("it needs a palette and has none");
  return (row, column, target) => {
    const index = sampleOf(row, column, depth);
    if (index * 3 + 3 > palette.length) throw new MediaError(`it uses colour ${index}, which is not in its palette`);
    rgba.set(palette.subarray(index * 3, index * 3 + 3), target);
    rgba[target + 3] = transparency?.[index] ?? 255;
  };
}

function samplePutter({ depth, samples }: Header, { transparency }: Chunks, rgba: Uint8Array): PutPixel {
  const isGrey = samples < 3;
  const colours = isGrey ? 1 : 3;
  const most = 2 ** depth - 1;
  const toByte = depth === 8 ? (value: number) => value : (value: number) => Math.round(value * 255 / most);
  const hidden = samples === colours && transparency?.length === colours * 2
    ? Array.from({ length: colours }, (_, index) => sampleOf(transparency, index, 16))
    : undefined;
  return (row, column, target) => {
    const first = column * samples;
    for (let channel = 0; channel < 3; channel++) {
      rgba[target + channel] = toByte(sampleOf(row, first + (isGrey ? 0 : channel), depth));
    }
    const isHidden = hidden?.every((value, index) => sampleOf(row, first + index, depth) === value) ?? false;
    const opacity = samples > colours ? toByte(sampleOf(row, first + colours, depth)) : 255;
    rgba[target + 3] = isHidden ? 0 : opacity;
  };
}

/**
 * Reads a PNG of any kind, of up to `max` pixels.
 * @throws {MediaError} if it is not a PNG, damaged or too large.
 */
export function decodePng(bytes: Uint8Array, max = maxPixels): Picture {
  if (!isPng(bytes)) throw new MediaError("it does not begin like a PNG", { offset: 0 });
  const chunks = readChunks(bytes, max);
  const { header } = chunks;
  if (!header) throw new MediaError("it has no header");
  const passes = passesOf(header);
  const rows = inflated(chunks.data, passes.reduce((sum, { rows, stride }) => sum + rows * (stride + 1), 0));
  const picture = emptyPicture(header.width, header.height);
  const put = header.type === 3
    ? palettePutter(header, chunks, picture.rgba)
    : samplePutter(header, chunks, picture.rgba);
  const step = Math.max(1, header.depth * header.samples >> 3);
  let offset = 0;
  for (const pass of passes) {
    let above: Uint8Array = new Uint8Array(pass.stride);
    for (let line = 0; line < pass.rows; line++) {
      const row = rows.subarray(offset + 1, offset + 1 + pass.stride);
      unfilter(byteAt(rows, offset), row, above, step);
      const start = (pass.firstY + line * pass.stepY) * header.width + pass.firstX;
      for (let column = 0; column < pass.columns; column++) put(row, column, (start + column * pass.stepX) * 4);
      above = row;
      offset += pass.stride + 1;
    }
  }
  return picture;
}
