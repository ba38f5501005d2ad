/**
 * The choice of an engine's rules that was not the user's: which engine, for which game, which others play that, and how
 * many files they would answer otherwise.
 * @module
 */
import { at } from "../columns/columns.ts";
import { type KnownGame, knownGameNamed } from "../detect/known_games.ts";
import { chosenByUser, enginesOf } from "../profiles/engine_groups.ts";
import type { Game } from "../profiles/game.ts";
import type { Catalog } from "../views/catalog.ts";
import { EngineComparison, type EngineDifference } from "./engine_differences.ts";

/** Maximum files of an index whose engines are compared while a user waits. */
const maxCompared = 1_000_000;

/** Returns what would differ under other engines that play the only game of an index, as clauses. */
export function engineClauses(catalog: Catalog): string[] {
  const comparison = new EngineComparison(catalog);
  return catalog.games.flatMap((game) => differenceClauses(comparison.differences(game, enginesOf(game).slice(1))));
}

/**
 * Returns a sentence for each game whose rules the user did not choose.
 * @param compares Whether the engines of a game are compared, unless the index is very large.
 * @param games The games; default: all.
 */
export function choiceSentences(catalog: Catalog, compares: boolean, games: readonly Game[] = catalog.games): string[] {
  const comparison = compares && catalog.snapshot.entryCount <= maxCompared ? new EngineComparison(catalog) : null;
  return games.filter(({ isArchive, because }) => !isArchive && because !== chosenByUser)
    .map((game) => choiceSentence(catalog, game, comparison));
}

function choiceSentence(catalog: Catalog, game: Game, comparison: EngineComparison | null): string {
  const { name, profile, because } = game;
  if (profile.name === "generic") {
    return `${name}: no known game, rules of generic, as ${because}; --profile chooses an engine's`;
  }
  const title = knownGame(catalog, game)?.title;
  const start = `${name}: ${title === undefined ? "" : `${title}, `}rules of ${profile.name}, as ${because}`;
  const others = enginesOf(game).slice(1);
  if (comparison) {
    return [start, ...differenceClauses(comparison.differences(game, others))].join("; ");
  }
  if (others.length === 0) return start;
  return `${start}; also played by ${others.join(", ")}: "pakfs diff --engine ${others[0]}" compares`;
}

/** Returns the game by what is in the index: its directories may be on a file system that does not answer. */
function knownGame({ snapshot }: Catalog, { id, base, otherEnginePacks = [] }: Game): KnownGame | undefined {
  const { entryNodes, nodeParents } = snapshot.columns;
  const sources = snapshot.sources.filter(({ game, gameDirectory }) => game === id && gameDirectory === base);
  return knownGameNamed({
    beside: [...otherEnginePacks, ...sources.map(({ name }) => name)],
    gameDirectories: [base],
    inside: () =>
      sources.flatMap(({ kind, name, firstEntry, entryCount }) => {
        if (kind === "pack") return [name];
        const nodes = Array.from({ length: entryCount }, (_, row) => at(entryNodes, firstEntry + row));
        return nodes.filter((node) => at(nodeParents, node) === 0).map((node) => snapshot.nameOf(node));
      }),
    packs: () => sources.map(({ name, identity }) => ({ path: `${base}/${name}`.toLowerCase(), size: identity.size })),
  });
}

/** Returns what would differ under other engines, as clauses; none if no other engine plays the game. */
function differenceClauses(differences: readonly EngineDifference[]): string[] {
  const differing = differences.filter(({ files }) => files !== null && files > 0)
    .sort((a, b) => (a.files ?? 0) - (b.files ?? 0));
  const named = (wanted: number | null) =>
    differences.filter(({ files }) => files === wanted).map(({ profile }) => profile).join(", ");
  const counts = differing.map(({ profile, files, isPart }, index) =>
    `${isPart ? "at least " : ""}${files} ${
      index > 0 ? "" : files === 1 ? "file would differ " : "files would differ "
    }under ${profile}`
  );
  return [
    ...counts.length === 0 ? [] : [`${counts.join(", ")}: "pakfs diff --engine ${differing[0]?.profile}" lists them`],
    ...named(0) === "" ? [] : [`none under ${named(0)}`],
    ...named(null) === "" ? [] : [`not compared: ${named(null)}`],
  ];
}
