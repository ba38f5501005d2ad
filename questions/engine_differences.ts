/**
 * Counts the paths for which other engines would load other files: all paths of a small index, else a bounded number of
 * paths.
 * @module
 */
import { entryIsDirectory } from "../formats/parts.ts";
import { at, beyond, type Game, isDirectorySource, none, type Snapshot } from "../index/mod.ts";
import { type Catalog, plainSettings, type TreeRule, type View, ViewError, viewName, winnerOf } from "../views/mod.ts";
import { difference, namedDifference } from "./diff.ts";
import { hasSameContent } from "./same_bytes.ts";

/** Number of paths in the base view of a game for which another engine would load another file. */
export interface EngineDifference {
  /** Name of its profile. */
  readonly profile: string;
  /** Number of paths, as listed by `diff --engine`, or fewer; null if the index cannot determine it. */
  readonly files: number | null;
  /** Whether there may be more. */
  readonly isPart: boolean;
}

/** Limits of one comparison. */
export interface ComparisonLimits {
  /** Maximum files of an index whose engines are compared by their trees. */
  readonly files: number;
  /** Maximum paths that are decided for all engines together if an index has more files. */
  readonly paths: number;
}

/** Limits while a user waits. */
const waitingLimits: ComparisonLimits = { files: 20_000, paths: 40_000 };

/** Returns the differences of the other engines for the games from the chosen ones. */
export class EngineComparison {
  readonly #catalog: Catalog;
  readonly #isSmall: boolean;
  /** Remaining paths that can be decided. */
  #paths: number;

  constructor(catalog: Catalog, { files, paths }: ComparisonLimits = waitingLimits) {
    this.#catalog = catalog;
    this.#isSmall = catalog.snapshot.entryCount <= files;
    this.#paths = paths;
  }

