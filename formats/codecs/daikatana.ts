/**
 * Daikatana's compression. The compressed data are commands, each a code byte `c` and what follows it:
 *
 * | `c`     | does                                                                                              |
 * |--------:|---------------------------------------------------------------------------------------------------|
 * |    0-63 | copies the next `c` + 1 bytes                                                                     |
 * |  64-127 | writes `c` - 62 zeros                                                                             |
 * | 128-191 | writes the next byte `c` - 126 times                                                              |
 * | 192-253 | takes the next byte `d` and copies `c` - 190 bytes of the output from `d` + 2 bytes back, byte by |
 * |         | byte, so that a copy longer than its distance repeats itself                                      |
 * |     254 | is not defined                                                                                    |
 * |     255 | ends the data                                                                                     |
 *
 * Sources: PlanetDaikatana daipak.zip `daipacks.txt`; checked there against archives of Ion Storm's own packer, which
 * settle the distance.
 * @module
 */
import { type Codec, DecompressError, endsTooEarly, requireSize, tooMuchOutput } from "./codec.ts";

/** Most bytes that come of one packed byte: 65 zeros. */
const maxRatio = 65;
/** Most bytes that one command writes. */
const longestRun = 65;
/** Furthest distance of a copy. */
const windowSize = 257;
/** Output handed out at a time. */
const defaultPiece = 256 * 1024;

const firstZeros = 64;
const firstRepeat = 128;
const firstCopy = 192;
const undefinedCode = 254;
const endCode = 255;

/** Compressed bytes one by one, whatever pieces they come in. */
class CompressedBytes {
  readonly #pieces: Iterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #next = 0;
  /** Number of bytes taken. */
  position = 0;

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** The next byte, or -1 at the end. */
  take(): number {
    while (this.#next === this.#piece.length) {
      const { done, value } = this.#pieces.next();
      if (done) return -1;
      this.#piece = value;
      this.#next = 0;
    }
    this.position++;
    return this.#piece[this.#next++] ?? 0;
  }

  /** The next byte, which a command needs. */
  require(): number {
    const byte = this.take();
    if (byte < 0) throw new DecompressError(endsTooEarly);
    return byte;
  }
}

function* decompressPieces(compressed: Iterable<Uint8Array>, size: number): Generator<Uint8Array> {
  const input = new CompressedBytes(compressed);
  // The bytes that copies may refer to, and behind them those that were not handed out yet.
  const output = new Uint8Array(windowSize + Math.min(size, defaultPiece) + longestRun);
  let end = windowSize;
  let written = 0;
  for (;;) {
    const commandAt = input.position;
    const code = input.take();
    // The end mark may be missing where nothing is.
    if (code === endCode || (code < 0 && written === size)) break;
    if (code < 0) throw new DecompressError(endsTooEarly);
    if (code === undefinedCode) {
      throw new DecompressError(
        `is damaged: its compressed data has a command at byte ${commandAt} that does not exist`,
      );
    }
    let length: number;
    if (code < firstZeros) {
      length = code + 1;
      for (let index = 0; index < length; index++) output[end + index] = input.require();
    } else if (code < firstRepeat) {
      length = code - 62;
      output.fill(0, end, end + length);
    } else if (code < firstCopy) {
      length = code - 126;
      output.fill(input.require(), end, end + length);
    } else {
      length = code - 190;
      const distance = input.require() + 2;
      if (distance > written) {
        throw new DecompressError(`is damaged: its compressed data refers before its start at byte ${commandAt}`);
      }
      for (let index = end; index < end + length; index++) output[index] = output[index - distance] ?? 0;
    }
    end += length;
    written += length;
    if (written > size) throw new DecompressError(tooMuchOutput(size));
    if (end + longestRun > output.length) {
      yield output.slice(windowSize, end);
      output.copyWithin(0, end - windowSize, end);
      end = windowSize;
    }
  }
  if (end > windowSize) yield output.slice(windowSize, end);
}

function decompress(compressed: Uint8Array, size: number): Uint8Array {
  // More cannot come of it, so that a claim is not memory yet.
  const content = new Uint8Array(Math.min(size, compressed.length * maxRatio));
  let written = 0;
  for (const piece of decompressPieces([compressed], size)) {
    content.set(piece, written);
    written += piece.length;
  }
  return requireSize(content.subarray(0, written), size);
}

/** Daikatana's compression. */
export const daikatanaCodec: Codec = { maxRatio, decompress, decompressPieces };
