/**
 * What codecs that are written here share: compressed bytes one by one, and whole contents of pieces.
 * @module
 */
import { DecompressError, endsTooEarly, requireSize, tooMuchOutput } from "./codec.ts";

/** Compressed bytes one by one, whatever pieces they come in. */
export class CompressedBytes {
  readonly #pieces: Iterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #next = 0;

  /** Takes the bytes from `pieces` as they are needed. */
  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /**
   * The next byte.
   * @throws {DecompressError} if there is none.
   */
  next(): number {
    while (this.#next >= this.#piece.length) {
      const { done, value } = this.#pieces.next();
      if (done) throw new DecompressError(endsTooEarly);
      this.#piece = value;
      this.#next = 0;
    }
    return this.#piece[this.#next++] ?? 0;
  }
}

/** The error for compressed data that contradict themselves. */
export function senseless(detail: string): DecompressError {
  return new DecompressError(`is damaged: its compressed data makes no sense (${detail})`);
}

/**
 * The whole content of what comes in pieces. Allocates no more than twice of what comes.
 * @throws {DecompressError} if that is not `size` bytes.
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
  if (only && parts.length === 1) return requireSize(only, size);
  const content = new Uint8Array(written);
  let position = 0;
  for (const part of parts) {
    content.set(part, position);
    position += part.length;
  }
  return requireSize(content, size);
}
