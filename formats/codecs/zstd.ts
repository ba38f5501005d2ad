/**
 * Zstandard (RFC 8878): one frame, decompressed by zstd. Its library is inconsistent about bytes after a frame and a
 * missing checksum, so the frame is measured first: bytes after it are ignored, and it must be complete.
 *
 * A frame is a magic number (4 bytes), a descriptor (1), a window (1, unless the descriptor says otherwise), the number
 * of a dictionary (0 to 4), the decompressed size (0 to 8), then blocks: 3 bytes with a flag for the last one, a type
 * and a size; a block of one repeated byte holds only that byte. A checksum (4) follows if the descriptor flags it.
 * @module
 */
import { byteAt, elementAt } from "../core/cursor.ts";
import { zlib } from "../core/builtins.ts";
import { type Codec, DecompressError, endsTooEarly } from "./codec.ts";
import { inflatePieces, inflateWhole } from "./deflate.ts";

/** A block of one repeated byte expands four bytes to 128 KiB. */
const maxRatio = 32 * 1024;
const magicSize = 4;
const blockHeaderSize = 3;
const checksumSize = 4;
const dictionarySizes = [0, 1, 2, 4];
const contentSizes = [0, 2, 4, 8];
const repeatedBlock = 1;

type Part = "descriptor" | "block" | "end";

/** Measures a frame that arrives in chunks. */
class FrameMeter {
  /** Whether the frame's last byte was reached. */
  isComplete = false;
  #part: Part = "descriptor";
  /** Number of bytes to skip before the next part. */
  #skip = magicSize;
  /** Bytes of the part that is being read. */
  readonly #bytes: number[] = [];
  #hasChecksum = false;

  /** Returns the number of bytes of the next chunk that belong to the frame. */
  take(piece: Uint8Array): number {
    let at = 0;
    while (at < piece.length && !this.isComplete) {
      const skipped = Math.min(this.#skip, piece.length - at);
      at += skipped;
      this.#skip -= skipped;
      if (this.#skip === 0 && this.#part === "end") this.isComplete = true;
      else if (this.#skip === 0 && at < piece.length) this.#read(byteAt(piece, at++));
    }
    return at;
  }

  #read(byte: number): void {
    this.#bytes.push(byte);
    if (this.#part === "descriptor") this.#readDescriptor(byte);
    else if (this.#bytes.length === blockHeaderSize) this.#readBlock();
    if (this.#skip === 0 && this.#part === "end") this.isComplete = true;
  }

  #readDescriptor(descriptor: number): void {
    const isSingleSegment = (descriptor & 0x20) !== 0;
    const contentSize = elementAt(contentSizes, descriptor >> 6);
    this.#hasChecksum = (descriptor & 4) !== 0;
    this.#skip = (isSingleSegment ? 0 : 1) + elementAt(dictionarySizes, descriptor & 3) +
      (isSingleSegment && contentSize === 0 ? 1 : contentSize);
    this.#startPart("block");
  }

  #readBlock(): void {
    const [low = 0, middle = 0, high = 0] = this.#bytes;
    const header = low + middle * 256 + high * 65_536;
    const isLast = (header & 1) !== 0;
    const type = (header >> 1) & 3;
    this.#skip = (type === repeatedBlock ? 1 : header >> 3) + (isLast && this.#hasChecksum ? checksumSize : 0);
    this.#startPart(isLast ? "end" : "block");
  }

  #startPart(part: Part): void {
    this.#part = part;
    this.#bytes.length = 0;
  }
}

function* onlyFrame(compressed: Iterable<Uint8Array>): Generator<Uint8Array> {
  const meter = new FrameMeter();
  for (const piece of compressed) {
    yield piece.subarray(0, meter.take(piece));
    if (meter.isComplete) return;
  }
  throw new DecompressError(endsTooEarly);
}

function frameOf(compressed: Uint8Array): Uint8Array {
  const meter = new FrameMeter();
  const length = meter.take(compressed);
  if (!meter.isComplete) throw new DecompressError(endsTooEarly);
  return compressed.subarray(0, length);
}

/** A Zstandard frame. */
export const zstdCodec: Codec = {
  maxRatio,
  decompress: (compressed, size) => inflateWhole(zlib().zstdDecompressSync, frameOf(compressed), size),
  decompressPieces: (compressed, size) => inflatePieces(zlib().createZstdDecompress, onlyFrame(compressed), size),
};
