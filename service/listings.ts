/**
 * Rows of the short listings: games, views, search paths and packs.
 * @module
 */
import type { Catalog } from "../index/views/catalog.ts";
import type { Game } from "../index/profiles/game.ts";
import { packChecksum } from "../index/checksums/pack_checksum.ts";
import { packLimitSentence } from "../index/questions/limits.ts";
import { winsOf } from "../index/questions/wins.ts";
import type { Source } from "../index/columns/source.ts";
import type { View } from "../index/views/view.ts";
import type { GameRow, NamesRow, PackRow, PathRow, ViewRow } from "../protocol/messages.ts";

/** Rows of `games`. */
export function gameRows(catalog: Catalog): GameRow[] {
  return catalog.games.map((game) => {
    const sources = catalog.snapshot.sources.filter((source) => source.game === game.id);
    return {
      game: game.name,
      profile: game.profile.name,
      because: game.because,
      sources: [...game.roots],
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

/** Entries of packs that are looked at between two turns of others. */
const entriesPerTurn = 20_000;

/** Which packs are wanted. */
export interface PackFilter {
  /** Only those that Quake III's engines know by this number. */
  readonly checksum?: number | undefined;
  /** Only used packs with files, none of which win. */
  readonly fullyShadowed?: boolean;
}

/**
 * Rows of `packs`: those of a view's game, as the view uses them; or of all games, as their own views use them.
 * Undefined after each pack that may have cost much, so that others get their turn.
 */
export function* packRows(
  catalog: Catalog,
  view: View | undefined,
  filter: PackFilter = {},
): Generator<PackRow | undefined> {
  const { checksum, fullyShadowed = false } = filter;
  let counted = 0;
  for (const source of catalog.packs) {
    if (view !== undefined && source.game !== view.game.id) continue;
    const row = packRow(catalog, source, view, fullyShadowed);
    const isWanted = (checksum === undefined || row.checksum === checksum) &&
      (!fullyShadowed || (row.usable && row.files > 0 && row.wins === 0));
    if (isWanted) yield row;
    counted += source.entryCount + 1;
    if (!fullyShadowed && counted < entriesPerTurn) continue;
    counted = 0;
    yield undefined;
  }
}

function packRow(catalog: Catalog, source: Source, view: View | undefined, countWins: boolean): PackRow {
  const game = catalog.games[source.game];
  const reason = source.ignored ?? view?.absence(source) ?? null;
  const counting = view ?? (countWins && reason === null ? ownView(catalog, source) : undefined);
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
    wins: counting ? winsOf(counting)[source.id] ?? 0 : null,
    warnings: [...source.warnings, ...(reason === null ? limitWarnings(game, source) : [])],
    checksum: packChecksum(catalog.snapshot, game?.profile, source)?.checksum ?? null,
  };
}

/** What a pack has that is beyond a limit of the engine. */
function limitWarnings(game: Game | undefined, source: Source): string[] {
  const sentence = game && packLimitSentence(game, source);
  return sentence ? [sentence] : [];
}

/** What packs have that is beyond the limits of their engines, a sentence each. Names are not looked at. */
export function limitProblems({ games, packs }: Catalog): string[] {
  return packs.filter((source) => source.ignored === null).flatMap((source) =>
    limitWarnings(games[source.game], source).map((sentence) => `${source.path}: ${sentence}`)
  );
}

/** The view of the game directory that a source belongs to. */
function ownView(catalog: Catalog, source: Source): View | undefined {
  return catalog.views.find((view) => view.game.id === source.game && view.gameDirectory.name === source.gameDirectory);
}

/** Rows of `names`: packs that hold no names, of a view's game or of all. */
export function namesRows(catalog: Catalog, view: View | undefined, pack?: Source): NamesRow[] {
  return catalog.packs.flatMap((source) => {
    const { recovery } = source;
    if (!recovery || (pack && pack !== source) || (view && view.game.id !== source.game)) return [];
    return [{
      game: catalog.games[source.game]?.name ?? "",
      gameDirectory: source.gameDirectory,
      pack: source.name,
      source: source.path,
      hash: recovery.hash,
      files: recovery.files,
      named: recovery.named,
      tried: recovery.tried,
      expected: recovery.expected,
      collisions: recovery.collisions.map(({ hash, names }) => ({ hash, names: [...names] })),
    }];
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
