/**
 * Interface of a compression or encryption of members. The codecs themselves are in `formats/codecs/codecs.ts`.
 * @module
 */
import { grouped } from "../core/grouped.ts";

/** Error of decompression. The message is a sentence without a subject: `is damaged ...`. */
export class DecompressError extends Error {
  /** Name of the class. */
  override readonly name = "DecompressError";
}

/** Options of decompression. */
export interface DecompressOptions {
  /**
   * Whether the caller compares a checksum, so that complete data without an end mark are accepted. Codecs without an
   * end mark, or with their own checksum after it, ignore this.
   */
  readonly isChecked?: boolean;
}

/** Decompresses or decrypts a member. A codec does not trust its input. */
export interface Codec {
  /** Maximum decompressed bytes per compressed byte; a member that claims more is not read. `Infinity` if unbounded. */
  readonly maxRatio: number;
  /**
   * Decompresses a whole member to exactly `size` bytes. Allocates no more than the actual output, or {@linkcode
   * Codec.maxRatio} times `compressed`. The result may be `compressed` itself.
   * @throws {DecompressError} if the data are damaged, end too early or yield another number of bytes.
   */
  decompress(compressed: Uint8Array, size: number, options?: DecompressOptions): Uint8Array;
  /**
   * Decompresses in chunks, for members of any size. May yield too many or too few bytes: the caller counts. Yielded
   * chunks are not reused.
   * @param compressed Yields the compressed bytes in chunks; its errors pass through.
   * @throws {DecompressError} if the data are damaged or end too early.
   */
  decompressPieces(
    compressed: Iterable<Uint8Array>,
    size: number,
    options?: DecompressOptions,
  ): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Returns the end of a message about output beyond the declared size. */
export function tooMuchOutput(size: number): string {
  return `decompresses to more than its ${grouped(size)} declared bytes; stopped`;
}

/** Returns the end of a message about output that ends before the declared size. */
export function tooLittleOutput(actual: number, size: number): string {
  return `is damaged: it decompresses to ${actual} bytes instead of ${size}`;
}

/** End of a message about compressed data that end before their end mark. */
export const endsTooEarly = "is damaged: its compressed data ends too early";

/**
 * Returns the bytes unchanged if there are `size` of them.
 * @throws {DecompressError} otherwise.
 */
export function requireSize(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length > size) throw new DecompressError(tooMuchOutput(size));
  if (bytes.length < size) throw new DecompressError(tooLittleOutput(bytes.length, size));
  return bytes;
}
