/**
 * Finding files of a view by name and other properties, in the order of a walk.
 * @module
 */
import { compileGlob, compilePathGlob, type GlobState } from "../formats/glob.ts";
import { none } from "./columns.ts";
import { equalFolded } from "./fold.ts";
import type { Snapshot } from "./snapshot.ts";
import { type Source, sourceHasName } from "./source.ts";
import type { Tree } from "./tree.ts";
import type { View } from "./view.ts";

/** Conditions of a search, all of which must hold. */
export interface FindFilters {
  /** Smallest size in bytes, inclusive. */
  minSize?: number;
  /** Largest size in bytes, inclusive. */
  maxSize?: number;
  /** File name extensions without the dot; any one of them, case does not matter. */
  extensions?: string[];
  /** A pack's file name, path or end of one, or a game directory's name: only files from there. */
  source?: string;
}

/** How many nodes are looked at between two looks at the clock and the signal. */
const stepsPerTurn = 20_000;

const encoder = new TextEncoder();

type NodeTest = (index: number) => boolean;

/**
 * Nodes of the view's files that match any of `patterns` and all `filters`, in the order of a walk, behind node
 * `after`. A pattern without `/` is compared with the file's own name, one with `/` with the whole path (`/*.cfg`: only
 * at the root); case counts as the view's engine counts it. Yields {@linkcode none} now and then so that a caller can stop or let others work.
 * @throws {RangeError} at once, if a pattern is too long.
 */
export function findFiles(
  view: View,
  patterns: readonly string[],
  filters: FindFilters = {},
  after = 0,
): Generator<number> {
  const matches = patternTest(view, patterns);
  const passes = filterTest(view, filters);
  const { entries } = view.tree;
  return matchingFiles(view.tree, (index) => passes(entries[index] ?? none) && matches(index), after);
}

function* matchingFiles(tree: Tree, matches: NodeTest, after: number): Generator<number> {
  for (const index of filesAfter(tree, after)) if (index === none || matches(index)) yield index;
}

/** Files of a tree behind node `after`, in the order of a walk; yields {@linkcode none} now and then. */
export function* filesAfter(tree: Tree, after: number): Generator<number> {
  let steps = 0;
  for (let index = tree.following(after); index !== none; index = tree.following(index)) {
    if (++steps % stepsPerTurn === 0) yield none;
    if (!tree.isDirectory(index)) yield index;
  }
}

function patternTest(view: View, patterns: readonly string[]): NodeTest {
  const cleaned = patterns.map((pattern) => pattern.replace(/^\.\//, "/")).filter((pattern) => pattern !== "");
  if (cleaned.length === 0 || cleaned.includes("**") || cleaned.includes("*")) return () => true;
  const tests = cleaned.map((pattern) => pattern.includes("/") ? pathTest(view, pattern) : nameTest(view, pattern));
  return (index) => tests.some((test) => test(index));
}

/** Every directory is compared once for all that is in it. */
function pathTest(view: View, pattern: string): NodeTest {
  const { tree, snapshot } = view;
  const { names, nameStarts, nodeNames } = snapshot.columns;
  const glob = compilePathGlob(pattern, { ignoreCase: view.game.profile.ignoreCase });
  const withName = (state: GlobState, index: number) => {
    const name = nodeNames[tree.nodes[index] ?? 0] ?? 0;
    return glob.afterAscii(state, names, nameStarts[name] ?? 0, nameStarts[name + 1] ?? 0) ??
      glob.after(state, tree.nameOf(index));
  };
  const directories = new Map([[0, glob.start]]);
  const inDirectory = (index: number): GlobState => {
    const known = directories.get(index);
    if (known) return known;
    const state = glob.after(withName(inDirectory(tree.parents[index] ?? 0), index), "/");
    directories.set(index, state);
    return state;
  };
  return (index) => {
    const state = inDirectory(tree.parents[index] ?? 0);
    return state.members.length > 0 && withName(state, index).accepts;
  };
}

function nameTest(view: View, pattern: string): NodeTest {
  const { tree, snapshot } = view;
  const matches = compileGlob(pattern, { ignoreCase: view.game.profile.ignoreCase });
  const test = onceForEachName(snapshot, matches, endsTest(snapshot, pattern));
  return (index) => test(tree.nodes[index] ?? 0);
}

/**
 * A test of the names of a snapshot's nodes: every distinct name is looked at once, however many files bear it.
 * @param couldPass A quicker look, by the number of the name.
 */
function onceForEachName(
  snapshot: Snapshot,
  test: (name: string) => boolean,
  couldPass: (name: number) => boolean = () => true,
): (node: number) => boolean {
  const { nameStarts, nodeNames } = snapshot.columns;
  const answers = new Uint8Array(nameStarts.length);
  return (node) => {
    const name = nodeNames[node] ?? 0;
    if (answers[name] === 0) answers[name] = couldPass(name) && test(snapshot.nameOf(node)) ? 1 : 2;
    return answers[name] === 1;
  };
}

/**
 * A first look at a name's bytes, so that few names are made into text: whether it begins and ends as the pattern does
 * outside its special characters, case aside.
 */
function endsTest(snapshot: Snapshot, pattern: string): (name: number) => boolean {
  if (pattern.includes("\\")) return () => true;
  const { names, nameStarts } = snapshot.columns;
  const [, start = "", end = ""] = /^([^*?[\]{}]*)(?:.*[*?[\]{}])?([^*?[\]{}]*)$/s.exec(pattern) ?? [];
  const prefix = encoder.encode(start);
  const suffix = encoder.encode(end);
  return (name) => {
    const first = nameStarts[name] ?? 0;
    const last = nameStarts[name + 1] ?? 0;
    return last - first >= Math.max(prefix.length, suffix.length) &&
      equalFolded(names, first, first + prefix.length, prefix, 0, prefix.length) &&
      equalFolded(names, last - suffix.length, last, suffix, 0, suffix.length);
  };
}

/** Whether an entry passes all conditions. */
export function filterTest(view: View, filters: FindFilters): (entry: number) => boolean {
  const { snapshot } = view;
  const { entryNodes, entrySizes, entrySources } = snapshot.columns;
  const tests: ((entry: number) => boolean)[] = [];
  const { minSize, maxSize, extensions, source } = filters;
  if (minSize !== undefined) tests.push((entry) => (entrySizes[entry] ?? 0) >= minSize);
  if (maxSize !== undefined) tests.push((entry) => (entrySizes[entry] ?? 0) <= maxSize);
  if (source !== undefined) {
    const numbers = new Set(view.searchPath.filter((item) => isNamed(item, source)).map((item) => item.id));
    tests.push((entry) => numbers.has(entrySources[entry] ?? none));
  }
  if (extensions !== undefined && extensions.length > 0) {
    const endings = extensions.map((extension) => `.${extension.replace(/^\./, "").toLowerCase()}`);
    const isWanted = onceForEachName(snapshot, (name) => {
      const lower = name.toLowerCase();
      return endings.some((ending) => lower.endsWith(ending));
    });
    tests.push((entry) => isWanted(entryNodes[entry] ?? 0));
  }
  return (entry) => tests.every((test) => test(entry));
}

function isNamed(source: Source, name: string): boolean {
  return source.gameDirectory === name || (source.kind === "pack" ? sourceHasName(source, name) : source.path === name);
}
