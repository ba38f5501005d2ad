/**
 * Decompresses a segment of a large member, from a point that an earlier mount has stored. libdeflate cannot start in
 * the middle of data, so it gets data that begin with the window, uncompressed, and end after the segment. Empty blocks
 * between the two align the compressed bits with their original position in a byte. For decoders.
 * @module
 */
import {
  at,
  descriptionSize,
  parseSeekPoints,
  seekFileName,
  type SeekMember,
  type SeekPoints,
  type SeekSegment,
  segmentBytes,
  segmentEnd,
  titleBytes,
  windowBytes,
  windowLength,
} from "../../index/mod.ts";
import type { FileCalls } from "../../system/mod.ts";
import { Libdeflate } from "./libdeflate.ts";

/** Bytes before the window: the header of an uncompressed block that is not the last, with its length twice. */
const storedHeader = 5;
/** Bytes after the compressed ones for the last block, which is empty. */
const trailing = 3;
/** An empty block with the fixed code: block type, end of the block. */
const emptyFixedBlock = [0, 1, 0, ...bitsOf(0, 7)];
const emptyLastBlock = [1, ...emptyFixedBlock.slice(1)];
/**
 * An empty block of an odd number of bits: with a dynamic code, in which two code lengths have one bit each, 1 and
 * "zeros", for byte 255 and the end of the block, which have one bit each.
 */
const emptyOddBlock = [
  ...[0, 0, 1, ...bitsOf(0, 5), ...bitsOf(0, 5), ...bitsOf(14, 4)],
  ...Array.from({ length: 18 }, (_, index) => bitsOf(index === 2 || index === 17 ? 1 : 0, 3)).flat(),
  ...[1, ...bitsOf(138 - 11, 7), 1, ...bitsOf(117 - 11, 7), 0, 0, 0, 1],
];
/** Empty blocks that end after a given number of bits of a byte, by that number. */
const fillers = Array.from({ length: 8 }, (_, bits) => {
  let filler = bits % 2 === 1 ? emptyOddBlock : [];
  while (filler.length % 8 !== bits) filler = [...filler, ...emptyFixedBlock];
  return filler;
});

/** An open file of points. */
interface OpenPoints {
  readonly name: string;
  readonly descriptor: number;
  readonly points: SeekPoints;
  /** Offset of the windows. */
  readonly windowsOffset: number;
}

/** Reads segments using the points in one directory. One per thread. */
export class SegmentReader implements Disposable {
  readonly #library: FileCalls;
  readonly #directory: string;
  readonly #deflate = Libdeflate.open();
  /** The most recently used file. */
  #open: OpenPoints | undefined;
  /** Number of read segments, by the name of the file with the points. */
  readonly #reads = new Map<string, number>();
  #input = new Uint8Array(0);
  #output = new Uint8Array(0);

  constructor(library: FileCalls, directory: string) {
    this.#library = library;
    this.#directory = directory;
  }

