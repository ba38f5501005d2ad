/**
 * Contents on their way into an archive: read whole or in pieces, and always as long as they were said to be.
 * @module
 */
import { constants, createDeflate, createDeflateRaw } from "node:zlib";
import { pipeline, Readable } from "node:stream";
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { maxWholeWrite } from "../core/limits.ts";

/** A file whose content is read in pieces. */
export interface LargeEntry extends WriteEntry {
  readonly size: number;
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** Whether the content of `entry` should not be in memory as a whole, and need not be. */
export function isLarge(entry: WriteEntry): entry is LargeEntry {
  return entry.pieces !== undefined && entry.size !== undefined && entry.size > maxWholeWrite;
}

function changed(entry: WriteEntry, archive: string, expected: number, actual: number): UnwritableError {
  const now = actual > expected ? `more than that` : String(actual);
  return new UnwritableError(
    `${entry.path} was ${expected} bytes long and is now ${now}; it changed while the archive was written`,
    { path: archive, member: entry.path, expected, actual },
  );
}

/**
 * The content of `entry` as a whole.
 * @throws {UnwritableError} if it is not as long as its entry says.
 */
export async function wholeContent(entry: WriteEntry, { path }: WriteOptions): Promise<Uint8Array> {
  const content = await entry.content();
  if (entry.size === undefined || entry.size === content.length) return content;
  throw changed(entry, path, entry.size, content.length);
}

/**
 * The content of `entry` in pieces.
 * @throws {UnwritableError} at its end, or at the first byte too many, if it is not as long as its entry says.
 */
export async function* contentPieces(
  entry: LargeEntry,
  { path, signal }: WriteOptions,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of entry.pieces()) {
    signal?.throwIfAborted();
    done += piece.length;
    if (done > entry.size) throw changed(entry, path, entry.size, done);
    yield piece;
  }
  if (done < entry.size) throw changed(entry, path, entry.size, done);
}

/** Compressed bytes handed on at a time. */
const deflatedPiece = 256 * 1024;

/** Deflates a content that comes in pieces, bare or as zlib data. */
export async function* deflatedPieces(
  pieces: AsyncIterable<Uint8Array>,
  { wrapper, level = constants.Z_DEFAULT_COMPRESSION }: { wrapper: "none" | "zlib"; level?: number },
): AsyncGenerator<Uint8Array> {
  const deflater = (wrapper === "none" ? createDeflateRaw : createDeflate)({ level, chunkSize: deflatedPiece });
  const input = Readable.from(pieces);
  // The callback is required; the error itself comes out of the loop below.
  pipeline(input, deflater, () => {});
  try {
    for await (const piece of deflater) yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  } finally {
    input.destroy();
    deflater.destroy();
  }
}
