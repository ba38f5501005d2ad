/**
 * A file's bytes through the protocol, piece by piece.
 * @module
 */
import { maxRead } from "../../protocol/limits.ts";
import type { ParamsOf } from "../../protocol/methods.ts";
import { ask, type Context, inView } from "./command.ts";
import { CommandError } from "../output/failure.ts";

/** Which part of a file; all of it by default. Bytes. */
export interface ContentRange {
  readonly offset?: number;
  readonly length?: number;
}

/**
 * The bytes of a file of the current view, at most {@linkcode maxRead} at a time; the next piece is asked for when
 * the last has been used.
 * @throws {RpcError} if the file is missing, unreadable, or changes while it is read.
 * @throws {CommandError} if a daemon gives parts that do not belong together.
 */
export async function* content(
  context: Context,
  qpath: string,
  range: ContentRange = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let offset = range.offset ?? 0;
  let left = range.length ?? Number.POSITIVE_INFINITY;
  let known: { version?: string } = {};
  let knownSize: number | undefined;
  while (left > 0) {
    const length = Math.min(left, maxRead);
    const params: ParamsOf<"read"> = { ...inView(context), qpath, offset, length, ...known };
    // deno-lint-ignore no-await-in-loop -- one piece at a time is in memory
    const { data, size, end, version } = await ask(context, "read", params);
    if (knownSize !== undefined && size !== knownSize) {
      throw new CommandError(`${qpath} changed from ${knownSize} to ${size} bytes while it was read`);
    }
    known = { version };
    knownSize = size;
    const bytes = Uint8Array.fromBase64(data);
    if (bytes.length > 0) yield bytes;
    if (end) return;
    if (bytes.length === 0) throw new CommandError(`${qpath}: the daemon gave no bytes at ${offset} of ${size}`);
    offset += bytes.length;
    left -= bytes.length;
  }
}
