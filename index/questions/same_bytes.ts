/**
 * Whether two files have the same content.
 * @module
 */
import type { Snapshot } from "../columns/snapshot.ts";

/** Tells whether two entries have the same bytes; null where that is not known. */
export type Comparison = (a: number, b: number) => boolean | null | Promise<boolean | null>;

/**
 * What the index alone knows: files of different sizes differ, empty files are the same, and where both have a CRC-32
 * that and the size decide. Null where it would take reading them.
 */
export function sameByListing(snapshot: Snapshot, a: number, b: number): boolean | null {
  const { entrySizes } = snapshot.columns;
  if (hasSameContent(snapshot, a, b)) return true;
  if (entrySizes[a] !== entrySizes[b]) return false;
  if (entrySizes[a] === 0) return true;
  const left = snapshot.crcOf(a);
  const right = snapshot.crcOf(b);
  return left === null || right === null ? null : left === right;
}

/** Whether two entries are one file on disk: the same, or indexed once for each of two games. */
export function hasSameContent(snapshot: Snapshot, a: number, b: number): boolean {
  if (a === b) return true;
  const { entryNodes, entryOffsets, entrySizes, entrySources } = snapshot.columns;
  return entrySources[a] !== entrySources[b] && entryNodes[a] === entryNodes[b] &&
    entryOffsets[a] === entryOffsets[b] && entrySizes[a] === entrySizes[b] &&
    snapshot.sourceOf(a).path === snapshot.sourceOf(b).path;
}

/** One answer for several comparisons: all the same, at least one different, or not known. */
export function allSame(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
}
