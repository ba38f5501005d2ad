/**
 * Whether a file is still the one that was indexed.
 * @module
 */
import type { Snapshot } from "./snapshot.ts";
import { type Identity, isDirectorySource } from "./source.ts";

/** Times are kept with a fraction by some layers and without by others; milliseconds. */
const timeTolerance = 1;

/** What is said of a file that is no longer the one that was indexed. */
export const changedSinceIndexed = 'changed or deleted since it was indexed; run "pakfs refresh"';

/** Whether a file is still the one that `identity` is of. */
export function isIndexedFile(identity: Identity, now: Pick<Identity, "inode" | "size" | "mtime">): boolean {
  return now.inode === identity.inode && now.size === identity.size &&
    Math.abs(now.mtime - identity.mtime) <= timeTolerance;
}

/** Whether a directory is still the one that `identity` is of, whatever was changed in it. */
export function isIndexedDirectory(identity: Identity, now: Pick<Identity, "inode">): boolean {
  return now.inode === identity.inode;
}

/**
 * Whether the file that holds an entry's bytes is still what it was when it was indexed. An archive must also be the same
 * file: tools that build packs reproducibly may give another one the same size and time.
 */
export function isUnchangedEntry(
  snapshot: Snapshot,
  entry: number,
  now: Pick<Identity, "inode" | "size" | "mtime">,
): boolean {
  const source = snapshot.sourceOf(entry);
  if (!isDirectorySource(source)) return isIndexedFile(source.identity, now);
  const { entrySizes, entryTimes } = snapshot.columns;
  return now.size === entrySizes[entry] && Math.abs(now.mtime - (entryTimes[entry] ?? 0)) <= timeTolerance;
}
