/**
 * LZ4 frames: magic 0x184D2204, a descriptor (flags, block size, content size and dictionary if flagged, a checksum
 * byte), then blocks: a 32-bit size, whose highest bit marks a stored block, the block, a checksum if flagged. A size
 * of zero ends the blocks, and a checksum of the content may follow. All integers little-endian.
 *
 * A block consists of sequences: a token (length of literals, length of the copy minus 4, four bits each; after 15,
 * further bytes are added until one is not 255), the literals, and a 16-bit distance. The last sequence has only
 * literals. Frames that need a dictionary are rejected.
 *
 * Source: the LZ4 frame format 1.6 and block format descriptions by Yann Collet.
 * @module
 */
import { type Codec, DecompressError, endsTooEarly, tooMuchOutput } from "./codec.ts";
import { byteAt, joined, viewOf } from "../core/cursor.ts";
import { XxHash32 } from "../core/name_hashes.ts";
import { senseless, wholeWithin } from "./compressed_bytes.ts";

const magic = 0x184d2204;
/** Maximum distance of a copy. */
const windowSize = 65_535;
/** A length byte adds at most 255 bytes. */
const maxRatio = 255;
const storedFlag = 0x80000000;
/** Sizes of blocks by code. */
const blockSizes: Readonly<Record<number, number>> = {
  4: 64 * 1024,
  5: 256 * 1024,
  6: 1024 * 1024,
  7: 4 * 1024 * 1024,
};

/** Compressed bytes in runs of any length, regardless of chunks. */
class CompressedInput {
  readonly #pieces: Iterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Returns the next `length` bytes. */
  take(length: number): Uint8Array {
    if (this.#piece.length < length) this.#gather(length);
    const bytes = this.#piece.subarray(0, length);
    this.#piece = this.#piece.subarray(length);
    return bytes;
  }

  /** Returns the next four bytes as an integer. */
  integer(): number {
    return viewOf(this.take(4)).getUint32(0, true);
  }

  #gather(length: number): void {
    const parts = [this.#piece];
    let available = this.#piece.length;
    while (available < length) {
      const { done, value } = this.#pieces.next();
      if (done) throw new DecompressError(endsTooEarly);
      parts.push(value);
      available += value.length;
    }
    this.#piece = joined(...parts);
  }
}

function checksumOf(bytes: Uint8Array): number {
  const hash = new XxHash32();
  hash.update(bytes);
  return hash.digest();
}

interface Descriptor {
  readonly blockSize: number;
  readonly hasBlockChecksums: boolean;
  readonly hasContentChecksum: boolean;
}

function readDescriptor(input: CompressedInput): Descriptor {
  if (input.integer() !== magic) throw senseless("no LZ4 frame");
  const [flags = 0, sizes = 0] = input.take(2);
  if (flags >> 6 !== 1) throw senseless("an unknown version of LZ4 frames");
  if ((flags & 1) !== 0) {
    throw new DecompressError("needs a dictionary to be decompressed, which the archive does not have");
  }
  const contentSize = (flags & 8) === 0 ? new Uint8Array() : input.take(8);
  const [checksum] = input.take(1);
  if (checksum !== ((checksumOf(Uint8Array.of(flags, sizes, ...contentSize)) >>> 8) & 0xff)) {
    throw senseless("a wrong checksum of the LZ4 header");
  }
  const blockSize = blockSizes[(sizes >> 4) & 7];
  if (blockSize === undefined) throw senseless("an unknown size of LZ4 blocks");
  return { blockSize, hasBlockChecksums: (flags & 0x10) !== 0, hasContentChecksum: (flags & 4) !== 0 };
}

/** Decompresses one block after the `start` bytes of `output` that copies may refer to; returns its end. */
function decompressBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  let from = 0;
  let to = start;
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    if (nibble < 15) return length;
    let byte: number;
    do {
      byte = block[from++] ?? -1;
      if (byte < 0) throw new DecompressError(endsTooEarly);
      length += byte;
    } while (byte === 255);
    return length;
  };
  while (from < block.length) {
    const token = byteAt(block, from++);
    const literals = lengthFrom(token >> 4);
    if (from + literals > block.length) throw new DecompressError(endsTooEarly);
    if (to + literals > output.length) throw senseless("a block larger than blocks are");
    output.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === block.length) break;
    if (from + 2 > block.length) throw new DecompressError(endsTooEarly);
    const distance = byteAt(block, from) + byteAt(block, from + 1) * 256;
    from += 2;
    const length = lengthFrom(token & 15) + 4;
    if (distance === 0 || distance > to) throw senseless("a copy from before the start");
    if (to + length > output.length) throw senseless("a block larger than blocks are");
    for (const end = to + length; to < end; to++) output[to] = byteAt(output, to - distance);
  }
  return to;
}

function* decompressPieces(compressed: Iterable<Uint8Array>, size: number): Generator<Uint8Array> {
  const input = new CompressedInput(compressed);
  const { blockSize, hasBlockChecksums, hasContentChecksum } = readDescriptor(input);
  const content = new XxHash32();
  // Bytes that copies may refer to, followed by one block.
  const output = new Uint8Array(windowSize + blockSize);
  let history = 0;
  let written = 0;
  for (let field = input.integer(); field !== 0; field = input.integer()) {
    const isStored = field >= storedFlag;
    const length = isStored ? field - storedFlag : field;
    if (length > blockSize) throw senseless("a block larger than blocks are");
    const block = input.take(length);
    if (hasBlockChecksums && input.integer() !== checksumOf(block)) throw senseless("a wrong checksum of a block");
    let end = history + length;
    if (isStored) output.set(block, history);
    else end = decompressBlock(block, output.subarray(0, history + blockSize), history);
    written += end - history;
    if (written > size) throw new DecompressError(tooMuchOutput(size));
    const piece = output.slice(history, end);
    content.update(piece);
    yield piece;
    history = Math.min(end, windowSize);
    output.copyWithin(0, end - history, end);
  }
  if (hasContentChecksum && input.integer() !== content.digest()) throw senseless("a wrong checksum of the content");
}

/** LZ4 frames, with or without checksums. */
export const lz4Codec: Codec = {
  maxRatio,
  decompress: (compressed, size) =>
    wholeWithin(decompressPieces([compressed], size), size, compressed.length * maxRatio),
  decompressPieces,
};
