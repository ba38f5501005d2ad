/**
 * What a compression or encryption of members has to offer. The codecs themselves stand in `formats/codecs/codecs.ts`.
 * @module
 */

/** Why packed bytes could not be unpacked. The message is one sentence without a subject: `is damaged ...`. */
export class UnpackError extends Error {
  /** Name of the class. */
  override readonly name = "UnpackError";
}

/** What the caller of a codec answers for. */
export interface UnpackOptions {
  /**
   * The caller compares a checksum, so data that give all bytes but lack their end mark are accepted. Codecs that have no
   * end mark, or a checksum of their own behind it, ignore this.
   */
  readonly isChecked?: boolean;
}

/** Turns packed bytes into the bytes of a member. Neither direction of a codec trusts its input. */
export interface Codec {
  /**
   * Most bytes that can come of one packed byte: a member that claims more is not even tried. `Infinity` where nothing
   * bounds it.
   */
  readonly largestRatio: number;
  /**
   * Unpacks a whole member, which must yield exactly `size` bytes. Allocates no more than what really comes out, or
   * {@linkcode Codec.largestRatio} times `packed`. The result may be `packed` itself.
   * @throws {UnpackError} if the data are damaged, end too early or yield another number of bytes.
   */
  unpack(packed: Uint8Array, size: number, options?: UnpackOptions): Uint8Array;
  /**
   * Unpacks piece by piece, for members of any size. May yield too many bytes or too few: the caller counts. What was
   * yielded stays as it is.
   * @param packed Gives the packed bytes in pieces; errors thrown by it pass through.
   * @throws {UnpackError} if the data are damaged or end too early.
   */
  unpackPieces(
    packed: Iterable<Uint8Array>,
    size: number,
    options?: UnpackOptions,
  ): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** The sentence's end for output that goes on after the declared size. */
export function tooMuchOutput(size: number): string {
  return `unpacks to more than its ${size.toLocaleString("en-US")} declared bytes; stopped`;
}

/** The sentence's end for output that ends before the declared size. */
export function tooLittleOutput(actual: number, size: number): string {
  return `is damaged: it unpacks to ${actual} bytes instead of ${size}`;
}

/** The sentence's end for packed data that end before their end mark. */
export const endsTooEarly = "is damaged: its packed data ends too early";

/**
 * The bytes as they are, if there are `size` of them.
 * @throws {UnpackError} if not.
 */
export function requireSize(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length > size) throw new UnpackError(tooMuchOutput(size));
  if (bytes.length < size) throw new UnpackError(tooLittleOutput(bytes.length, size));
  return bytes;
}
