/**
 * Resolves which entry wins each path of a tree, in a few passes over the columns without comparing names.
 * @module
 */
import { entryIsDirectory } from "../formats/parts.ts";
import {
  at,
  beyond,
  compareBytes,
  isDirectorySource,
  none,
  searchedEntries,
  sharedUint32,
  sharedUint8,
  type Snapshot,
  type Source,
} from "../index/mod.ts";
import { isBroken } from "./member_methods.ts";
import { isFoundByBinarySearch } from "./met_in_pack.ts";
import { looseFinder } from "./loose_files.ts";
import { findsOwnSpelling, type TreeRule } from "./tree_rule.ts";

/** Bits of {@linkcode Winners.marks}. */
const inPack = 1;
/** A directory of loose files. */
export const inLoose = 2;

/** The winners of a rule, before the tree is built; in shared memory. Not modified afterwards. */
export interface Winners {
  /** For each fold node (or node, if case matters): entry + 1 of any spelling, or 0. */
  readonly entries: Uint32Array;
  /**
   * For each of these: the node with the spelling of a directory, or 0 if missing. Only for packs, if only their own
   * spelling finds loose files.
   */
  readonly directories: Uint32Array;
  /** For each node: {@linkcode inPack} and {@linkcode inLoose} for directories. */
  readonly marks: Uint8Array;
  /** For each fold node: 1 if spelling affects it or a descendant; undefined if there is none. */
  readonly differs: Uint8Array | undefined;
}

/** The winners of all paths. */
export interface AllWinners extends Winners {
  /** Maximum number of nodes in their tree, the root included. */
  readonly maxNodes: number;
}

/**
 * Searches the sources in order: the first with a name in any spelling wins it. Unreadable members come last, so that
 * they are shown only if no valid file has the name.
 */
export function resolveWinners(snapshot: Snapshot, rule: TreeRule): AllWinners {
  const { entryNodes, entryFlags, entryDamage, nodeFolds, nodeParents } = snapshot.columns;
  const entries = sharedUint32(snapshot.nodeCount);
  const directories = sharedUint32(snapshot.nodeCount);
  const marks = sharedUint8(snapshot.nodeCount);
  const folds = rule.ignoreCase ? nodeFolds : undefined;
  const isOwn = findsOwnSpelling(rule);
  let maxNodes = 1 + (rule.substitutes?.size ?? 0);
  /** Marks a directory and its parents. */
  const addDirectory = (node: number, mark: number) => {
    for (
      let step = node;
      ((marks[step] ?? beyond(marks)) & mark) === 0;
      step = nodeParents[step] ?? beyond(nodeParents)
    ) {
      const marked = marks[step] ?? beyond(marks);
      if (marked === 0) maxNodes++;
      marks[step] = marked | mark;
      if (isOwn && mark === inLoose) continue;
      const key = folds ? folds[step] ?? beyond(folds) : step;
      const known = directories[key] ?? beyond(directories);
      if (known === 0 || (known !== step && isSpelledBetter(snapshot, marks, step, known))) directories[key] = step;
    }
  };
  const damaged: number[] = [];
  const unlisted: number[] = [];
  const { refuses } = rule;
  const { hidden } = rule;
  const replaces = replacement(snapshot, rule);
  const isFindable = rule.ignoreCase && rule.looseCase === "small-directory"
    ? looseFinder(rule.looseCase, snapshot)
    : undefined;
  const differences = new Differences(snapshot, rule, isOwn);
  const next = rule.duplicates === "first" ? 1 : -1;
  const partAt = partsOf(rule);
  for (const [rank, number] of rule.searchPath.entries()) {
    const source = snapshot.sources[number];
    if (!source) continue;
    const isLoose = isDirectorySource(source);
    const mark = isLoose ? inLoose : inPack;
    let lastDirectory = 0;
    for (const { first, count } of searchedEntries(source, partAt(rank))) {
      let entry = next === 1 ? first : first + count - 1;
      for (let left = count; left > 0; left--, entry += next) {
        const node = entryNodes[entry] ?? beyond(entryNodes);
        const key = folds ? folds[node] ?? beyond(folds) : node;
        const isDirectory = ((entryFlags[entry] ?? beyond(entryFlags)) & entryIsDirectory) !== 0;
        // At least one of several spellings is not the first in the index.
        if (isOwn || folds?.[node] !== node) differences.add(node, isLoose);
        if (isLoose && isFindable && !isFindable(node, none)) continue;
        const known = entries[key] ?? beyond(entries);
        const isTaken = known !== 0 && !(replaces && replaces(source, known - 1, entry));
        if (!isDirectory && ((hidden && hidden.has(entry)) || (refuses && !isTaken && refuses(entry)))) continue;
        const directory = isDirectory ? node : nodeParents[node] ?? beyond(nodeParents);
        // Archives list the files of a directory together.
        if (directory !== lastDirectory) addDirectory(directory, mark);
        lastDirectory = directory;
        if (isDirectory || isTaken) continue;
        const damage = entryDamage[entry] ?? beyond(entryDamage);
        if (known === 0) maxNodes++;
        if (rule.looseList?.unlisted.has(entry)) unlisted.push(entry);
        else if (damage !== 0 && isBroken(damage, rule)) damaged.push(entry);
        else entries[key] = entry + 1;
      }
    }
  }
  for (const entry of [...damaged, ...inOpenedOrder(snapshot, rule, unlisted)]) {
    const node = entryNodes[entry] ?? beyond(entryNodes);
    const key = folds ? folds[node] ?? beyond(folds) : node;
    if ((entries[key] ?? beyond(entries)) === 0) entries[key] = entry + 1;
  }
  for (const [key, entry] of rule.substitutes ?? []) entries[key] = entry + 1;
  return { entries, directories, marks, differs: differences.found, maxNodes };
}

