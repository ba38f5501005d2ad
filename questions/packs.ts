/**
 * Packs, and how views use them.
 * @module
 */
import { at, type Game, packChecksum, type Source } from "../index/mod.ts";
import { type Catalog, excessFiles, type View } from "../views/mod.ts";
import { fileCount, winsOf } from "./source_counts.ts";
import { numbered, type PagedQuestion } from "./question.ts";

/** A row of `packs`. */
export interface PackRow {
  /** Name of the game. */
  game: string;
  /** Name of its game directory. */
  gameDirectory: string;
  /** File name. */
  pack: string;
  /** Absolute path of the pack or directory. */
  source: string;
  /** Name of an archive format, `pk3dir`, `loose`, or `unknown` if it could not be read. */
  format: string;
  /** Number of files. */
  files: number;
  /** Bytes. */
  size: number;
  /** Modification time. */
  mtime: number;
  /** Whether the view (or, without one, the game's own view of that game directory) uses it. */
  usable: boolean;
  /** The reason if it is not used, else null. */
  reason: string | null;
  /** Warnings about the archive, which was read despite them. */
  warnings: string[];
  /** Number of its files that win in the view; null without a view. */
  wins: number | null;
  /** Checksum by which Quake III's engines identify a pk3, as a signed 32-bit integer; null for other packs. */
  checksum: number | null;
}

/** Parameters of `packs`. */
export interface PacksParameters {
  /**
   * Name of a view, to list the packs of its game with their use in it; default: all packs, with their use in their own
   * views.
   */
  view?: string;
  /** Lists only the packs with this checksum of Quake III, signed or not. */
  checksum?: number;
  /**
   * Whether to list only used packs with files that all lose: in the view, or without one in the views of their game
   * directories.
   */
  fullyShadowed?: boolean;
}

/** Lists packs. */
export const packs: PagedQuestion<PacksParameters, PackRow> = {
  parameters: { view: "string", checksum: "integer32", fullyShadowed: "flag" },
  list: ({ catalog }, parameters, from) => {
    const view = catalog.optionalView(parameters.view);
    return numbered(packRows(catalog, view, parameters), from);
  },
};

/** Number of entries of packs after which to yield. */
const entriesPerPause = 20_000;

/**
 * Yields the packs of a view's game, with their use in the view; or of all games, with their use in their own views.
 * Yields undefined after each expensive pack, so that other work can run.
 */
function* packRows(
  catalog: Catalog,
  view: View | undefined,
  { checksum, fullyShadowed = false }: PacksParameters,
): Generator<PackRow | undefined> {
  let counted = 0;
  // Another engine's rules, in the name of a view, place packs differently.
  const packs = view ? view.snapshot.sources.filter(({ kind }) => kind === "pack") : catalog.packs;
  for (const source of packs) {
    if (view !== undefined && source.game !== view.game.id) continue;
    const row = packRow(catalog, source, view, fullyShadowed);
    const isWanted = (checksum === undefined || row.checksum === checksum) &&
      (!fullyShadowed || (row.usable && row.files > 0 && row.wins === 0));
    if (isWanted) yield row;
    counted += source.entryCount + 1;
    if (!fullyShadowed && counted < entriesPerPause) continue;
    counted = 0;
    yield undefined;
  }
}

function packRow(catalog: Catalog, source: Source, view: View | undefined, countWins: boolean): PackRow {
  const game = view?.game ?? catalog.games[source.game];
  const reason = source.ignored ?? view?.absence(source) ?? null;
  const counting = view ?? (countWins && reason === null ? ownView(catalog, source) : undefined);
  return {
    game: game?.name ?? "",
    gameDirectory: source.gameDirectory,
    pack: source.name,
    source: source.path,
    format: source.format,
    files: fileCount(catalog.snapshot, source),
    size: source.identity.size,
    mtime: source.identity.mtime,
    usable: reason === null,
    reason,
    wins: counting ? at(winsOf(counting), source.id) : null,
    warnings: [...source.warnings, ...(reason === null ? limitWarnings(game, source) : [])],
    checksum: packChecksum(catalog.snapshot, game?.profile, source)?.checksum ?? null,
  };
}

/** Returns the limits of the engine that a pack exceeds. */
function limitWarnings(game: Game | undefined, source: Source): string[] {
  const excess = game ? excessFiles(game, source, false) : null;
  return excess === null ? [] : [`it ${excess}`];
}

/** Returns a sentence for each pack that exceeds a limit of its engine. Names are not checked. */
export function limitProblems({ games, packs }: Catalog): string[] {
  return packs.filter((source) => source.ignored === null).flatMap((source) =>
    limitWarnings(games[source.game], source).map((sentence) => `${source.path}: ${sentence}`)
  );
}

/** Returns the view of a source's game directory. */
function ownView(catalog: Catalog, source: Source): View | undefined {
  return catalog.views.find((view) => view.game.id === source.game && view.gameDirectory.name === source.gameDirectory);
}
