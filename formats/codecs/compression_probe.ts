/**
 * Finding out how data are packed where the archive does not say: by the marks with which compressed data begin, and by
 * decompressing their first bytes. What was found is verified when the data are read: they must give exactly the declared
 * size.
 * @module
 */
import { constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { contentTypeBytes } from "../core/content_type.ts";
import type { Method } from "../core/entry_table.ts";

/** How many first compressed bytes {@linkcode probeCompression} wants to see. */
export const probedBytes = 512;
/** No library makes more out of {@linkcode probedBytes}, so a larger result is no sign of damage. */
const maxProbeOutput = 16 * 1024 * 1024;

/** How data are packed. */
export interface Compression {
  /** `unsupported` where nothing fits. */
  readonly method: Method;
  /** Bytes in front of the compressed data that are not part of them. */
  readonly skip: number;
  /** The first decompressed bytes, as far as they are known. */
  readonly head: Uint8Array;
}

/** Whether bytes can begin zlib data: deflate without a dictionary, and divisible by 31 (RFC 1950 section 2.2). */
export function isZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0 && (second & 0x20) === 0;
}

function startsWith(bytes: Uint8Array, ...mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

type PrefixDecompressor = (
  compressed: Uint8Array,
  options: { finishFlush: number; maxOutputLength: number },
) => Uint8Array;

/** The first bytes that come of the beginning of compressed data, or `undefined` if they cannot be the beginning. */
function unpackedHead(decompressor: PrefixDecompressor, compressed: Uint8Array, flush: number): Uint8Array | undefined {
  try {
    const output = decompressor(compressed, { finishFlush: flush, maxOutputLength: maxProbeOutput });
    return output.slice(0, contentTypeBytes);
  } catch {
    return undefined;
  }
}

function inflatedHead(decompressor: PrefixDecompressor, compressed: Uint8Array): Uint8Array | undefined {
  return unpackedHead(decompressor, compressed, constants.Z_SYNC_FLUSH);
}

/**
 * How the data that begin with `start` are packed: zlib, gzip, Zstandard, an LZ4 frame, zlib data behind their own size
 * in 32 bits, or bare deflate.
 * @param start The first {@linkcode probedBytes} compressed bytes, or all if there are fewer.
 * @param size Decompressed size in bytes.
 * @param tries Whether the beginning is decompressed; without, the marks alone decide, and there is no head.
 */
export function probeCompression(start: Uint8Array, size: number, tries = true): Compression {
  const none = new Uint8Array(0);
  const found = (method: Method, head: Uint8Array = none, skip = 0): Compression => ({ method, skip, head });
  if (startsWith(start, 0x28, 0xb5, 0x2f, 0xfd)) {
    return found("zstd", tries ? unpackedHead(zstdDecompressSync, start, constants.ZSTD_e_flush) : none);
  }
  if (startsWith(start, 0x04, 0x22, 0x4d, 0x18)) return found("lz4");
  if (startsWith(start, 0x1f, 0x8b, 8)) return found("gzip", tries ? inflatedHead(gunzipSync, start) : none);
  if (isZlibHeader(start)) {
    const head = tries ? inflatedHead(inflateSync, start) : none;
    if (head) return found("zlib", head);
  }
  if (startsWith(start, size & 0xff, (size >>> 8) & 0xff, (size >>> 16) & 0xff, size >>> 24)) {
    const rest = start.subarray(4);
    const head = isZlibHeader(rest) ? (tries ? inflatedHead(inflateSync, rest) : none) : undefined;
    if (head) return found("zlib", head, 4);
  }
  const head = tries ? inflatedHead(inflateRawSync, start) : none;
  return head ? found("deflate", head) : found("unsupported");
}