  /**
   * Fills `target` with a segment of a member.
   * @param pack Descriptor of the pack, which is the indexed file.
   * @throws {Error} if the points are missing, damaged, of another file, or do not yield the verified bytes.
   */
  read(member: SeekMember, segment: number, pack: number, target: Uint8Array): void {
    const open = this.#pointsOf(member);
    const { segments, dataOffset } = open.points;
    const found = segments[segment];
    const length = segmentEnd(member.size, segment) - segment * segmentBytes;
    if (!found || target.length !== length) throw new RangeError(`Cannot read segment ${segment} of ${member.path}`);
    const window = windowLength(found);
    const compressed = this.#compressedOf(found, { pack, dataOffset }, this.#windowOf(open, segment, found));
    if (this.#output.length < window + found.end - found.start) {
      this.#output = new Uint8Array(window + found.end - found.start);
    }
    const output = this.#output.subarray(0, window + found.end - found.start);
    if (!this.#deflate?.decompress("deflate", compressed, output)) {
      throw this.#unusable(open.name, "its points are wrong");
    }
    const start = window + segment * segmentBytes - found.start;
    const content = output.subarray(start, start + length);
    if (this.#deflate.crc32(content) !== found.crc32) throw this.#unusable(open.name, "other bytes were verified");
    target.set(content);
    this.#reads.set(open.name, this.readsOf(member) + 1);
  }

  /** Returns the number of segments of a member that were read here. */
  readsOf(member: SeekMember): number {
    return this.#reads.get(seekFileName(member)) ?? 0;
  }

  /** Closes the most recently used file. */
  [Symbol.dispose](): void {
    this.#close();
    this.#deflate?.[Symbol.dispose]();
  }

  #pointsOf(member: SeekMember): OpenPoints {
    const name = seekFileName(member);
    if (this.#open?.name === name) return this.#open;
    this.#close();
    const path = `${this.#directory}/${name}`;
    const descriptor = this.#library.openForReading(path);
    if (descriptor < 0) throw new Error(`${path} not used: it cannot be opened`);
    try {
      if (!this.#library.isOwn(descriptor)) throw new Error("other users can write to it");
      const size = descriptionSize(this.#read(descriptor, titleBytes, 0));
      const head = this.#read(descriptor, titleBytes + size, 0);
      this.#open = { name, descriptor, points: parseSeekPoints(head, member), windowsOffset: titleBytes + size };
      return this.#open;
    } catch (error) {
      this.#library.close(descriptor);
      throw this.#unusable(name, error instanceof Error ? error.message : String(error));
    }
  }

  #windowOf({ name, descriptor, windowsOffset }: OpenPoints, segment: number, found: SeekSegment): Uint8Array {
    const window = this.#read(descriptor, windowLength(found), windowsOffset + segment * windowBytes);
    if (this.#deflate?.crc32(window) === found.windowCrc32) return window;
    throw this.#unusable(name, "a window is damaged");
  }

  /** Returns deflate data of a segment and the window before it. */
  #compressedOf(
    { startBit, endBit }: SeekSegment,
    { pack, dataOffset }: { readonly pack: number; readonly dataOffset: number },
    window: Uint8Array,
  ): Uint8Array {
    const [firstByte, endByte] = [Math.floor(startBit / 8), Math.ceil(endBit / 8)];
    const filler = fillers[startBit % 8] ?? [];
    const inFront = window.length === 0 ? 0 : storedHeader + window.length;
    // The last byte of the filler is also the first of the data, if they share one.
    const start = inFront + Math.floor(filler.length / 8);
    const end = start + endByte - firstByte;
    if (this.#input.length < end + trailing) this.#input = new Uint8Array(end + trailing);
    const input = this.#input;
    if (this.#library.readFully(pack, input.subarray(start, end), dataOffset + firstByte) !== end - start) {
      throw new Error("Cannot read compressed data: the pack ends before them");
    }
    if (inFront > 0) {
      const { length } = window;
      input.set([0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff]);
      input.set(window, storedHeader);
    }
    setBits(input, inFront, filler);
    const last = start + Math.floor(endBit / 8) - firstByte;
    input.fill(0, end, last + trailing);
    setBits(input, last, [...bitsOf(at(input, last), endBit % 8), ...emptyLastBlock]);
    return input.subarray(0, last + trailing);
  }

  #read(descriptor: number, length: number, offset: number): Uint8Array {
    const bytes = new Uint8Array(length);
    if (this.#library.readFully(descriptor, bytes, offset) !== length) throw new Error("it is too short");
    return bytes;
  }

  #unusable(name: string, reason: string): Error {
    this.#close();
    return new Error(`${this.#directory}/${name} not used: ${reason}`);
  }

  #close(): void {
    if (this.#open) this.#library.close(this.#open.descriptor);
    this.#open = undefined;
  }
}

/** Returns the lowest bits of a value, lowest first. */
function bitsOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, bit) => (value >> bit) & 1);
}

/** Sets bits from the lowest one of a byte on; other bits of the last byte are unchanged. */
function setBits(bytes: Uint8Array, offset: number, bits: readonly number[]): void {
  for (const [index, bit] of bits.entries()) {
    const position = offset + (index >> 3);
    bytes[position] = (at(bytes, position) & ~(1 << (index & 7))) | (bit << (index & 7));
  }
}
