/**
 * Names of packs without names.
 * @module
 */
import { packNamed } from "./named_sources.ts";
import { numbered, type PagedQuestion } from "./question.ts";

/** A row of `names`: a pack without names. */
export interface NamesRow {
  /** Name of the game. */
  game: string;
  /** Name of its game directory. */
  gameDirectory: string;
  /** File name. */
  pack: string;
  /** Absolute path of the pack. */
  source: string;
  /** Hash function of its names, such as `fnv1a+lower+backslash`; null if unknown. */
  hash: string | null;
  /** Number of files. */
  files: number;
  /** Number of files with a known name. */
  named: number;
  /** Number of tried paths. */
  tried: number;
  /** Expected number of hits by chance: `files` * `tried` / 2^32. */
  expected: number;
  /** Paths with the same hash; the first is used. */
  collisions: { hash: string; names: string[] }[];
}

/** Parameters of `names`. */
export interface NamesParameters {
  /** Name of a view, for the packs of its game; default: packs of all games. */
  view?: string;
  /** A pack as for `checksum`; default: every pack without names. */
  pack?: string;
}

/** Lists packs without names, with the number of recovered names. */
export const names: PagedQuestion<NamesParameters, NamesRow> = {
  parameters: { view: "string", pack: "string" },
  list: ({ catalog }, parameters, from) => {
    const view = catalog.optionalView(parameters.view);
    const sources = parameters.pack === undefined
      ? catalog.packs.filter((source) => !view || view.game.id === source.game)
      : [packNamed(catalog, view, parameters.pack)];
    const rows = sources.flatMap((source): NamesRow[] => {
      const { recovery } = source;
      if (!recovery) return [];
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
        collisions: recovery.collisions.map((collision) => ({ hash: collision.hash, names: [...collision.names] })),
      }];
    });
    return numbered(rows, from);
  },
};
