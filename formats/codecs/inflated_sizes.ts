/**
 * How much zlib data take and give: for tables that do not say it, or not plainly.
 * @module
 */
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";

/** Sizes in bytes of zlib data. */
export interface InflatedSizes {
  /** Compressed bytes that belong to them. */
  readonly consumed: number;
  /** Bytes that they decompress to. */
  readonly produced: number;
}

function isInfo(result: unknown): result is { buffer: Uint8Array; engine: { bytesWritten: number } } {
  return typeof result === "object" && result !== null && "engine" in result && "buffer" in result;
}

/**
 * How many bytes the zlib data at the start of `bytes` take and give, or `undefined` if there are none or they give more
 * than `largest`.
 */
export function inflatedSizes(bytes: Uint8Array, largest: number): InflatedSizes | undefined {
  try {
    // `info` asks for the engine too, whose `bytesWritten` is how much of the input it has used.
    const result: unknown = inflateSync(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      maxOutputLength: Math.max(largest, 1),
      info: true,
    });
    if (!isInfo(result) || result.buffer.length > largest) return undefined;
    return { consumed: result.engine.bytesWritten, produced: result.buffer.length };
  } catch {
    return undefined;
  }
}
