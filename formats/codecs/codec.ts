/**
 * What a compression or encryption of members has to offer. The codecs themselves stand in `formats/codecs/codecs.ts`.
 * @module
 */

/** Why compressed bytes could not be decompressed. The message is one sentence without a subject: `is damaged ...`. */
export class DecompressError extends Error {
  /** Name of the class. */
  override readonly name = "DecompressError";
}

/** What the caller of a codec answers for. */
export interface DecompressOptions {
  /**
   * The caller compares a checksum, so data that give all bytes but lack their end mark are accepted. Codecs that have no
   * end mark, or a checksum of their own behind it, ignore this.
   */
  readonly isChecked?: boolean;
}

/** Turns compressed bytes into the bytes of a member. Neither direction of a codec trusts its input. */
export interface Codec {
  /**
   * Most bytes that can come of one packed byte: a member that claims more is not even tried. `Infinity` where nothing
   * bounds it.
   */
  readonly maxRatio: number;
  /**
   * Decompresses a whole member, which must yield exactly `size` bytes. Allocates no more than what really comes out, or
   * {@linkcode Codec.maxRatio} times `packed`. The result may be `packed` itself.
   * @throws {DecompressError} if the data are damaged, end too early or yield another number of bytes.
   */
  decompress(compressed: Uint8Array, size: number, options?: DecompressOptions): Uint8Array;
  /**
   * Decompresses piece by piece, for members of any size. May yield too many bytes or too few: the caller counts. What was
   * yielded stays as it is.
   * @param packed Gives the compressed bytes in pieces; errors thrown by it pass through.
   * @throws {DecompressError} if the data are damaged or end too early.
   */
  decompressPieces(
    compressed: Iterable<Uint8Array>,
    size: number,
    options?: DecompressOptions,
  ): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** The sentence's end for output that goes on after the declared size. */
export function tooMuchOutput(size: number): string {
  return `decompresses to more than its ${size.toLocaleString("en-US")} declared bytes; stopped`;
}

/** The sentence's end for output that ends before the declared size. */
export function tooLittleOutput(actual: number, size: number): string {
  return `is damaged: it decompresses to ${actual} bytes instead of ${size}`;
}

/** The sentence's end for compressed data that end before their end mark. */
export const endsTooEarly = "is damaged: its compressed data ends too early";

/**
 * The bytes as they are, if there are `size` of them.
 * @throws {DecompressError} if not.
 */
export function requireSize(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length > size) throw new DecompressError(tooMuchOutput(size));
  if (bytes.length < size) throw new DecompressError(tooLittleOutput(bytes.length, size));
  return bytes;
}
