/**
 * LZMA in zip (method 14): version (2 bytes), length of the properties (2, always 5), properties, data. The properties
 * are a byte `(pb * 5 + lp) * 9 + lc` and the size of the dictionary (4 bytes, little-endian).
 *
 * The data are bits of a range coder, each with a probability adapted by the bits before it. They encode literals,
 * copies from a new distance, and copies from one of the last four distances. An end mark, a copy from the distance
 * 2^32, may follow the last byte.
 *
 * Source: Igor Pavlov, LZMA specification (public domain), and APPNOTE.TXT 5.8.
 * @module
 */
import { type Codec, DecompressError, tooMuchOutput } from "./codec.ts";
import { CompressedBytes, senseless, wholeOf } from "./compressed_bytes.ts";
import { byteAt } from "../core/cursor.ts";

/**
 * Maximum decompressed bytes per compressed byte: a copy of 273 bytes takes 14 bits, each at best 0.022 bits long.
 */
const maxRatio = 7200;
/** Maximum dictionary; presets of compressors end at 64 MiB, or at 1.5 GiB for very large files. */
const maxDictionary = 1024 * 1024 * 1024;
const defaultPiece = 256 * 1024;
const maxCopy = 273;
const minDictionary = 4096;
const propertiesSize = 5;
const halfProbability = 1024;
const top = 2 ** 24;

/** Probabilities of a zero bit, out of 2,048. */
type Probabilities = Uint16Array;

function probabilities(count: number): Probabilities {
  return new Uint16Array(count).fill(halfProbability);
}

class RangeDecoder {
  readonly #input: CompressedBytes;
  #range = 0xffffffff;
  #code = 0;

