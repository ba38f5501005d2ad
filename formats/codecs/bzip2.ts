/**
 * Bzip2: `BZh` and a digit, the size of blocks in units of 100,000 bytes; blocks; an end mark with a checksum of the
 * blocks' checksums. Bits are read highest first.
 *
 * A block begins with the digits of pi (6 bytes), its CRC-32 (4), an obsolete bit, the index of the content's row in
 * the Burrows-Wheeler transform (24 bits), and the set of bytes in it. Then follow two to six Huffman codes, a selector
 * of the code for each 50 symbols, and the symbols: positions in a move-to-front list, and runs of its first element.
 * In the content, four equal bytes are followed by a repetition count.
 *
 * Source: Julian Seward, bzip2 1.0 (the format); Joe Tsai, "The bzip2 format specification", 2016.
 * @module
 */
import { type Codec, DecompressError, tooMuchOutput } from "./codec.ts";
import { CompressedBytes, senseless, wholeOf } from "./compressed_bytes.ts";
import { byteAt, wordAt } from "../core/cursor.ts";

const blockMagic = 0x314159265359;
const endMagic = 0x177245385090;
const blockUnit = 100_000;
const symbolsPerGroup = 50;
const maxCodeLength = 20;
const defaultPiece = 256 * 1024;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc << 1 ^ (crc < 0 ? 0x04c11db7 : 0);
  return crc >>> 0;
});

class Bits {
  readonly #input: CompressedBytes;
  #buffer = 0;
  #available = 0;

  constructor(input: CompressedBytes) {
    this.#input = input;
  }

  /** Returns the next bits, 24 at most. */
  take(count: number): number {
    while (this.#available < count) {
      this.#buffer = (this.#buffer << 8 | this.#input.next()) & 0x7fffffff;
      this.#available += 8;
    }
    this.#available -= count;
    return this.#buffer >>> this.#available & (1 << count) - 1;
  }

  /** Returns the next 32 bits. */
  word(): number {
    return this.take(16) * 65_536 + this.take(16);
  }
}

/** A Huffman code, as limits of the codes of each length. */
class HuffmanCode {
  readonly #limits = new Int32Array(maxCodeLength + 2).fill(-1);
  readonly #bases = new Int32Array(maxCodeLength + 2);
  readonly #symbols: Uint16Array;

  constructor(lengths: Uint8Array) {
    const symbols: number[] = [];
    let code = 0;
    for (let length = 1; length <= maxCodeLength; length++) {
      this.#bases[length] = symbols.length - code;
      for (let symbol = 0; symbol < lengths.length; symbol++) {
        if (lengths[symbol] !== length) continue;
        symbols.push(symbol);
        code++;
      }
      this.#limits[length] = code - 1;
      if (code > 2 ** length) throw senseless("a code with too many symbols");
      code *= 2;
    }
    this.#symbols = Uint16Array.from(symbols);
  }

  decode(bits: Bits): number {
    let code = 0;
    for (let length = 1; length <= maxCodeLength; length++) {
      code = code << 1 | bits.take(1);
      const limit = this.#limits[length];
      const base = this.#bases[length];
      if (limit === undefined || base === undefined) break;
      if (code > limit) continue;
      const symbol = this.#symbols[code + base];
      if (symbol === undefined) break;
      return symbol;
    }
    throw senseless("an unused code");
  }
}

function readUsedBytes(bits: Bits): Uint8Array {
  const groups = bits.take(16);
  const used: number[] = [];
  for (let group = 0; group < 16; group++) {
    if ((groups & 0x8000 >> group) === 0) continue;
    const members = bits.take(16);
    for (let member = 0; member < 16; member++) {
      if ((members & 0x8000 >> member) !== 0) used.push(group * 16 + member);
    }
  }
  if (used.length === 0) throw senseless("a block without bytes");
  return Uint8Array.from(used);
}

/** Moves the element at `index` to the front, and returns it. */
function moveToFront(list: Uint8Array, index: number): number {
  const value = byteAt(list, index);
  list.copyWithin(1, 0, index);
  list[0] = value;
  return value;
}

function readSelectors(bits: Bits, codeCount: number): Uint8Array {
  const count = bits.take(15);
  if (count === 0) throw senseless("a block without selectors");
  const order = Uint8Array.from({ length: codeCount }, (_, index) => index);
  return Uint8Array.from({ length: count }, () => {
    let index = 0;
    while (bits.take(1) === 1) {
      if (++index >= codeCount) throw senseless("a selector out of range");
    }
    return moveToFront(order, index);
  });
}

