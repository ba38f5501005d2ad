/**
 * Engines that were chosen automatically: which engine, for which game, and for how many paths other engines would load
 * other files.
 * @module
 */
import { generic } from "../engines/generic.ts";
import { shellWord } from "../system/mod.ts";
import { basename } from "@std/path";
import { at, type Game, isUnion } from "../index/mod.ts";
import { chosenByUser, enginesOf, type KnownGame, knownGameNamed } from "../games/mod.ts";
import type { Catalog } from "../views/mod.ts";
import { EngineComparison, type EngineDifference } from "./engine_differences.ts";

/** Maximum files of an index whose engines are compared while a user waits. */
const maxCompared = 1_000_000;

/** Returns the differences of other engines for the only game of an index, as clauses. */
export function engineClauses(catalog: Catalog): string[] {
  const comparison = new EngineComparison(catalog);
  return catalog.games.flatMap((game) =>
    differenceClauses(game, comparison.differences(game, enginesOf(game).slice(1)))
  );
}

/**
 * Returns a sentence for each game whose engine the user did not choose.
 * @param compares Whether the engines of a game are compared, unless the index is very large.
 * @param games The games; default: all.
 */
export function choiceSentences(catalog: Catalog, compares: boolean, games: readonly Game[] = catalog.games): string[] {
  const comparison = compares && catalog.snapshot.entryCount <= maxCompared ? new EngineComparison(catalog) : null;
  return games.filter(({ isArchive, because }) => !isArchive && because !== chosenByUser)
    .map((game) => choiceSentence(catalog, game, comparison));
}

function choiceSentence(catalog: Catalog, game: Game, comparison: EngineComparison | null): string {
  const { name, profile, because, base, roots } = game;
  const isOnly = catalog.games.length === 1;
  if (isUnion(game)) return unionSentence(game, isOnly);
  const start = isOnly ? "detected" : `${name}: detected`;
  const rules = `engine rules: ${profile.name}`;
  if (profile.name === generic.name) {
    return `${start} no known game, ${rules}, as ${because}; "pakfs profiles" lists the engines for --profile`;
  }
  const title = knownGame(catalog, game)?.title;
  const directories = roots.length === 1 ? "" : ` in ${roots.join(" and ")}`;
  const known = title === undefined ? base : profile.bases.length === 0 ? title : `${title} (${base})`;
  const sentence = `${start} ${known}${directories}, ${rules}`;
  const others = enginesOf(game).slice(1);
  if (others.length === 0) return sentence;
  const differences = comparison?.differences(game, others) ?? [];
  const different = differing(differences);
  const most = different.find(({ files }) => files === different.at(-1)?.files);
  if (most) {
    const count = most.isPart ? "at least " : different[0]?.files === most.files ? "" : "up to ";
    const view = isOnly ? "" : `${shellWord(name)} `;
    const verb = most.files === 1 ? "file differs" : "files differ";
    const command = `"pakfs diff ${view}--engine ${most.profile}" lists them`;
    return `${sentence}; ${count}${most.files} ${verb} under other engines: ${command}`;
  }
  if (comparison && differences.every(({ files }) => files === 0)) {
    return `${sentence}; no file differs under other engines`;
  }
  if (profile.loadList) return `${sentence}; also played by ${others.join(", ")}`;
  return `${sentence}; "pakfs detect ${shellWord(roots.at(-1) ?? "")}" compares other engines`;
}

function unionSentence({ name, roots }: Game, isOnly: boolean): string {
  const last = basename(roots.at(-1) ?? "");
  const others = roots.length === 2 ? basename(roots[0] ?? "") : `the ${roots.length - 1} before it`;
  return `${
    isOnly ? "" : `${name}: `
  }plain union: where several have a file, the later one wins, ${last} over ${others}`;
}

/** Returns the engines with different files, the fewest first. */
function differing(differences: readonly EngineDifference[]): (EngineDifference & { readonly files: number })[] {
  return differences.flatMap(({ files, ...other }) => files === null || files === 0 ? [] : [{ ...other, files }])
    .sort((a, b) => a.files - b.files);
}

/** Returns the game according to the index: its directories may be on a file system that does not reply. */
function knownGame(
  { snapshot }: Catalog,
  { id, base, profile, roots, otherEnginePacks = [] }: Game,
): KnownGame | undefined {
  const { entryNodes, nodeParents } = snapshot.columns;
  const sources = snapshot.sources.filter(({ game, gameDirectory }) => game === id && gameDirectory === base);
  // The root is the game directory of such an engine, and the bases of the game are directories in it.
  const isFlat = profile.bases.length === 0;
  const paths = sources.flatMap(({ kind, name, firstEntry, entryCount }) => {
    if (kind === "pack") return [name];
    const nodes = Array.from({ length: entryCount }, (_, row) => at(entryNodes, firstEntry + row));
    return nodes.filter((node) => isFlat || at(nodeParents, node) === 0).map((node) => snapshot.pathOf(node));
  });
  const top = isFlat ? [...new Set(paths.map((path) => path.split("/", 1)[0] ?? ""))] : [];
  return knownGameNamed({
    beside: [...otherEnginePacks, ...sources.map(({ name }) => name), ...roots.map((root) => basename(root)), ...top],
    gameDirectories: isFlat ? top : [base],
    inside: (directory) =>
      isFlat
        ? paths.filter((path) => path.startsWith(`${directory}/`)).map((path) => path.slice(directory.length + 1))
        : paths,
    packs: () => sources.map(({ name, identity }) => ({ path: `${base}/${name}`.toLowerCase(), size: identity.size })),
  });
}

/** Returns the differences of other engines, as clauses; none if no other engine plays the game. */
function differenceClauses({ roots }: Game, differences: readonly EngineDifference[]): string[] {
  const different = differing(differences);
  const named = (wanted: number | null) =>
    differences.filter(({ files }) => files === wanted).map(({ profile }) => profile).join(", ");
  const counts = different.map(({ profile, files, isPart }, index) =>
    `${isPart ? "at least " : ""}${files} ${
      index > 0 ? "" : files === 1 ? "file would differ " : "files would differ "
    }under ${profile}`
  );
  return [
    ...counts.length === 0 ? [] : [
      `${counts.join(", ")}: "pakfs diff --engine ${different[0]?.profile} --source ${
        shellWord(roots.at(-1) ?? "")
      }" ` +
      "lists them",
    ],
    ...named(0) === "" ? [] : [`no file would differ under ${named(0)}`],
    ...named(null) === "" ? [] : [`not compared: ${named(null)}`],
  ];
}
