/**
 * Reads the first picture of a GIF.
 *
 * `GIF87a` or `GIF89a`, u16 width, u16 height, u8 flags (0x80 colours follow, 2 to the power of the lowest three bits and
 * one), u8 background, u8 ratio; colours of red, green and blue. Then blocks: 0x21 an extension (0xf9: u8 4, u8 flags whose
 * 1 says that a colour is not drawn, u16 time, u8 that colour), u8 lengths and data until length 0; 0x2c a picture: u16 left,
 * top, width, height, u8 flags (0x80 colours follow, 0x40 rows are interlaced), u8 bits of the first codes, and lengths and
 * data of LZW; 0x3b the end. (CompuServe, Graphics Interchange Format, version 89a.)
 * @module
 */
import { byteAt, elementAt } from "../../formats/parts.ts";
import { MediaError, Reader } from "../core/reader.ts";
import { emptyPicture, type Picture, requireSize } from "./picture.ts";

const flagColours = 0x80;
const flagInterlaced = 0x40;
const maxCode = 4096;
/** First row and step of each pass of a picture whose rows are interlaced. */
const passes = [[0, 8], [4, 8], [2, 4], [1, 2]] as const;

/** Returns size and offset of a table of colours, from flags and the offset after them. */
function colourTable(reader: Reader, flags: number, offset: number) {
  const length = flags & flagColours ? 3 * 2 ** ((flags & 7) + 1) : 0;
  return { colours: reader.slice(offset, length, "colours"), end: offset + length };
}

/** Joins blocks of data, each after its length, up to an empty one or the end of the file. */
function blocksAt(reader: Reader, start: number): { readonly data: Uint8Array; readonly end: number } {
  const parts: Uint8Array[] = [];
  let offset = start;
  for (;;) {
    const length = offset < reader.length ? reader.u8(offset) : 0;
    offset++;
    if (length === 0) break;
    const part = reader.bytes.subarray(offset, offset + length);
    parts.push(part);
    offset += length;
  }
  const data = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const part of parts) {
    data.set(part, filled);
    filled += part.length;
  }
  return { data, end: offset };
}

/** Decompresses LZW, at most `size` bytes. */
function decompress(data: Uint8Array, firstBits: number, size: number): Uint8Array {
  const output = new Uint8Array(size);
  const clear = 1 << firstBits;
  /** For each code: the code of all bytes but the last, the last byte, and the number of bytes. */
  const prefixes = new Uint16Array(maxCode);
  const lasts = new Uint8Array(maxCode);
  const lengths = new Uint16Array(maxCode);
  for (let code = 0; code < clear; code++) {
    lasts[code] = code;
    lengths[code] = 1;
  }
  let filled = 0;
  let [bits, next, previous] = [firstBits + 1, clear + 2, -1];
  let [buffer, buffered] = [0, 0];
  for (let at = 0; filled < size;) {
    while (buffered < bits && at < data.length) {
      buffer |= byteAt(data, at++) << buffered;
      buffered += 8;
    }
    if (buffered < bits) break;
    const code = buffer & (1 << bits) - 1;
    buffer >>>= bits;
    buffered -= bits;
    if (code === clear) {
      [bits, next, previous] = [firstBits + 1, clear + 2, -1];
      continue;
    }
    if (code === clear + 1) break;
    if (code > next || (code === next && previous < 0)) throw new MediaError("its pixels are damaged");
    // A code that is being defined is the one before and its first byte.
    const known = code === next ? previous : code;
    const length = elementAt(lengths, known);
    let [first, walk] = [known, known];
    for (let position = filled + length - 1; position >= filled; position--) {
      if (position < size) output[position] = byteAt(lasts, walk);
      first = walk;
      walk = elementAt(prefixes, walk);
    }
    filled += length;
    if (code === next && filled < size) output[filled] = byteAt(lasts, first);
    if (code === next) filled++;
    if (previous >= 0 && next < maxCode) {
      prefixes[next] = previous;
      lasts[next] = byteAt(lasts, first);
      lengths[next] = elementAt(lengths, previous) + 1;
      next++;
      if (next === 1 << bits && bits < 12) bits++;
    }
    previous = code;
  }
  if (filled < size) throw new MediaError("its pixels end before the picture is full; it may be cut short");
  return output;
}

/**
 * Reads a GIF.
 * @throws {MediaError} if it is no GIF, or damaged.
 */
export function decodeGif(bytes: Uint8Array): Picture {
  const reader = new Reader(bytes);
  if (!reader.startsWith("GIF8")) throw new MediaError("it does not begin like a GIF", { offset: 0 });
  const [width, height] = [reader.u16(6), reader.u16(8)];
  requireSize(width, height);
  const shared = colourTable(reader, reader.u8(10), 13);
  let transparent = -1;
  for (let offset = shared.end;;) {
    const kind = reader.u8(offset);
    if (kind === 0x21) {
      const isControl = reader.u8(offset + 1) === 0xf9;
      const { data, end } = blocksAt(reader, offset + 2);
      if (isControl && data.length >= 4) transparent = byteAt(data, 0) & 1 ? byteAt(data, 3) : -1;
      offset = end;
    } else if (kind === 0x2c) {
      return drawPicture(reader, offset + 1, { width, height, transparent, shared: shared.colours });
    } else throw new MediaError("it has no picture", { offset });
  }
}

/** Properties that hold for a picture of a GIF. */
interface Screen {
  readonly width: number;
  readonly height: number;
  /** Index that is not drawn; -1: none. */
  readonly transparent: number;
  readonly shared: Uint8Array;
}

function drawPicture(reader: Reader, offset: number, { width, height, transparent, shared }: Screen): Picture {
  const [left, top, wide, high] = [0, 2, 4, 6].map((at) => reader.u16(offset + at)) as [number, number, number, number];
  requireSize(wide, high);
  const flags = reader.u8(offset + 8);
  const own = colourTable(reader, flags, offset + 9);
  const colours = own.colours.length > 0 ? own.colours : shared;
  const firstBits = reader.u8(own.end);
  if (firstBits < 1 || firstBits > 8) {
    throw new MediaError(`its first codes have ${firstBits} bits`, { offset: own.end });
  }
  const { data } = blocksAt(reader, own.end + 1);
  // A code of twelve bits gives at most 4,096 bytes: a file that cannot hold its pixels is refused before memory is taken.
  if (wide * high > data.length * maxCode) throw new MediaError("its pixels end before the picture is full");
  const indices = decompress(data, firstBits, wide * high);
  const picture = emptyPicture(width, height);
  const rows = flags & flagInterlaced ? interlaced(high) : undefined;
  for (let row = 0; row < high; row++) {
    const y = top + (rows?.[row] ?? row);
    if (y >= height) continue;
    for (let x = 0; x < Math.min(wide, width - left); x++) {
      const index = byteAt(indices, row * wide + x);
      if (index === transparent) continue;
      const target = (y * width + left + x) * 4;
      for (let channel = 0; channel < 3; channel++) picture.rgba[target + channel] = colours[index * 3 + channel] ?? 0;
      picture.rgba[target + 3] = 255;
    }
  }
  return picture;
}

/** Returns the rows of a picture in the order in which they are stored. */
function interlaced(height: number): number[] {
  return passes.flatMap(([first, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, index) => first + index * step)
  );
}
