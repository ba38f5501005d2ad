/**
 * Compares files by the index or, if that cannot decide, by reading them.
 * @module
 */
import { at, type ContentReader, type Snapshot } from "../../index/mod.ts";
import { ArchiveError, crypto } from "../../formats/parts.ts";
import { type Comparison, sameByListing } from "../../questions/mod.ts";
import { takeTurn } from "./method.ts";
import { maxRead } from "../../protocol/mod.ts";

/** Bytes read and hashed between two turns of other work; opening a file counts as `bytesOfOpening`. */
const bytesPerTurn = 8 * 1024 * 1024;
const bytesOfOpening = 64 * 1024;

/** Compares by the index alone. */
export function listingComparison(snapshot: Snapshot): Comparison {
  return (a, b) => sameByListing(snapshot, a, b);
}

/**
 * Compares by the index, and reads the files that it cannot decide, each once. Unreadable ones stay unknown.
 */
export function contentComparison(
  snapshot: Snapshot,
  content: ContentReader,
  signal: AbortSignal | undefined,
): Comparison {
  const digests = new Map<number, string | null>();
  let work = 0;
  /** Counts bytes; now and then lets other work run. */
  const onRead = async (bytes: number) => {
    work += bytes + bytesOfOpening;
    if (work < bytesPerTurn) return;
    work = 0;
    await takeTurn(signal);
  };
  const digestOf = async (entry: number): Promise<string | null> => {
    const known = digests.get(entry);
    if (known !== undefined) return known;
    const digest = await contentDigest(snapshot, content, entry, signal, onRead);
    digests.set(entry, digest);
    return digest;
  };
  return (a, b) => {
    const known = sameByListing(snapshot, a, b);
    if (known !== null) return known;
    return digestOf(a).then(async (left) => {
      const right = left === null ? null : await digestOf(b);
      return left === null || right === null ? null : left === right;
    });
  };
}

/** Returns the SHA-256 of an entry's bytes, or null if it cannot be read. */
async function contentDigest(
  snapshot: Snapshot,
  content: ContentReader,
  entry: number,
  signal: AbortSignal | undefined,
  onRead: (bytes: number) => Promise<void>,
): Promise<string | null> {
  const hash = crypto().createHash("sha256");
  const size = at(snapshot.columns.entrySizes, entry);
  try {
    for (let offset = 0; offset < size; offset += maxRead) {
      signal?.throwIfAborted();
      // deno-lint-ignore no-await-in-loop -- one piece after the other, so that memory stays bounded
      const bytes = await content.read(entry, offset, maxRead, signal);
      hash.update(bytes);
      // deno-lint-ignore no-await-in-loop -- as above
      await onRead(bytes.length);
    }
  } catch (error) {
    if (error instanceof ArchiveError) return null;
    throw error;
  }
  return hash.digest("hex");
}
