/**
 * Shared parts of the codecs without a library: reading compressed bytes one by one, and joining chunks.
 * @module
 */
import { joined } from "../core/cursor.ts";
import { DecompressError, endsTooEarly, requireSize, tooMuchOutput } from "./codec.ts";

/** Compressed bytes one by one, regardless of chunks. */
export class CompressedBytes {
  /** Number of bytes read. */
  position = 0;
  readonly #pieces: Iterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #next = 0;

  /** Reads chunks when their bytes are needed. */
  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Returns the next byte, or -1 at the end. */
  nextOrEnd(): number {
    while (this.#next >= this.#piece.length) {
      const { done, value } = this.#pieces.next();
      if (done) return -1;
      this.#piece = value;
      this.#next = 0;
    }
    this.position++;
    return this.#piece[this.#next++] ?? -1;
  }

  /**
   * Returns the next byte.
   * @throws {DecompressError} at the end.
   */
  next(): number {
    const byte = this.nextOrEnd();
    if (byte < 0) throw new DecompressError(endsTooEarly);
    return byte;
  }
}

/** Returns the error for inconsistent compressed data. */
export function senseless(detail: string): DecompressError {
  return new DecompressError(`is damaged: its compressed data makes no sense (${detail})`);
}

/**
 * Joins chunks into a whole content. Allocates at most twice their size.
 * @throws {DecompressError} if the content does not have `size` bytes.
 */
export function wholeOf(pieces: Iterable<Uint8Array>, size: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let written = 0;
  for (const piece of pieces) {
    written += piece.length;
    if (written > size) throw new DecompressError(tooMuchOutput(size));
    parts.push(piece);
  }
  const [only] = parts;
  return requireSize(only && parts.length === 1 ? only : joined(...parts), size);
}

/**
 * Joins chunks into a whole content of at most `maxSize` bytes, in memory that is allocated once.
 * @throws {DecompressError} if the content does not have `size` bytes.
 */
export function wholeWithin(pieces: Iterable<Uint8Array>, size: number, maxSize: number): Uint8Array {
  const content = new Uint8Array(Math.min(size, maxSize));
  let written = 0;
  for (const piece of pieces) {
    content.set(piece, written);
    written += piece.length;
  }
  return requireSize(content.subarray(0, written), size);
}
