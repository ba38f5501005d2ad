/**
 * A file's bytes through the protocol, in chunks.
 * @module
 */
import { contentOf, type ContentRange } from "../../protocol/mod.ts";
import { ask, type Context, inView } from "./command.ts";

/**
 * Yields the bytes of a file of the current view; the next chunk is requested when the last has been consumed.
 * @throws {RpcError} if the file is missing, unreadable, or changes while it is read.
 */
export function content(
  context: Context,
  qpath: string,
  { candidate, ...range }: ContentRange & { readonly candidate?: number } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = { ...inView(context), qpath, ...candidate === undefined ? {} : { candidate } };
  return contentOf({ call: (method, params) => ask(context, method, params) }, file, range);
}
