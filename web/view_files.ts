/**
 * Reads files of views over a connection: those that conversions need, whole.
 * @module
 */
import { MediaError } from "../media/mod.ts";
import { type Caller, maxRead } from "../protocol/mod.ts";

/** Maximum bytes of a file that is shown or converted. */
export const maxFile = 256 * 1024 * 1024;

/** A file of a view, or one that loses against it. */
export interface FileAddress {
  /** `game/gamedirectory`. */
  readonly view: string;
  readonly qpath: string;
  /** Number of the candidate, as in `which`; 1 is the winner. */
  readonly candidate: number;
}

/**
 * Reads a whole file.
 * @throws {RpcError} if it is missing, unreadable, or changes while it is read.
 * @throws {MediaError} if it is too large.
 */
export async function readFile(
  caller: Caller,
  { view, qpath, candidate }: FileAddress,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const params = { view, qpath, ...candidate > 1 ? { candidate } : {} };
  const options = signal ? { signal } : {};
  const first = await caller.call("read", params, options);
  if (first.size > maxFile) throw new MediaError(`it has ${first.size} bytes; up to ${maxFile} are shown`);
  const start = Uint8Array.fromBase64(first.data);
  if (first.end) return start;
  const bytes = new Uint8Array(first.size);
  bytes.set(start);
  let offset = start.length;
  while (offset < bytes.length) {
    const part = { ...params, offset, length: maxRead, version: first.version };
    // deno-lint-ignore no-await-in-loop -- one part at a time is in memory twice
    const { data } = await caller.call("read", part, options);
    const piece = Uint8Array.fromBase64(data);
    if (piece.length === 0 || offset + piece.length > bytes.length) {
      throw new MediaError("it changed while it was read");
    }
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
