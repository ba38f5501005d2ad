/**
 * Whether a file is still the one that was indexed.
 * @module
 */
import type { Snapshot } from "./snapshot.ts";
import { type Identity, isDirectorySource } from "./source.ts";

/** Times are kept with a fraction by some layers and without by others; milliseconds. */
const timeTolerance = 1;

/**
 * Whether the file that holds an entry's bytes is still what it was when it was indexed. An archive must also be the same
 * file: tools that build packs reproducibly may give another one the same size and time.
 */
export function isUnchanged(
  snapshot: Snapshot,
  entry: number,
  now: Pick<Identity, "inode" | "size" | "mtime">,
): boolean {
  const source = snapshot.sourceOf(entry);
  const isLoose = isDirectorySource(source);
  const { entrySizes, entryTimes } = snapshot.columns;
  const size = isLoose ? entrySizes[entry] ?? 0 : source.identity.size;
  const time = isLoose ? entryTimes[entry] ?? 0 : source.identity.mtime;
  const isSameFile = isLoose || now.inode === source.identity.inode;
  return isSameFile && now.size === size && Math.abs(now.mtime - time) <= timeTolerance;
}
