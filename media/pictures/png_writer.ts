/**
 * Writes PNG (ISO/IEC 15948): stored, so that the size depends only on the picture's size and the bytes are the same
 * with every zlib; or compressed, quickly for terminals and thumbnails, or well for files.
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { byteAt, zlib } from "../../formats/parts.ts";
import { hasTransparency, IndexedPicture, type Picture } from "./picture.ts";
import { signature } from "./png.ts";

/** Pixels of a PNG: indices, indices with a transparent one, or samples of eight bits. */
export type PngPixels = "indexed" | "indexed with a hole" | "grey" | "rgb" | "rgba";

/** Facts that determine the size of a stored PNG. */
export interface PngShape {
  readonly width: number;
  readonly height: number;
  readonly pixels: PngPixels;
}

interface Layout {
  /** Number of the colour type in the header. */
  readonly type: number;
  readonly samples: number;
  /** Bytes of the chunks between the header and the pixels. */
  readonly tables: number;
}

const chunkFrame = 12;
const paletteChunk = chunkFrame + 768;
const layouts: Readonly<Record<PngPixels, Layout>> = {
  indexed: { type: 3, samples: 1, tables: paletteChunk },
  "indexed with a hole": { type: 3, samples: 1, tables: paletteChunk + chunkFrame + 256 },
  grey: { type: 0, samples: 1, tables: 0 },
  rgb: { type: 2, samples: 3, tables: 0 },
  rgba: { type: 6, samples: 4, tables: 0 },
};

const indexedType = 3;
/** Name of the chunk of the pixels. */
const idat = 0x49444154;

/** Maximum bytes of an uncompressed block of deflate. */
const storedBlock = 65535;

function rowBytes({ width, height, pixels }: PngShape): number {
  return (1 + width * layouts[pixels].samples) * height;
}

/** Bytes of uncompressed zlib data. */
function storedLength(length: number): number {
  return 2 + Math.ceil(length / storedBlock) * 5 + length + 4;
}

/** Returns the size of a PNG written by {@linkcode storedPng}. */
export function storedPngSize(shape: PngShape): number {
  const data = storedLength(rowBytes(shape));
  return signature.length + chunkFrame + 13 + layouts[shape.pixels].tables + chunkFrame + data + chunkFrame;
}

/** Appends chunks to a file of known size. */
class ChunkWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #offset: number;

  /** @param begin First bytes of the file. */
  constructor(size: number, begin: Uint8Array = signature) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
    this.bytes.set(begin);
    this.#offset = begin.length;
  }

  /** Appends a chunk whose content is written by `fill`. */
  chunk(name: string, length: number, fill: (content: Uint8Array) => void = () => {}): void {
    const start = this.#offset;
    this.#view.setUint32(start, length);
    for (let index = 0; index < 4; index++) this.bytes[start + 4 + index] = name.charCodeAt(index);
    fill(this.bytes.subarray(start + 8, start + 8 + length));
    this.#view.setUint32(start + 8 + length, zlib().crc32(this.bytes.subarray(start + 4, start + 8 + length)));
    this.#offset = start + chunkFrame + length;
  }
}

function writeHeader(content: Uint8Array, { width, height, pixels }: PngShape): void {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  view.setUint32(0, width);
  view.setUint32(4, height);
  view.setUint8(8, 8);
  view.setUint8(9, layouts[pixels].type);
}

