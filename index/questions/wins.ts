/**
 * Number of files of each source that win in a view.
 * @module
 */
import { at, none } from "../columns/columns.ts";
import type { Tree } from "../views/tree.ts";
import type { View } from "../views/view.ts";

const known = new WeakMap<Tree, Uint32Array>();

/** Returns the number of files that win, by number of source. One pass over the tree, once. */
export function winsOf({ tree, snapshot }: View): Uint32Array {
  const counted = known.get(tree);
  if (counted) return counted;
  const { entrySources } = snapshot.columns;
  const wins = new Uint32Array(snapshot.sources.length);
  for (const entry of tree.entries) {
    if (entry === none) continue;
    const source = at(entrySources, entry);
    wins[source] = at(wins, source) + 1;
  }
  known.set(tree, wins);
  return wins;
}
