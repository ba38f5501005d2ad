/**
 * Files that an engine takes from loose files only, although packs hold them too.
 * @module
 */
import { none } from "./columns.ts";
import { isDirectorySource, type Source } from "./source.ts";
import type { View } from "./view.ts";

/** Paths that are passed over in packs. */
export interface LooseOnly {
  /** A path, or the beginning of paths with a slash at its end; as it is asked for, so capitals count. */
  readonly path: string;
  /** Only where no mod is played. */
  readonly withoutMod: boolean;
}

function matches({ path }: LooseOnly, asked: string): boolean {
  return path.endsWith("/") ? asked.startsWith(path) : asked === path;
}

/** The rules that hold in a view. */
function rulesOf(view: View): readonly LooseOnly[] {
  return view.game.profile.looseOnly.filter((rule) => !rule.withoutMod || view.isBase);
}

/** Why a source cannot answer when `asked` is asked for, as a clause, or null. */
export function looseOnlyReason(view: View, source: Source, asked: string): string | null {
  if (isDirectorySource(source)) return null;
  const rule = rulesOf(view).find((known) => matches(known, asked));
  if (!rule) return null;
  const what = rule.path.endsWith("/") ? `files of ${rule.path}` : rule.path;
  return `${view.game.profile.engine} never takes ${what} from a pack${
    rule.withoutMod ? " while no mod is played" : ""
  }`;
}

/**
 * Entries of packs that the engine passes over. In another case it would find them, but a tree has one spelling for all,
 * and the usual one finds nothing.
 */
export function* looseOnlyEntries(view: View): Generator<number> {
  const { snapshot } = view;
  const { nodeParents, nodeFolds, candidateStarts, candidates } = snapshot.columns;
  for (const rule of rulesOf(view)) {
    const top = snapshot.findNode(rule.path, true);
    if (top === none) continue;
    const folds = new Set([top]);
    // A fold node is numbered after the one above it.
    for (let node = top + 1; rule.path.endsWith("/") && node < snapshot.nodeCount; node++) {
      if (nodeFolds[node] === node && folds.has(nodeFolds[nodeParents[node] ?? 0] ?? 0)) folds.add(node);
    }
    for (const fold of folds) {
      for (let place = candidateStarts[fold] ?? 0; place < (candidateStarts[fold + 1] ?? 0); place++) {
        const entry = candidates[place] ?? 0;
        if (!isDirectorySource(snapshot.sourceOf(entry))) yield entry;
      }
    }
  }
}
