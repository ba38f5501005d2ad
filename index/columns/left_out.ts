/**
 * Packs that are not on the search path because of their content or name: addons that a view has to choose, and packs
 * that an engine never loads.
 * @module
 */
import type { Game } from "./game.ts";
import { compileGlob } from "../../formats/parts.ts";
import { type LeftOut, pathInDirectory } from "../../engines/mod.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Source } from "./source.ts";

const known = new WeakMap<Game, ReadonlyMap<number, LeftOut>>();

/** Returns the excluded packs of a game, by source number. */
export function leftOutPacks(snapshot: Snapshot, game: Game): ReadonlyMap<number, LeftOut> {
  return known.getOrInsertComputed(game, () => {
    const found = new Map<number, LeftOut>();
    for (const rule of game.profile.leftOut) {
      for (const { id } of packsOf(snapshot, game, rule)) found.getOrInsert(id, rule);
    }
    return found;
  });
}

function packsOf(snapshot: Snapshot, game: Game, { member, prefix, except }: LeftOut): Source[] {
  const isExcepted = except.map((pattern) => compileGlob(pattern, { ignoreCase: true }));
  const sources = member === null ? snapshot.sources : snapshot.candidatesOf(snapshot.findNode(member, true), true)
    .map((entry) => snapshot.sourceOf(entry));
  return sources.filter((source) =>
    source.game === game.id && source.kind === "pack" &&
    (prefix === null || source.name.toLowerCase().startsWith(prefix.toLowerCase())) &&
    isExcepted.every((matches) => !matches(pathInDirectory(source)))
  );
}
