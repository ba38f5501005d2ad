/**
 * Deflate, raw, as zlib data and as gzip, with zlib: the output never differs from the declared size.
 * @module
 */
import type { Transform } from "node:stream";
import { stream, zlib } from "../core/builtins.ts";
import {
  type Codec,
  DecompressError,
  type DecompressOptions,
  endsTooEarly,
  requireSize,
  tooMuchOutput,
} from "./codec.ts";
import { ArchiveError, messageOf } from "../core/errors.ts";
import { maxDeflateRatio } from "../core/limits.ts";

/** Minimum output buffer that zlib accepts. */
const minChunk = 64;
/** Output buffer for several chunks; a larger one gains nothing, and zlib's default of 16 KiB would halve the speed. */
const defaultChunk = 256 * 1024;

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Returns whether there was too little memory, which says nothing about the data. */
function isOutOfMemory(error: unknown): boolean {
  if (hasCode(error, "Z_MEM_ERROR") || hasCode(error, "ZSTD_error_memory_allocation")) return true;
  return error instanceof RangeError && !("code" in error);
}

/** Describes an error of zlib, as the end of a message whose subject is the member. */
function inflateProblem(error: unknown, size: number): string {
  if (hasCode(error, "ERR_BUFFER_TOO_LARGE")) return tooMuchOutput(size);
  if (hasCode(error, "Z_BUF_ERROR")) return endsTooEarly;
  return `is damaged: its compressed data makes no sense (${messageOf(error)})`;
}

/** Returns the bytes in an array with its own buffer, so that it can be transferred to another thread. */
function owned(output: Uint8Array): Uint8Array {
  const alone = output.byteLength === output.buffer.byteLength;
  return alone ? new Uint8Array(output.buffer) : new Uint8Array(output);
}

/** Decompresses all at once, with the signature of node's `inflateSync`. */
export type Inflater = (compressed: Uint8Array, options: { chunkSize: number; maxOutputLength: number }) => Uint8Array;
/** Makes a decompressing stream, with the signature of node's `createInflate`. */
export type InflaterMaker = (
  options: { chunkSize: number },
) => Transform;

/**
 * Decompresses all at once, and no more than `size` bytes.
 * @throws {DecompressError} if the data are damaged, end too early or yield another number of bytes.
 */
export function inflateWhole(inflater: Inflater, compressed: Uint8Array, size: number): Uint8Array {
  const options = {
    chunkSize: Math.min(Math.max(size, minChunk), defaultChunk),
    // Zero would mean unlimited to zlib; a surplus byte is detected below.
    maxOutputLength: Math.max(size, 1),
  };
  let output: Uint8Array;
  try {
    output = inflater(compressed, options);
  } catch (error) {
    if (isOutOfMemory(error)) throw error;
    throw new DecompressError(inflateProblem(error, size), { cause: error });
  }
  return owned(requireSize(output, size));
}

/**
 * Decompresses in chunks; the caller counts.
 * @throws {DecompressError} if the data are damaged or end too early.
 */
export async function* inflatePieces(
  makeInflater: InflaterMaker,
  compressed: Iterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  const inflater = makeInflater({ chunkSize: defaultChunk });
  const input = stream().Readable.from(compressed);
  // The callback is required; the loop below throws the error.
  stream().pipeline(input, inflater, () => {});
  try {
    for await (const piece of inflater) yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof DecompressError || isOutOfMemory(error)) throw error;
    throw new DecompressError(inflateProblem(error, size), { cause: error });
  } finally {
    input.destroy();
    inflater.destroy();
  }
}

/** Accepts the end of the input as the end of the data, so that no final block is needed. */
function openEnded(): { finishFlush: number } {
  return { finishFlush: zlib().constants.Z_SYNC_FLUSH };
}

function createOpenEndedInflateRaw(options: { chunkSize: number }): Transform {
  return zlib().createInflateRaw({ ...options, ...openEnded() });
}

function inflateRawWhole(
  compressed: Uint8Array,
  size: number,
  { isChecked = false }: DecompressOptions = {},
): Uint8Array {
  try {
    return inflateWhole(zlib().inflateRawSync, compressed, size);
  } catch (error) {
    if (!isChecked || !(error instanceof DecompressError) || error.message !== endsTooEarly) throw error;
    try {
      return inflateWhole(
        (bytes, options) => zlib().inflateRawSync(bytes, { ...options, ...openEnded() }),
        compressed,
        size,
      );
    } catch {
      throw error; // the first error describes the damage better
    }
  }
}

/**
 * Raw deflate data (zip's method 8). Bytes after the end of the deflate stream are ignored, as in every zip reader; a
 * stream that ends beyond the compressed bytes is an error.
 */
export const deflateCodec: Codec = {
  maxRatio: maxDeflateRatio,
  decompress: inflateRawWhole,
  decompressPieces: (compressed, size, { isChecked = false } = {}) =>
    inflatePieces(isChecked ? createOpenEndedInflateRaw : zlib().createInflateRaw, compressed, size),
};

/** Zlib data: deflate with header and Adler-32 (RFC 1950). Trailing bytes are ignored. */
export const zlibCodec: Codec = {
  maxRatio: maxDeflateRatio,
  decompress: (compressed, size) => inflateWhole(zlib().inflateSync, compressed, size),
  decompressPieces: (compressed, size) => inflatePieces(zlib().createInflate, compressed, size),
};

/** Gzip data (RFC 1952), with their CRC-32. */
export const gzipCodec: Codec = {
  maxRatio: maxDeflateRatio,
  decompress: (compressed, size) => inflateWhole(zlib().gunzipSync, compressed, size),
  decompressPieces: (compressed, size) => inflatePieces(zlib().createGunzip, compressed, size),
};
