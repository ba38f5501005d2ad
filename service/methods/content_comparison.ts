/**
 * Compares files by the index or, if it cannot decide, by their hashes.
 * @module
 */
import { equalBytes, type IndexHashes, type Snapshot } from "../../index/mod.ts";
import { type Comparison, sameByListing } from "../../questions/mod.ts";

/** Compares by the index alone. */
export function listingComparison(snapshot: Snapshot): Comparison {
  return (a, b) => sameByListing(snapshot, a, b);
}

/** Compares by the index, and hashes the undecided files. Unreadable ones remain undecided. */
export function contentComparison(hashes: IndexHashes, signal: AbortSignal | undefined): Comparison {
  return (a, b) => sameByListing(hashes.snapshot, a, b) ?? sameByHash(hashes, a, b, signal);
}

async function sameByHash(
  hashes: IndexHashes,
  a: number,
  b: number,
  signal: AbortSignal | undefined,
): Promise<boolean | null> {
  hashes.request([a, b], signal);
  await Promise.all([hashes.settled(a, signal), hashes.settled(b, signal)]);
  if (!hashes.isKnown(a) || !hashes.isKnown(b)) return null;
  const [left, right] = [hashes.sha256Of(a), hashes.sha256Of(b)];
  return equalBytes(left, 0, left.length, right, 0, right.length);
}
