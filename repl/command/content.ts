/**
 * A file's bytes through the protocol, piece by piece.
 * @module
 */
import { contentOf, type ContentRange } from "../../protocol/mod.ts";
import { ask, type Context, inView } from "./command.ts";

/**
 * Yields the bytes of a file of the current view; the next piece is requested when the last has been consumed.
 * @throws {RpcError} if the file is missing, unreadable, or changes while it is read.
 */
export function content(
  context: Context,
  qpath: string,
  range: ContentRange = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return contentOf({ call: (method, params) => ask(context, method, params) }, { ...inView(context), qpath }, range);
}
