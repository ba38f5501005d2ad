/**
 * Paths and contents for a written archive: checks that paths survive a round trip, and that contents, read whole or in
 * chunks, have the length in their entry.
 * @module
 */
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { maxWholeWrite } from "../core/limits.ts";
import { displayName } from "../core/names.ts";

const encoder = new TextEncoder();

/**
 * Checks the paths of `entries`.
 * @param archive Path of the archive, for messages.
 * @throws {UnwritableError} if a path occurs twice, or would be read back as another path.
 */
export function requireWritablePaths(entries: readonly WriteEntry[], archive: string): void {
  const seen = new Set<string>();
  for (const { path } of entries) {
    if (seen.has(path)) {
      throw new UnwritableError(`${path} is given twice; engines do not agree on which of the two counts`, {
        path: archive,
        member: path,
      });
    }
    seen.add(path);
    const bytes = encoder.encode(path);
    if (!path.isWellFormed() || displayName(bytes).path !== bytes) {
      throw new UnwritableError(
        `the name ${JSON.stringify(path)} cannot be kept in an archive; use "/" between directories, ` +
          `and no "..", "\\", control characters or drive letters`,
        { path: archive, member: path },
      );
    }
  }
}

/** File whose content is read in chunks. */
export interface LargeEntry extends WriteEntry {
  readonly size: number;
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** Returns whether the content of `entry` is too large for memory and can be read in chunks. */
export function isLarge(entry: WriteEntry): entry is LargeEntry {
  return entry.pieces !== undefined && entry.size !== undefined && entry.size > maxWholeWrite;
}

function changed(entry: WriteEntry, archive: string, expected: number, actual: number): UnwritableError {
  const now = actual > expected ? "longer" : `${actual}`;
  return new UnwritableError(
    `${entry.path} was ${expected} bytes long and is now ${now}; it changed while the archive was written`,
    { path: archive, member: entry.path, expected, actual },
  );
}

/**
 * Reads the content of `entry` as a whole.
 * @throws {UnwritableError} if its length differs from its entry.
 */
export async function wholeContent(entry: WriteEntry, { path }: WriteOptions): Promise<Uint8Array> {
  const content = await entry.content();
  if (entry.size === undefined || entry.size === content.length) return content;
  throw changed(entry, path, entry.size, content.length);
}

/**
 * Reads the content of `entry` in chunks.
 * @throws {UnwritableError} at its end, or at the first surplus byte, if its length differs from its entry.
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
