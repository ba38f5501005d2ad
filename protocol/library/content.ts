/**
 * A file's bytes through the protocol, in chunks.
 * @module
 */
import type { Caller } from "../connection.ts";
import { maxRead } from "../limits.ts";
import { errorCodes, RpcError } from "../messages.ts";
import type { CallOptions, ContentRange } from "./options.ts";

/** Options of {@linkcode contentOf}. */
export interface ContentOptions extends CallOptions, ContentRange {
  /** Bytes of a file; of a larger one nothing is yielded. */
  readonly maxSize?: number;
}

/**
 * Yields the bytes of a file, at most {@linkcode maxRead} at a time; the next chunk is requested when the last has been
 * consumed.
 * @throws {RpcError} if the file is missing, unreadable, too large, or changes while it is read.
 */
export async function* contentOf(
  caller: Caller,
  file: { readonly view?: string; readonly qpath: string; readonly candidate?: number },
  { offset: first = 0, length: wanted = Infinity, maxSize = Infinity, ...options }: ContentOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let offset = first;
  let left = wanted;
  let known: { version?: string } = {};
  let knownSize: number | undefined;
  while (left > 0) {
    const params = { ...file, offset, length: Math.min(left, maxRead), ...known };
    // deno-lint-ignore no-await-in-loop -- one piece at a time is in memory
    const { data, size, end, version } = await caller.call("read", params, options);
    if (knownSize !== undefined && size !== knownSize) {
      throw unreadable(`${file.qpath} changed from ${knownSize} to ${size} bytes while it was read`);
    }
    if (size > maxSize) throw unreadable(`${file.qpath}: its ${size} bytes are over the ${maxSize} that are converted`);
    known = { version };
    knownSize = size;
    const bytes = Uint8Array.fromBase64(data);
    if (bytes.length > 0) yield bytes;
    if (end) return;
    if (bytes.length === 0) throw unreadable(`${file.qpath}: the daemon gave no bytes at ${offset} of ${size}`);
    offset += bytes.length;
    left -= bytes.length;
  }
}

function unreadable(message: string): RpcError {
  return new RpcError({ code: errorCodes.unreadable, message });
}
