/**
 * Measures zlib data, for tables that do not state both sizes clearly.
 * @module
 */
import { buffer, zlib } from "../core/builtins.ts";

/** Sizes in bytes of zlib data. */
export interface InflatedSizes {
  /** Number of their compressed bytes. */
  readonly consumed: number;
  /** Decompressed bytes. */
  readonly produced: number;
}

function isInfo(result: unknown): result is { buffer: Uint8Array; engine: { bytesWritten: number } } {
  return typeof result === "object" && result !== null && "engine" in result && "buffer" in result;
}

/**
 * Measures the zlib data at the start of `bytes`; `undefined` if they are not zlib data or decompress to more than
 * `maxSize`.
 */
export function inflatedSizes(bytes: Uint8Array, maxSize: number): InflatedSizes | undefined {
  try {
    // With `info` the result contains the engine, whose `bytesWritten` is the number of input bytes used.
    const result: unknown = zlib().inflateSync(buffer().Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      maxOutputLength: Math.max(maxSize, 1),
      info: true,
    });
    if (!isInfo(result) || result.buffer.length > maxSize) return undefined;
    return { consumed: result.engine.bytesWritten, produced: result.buffer.length };
  } catch {
    return undefined;
  }
}