/** Continues a checksum of zlib data (RFC 1950), which is 1 before the first byte. */
function adler32(checksum: number, bytes: Uint8Array): number {
  let low = checksum & 0xffff;
  let high = checksum >>> 16;
  for (let offset = 0; offset < bytes.length;) {
    // As many bytes as keep the sums below 32 bits.
    const end = Math.min(bytes.length, offset + 5552);
    for (; offset < end; offset++) {
      low += byteAt(bytes, offset);
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return high * 65536 + low;
}

/** Writes uncompressed zlib data: `length` bytes of rows. */
function writeStored(content: Uint8Array, rows: Iterable<Uint8Array>, length: number): void {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  let checksum = 1;
  view.setUint16(0, 0x7801);
  let target = 2;
  let left = length;
  let blockLeft = 0;
  for (const row of rows) {
    checksum = adler32(checksum, row);
    for (let offset = 0; offset < row.length;) {
      if (blockLeft === 0) {
        blockLeft = Math.min(left, storedBlock);
        left -= blockLeft;
        content[target] = left === 0 ? 1 : 0;
        view.setUint16(target + 1, blockLeft, true);
        view.setUint16(target + 3, blockLeft ^ 0xffff, true);
        target += 5;
      }
      const part = row.subarray(offset, offset + blockLeft);
      content.set(part, target);
      offset += part.length;
      target += part.length;
      blockLeft -= part.length;
    }
  }
  view.setUint32(target, checksum);
}

/** Yields the unfiltered rows of a picture before compression; all in the same memory. */
function* plainRows(picture: Picture, { width, height, pixels }: PngShape): Generator<Uint8Array> {
  const { samples } = layouts[pixels];
  const isIndexed = picture instanceof IndexedPicture && layouts[pixels].type === 3;
  const source = isIndexed ? picture.indices : picture.rgba;
  const step = isIndexed ? 1 : 4;
  const stored = new Uint8Array(1 + width * samples);
  for (let y = 0; y < height; y++) {
    const row = source.subarray(y * width * step, (y + 1) * width * step);
    let target = 1;
    if (step === samples) stored.set(row, target);
    else {
      for (let pixel = 0; pixel < row.length; pixel += step) {
        for (let sample = 0; sample < samples; sample++) stored[target++] = byteAt(row, pixel + sample);
      }
    }
    yield stored;
  }
}

/**
 * Writes a PNG without compression.
 * @param pixels Default: indices of an {@linkcode IndexedPicture}, else colours, with opacity if a pixel is not opaque.
 * @throws {MediaError} if its data exceed a chunk.
 */
export function storedPng(picture: Picture, pixels: PngPixels = pixelsOf(picture)): Uint8Array<ArrayBuffer> {
  const shape: PngShape = { width: picture.width, height: picture.height, pixels };
  const length = rowBytes(shape);
  const dataLength = storedLength(length);
  if (dataLength > 0x7fffffff) throw new MediaError(`${length} bytes of pixels are too many for a PNG`);
  const writer = new ChunkWriter(storedPngSize(shape));
  writer.chunk("IHDR", 13, (content) => writeHeader(content, shape));
  if (picture instanceof IndexedPicture && layouts[pixels].type === 3) {
    const { palette: { colours }, transparent } = picture;
    writer.chunk("PLTE", 768, (content) => content.set(colours.subarray(0, 768)));
    if (pixels === "indexed with a hole") {
      writer.chunk("tRNS", 256, (content) => {
        content.fill(255);
        if (transparent !== undefined) content[transparent] = 0;
      });
    }
  }
  writer.chunk("IDAT", dataLength, (content) => writeStored(content, plainRows(picture, shape), length));
  writer.chunk("IEND", 0);
  return writer.bytes;
}

function pixelsOf(picture: Picture): PngPixels {
  if (!(picture instanceof IndexedPicture)) return hasTransparency(picture) ? "rgba" : "rgb";
  return picture.transparent === undefined ? "indexed" : "indexed with a hole";
}

/** Filters tried for each row, and the level of zlib: for speed, or for a size like ImageMagick's. */
const efforts = { quick: { filters: [2], level: 6 }, small: { filters: [0, 1, 2, 3, 4], level: 7 } } as const;

/** Returns which of left, above and above-left is nearest to left + above - above-left. */
function nearest(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}

/** Predictions of a byte of a row, by filter number. */
const filters: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => left + above >> 1,
  nearest,
];

/** Filters a row into `target`; returns the sum of the differences. Both begin with a filter number. */
function filterRow(row: Uint8Array, previous: Uint8Array, step: number, filter: number, target: Uint8Array): number {
  const taken = filters[filter] ?? nearest;
  let sum = 0;
  target[0] = filter;
  for (let index = 1; index < row.length; index++) {
    const left = index > step ? byteAt(row, index - step) : 0;
    const corner = index > step ? byteAt(previous, index - step) : 0;
    const difference = byteAt(row, index) - taken(left, byteAt(previous, index), corner) & 255;
    target[index] = difference;
    sum += difference < 128 ? difference : 256 - difference;
  }
  return sum;
}

/**
 * Compresses a PNG from {@linkcode storedPng}: each row of colours uses the filter with the smallest differences, as in
 * libpng; rows of indices are not filtered.
 */
export function compressedPng(stored: Uint8Array, effort: keyof typeof efforts = "small"): Uint8Array<ArrayBuffer> {
  const { filters: tried, level } = efforts[effort];
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  const begin = signature.length + 8;
  const [width, height, type] = [view.getUint32(begin), view.getUint32(begin + 4), view.getUint8(begin + 9)];
  const layout = Object.values(layouts).find((one) => one.type === type) ?? layouts.rgba;
  let offset = signature.length;
  while (view.getUint32(offset + 4) !== idat) offset += chunkFrame + view.getUint32(offset);
  const rows = zlib().inflateSync(stored.subarray(offset + 8, offset + 8 + view.getUint32(offset)));
  const length = 1 + width * layout.samples;
  const filtered = type === indexedType ? rows : new Uint8Array(rows.length);
  const attempt = new Uint8Array(length);
  for (let y = 0; y < height && filtered !== rows; y++) {
    const row = rows.subarray(y * length, (y + 1) * length);
    const previous = y === 0 ? new Uint8Array(length) : rows.subarray((y - 1) * length, y * length);
    let least = Infinity;
    for (const filter of tried) {
      const sum = filterRow(row, previous, layout.samples, filter, attempt);
      if (sum >= least) continue;
      least = sum;
      filtered.set(attempt, y * length);
    }
  }
  const data = zlib().deflateSync(filtered, { level });
  const writer = new ChunkWriter(offset + chunkFrame + data.length + chunkFrame, stored.subarray(0, offset));
  writer.chunk("IDAT", data.length, (content) => content.set(data));
  writer.chunk("IEND", 0);
  return writer.bytes;
}

/** Writes a compressed PNG of eight bits per sample; opacity only if a pixel is not opaque. */
export function encodePng(picture: Picture): Uint8Array<ArrayBuffer> {
  return compressedPng(storedPng(picture, hasTransparency(picture) ? "rgba" : "rgb"), "quick");
}
