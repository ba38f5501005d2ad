/**
 * Compares the contents of two files by the index.
 * @module
 */
import type { Snapshot } from "../index/mod.ts";

/** Returns whether two entries have the same bytes; null if unknown. */
export type Comparison = (a: number, b: number) => boolean | null | Promise<boolean | null>;

/**
 * Compares two entries by the index alone: files of different sizes differ, empty files are equal, and if both have a
 * CRC-32, it decides. Null if they would have to be read.
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

/** Returns whether two entries are the same file on disk, perhaps indexed for two games. */
export function hasSameContent(snapshot: Snapshot, a: number, b: number): boolean {
  if (a === b) return true;
  const { entryNodes, entryOffsets, entrySizes, entrySources } = snapshot.columns;
  return entrySources[a] !== entrySources[b] && entryNodes[a] === entryNodes[b] &&
    entryOffsets[a] === entryOffsets[b] && entrySizes[a] === entrySizes[b] &&
    snapshot.sourceOf(a).path === snapshot.sourceOf(b).path;
}

/** Combines comparisons: true if all are equal, false if one differs, else null. */
export function allSame(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
}