  /** Returns the differences of some engines in a game. */
  differences(game: Game, others: readonly string[]): EngineDifference[] {
    const view = this.#catalog.views.find((one) => one.game === game && one.isBase);
    let answers: Answers | undefined;
    return others.map((profile, index): EngineDifference => {
      if (!view) return { profile, files: null, isPart: false };
      try {
        const name = viewName(game, view.mods, { ...plainSettings, profile });
        if (game.profile.loadList) {
          if (!this.#isSmall) return { profile, files: null, isPart: false };
          const { before } = namedDifference(this.#catalog, { from: view.name, to: name });
          return { profile, files: before.length, isPart: false };
        }
        const other = this.#catalog.view(name);
        if (isAlike(view, other)) return { profile, files: 0, isPart: false };
        if (this.#isSmall) return { profile, files: difference(view, other).before.length, isPart: false };
        const share = Math.floor(this.#paths / (others.length - index));
        answers ??= answersOf(view);
        const { files, isPart, decided } = differingPaths(view, answers, other, share);
        this.#paths -= decided;
        return { profile, files: files === 0 && isPart ? null : files, isPart };
      } catch (error) {
        if (error instanceof ViewError) return { profile, files: null, isPart: false };
        throw error;
      }
    });
  }
}

/**
 * Returns whether two views must have the same tree: both search the same sources in the same order by the same rules.
 */
function isAlike(view: View, other: View): boolean {
  const ordered = ({ searchPath }: View) => searchPath.map(({ id }) => id).join();
  return ordered(view) === ordered(other) && treeRules(view) === treeRules(other);
}

/** Returns the properties that determine the tree of a view besides its sources. */
function treeRules({ game: { profile, strict } }: View): string {
  const { ignoreCase, looseCase, memberNames, memberMethods, looseOnly, baseOnly, nestedPacks, programPack } = profile;
  const names = [memberNames, profile.aliases];
  const rules = [profile.duplicates, profile.looseList, ...profile.rules];
  const packs = [nestedPacks, programPack, strict ? profile.limits : []];
  return JSON.stringify([ignoreCase, looseCase, names, memberMethods, looseOnly, baseOnly, packs, rules]);
}

/** Number of paths with different files in two views. */
interface Count {
  readonly files: number;
  readonly isPart: boolean;
  /** Number of paths that were decided individually. */
  readonly decided: number;
}

/**
 * Counts paths with different files in two views. For nearly all paths, the order of the sources shows that the files
 * are equal; the others are decided individually. Skips paths with several spellings.
 * @param before The winners in `view`.
 * @param max Maximum paths that are decided.
 */
function differingPaths(view: View, before: Answers, other: View, max: number): Count {
  const { snapshot } = view;
  const { candidateStarts, candidates } = snapshot.columns;
  const after = answersOf(other);
  const [first, second] = [before.first, after.first];
  const special = looseOnlyNodes([view, other]);
  let files = 0;
  let decided = 0;
  const spelled = new SpelledNames([view, other]);
  let isPart = special.isOpen || spelled.isAny;
  const isSpecial = special.nodes.size > 0;
  for (let node = 0; node < first.length; node++) {
    const entry = first[node] ?? beyond(first);
    if (entry === second[node] && entry !== doubtful && !(isSpecial && special.nodes.has(node))) continue;
    const all = candidates.subarray(at(candidateStarts, node), at(candidateStarts, node + 1));
    if (all.length === 0) continue;
    if (decided === max) return { files, isPart: true, decided };
    if (spelled.has(node) || snapshot.clashes.has(node) || (special.nodes.has(node) && isInPack(snapshot, all))) {
      isPart = true;
      continue;
    }
    decided++;
    if (isAnsweredOtherwise(snapshot, before.winnerOf(node), after.winnerOf(node))) files++;
  }
  return { files, isPart, decided };
}

/** Returns the nodes that are not searched in packs, and whether there are directories of such paths. */
function looseOnlyNodes(views: readonly View[]): { nodes: ReadonlySet<number>; isOpen: boolean } {
  const found = views.flatMap(({ snapshot, game }) =>
    game.profile.looseOnly.map(({ path }) => ({
      node: snapshot.findNode(path.replace(/\/$/, ""), true),
      isOpen: path.endsWith("/"),
    }))
  ).filter(({ node }) => node !== none);
  return { nodes: new Set(found.map(({ node }) => node)), isOpen: found.some(({ isOpen }) => isOpen) };
}

function isInPack(snapshot: Snapshot, entries: Uint32Array): boolean {
  return entries.some((entry) => snapshot.sourceOf(entry).kind === "pack");
}

/**
 * Names for which the spelling of a path may decide: loose files, or directories of loose files, with several
 * spellings.
 */
class SpelledNames {
  readonly #snapshot: Snapshot;
  /** 1 for each fold node with such a name; undefined if there is none. */
  readonly #found: Uint8Array | undefined;

  constructor(views: readonly [View, View]) {
    const [{ snapshot }] = views;
    const { nodeFolds } = snapshot.columns;
    this.#snapshot = snapshot;
    const several = new Uint8Array(snapshot.nodeCount);
    for (let node = 0; node < several.length; node++) {
      const fold = nodeFolds[node] ?? beyond(nodeFolds);
      if (fold !== node) several[fold] = 1;
    }
    if (!several.includes(1)) return;
    const found = views.every(({ game }) => game.profile.ignoreCase) ? this.#loose(views, several) : several;
    if (found.includes(1)) this.#found = found;
  }

  /** Whether there is any such name. */
  get isAny(): boolean {
    return this.#found !== undefined;
  }

  /** Returns whether a node, or a directory above it, is such a name. */
  has(node: number): boolean {
    const { nodeFolds, nodeParents } = this.#snapshot.columns;
    if (!this.#found) return false;
    for (let step = node; step !== 0; step = at(nodeParents, step)) {
      if (this.#found[at(nodeFolds, step)] === 1) return true;
    }
    return false;
  }

  /** Keeps names of loose files, and of directories that contain them. */
  #loose(views: readonly [View, View], several: Uint8Array): Uint8Array {
    const { sources, columns: { entryNodes, nodeFolds, nodeParents } } = this.#snapshot;
    const found = new Uint8Array(several.length);
    const seen = new Uint8Array(several.length);
    for (const source of sources) {
      if (!isDirectorySource(source) || !views.some((view) => view.searches(source.id))) continue;
      for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
        for (let step = at(entryNodes, entry); step !== 0 && seen[step] === 0; step = at(nodeParents, step)) {
          seen[step] = 1;
          const fold = at(nodeFolds, step);
          if (several[fold] === 1) found[fold] = 1;
        }
      }
    }
    return found;
  }
}

/** Compares two winners + 1. */
function isAnsweredOtherwise(snapshot: Snapshot, before: number, after: number): boolean {
  if (before === after) return false;
  return before === 0 || after === 0 || !hasSameContent(snapshot, before - 1, after - 1);
}

/** Value instead of an entry: the order of the sources does not decide. */
const doubtful = none - 1;

/** The winners of a view by path. */
interface Answers {
  /** First candidate in the search path, by node; {@linkcode none}, or {@linkcode doubtful}. */
  readonly first: Uint32Array;
  /** Returns the winner of a path + 1, or 0. */
  readonly winnerOf: (node: number) => number;
}

function answersOf(view: View): Answers {
  const rule = view.treeRule();
  return { first: firstCandidates(view.snapshot, rule), winnerOf: winnerOf(view.snapshot, rule) };
}

/** Returns the candidates of {@linkcode Answers.first}, in one pass over all names. */
function firstCandidates(snapshot: Snapshot, rule: TreeRule): Uint32Array {
  const { searchPath, hidden, ties, refuses, looseCase, looseList } = rule;
  const { candidateStarts, candidates, entrySources, entryDamage, entryFlags } = snapshot.columns;
  const found = new Uint32Array(candidateStarts.length - 1);
  if (refuses || looseCase === "small-directory") return found.fill(doubtful);
  const ranks = new Uint32Array(snapshot.sources.length).fill(none);
  const isTied = new Uint8Array(snapshot.sources.length);
  for (const [rank, source] of searchPath.entries()) {
    if (ranks[source] !== none) isTied[source] = 1;
    ranks[source] = rank;
  }
  for (const source of ties?.keys() ?? []) isTied[source] = 1;
  const left = looseList && looseList.unlisted.size > 0 ? new Set(hidden).union(looseList.unlisted) : hidden;
  const isHidden = left && left.size > 0 ? left : undefined;
  let position = 0;
  for (let node = 0; node < found.length; node++) {
    const end = candidateStarts[node + 1] ?? beyond(candidateStarts);
    let first: number = none;
    let best: number = none;
    for (; position < end; position++) {
      const entry = candidates[position] ?? beyond(candidates);
      const source = entrySources[entry] ?? beyond(entrySources);
      const rank = ranks[source] ?? beyond(ranks);
      if (rank === none || first === doubtful) continue;
      const isPlain = entryDamage[entry] === 0 && ((entryFlags[entry] ?? 0) & entryIsDirectory) === 0;
      if (!isPlain || rank === best || isHidden?.has(entry) || isTied[source] === 1) first = doubtful;
      else if (rank < best) {
        best = rank;
        first = entry;
      }
    }
    found[node] = first;
  }
  return found;
}