  constructor(input: CompressedBytes) {
    this.#input = input;
    if (input.next() !== 0) throw senseless("no LZMA data");
    for (let index = 0; index < 4; index++) this.#code = (this.#code << 8 | input.next()) >>> 0;
    if (this.#code === this.#range) throw senseless("a code out of range");
  }

  /** Whether the data can end here without an end mark. */
  get isFinished(): boolean {
    return this.#code === 0;
  }

  bit(model: Probabilities, index: number): number {
    const probability = model[index];
    if (probability === undefined) throw new RangeError(`Cannot read probability ${index} of ${model.length}`);
    const bound = (this.#range >>> 11) * probability;
    let bit = 0;
    if (this.#code < bound) {
      this.#range = bound;
      model[index] = probability + (2048 - probability >> 5);
    } else {
      this.#range -= bound;
      this.#code -= bound;
      model[index] = probability - (probability >> 5);
      bit = 1;
    }
    if (this.#range < top) this.#shift();
    return bit;
  }

  /** Returns bits of equally likely values, highest first. */
  direct(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) {
      this.#range >>>= 1;
      const isOne = this.#code >= this.#range;
      if (isOne) this.#code -= this.#range;
      if (this.#range < top) this.#shift();
      value = value * 2 + (isOne ? 1 : 0);
    }
    return value;
  }

  /** Returns bits from a tree of probabilities at `start`, highest first. */
  tree(model: Probabilities, start: number, count: number): number {
    let node = 1;
    for (let index = 0; index < count; index++) node = node << 1 | this.bit(model, start + node);
    return node - (1 << count);
  }

  /** Returns bits from a tree of probabilities at `start`, lowest first. */
  reverseTree(model: Probabilities, start: number, count: number): number {
    let node = 1;
    let value = 0;
    for (let index = 0; index < count; index++) {
      const bit = this.bit(model, start + node);
      node = node << 1 | bit;
      value |= bit << index;
    }
    return value;
  }

  #shift(): void {
    this.#range = this.#range * 256 >>> 0;
    this.#code = (this.#code * 256 + this.#input.next()) >>> 0;
  }
}

/** Lengths of copies, from 0. */
class LengthDecoder {
  readonly #choices = probabilities(2);
  readonly #low = probabilities(16 << 3);
  readonly #middle = probabilities(16 << 3);
  readonly #high = probabilities(256);

  decode(bits: RangeDecoder, positionState: number): number {
    if (bits.bit(this.#choices, 0) === 0) return bits.tree(this.#low, positionState << 3, 3);
    if (bits.bit(this.#choices, 1) === 0) return 8 + bits.tree(this.#middle, positionState << 3, 3);
    return 16 + bits.tree(this.#high, 0, 8);
  }
}

/** Literals and copies, decoded into a ring that copies may refer to. */
class LzmaDecoder {
  /** Bytes decoded. */
  written = 0;
  /** The end mark was read. */
  isEnded = false;
  readonly #bits: RangeDecoder;
  readonly #literalContext: number;
  readonly #literalMask: number;
  readonly #positionMask: number;
  readonly #dictionarySize: number;
  readonly #ring: Uint8Array;
  readonly #literals: Probabilities;
  readonly #isMatch = probabilities(12 << 4);
  readonly #isRep = probabilities(12);
  readonly #isRepFirst = probabilities(12);
  readonly #isRepSecond = probabilities(12);
  readonly #isRepThird = probabilities(12);
  readonly #isRepLong = probabilities(12 << 4);
  readonly #slots = probabilities(4 << 6);
  readonly #distances = probabilities(128);
  readonly #align = probabilities(16);
  readonly #lengths = new LengthDecoder();
  readonly #repLengths = new LengthDecoder();
  #state = 0;
  /** The last four distances, minus one. */
  #reps: [number, number, number, number] = [0, 0, 0, 0];
  #at = 0;

  constructor(input: CompressedBytes, size: number) {
    const properties = readProperties(input);
    this.#literalContext = properties.literalContext;
    this.#literalMask = (1 << properties.literalPosition) - 1;
    this.#positionMask = (1 << properties.position) - 1;
    this.#dictionarySize = properties.dictionarySize;
    const reachable = Math.min(this.#dictionarySize, size);
    if (reachable > maxDictionary) {
      throw new DecompressError(`needs a dictionary of ${reachable} bytes to be decompressed; 7-Zip can read it`);
    }
    this.#ring = new Uint8Array(reachable + Math.min(size, defaultPiece) + maxCopy);
    this.#literals = probabilities(0x300 << (properties.literalContext + properties.literalPosition));
    this.#bits = new RangeDecoder(input);
  }

  get canEnd(): boolean {
    return this.#bits.isFinished;
  }

  /** Decodes a literal, a copy or the end mark. */
  step(): void {
    const positionState = this.written & this.#positionMask;
    if (this.#bits.bit(this.#isMatch, this.#state << 4 | positionState) === 0) {
      this.#literal();
    } else if (this.#bits.bit(this.#isRep, this.#state) === 0) {
      this.#match(positionState);
    } else {
      this.#repeat(positionState);
    }
  }

  /** Returns a copy of the last `count` bytes decoded. */
  last(count: number): Uint8Array {
    const piece = new Uint8Array(count);
    const start = this.#at - count;
    if (start >= 0) {
      piece.set(this.#ring.subarray(start, this.#at));
    } else {
      piece.set(this.#ring.subarray(start + this.#ring.length));
      piece.set(this.#ring.subarray(0, this.#at), -start);
    }
    return piece;
  }

  #back(distance: number): number {
    const at = this.#at - distance;
    return byteAt(this.#ring, at < 0 ? at + this.#ring.length : at);
  }

  #put(byte: number): void {
    this.#ring[this.#at] = byte;
    if (++this.#at === this.#ring.length) this.#at = 0;
    this.written++;
  }

  #literal(): void {
    const previous = this.written === 0 ? 0 : this.#back(1);
    const context = ((this.written & this.#literalMask) << this.#literalContext) +
      (previous >> (8 - this.#literalContext));
    const start = 0x300 * context;
    let symbol = 1;
    if (this.#state >= 7) {
      let matched = this.#back(this.#reps[0] + 1);
      while (symbol < 0x100) {
        const matchBit = matched >> 7 & 1;
        matched <<= 1;
        const bit = this.#bits.bit(this.#literals, start + ((1 + matchBit) << 8) + symbol);
        symbol = symbol << 1 | bit;
        if (matchBit !== bit) break;
      }
    }
    while (symbol < 0x100) symbol = symbol << 1 | this.#bits.bit(this.#literals, start + symbol);
    this.#put(symbol & 0xff);
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  #match(positionState: number): void {
    const length = this.#lengths.decode(this.#bits, positionState);
    this.#state = this.#state < 7 ? 7 : 10;
    const distance = this.#distance(length);
    if (distance === 0xffffffff) {
      this.isEnded = true;
      return;
    }
    this.#reps = [distance, this.#reps[0], this.#reps[1], this.#reps[2]];
    this.#copy(length + 2);
  }

  #distance(length: number): number {
    const slot = this.#bits.tree(this.#slots, Math.min(length, 3) << 6, 6);
    if (slot < 4) return slot;
    const directBits = (slot >> 1) - 1;
    const base = (2 | slot & 1) * 2 ** directBits;
    if (slot < 14) return base + this.#bits.reverseTree(this.#distances, base - slot, directBits);
    return base + this.#bits.direct(directBits - 4) * 16 + this.#bits.reverseTree(this.#align, 0, 4);
  }

  #repeat(positionState: number): void {
    if (this.written === 0) throw senseless("a copy from before the start");
    const bits = this.#bits;
    const [first, second, third, fourth] = this.#reps;
    if (bits.bit(this.#isRepFirst, this.#state) === 0) {
      if (bits.bit(this.#isRepLong, this.#state << 4 | positionState) === 0) {
        this.#state = this.#state < 7 ? 9 : 11;
        this.#copy(1);
        return;
      }
    } else if (bits.bit(this.#isRepSecond, this.#state) === 0) {
      this.#reps = [second, first, third, fourth];
    } else if (bits.bit(this.#isRepThird, this.#state) === 0) {
      this.#reps = [third, first, second, fourth];
    } else {
      this.#reps = [fourth, first, second, third];
    }
    const length = this.#repLengths.decode(bits, positionState);
    this.#state = this.#state < 7 ? 8 : 11;
    this.#copy(length + 2);
  }

  #copy(length: number): void {
    const distance = this.#reps[0] + 1;
    if (distance > this.written || distance > this.#dictionarySize) throw senseless("a copy from before the start");
    for (let index = 0; index < length; index++) this.#put(this.#back(distance));
  }
}

interface Properties {
  readonly literalContext: number;
  readonly literalPosition: number;
  readonly position: number;
  readonly dictionarySize: number;
}

function readProperties(input: CompressedBytes): Properties {
  input.next();
  input.next();
  const length = input.next() + input.next() * 256;
  if (length !== propertiesSize) throw senseless(`LZMA properties of ${length} bytes`);
  const packed = input.next();
  if (packed >= 9 * 5 * 5) throw senseless("LZMA properties out of range");
  let dictionarySize = 0;
  for (let index = 0; index < 4; index++) dictionarySize += input.next() * 256 ** index;
  return {
    literalContext: packed % 9,
    literalPosition: Math.floor(packed / 9) % 5,
    position: Math.floor(packed / 45),
    dictionarySize: Math.max(dictionarySize, minDictionary),
  };
}

function* decompressPieces(compressed: Iterable<Uint8Array>, size: number): Generator<Uint8Array> {
  const decoder = new LzmaDecoder(new CompressedBytes(compressed), size);
  let given = 0;
  // The end mark may follow the last byte.
  while (!decoder.isEnded && !(decoder.written === size && decoder.canEnd)) {
    decoder.step();
    if (decoder.written > size) throw new DecompressError(tooMuchOutput(size));
    if (decoder.written - given < defaultPiece) continue;
    yield decoder.last(decoder.written - given);
    given = decoder.written;
  }
  if (decoder.written > given) yield decoder.last(decoder.written - given);
}

/** LZMA with the header of zip. */
export const lzmaCodec: Codec = {
  maxRatio,
  decompress: (compressed, size) => wholeOf(decompressPieces([compressed], size), size),
  decompressPieces,
};
