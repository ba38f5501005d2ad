/**
 * Number of files of a source.
 * @module
 */
import type { Snapshot } from "../columns/snapshot.ts";
import type { Source } from "../columns/source.ts";

/** Counts the files of a source, without the directories that archives list and without entries that are hidden. */
export function fileCount(
  snapshot: Snapshot,
  source: Source,
  isHidden: (entry: number) => boolean = () => false,
): number {
  let files = 0;
  for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
    if (!snapshot.isDirectory(entry) && !isHidden(entry)) files++;
  }
  return files;
}
