/**
 * Daikatana's compression. The compressed data consist of commands, each with a code byte `c` and its operands:
 *
 * | `c`     | does                                                                                              |
 * |--------:|---------------------------------------------------------------------------------------------------|
 * |    0-63 | copies the next `c` + 1 bytes                                                                     |
 * |  64-127 | writes `c` - 62 zeros                                                                             |
 * | 128-191 | writes the next byte `c` - 126 times                                                              |
 * | 192-253 | reads the next byte `d` and copies `c` - 190 bytes of the output from `d` + 2 bytes back, byte by |
 * |         | byte, so that a copy longer than its distance repeats itself                                      |
 * |     254 | is undefined                                                                                      |
 * |     255 | ends the data                                                                                     |
 *
 * Sources: PlanetDaikatana daipak.zip `daipacks.txt`; checked against archives of Ion Storm's packer, which confirm the
 * distance.
 * @module
 */
import { byteAt } from "../core/cursor.ts";
import { type Codec, DecompressError, endsTooEarly, tooMuchOutput } from "./codec.ts";
import { CompressedBytes, wholeWithin } from "./compressed_bytes.ts";

/** Maximum decompressed bytes per compressed byte: 65 zeros. */
const maxRatio = 65;
/** Maximum bytes that one command writes. */
const maxRun = 65;
/** Maximum distance of a copy. */
const windowSize = 257;
/** Output yielded at a time. */
const defaultPiece = 256 * 1024;

const firstZeros = 64;
const firstRepeat = 128;
const firstCopy = 192;
const undefinedCode = 254;
const endCode = 255;

function* decompressPieces(compressed: Iterable<Uint8Array>, size: number): Generator<Uint8Array> {
  const input = new CompressedBytes(compressed);
  // Bytes that copies may refer to, followed by bytes that are not yet yielded.
  const output = new Uint8Array(windowSize + Math.min(size, defaultPiece) + maxRun);
  let end = windowSize;
  let written = 0;
  for (;;) {
    const commandAt = input.position;
    const code = input.nextOrEnd();
    // The end mark may be missing if the content is complete.
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
      for (let index = 0; index < length; index++) output[end + index] = input.next();
    } else if (code < firstRepeat) {
      length = code - 62;
      output.fill(0, end, end + length);
    } else if (code < firstCopy) {
      length = code - 126;
      output.fill(input.next(), end, end + length);
    } else {
      length = code - 190;
      const distance = input.next() + 2;
      if (distance > written) {
        throw new DecompressError(`is damaged: its compressed data refers before its start at byte ${commandAt}`);
      }
      for (let index = end; index < end + length; index++) output[index] = byteAt(output, index - distance);
    }
    end += length;
    written += length;
    if (written > size) throw new DecompressError(tooMuchOutput(size));
    if (end + maxRun > output.length) {
      yield output.slice(windowSize, end);
      output.copyWithin(0, end - windowSize, end);
      end = windowSize;
    }
  }
  if (end > windowSize) yield output.slice(windowSize, end);
}

/** Daikatana's compression. */
export const daikatanaCodec: Codec = {
  maxRatio,
  decompress: (compressed, size) =>
    wholeWithin(decompressPieces([compressed], size), size, compressed.length * maxRatio),
  decompressPieces,
};