/**
 * Returns a function that decides one name like {@linkcode resolveWinners}: it takes a fold node (a node, if case
 * matters) and returns the winning entry + 1, or 0.
 */
export function winnerOf(snapshot: Snapshot, rule: TreeRule): (key: number) => number {
  const { entryFlags, entryDamage, entryNodes, entrySources } = snapshot.columns;
  const ranks = new Uint32Array(snapshot.sources.length).fill(none);
  const innerRanks = ranks.slice();
  const partAt = partsOf(rule);
  for (const [rank, source] of rule.searchPath.entries()) {
    const part = partAt(rank);
    if (part !== "inner") ranks[source] = rank;
    if (part !== "own") innerRanks[source] = rank;
  }
  const nestedRank = (entry: number) => snapshot.nestedPackOf(entry)?.rank ?? 0;
  const rankOf = (entry: number) => at(nestedRank(entry) === 0 ? ranks : innerRanks, at(entrySources, entry));
  const direction = rule.duplicates === "first" ? 1 : -1;
  const replaces = replacement(snapshot, rule);
  const isFindable = rule.ignoreCase && rule.looseCase === "small-directory"
    ? looseFinder(rule.looseCase, snapshot)
    : undefined;
  return (key) => {
    const candidates = snapshot.candidatesOf(key, rule.ignoreCase)
      .filter((entry) => rankOf(entry) !== none)
      .sort((a, b) => rankOf(a) - rankOf(b) || nestedRank(a) - nestedRank(b) || (a - b) * direction);
    let winner = none;
    let damaged = none;
    const [opened = none] = inOpenedOrder(
      snapshot,
      rule,
      candidates.filter((entry) => rule.looseList?.unlisted.has(entry)),
    );
    for (const entry of candidates) {
      const source = snapshot.sourceOf(entry);
      if ((at(entryFlags, entry) & entryIsDirectory) !== 0 || rule.hidden?.has(entry)) continue;
      if (isFindable && isDirectorySource(source) && !isFindable(at(entryNodes, entry), none)) continue;
      const isTaken = winner !== none && !replaces?.(source, winner, entry);
      if (isTaken || rule.refuses?.(entry)) continue;
      if (rule.looseList?.unlisted.has(entry)) continue;
      if (!isBroken(at(entryDamage, entry), rule)) winner = entry;
      else if (damaged === none) damaged = entry;
    }
    if (winner === none) winner = damaged === none ? opened : damaged;
    return winner === none ? 0 : winner + 1;
  };
}

