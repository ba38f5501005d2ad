/**
 * Writes PNG (ISO/IEC 15948): compressed for terminals, or stored, so that the size follows from the picture's size and
 * the bytes are the same with every zlib.
 * @module
 */
import { crc32, deflateSync } from "node:zlib";
import { MediaError } from "../core/reader.ts";
import { byteAt } from "../../formats/parts.ts";
import { hasTransparency, IndexedPicture, type Picture } from "./picture.ts";
import { signature } from "./png.ts";

/** Pixels of a PNG: indices, indices with one that is not drawn, or samples of eight bits. */
export type PngPixels = "indexed" | "indexed with a hole" | "grey" | "rgb" | "rgba";

/** Facts that decide the size of a stored PNG. */
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

/** Maximum bytes of a block of deflate that is not compressed. */
const storedBlock = 65535;

function rowBytes({ width, height, pixels }: PngShape): number {
  return (1 + width * layouts[pixels].samples) * height;
}

/** Bytes of zlib data that are not compressed. */
function storedLength(length: number): number {
  return 2 + Math.ceil(length / storedBlock) * 5 + length + 4;
}

/** Returns the bytes of a PNG that {@linkcode storedPng} writes. */
export function storedPngSize(shape: PngShape): number {
  const data = storedLength(rowBytes(shape));
  return signature.length + chunkFrame + 13 + layouts[shape.pixels].tables + chunkFrame + data + chunkFrame;
}

/** Appends chunks to a file whose size is known. */
class ChunkWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #offset: number;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
    this.bytes.set(signature);
    this.#offset = signature.length;
  }

  /** Appends a chunk whose content `fill` writes. */
  chunk(name: string, length: number, fill: (content: Uint8Array) => void = () => {}): void {
    const start = this.#offset;
    this.#view.setUint32(start, length);
    for (let index = 0; index < 4; index++) this.bytes[start + 4 + index] = name.charCodeAt(index);
    fill(this.bytes.subarray(start + 8, start + 8 + length));
    this.#view.setUint32(start + 8 + length, crc32(this.bytes.subarray(start + 4, start + 8 + length)));
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
    // As many as keep the sums below 32 bits.
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

/** Writes zlib data that are not compressed: rows of `length` bytes together. */
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

/** Yields the rows of a picture as they are before compression, none of them filtered; all in the same memory. */
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
 * @param pixels Default: indices of an {@linkcode IndexedPicture}, else colours, with opacity where something is not opaque.
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

/** Writes a compressed PNG of eight bits a sample; opacity only where something is not opaque. */
export function encodePng(picture: Picture): Uint8Array<ArrayBuffer> {
  const { width, height, rgba } = picture;
  const shape: PngShape = { width, height, pixels: hasTransparency(picture) ? "rgba" : "rgb" };
  const { samples } = layouts[shape.pixels];
  const stride = width * samples + 1;
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    // Filter 2: each byte less the one above it, which suits drawn pictures.
    rows[y * stride] = 2;
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < samples; channel++) {
        const sample = (y * width + x) * 4 + channel;
        const above = y === 0 ? 0 : byteAt(rgba, sample - width * 4);
        rows[y * stride + 1 + x * samples + channel] = byteAt(rgba, sample) - above;
      }
    }
  }
  const data = deflateSync(rows);
  const writer = new ChunkWriter(signature.length + 3 * chunkFrame + 13 + data.length);
  writer.chunk("IHDR", 13, (content) => writeHeader(content, shape));
  writer.chunk("IDAT", data.length, (content) => content.set(data));
  writer.chunk("IEND", 0);
  return writer.bytes;
}
