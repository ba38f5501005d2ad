/**
 * File counts of sources: all files, and those that win in a view.
 * @module
 */
import { at, none, type Snapshot, type Source } from "../index/mod.ts";
import type { Tree, View } from "../views/mod.ts";

/** Counts the files of a source, without the directories that archives list and without hidden entries. */
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

const known = new WeakMap<Tree, Uint32Array>();

/** Returns the number of winning files per source. One pass over the tree, cached. */
export function winsOf({ tree }: View): Uint32Array {
  return known.getOrInsertComputed(tree, countWins);
}

function countWins(tree: Tree): Uint32Array {
  const { snapshot } = tree;
  const { entrySources } = snapshot.columns;
  const wins = new Uint32Array(snapshot.sources.length);
  const count = (entry: number) => {
    const source = at(entrySources, entry);
    wins[source] = at(wins, source) + 1;
  };
  // After the listed nodes there are variants, and free space for more.
  for (const entry of tree.entries.subarray(0, tree.length)) if (entry !== none) count(entry);
  for (const node of tree.unlisted) count(tree.entryOf(node));
  return wins;
}
