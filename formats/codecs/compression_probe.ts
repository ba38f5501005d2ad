/**
 * Detects the compression of data if the archive does not state it: by magic numbers, and by decompressing the first
 * bytes. Reading the data verifies the result: they must have exactly the declared size.
 * @module
 */
import { zlib } from "../core/builtins.ts";
import { contentTypeBytes } from "../core/content_type.ts";
import type { Method } from "../core/entry_table.ts";

/** Number of first compressed bytes that {@linkcode probeCompression} needs. */
export const probedBytes = 512;
/** Maximum output of a probe, more than any library produces from {@linkcode probedBytes}. */
const maxProbeOutput = 16 * 1024 * 1024;

/** Limits of the work that listing an archive may spend on the contents of its members. */
export class ProbeBudget {
  #members = 65_536;
  #bytes: number;

  /** @param bytes Decompressed bytes. */
  constructor(bytes: number = 1024 * 1024 * 1024) {
    this.#bytes = bytes;
  }

  /** Returns whether the data of another member may be read and decompressed; its type stays unknown otherwise. */
  takeMember(): boolean {
    return this.#members-- > 0 && this.#bytes > 0;
  }

  /** Subtracts decompressed bytes. */
  takeBytes(count: number): void {
    this.#bytes -= count;
  }
}

/** Compression of data. */
export interface Compression {
  /** Method; `unsupported` if unknown. */
  readonly method: Method;
  /** Number of bytes before the compressed data. */
  readonly skip: number;
  /** First decompressed bytes, as far as known. */
  readonly head: Uint8Array;
}

/** Returns whether bytes can begin zlib data: deflate without a dictionary, and divisible by 31 (RFC 1950 section 2.2). */
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

/** Decompresses the beginning of data; `undefined` if the data have another compression. */
function decompressedHead(
  decompressor: PrefixDecompressor,
  compressed: Uint8Array,
  flush: number,
  budget: ProbeBudget,
): Uint8Array | undefined {
  try {
    const output = decompressor(compressed, { finishFlush: flush, maxOutputLength: maxProbeOutput });
    budget.takeBytes(output.length);
    return output.slice(0, contentTypeBytes);
  } catch {
    return undefined;
  }
}

function inflatedHead(
  decompressor: PrefixDecompressor,
  compressed: Uint8Array,
  budget: ProbeBudget,
): Uint8Array | undefined {
  const head = decompressedHead(decompressor, compressed, zlib().constants.Z_SYNC_FLUSH, budget);
  const start = compressed.subarray(0, probedBytes / 8);
  // Data of another compression fail early; damaged data may have produced a thousand times as many bytes before.
  if (!head && start.length < compressed.length && inflatedHead(decompressor, start, budget)) {
    budget.takeBytes(compressed.length * 1024);
  }
  return head;
}

function zstdHead(compressed: Uint8Array, budget: ProbeBudget): Uint8Array | undefined {
  const head = decompressedHead(zlib().zstdDecompressSync, compressed, zlib().constants.ZSTD_e_flush, budget);
  // Damaged data may have produced thousands of times as many bytes before the damage.
  if (!head) budget.takeBytes(maxProbeOutput);
  return head;
}

/**
 * Detects the compression of data that begin with `start`: zlib, gzip, Zstandard, an LZ4 frame, zlib data after a
 * 32-bit size, or raw deflate.
 * @param start The first {@linkcode probedBytes} compressed bytes, or all if there are fewer.
 * @param size Decompressed size in bytes.
 * @param budget Budget for decompressing the beginning; without it only magic numbers are checked, and the head is empty.
 */
export function probeCompression(start: Uint8Array, size: number, budget?: ProbeBudget): Compression {
  const none = new Uint8Array(0);
  const found = (method: Method, head: Uint8Array = none, skip = 0): Compression => ({ method, skip, head });
  if (startsWith(start, 0x28, 0xb5, 0x2f, 0xfd)) return found("zstd", budget && zstdHead(start, budget));
  if (startsWith(start, 0x04, 0x22, 0x4d, 0x18)) return found("lz4");
  if (startsWith(start, 0x1f, 0x8b, 8)) return found("gzip", budget && inflatedHead(zlib().gunzipSync, start, budget));
  if (isZlibHeader(start)) {
    const head = budget ? inflatedHead(zlib().inflateSync, start, budget) : none;
    if (head) return found("zlib", head);
  }
  if (startsWith(start, size & 0xff, (size >>> 8) & 0xff, (size >>> 16) & 0xff, size >>> 24)) {
    const rest = start.subarray(4);
    const head = isZlibHeader(rest) ? (budget ? inflatedHead(zlib().inflateSync, rest, budget) : none) : undefined;
    if (head) return found("zlib", head, 4);
  }
  const head = budget ? inflatedHead(zlib().inflateRawSync, start, budget) : none;
  return head ? found("deflate", head) : found("unsupported");
}
