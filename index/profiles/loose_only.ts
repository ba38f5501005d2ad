/**
 * Files that an engine takes from loose files only, or from the base game directory only, although others hold them too.
 * @module
 */
import { isDirectorySource, type Source } from "../columns/source.ts";
import type { View } from "../views/view.ts";

/** Paths that are passed over in packs. */
export interface LooseOnly {
  /** A path, or the beginning of paths with a slash at its end; as it is asked for, so capitals count. */
  readonly path: string;
  /** Only where no mod is played. */
  readonly withoutMod: boolean;
}

/** Whether packs are passed over for a path by a rule. */
export function matchesLooseOnly({ path }: LooseOnly, asked: string): boolean {
  return path.endsWith("/") ? asked.startsWith(path) : asked === path;
}

/** The rules that hold in a view. */
export function looseOnlyRules(view: View): readonly LooseOnly[] {
  return view.game.profile.looseOnly.filter((rule) => !rule.withoutMod || view.isBase);
}

/** Why a source cannot answer when `asked` is asked for, as a clause, or null. */
export function looseOnlyReason(view: View, source: Source, asked: string): string | null {
  const { baseOnly, engine, ignoreCase } = view.game.profile;
  const isBaseOnly = baseOnly.includes(ignoreCase ? asked.toLowerCase() : asked);
  if (isBaseOnly && source.gameDirectory !== view.game.base) {
    return `${engine} takes ${asked} from ${view.game.base} only`;
  }
  if (isDirectorySource(source)) return null;
  const rule = looseOnlyRules(view).find((known) => matchesLooseOnly(known, asked));
  if (!rule) return null;
  const what = rule.path.endsWith("/") ? `files of ${rule.path}` : rule.path;
  return `${view.game.profile.engine} never takes ${what} from a pack${
    rule.withoutMod ? " while no mod is played" : ""
  }`;
}

/** Entries that an engine passes over because they are not of the base game directory. */
export function* baseOnlyEntries({ snapshot, game }: View): Generator<number> {
  const { baseOnly, ignoreCase } = game.profile;
  for (const path of baseOnly) {
    for (const entry of snapshot.candidatesOf(snapshot.findNode(path, ignoreCase), ignoreCase)) {
      if (snapshot.sourceOf(entry).gameDirectory !== game.base) yield entry;
    }
  }
}

/** Entries of packs that an engine passes over which tells capitals from small letters. */
export function* looseOnlyEntries(view: View): Generator<number> {
  const { snapshot } = view;
  const { entryNodes } = snapshot.columns;
  const rules = looseOnlyRules(view);
  if (rules.length === 0) return;
  for (const source of view.searchPath) {
    if (isDirectorySource(source)) continue;
    for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
      const path = snapshot.pathOf(entryNodes[entry] ?? 0);
      if (rules.some((rule) => matchesLooseOnly(rule, path))) yield entry;
    }
  }
}
