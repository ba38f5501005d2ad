/**
 * Unpacking compressed bytes that nobody vouches for: the output is never larger than declared, and never shorter.
 * @module
 */
import { inflateRawSync, inflateSync } from "node:zlib";

/** Why packed bytes could not be unpacked. The message is one sentence without a subject: `is damaged ...`. */
export class InflateError extends Error {
  /** Name of the class. */
  override readonly name = "InflateError";
}

/** Smallest output buffer that zlib accepts. */
const smallestChunk = 64;
/** Output buffer where several are needed; larger ones gain nothing. */
const usualChunk = 256 * 1024;

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** The sentence's end for output that goes on after the declared size. */
export function tooMuchOutput(size: number): string {
  return `unpacks to more than its ${size.toLocaleString("en-US")} declared bytes; stopped`;
}

/** What an error of zlib's means, as an end of a sentence whose subject is the member. */
export function inflateProblem(error: unknown, size: number): string {
  if (hasCode(error, "ERR_BUFFER_TOO_LARGE")) return tooMuchOutput(size);
  if (hasCode(error, "Z_BUF_ERROR")) return "is damaged: its packed data ends too early";
  const detail = error instanceof Error ? error.message : String(error);
  return `is damaged: its packed data makes no sense (${detail})`;
}

function unpack(unpacker: typeof inflateRawSync, packed: Uint8Array, size: number): Uint8Array {
  const options = {
    chunkSize: Math.min(Math.max(size, smallestChunk), usualChunk),
    // Zero would mean no limit of its own to zlib; one byte too many is caught below.
    maxOutputLength: Math.max(size, 1),
  };
  let output: Uint8Array;
  try {
    output = unpacker(packed, options);
  } catch (error) {
    throw new InflateError(inflateProblem(error, size), { cause: error });
  }
  if (output.length > size) throw new InflateError(tooMuchOutput(size));
  if (output.length < size) {
    throw new InflateError(`is damaged: it unpacks to ${output.length} bytes instead of ${size}`);
  }
  return owned(output);
}

/** The bytes in a plain array that is alone in its memory, so that it may be sent to another thread. */
function owned(output: Uint8Array): Uint8Array {
  const alone = output.byteLength === output.buffer.byteLength;
  return alone ? new Uint8Array(output.buffer) : new Uint8Array(output);
}

/**
 * Unpacks raw deflate data (zip's method 8) that must yield exactly `size` bytes. Bytes behind the end of the deflate
 * stream are ignored, as every zip reader does; a stream that ends beyond `packed` is an error.
 * @throws {InflateError} if the data are damaged, end too early or yield another number of bytes.
 */
export function inflateRaw(packed: Uint8Array, size: number): Uint8Array {
  return unpack(inflateRawSync, packed, size);
}

/**
 * Unpacks zlib data (deflate with header and Adler-32) that must yield exactly `size` bytes.
 * @throws {InflateError} as {@linkcode inflateRaw} does.
 */
export function inflateZlib(packed: Uint8Array, size: number): Uint8Array {
  return unpack(inflateSync, packed, size);
}
