/**
 * Files that a pack takes away from packs that are loaded after it, and the lists in packs that say so, which are no files
 * of the game.
 * @module
 */
import type { Game, Snapshot, Source } from "../index/mod.ts";
import { pakNameOf, pathInDirectory } from "../engines/mod.ts";
import { belowProgramPack } from "./program_pack.ts";

/** Returns the reasons why the engine misses entries of packs on a search path, as clauses by entry. */
export function whiteouts(snapshot: Snapshot, game: Game, searchPath: readonly Source[]): ReadonlyMap<number, string> {
  const { dependencies, engine } = game.profile;
  const found = new Map(belowProgramPack(snapshot, game, searchPath));
  if (dependencies === null) return found;
  const nameOf = (source: Source) => pakNameOf(pathInDirectory(source), dependencies.legacy);
  const ranks = new Map(searchPath.map((source, rank) => [source.id, rank]));
  for (const member of [dependencies.file, dependencies.deleted]) {
    for (const entry of snapshot.candidatesOf(snapshot.findNode(member, false), false)) {
      const source = snapshot.sourceOf(entry);
      const isRead = ranks.has(source.id) && nameOf(source)?.version !== "";
      if (isRead) found.set(entry, `${engine} reads ${member} itself`);
    }
  }
  for (const { source: by, of, path } of game.gameDirectories.flatMap(({ deleted = [] }) => deleted)) {
    const rank = ranks.get(by);
    if (rank === undefined) continue;
    for (const entry of snapshot.candidatesOf(snapshot.findNode(path, false), false)) {
      const source = snapshot.sourceOf(entry);
      if ((ranks.get(source.id) ?? -1) <= rank || nameOf(source)?.name !== of) continue;
      found.set(entry, `${dependencies.deleted} of ${snapshot.sources[by]?.name} takes it away from ${of}`);
    }
  }
  return found;
}
