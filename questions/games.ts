/**
 * Games and their views.
 * @module
 */
import type { Catalog } from "../views/mod.ts";
import { fileCount } from "./source_counts.ts";
import { type NoParameters, numbered, type PagedQuestion } from "./question.ts";

/** A row of `games`. */
export interface GameRow {
  /** Name of the game. */
  game: string;
  /** Name of the engine profile. */
  profile: string;
  /** Reason for this profile: `--profile`, or the evidence found. */
  because: string;
  /** Base directories, highest first. */
  sources: string[];
  /** Name of the base game directory. */
  base: string;
  /** Number of views. */
  views: number;
  /** Number of packs. */
  packs: number;
  /** Number of files. */
  files: number;
}

/** A row of `views`. */
export interface ViewRow {
  /** `game/gamedirectory`. */
  view: string;
  /** Name of the game. */
  game: string;
  /** Name of the engine profile. */
  profile: string;
  /** Game directories on its search path, highest first. */
  gameDirectories: string[];
  /** Number of packs. */
  packs: number;
  /** Whether it is the game's base view, without a mod. */
  base: boolean;
}

/** Lists the games. */
export const games: PagedQuestion<NoParameters, GameRow> = {
  parameters: {},
  list: ({ catalog }, _parameters, from) => numbered(gameRows(catalog), from),
};

/** Parameters of `views`. */
export interface ViewsParameters {
  /** Name of a game; default: all games. */
  game?: string;
}

/** Lists the views of one game or of all. */
export const views: PagedQuestion<ViewsParameters, ViewRow> = {
  parameters: { game: "string" },
  list: ({ catalog }, { game }, from) => numbered(viewRows(catalog, game), from),
};

/** Returns the rows of `games`. */
export function gameRows(catalog: Catalog): GameRow[] {
  return catalog.games.map((game) => {
    const sources = catalog.snapshot.sources.filter((source) => source.game === game.id);
    return {
      game: game.name,
      profile: game.profile.name,
      because: game.because,
      sources: [...game.roots],
      base: game.base,
      views: catalog.views.filter((view) => view.game === game).length,
      packs: sources.filter((source) => source.kind === "pack").length,
      files: sources.reduce((sum, source) => sum + fileCount(catalog.snapshot, source), 0),
    };
  });
}

/** Returns the rows of `views`, of one game or of all. */
function viewRows(catalog: Catalog, game: string | undefined): ViewRow[] {
  return catalog.views.filter((view) => game === undefined || view.game.name === game).map((view) => ({
    view: view.name,
    game: view.game.name,
    profile: view.game.profile.name,
    gameDirectories: [...view.gameDirectories],
    packs: view.searchPath.filter((source) => source.kind === "pack").length,
    base: view.isBase,
  }));
}
