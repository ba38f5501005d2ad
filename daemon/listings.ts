/**
 * Rows of the short listings: games, views, search paths and packs.
 * @module
 */
import type { Catalog } from "../index/catalog.ts";
import { packChecksum } from "../index/pack_checksum.ts";
import type { Source } from "../index/source.ts";
import type { View } from "../index/view.ts";
import type { GameRow, PackRow, PathRow, ViewRow } from "./protocol.ts";

/** Rows of `games`. */
export function gameRows(catalog: Catalog): GameRow[] {
  return catalog.games.map((game) => {
    const sources = catalog.snapshot.sources.filter((source) => source.game === game.id);
    return {
      game: game.name,
      profile: game.profile.name,
      because: game.because,
      sources: [...game.sourceDirectories],
      base: game.base,
      views: game.gameDirectories.length,
      packs: sources.filter((source) => source.kind === "pack").length,
      files: sources.reduce((sum, source) => sum + filesOf(catalog, source), 0),
    };
  });
}

/** Rows of `views`, of one game or of all. */
export function viewRows(catalog: Catalog, game: string | undefined): ViewRow[] {
  return catalog.views.filter((view) => game === undefined || view.game.name === game).map((view) => ({
    view: view.name,
    game: view.game.name,
    profile: view.game.profile.name,
    gameDirectories: [...view.gameDirectories],
    packs: view.searchPath.filter((source) => source.kind === "pack").length,
    base: view.isBase,
  }));
}

/** Rows of `path`: a view's search path, best first. */
export function pathRows(view: View): PathRow[] {
  return view.searchPath.map((source, place) => ({
    rank: place + 1,
    view: view.name,
    source: source.path,
    kind: source.kind,
    format: source.format,
    gameDirectory: source.gameDirectory,
    files: filesOf(view, source, (entry) => view.hides(entry)),
  }));
}

/**
 * Rows of `packs`: those of a view's game, as the view uses them; or of all games, as their own views use them. With
 * `checksum` only those that have it.
 */
export function packRows(catalog: Catalog, view: View | undefined, checksum?: number): PackRow[] {
  return allPackRows(catalog, view).filter((row) => checksum === undefined || row.checksum === checksum);
}

function allPackRows(catalog: Catalog, view: View | undefined): PackRow[] {
  return catalog.packs.filter((source) => view === undefined || source.game === view.game.id).map((source) => {
    const game = catalog.games[source.game];
    const reason = source.ignored ?? view?.absence(source) ?? null;
    return {
      game: game?.name ?? "",
      gameDirectory: source.gameDirectory,
      pack: source.name,
      source: source.path,
      format: source.format,
      files: filesOf(catalog, source),
      size: source.identity.size,
      mtime: source.identity.mtime,
      usable: reason === null,
      reason,
      warnings: [...source.warnings],
      checksum: packChecksum(catalog.snapshot, game?.profile, source)?.checksum ?? null,
    };
  });
}

/** Number of files, without the directories that archives list and what `isHidden` says. */
function filesOf(
  { snapshot }: Pick<Catalog | View, "snapshot">,
  source: Source,
  isHidden: (entry: number) => boolean = () => false,
): number {
  let files = 0;
  for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
    if (!snapshot.isDirectory(entry) && !isHidden(entry)) files++;
  }
  return files;
}