function readCode(bits: Bits, symbolCount: number): HuffmanCode {
  const lengths = new Uint8Array(symbolCount);
  let length = bits.take(5);
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    while (true) {
      if (length < 1 || length > maxCodeLength) throw senseless("a code of a wrong length");
      if (bits.take(1) === 0) break;
      length += bits.take(1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return new HuffmanCode(lengths);
}

/** Reads the symbols of a block into the low bytes of `transformed`; returns the number of bytes they encode. */
function readSymbols(bits: Bits, transformed: Uint32Array): number {
  const bytes = readUsedBytes(bits);
  const codeCount = bits.take(3);
  if (codeCount < 2 || codeCount > 6) throw senseless("a wrong number of codes");
  const selectors = readSelectors(bits, codeCount);
  const codes = Array.from({ length: codeCount }, () => readCode(bits, bytes.length + 2));
  const end = bytes.length + 1;
  let length = 0;
  let run = 0;
  let runUnit = 1;
  const put = (byte: number, count: number): void => {
    if (length + count > transformed.length) throw senseless("a block larger than blocks are");
    transformed.fill(byte, length, length + count);
    length += count;
  };
  for (const selector of selectors) {
    const code = codes[selector];
    for (let index = 0; code && index < symbolsPerGroup; index++) {
      const symbol = code.decode(bits);
      if (symbol <= 1) {
        run += runUnit << symbol;
        runUnit *= 2;
        if (run > transformed.length) throw senseless("a block larger than blocks are");
        continue;
      }
      if (run > 0) put(byteAt(bytes, 0), run);
      run = 0;
      runUnit = 1;
      if (symbol === end) return length;
      put(moveToFront(bytes, symbol - 1), 1);
    }
  }
  throw senseless("a block without an end");
}

/** Links each byte of a transformed block to the next byte of the content, in the upper 24 bits. */
function linkBytes(transformed: Uint32Array, length: number): void {
  const starts = new Uint32Array(256);
  for (let index = 0; index < length; index++) {
    const byte = wordAt(transformed, index) & 0xff;
    starts[byte] = wordAt(starts, byte) + 1;
  }
  let sum = 0;
  for (const [byte, count] of starts.entries()) {
    starts[byte] = sum;
    sum += count;
  }
  for (let index = 0; index < length; index++) {
    const byte = wordAt(transformed, index) & 0xff;
    const target = wordAt(starts, byte);
    starts[byte] = target + 1;
    transformed[target] = wordAt(transformed, target) | index << 8;
  }
}

/** Yields the content of one block in chunks, and verifies it. */
function* readBlock(bits: Bits, transformed: Uint32Array, checksum: number): Generator<Uint8Array> {
  if (bits.take(1) !== 0) {
    throw new DecompressError("is compressed by bzip2 0.9.0, whose blocks are not read; 7-Zip reads them");
  }
  const origin = bits.take(24);
  const length = readSymbols(bits, transformed);
  if (origin >= length) throw senseless("a block that begins after its end");
  linkBytes(transformed, length);
  let piece = new Uint8Array(defaultPiece);
  let used = 0;
  let crc = 0xffffffff;
  let link = wordAt(transformed, origin) >>> 8;
  let previous = -1;
  let equal = 0;
  for (let index = 0; index < length; index++) {
    const entry = wordAt(transformed, link);
    const byte = entry & 0xff;
    link = entry >>> 8;
    // After four equal bytes the next byte is the number of further ones.
    const repeats = equal === 4 ? byte : 1;
    const value = equal === 4 ? previous : byte;
    equal = equal === 4 ? 0 : byte === previous ? equal + 1 : 1;
    previous = equal === 0 ? -1 : byte;
    if (used + repeats > piece.length) {
      yield piece.subarray(0, used);
      piece = new Uint8Array(defaultPiece);
      used = 0;
    }
    for (let count = 0; count < repeats; count++) {
      crc = (crc << 8 ^ wordAt(crcTable, crc >>> 24 ^ value)) >>> 0;
      piece[used++] = value;
    }
  }
  if (used > 0) yield piece.subarray(0, used);
  if ((~crc >>> 0) !== checksum) throw senseless("a wrong checksum of a block");
}

function* decompressPieces(compressed: Iterable<Uint8Array>, size: number): Generator<Uint8Array> {
  const bits = new Bits(new CompressedBytes(compressed));
  if (bits.take(24) !== 0x425a68) throw senseless("no bzip2 data");
  const level = bits.take(8) - 0x30;
  if (level < 1 || level > 9) throw senseless("no bzip2 data");
  const transformed = new Uint32Array(level * blockUnit);
  let written = 0;
  let combined = 0;
  for (;;) {
    const magic = bits.take(24) * 2 ** 24 + bits.take(24);
    const checksum = bits.word();
    if (magic === endMagic) {
      if (combined !== checksum) throw senseless("a wrong checksum");
      return;
    }
    if (magic !== blockMagic) throw senseless("a block that does not begin as one");
    combined = ((combined << 1 | combined >>> 31) ^ checksum) >>> 0;
    for (const piece of readBlock(bits, transformed, checksum)) {
      written += piece.length;
      if (written > size) throw new DecompressError(tooMuchOutput(size));
      yield piece;
    }
  }
}

/** Bzip2 data. A block of equal bytes of any length takes about forty bytes, so the ratio is unbounded. */
export const bzip2Codec: Codec = {
  maxRatio: Infinity,
  decompress: (compressed, size) => wholeOf(decompressPieces([compressed], size), size),
  decompressPieces,
};