/** Returns loose files that are not in the engine's list, in the order in which it opens their sources. */
function inOpenedOrder({ columns }: Snapshot, { looseList }: TreeRule, entries: readonly number[]): number[] {
  const rank = (entry: number) => looseList?.opened.indexOf(at(columns.entrySources, entry)) ?? 0;
  return entries.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns a function that selects the entries of a source that are searched at a rank; undefined: all. */
function partsOf({ searchPath }: TreeRule): (rank: number) => "own" | "inner" | undefined {
  if (new Set(searchPath).size === searchPath.length) return () => undefined;
  return (rank) => {
    const source = searchPath[rank] ?? none;
    const [first, last] = [searchPath.indexOf(source), searchPath.lastIndexOf(source)];
    return first === last ? undefined : rank === first ? "own" : "inner";
  };
}

/** Returns whether a listing spells a directory like `node` rather than `other`: packs decide, then lower case. */
function isSpelledBetter(snapshot: Snapshot, marks: Uint8Array, node: number, other: number): boolean {
  const compressed = ((marks[node] ?? beyond(marks)) & inPack) - ((marks[other] ?? beyond(marks)) & inPack);
  if (compressed !== 0) return compressed > 0;
  const [name, known] = [snapshot.nameBytes(node), snapshot.nameBytes(other)];
  // Among names that differ only in case, lower case sorts last by bytes.
  return compareBytes(name, 0, name.length, known, 0, known.length) > 0;
}

/** Records the names for which the requested spelling matters, and their parent directories. */
class Differences {
  readonly #snapshot: Snapshot;
  readonly #isPossible: boolean;
  /** Whether every loose file has such a name, or only names with several spellings. */
  readonly #isOwn: boolean;
  /** For each source: 1 if it is searched. */
  readonly #searched: Uint8Array;
  found: Uint8Array | undefined;

  constructor(snapshot: Snapshot, rule: TreeRule, isOwn: boolean) {
    this.#snapshot = snapshot;
    this.#isPossible = rule.ignoreCase && rule.order !== undefined;
    this.#isOwn = isOwn;
    this.#searched = new Uint8Array(snapshot.sources.length);
    for (const source of rule.searchPath) this.#searched[source] = 1;
    for (const { path } of rule.looseOnly ?? []) {
      const node = snapshot.findNode(path, true);
      if (node !== none) this.#mark(node);
    }
  }

  /** Records a file or directory of a searched source. */
  add(node: number, isLoose: boolean): void {
    if (!this.#isPossible) return;
    const { nodeFolds } = this.#snapshot.columns;
    const fold = nodeFolds[node] ?? beyond(nodeFolds);
    if (this.#isOwn ? isLoose : this.#hasReason(fold)) this.#mark(fold);
  }

  /** Returns whether there is a loose file with that name and another spelling of it. */
  #hasReason(fold: number): boolean {
    const { entryNodes, entrySources } = this.#snapshot.columns;
    const searched = this.#snapshot.candidatesOf(fold, true)
      .filter((entry) => this.#searched[at(entrySources, entry)] === 1);
    return searched.some((entry) => isDirectorySource(this.#snapshot.sourceOf(entry))) &&
      searched.some((entry) => entryNodes[entry] !== entryNodes[searched[0] ?? none]);
  }

  #mark(fold: number): void {
    const { nodeFolds, nodeParents } = this.#snapshot.columns;
    this.found ??= sharedUint8(this.#snapshot.nodeCount);
    for (
      let step = fold;
      this.found[step] === 0;
      step = nodeFolds[nodeParents[step] ?? beyond(nodeParents)] ?? beyond(nodeFolds)
    ) this.found[step] = 1;
  }
}

/** Returns whether an entry replaces another. */
type Replaces = (source: Source, known: number, entry: number) => boolean;

/** Returns the rule between entries of one source, or of tied sources, if their order does not decide. */
function replacement(snapshot: Snapshot, { duplicates, ties }: TreeRule): Replaces | undefined {
  if (duplicates !== "last-stored" && duplicates !== "met") return undefined;
  const { entryOffsets, entrySources } = snapshot.columns;
  const firstOf = (source: number) => ties?.get(source) ?? source;
  return (source, known, entry) => {
    if (firstOf(entrySources[known] ?? beyond(entrySources)) !== firstOf(source.id)) return false;
    if (snapshot.nestedPackOf(known)?.rank !== snapshot.nestedPackOf(entry)?.rank) return false;
    return duplicates === "met"
      ? isFoundByBinarySearch(snapshot, source, entry)
      : (entryOffsets[entry] ?? beyond(entryOffsets)) > (entryOffsets[known] ?? beyond(entryOffsets));
  };
}
