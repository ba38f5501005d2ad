/**
 * Finding files of a view by name and other properties, in the order of a walk.
 * @module
 */
import { compilePathGlob, type GlobState, type GlobWork, requireShortPattern } from "../formats/parts.ts";
import { at, equalFolded, foldedHash, none, type Snapshot } from "../index/mod.ts";
import type { Tree, View } from "../views/mod.ts";
import { filterTest, type FindFilters, onceForEachName } from "./filters.ts";
import { EncodedRow, type PagedQuestion, type Step, type ViewParameter, withPatterns } from "./question.ts";
import { type FieldsParameter, type FileRow, TreeRows } from "./rows.ts";

/** Parameters of `qpaths`. */
export interface QpathsParameters extends ViewParameter {
  /** Patterns of names or, with `/`, of whole paths: `*.wav`, `maps/**`; a file must match one of them. */
  patterns: string[];
  /** Conditions on the files, which must all be true. */
  filters?: FindFilters;
}

/** Parameters of `find`. */
export interface FindParameters extends QpathsParameters, FieldsParameter {}

/** Lists files by name and other properties, in the order of a walk. */
export const find: PagedQuestion<FindParameters, FileRow> = {
  parameters: { view: "string", patterns: "required strings", filters: "filters", fields: "strings" },
  list: ({ catalog }, { view: name, patterns, filters, fields }, from) => {
    const view = catalog.view(name);
    const rows = new TreeRows(view, fields);
    const nodes = withPatterns(() => findFiles(view, patterns, filters, from.at));
    return walkSteps<FileRow>(view.tree, nodes, (node, path) => new EncodedRow((json) => rows.write(json, node, path)));
  },
};

/** Lists only the paths of the files that `find` lists; each row is a path. */
export const qpaths: PagedQuestion<QpathsParameters, string> = {
  parameters: { view: "string", patterns: "required strings", filters: "filters" },
  list: ({ catalog }, { view: name, patterns, filters }, from) => {
    const view = catalog.view(name);
    const nodes = withPatterns(() => findFiles(view, patterns, filters, from.at));
    return walkSteps(view.tree, nodes, (_node, path) => path);
  },
};

/** Steps through nodes in the order of a walk, so that the path of a directory is built once. */
export function* walkSteps<Row>(
  tree: Tree,
  nodes: Iterable<number>,
  rowOf: (node: number, path: string) => Row | EncodedRow,
): Generator<Step<Row>> {
  let directory: number = none;
  let prefix = "";
  for (const node of nodes) {
    if (node === none) {
      yield undefined;
      continue;
    }
    const parent = at(tree.parents, node);
    if (parent !== directory) {
      directory = parent;
      prefix = parent === 0 ? "" : `${tree.pathOf(parent)}/`;
    }
    yield { row: rowOf(node, prefix + tree.nameOf(node)), next: { at: node, part: 0 } };
  }
}

/** Number of visited nodes after which to yield. */
const stepsPerTurn = 20_000;
/** Amount of matching work after which to yield. */
const workPerTurn = 100_000;
/** Work units of visiting a file without comparing it. */
const stepsPerTest = 2;
/** Maximum patterns of one search. */
const maxPatterns = 10_000;
/** Maximum patterns with wildcards of one search, and their total length: each is an automaton. */
const maxGlobs = 1000;
const maxGlobCharacters = 65_536;
/** Maximum directories with a cached state, for all patterns with `/` together. */
const maxStates = 65_536;
/** Maximum names with a cached result, for all patterns without `/` together: a byte each. */
const maxAnswers = 32 * 1024 * 1024;

const encoder = new TextEncoder();

type NodeTest = (index: number) => boolean;

/**
 * Finds the nodes of the view's files that match any of `patterns` and all `filters`, in the order of a walk, after
 * node `after`. A pattern without `/` is compared with the file's own name, a pattern with `/` with the whole path
 * (`/*.cfg`: only at the root); case matters if it does for the view's engine. Yields {@linkcode none} after a bounded
 * amount of work, so that a caller can stop or let other work run.
 * @throws {RangeError} at once, if a pattern is too long or there are too many.
 */
export function findFiles(
  view: View,
  patterns: readonly string[],
  filters: FindFilters = {},
  after = 0,
): Generator<number> {
  const work: GlobWork = { steps: 0 };
  const tests = patternTests(view, patterns, work);
  return matchingFiles(view, tests, filterTest(view.snapshot, view.searchPath, filters), work, after);
}

function* matchingFiles(
  { tree }: View,
  tests: readonly NodeTest[],
  passes: NodeTest,
  work: GlobWork,
  after: number,
): Generator<number> {
  let yielded = 0;
  for (const index of filesAfter(tree, after)) {
    if (index === none) yield none;
    else if (passes(at(tree.entries, index))) {
      for (const test of tests) {
        const isFound = test(index);
        if (work.steps - yielded >= workPerTurn) {
          yielded = work.steps;
          yield none;
        }
        if (!isFound) continue;
        yield index;
        break;
      }
    }
  }
}

/**
 * Yields the files of a tree after node `after`, in the order of a walk, unlisted files last, and {@linkcode none} now
 * and then.
 * @param most Number of nodes after which to yield.
 */
export function* filesAfter(tree: Tree, after: number, most = stepsPerTurn): Generator<number> {
  let steps = 0;
  const isListed = after < tree.length;
  if (!isListed && !tree.unlisted.includes(after)) return; // a client's cursor can have any value
  for (let index = isListed ? tree.following(after) : none; index !== none; index = tree.following(index)) {
    if (++steps % most === 0) yield none;
    if (!tree.isDirectory(index)) yield index;
  }
  yield* tree.unlisted.slice(isListed ? 0 : tree.unlisted.indexOf(after) + 1);
}

/** Returns predicates; a file must satisfy one of them. */
function patternTests(view: View, patterns: readonly string[], work: GlobWork): NodeTest[] {
  if (patterns.length > maxPatterns) {
    throw new RangeError(`${patterns.length} patterns; the maximum is ${maxPatterns}`);
  }
  patterns.forEach(requireShortPattern);
  const cleaned = new Set(patterns.map((pattern) => pattern.replace(/^\.\//, "/")).filter((pattern) => pattern !== ""));
  if (cleaned.size === 0 || cleaned.has("**") || cleaned.has("*")) return [() => true];
  const globs = Array.from(cleaned).filter((pattern) => /[*?[\]{}\\]/.test(pattern));
  const characters = globs.reduce((sum, pattern) => sum + pattern.length, 0);
  if (globs.length > maxGlobs || characters > maxGlobCharacters) {
    throw new RangeError(
      `${globs.length} patterns with wildcards, ${characters} characters together; the maximum is ${maxGlobs} with ` +
        `${maxGlobCharacters} characters`,
    );
  }
  for (const glob of globs) cleaned.delete(glob);
  return [
    ...cleaned.size === 0 ? [] : literalTests(view, cleaned, work),
    ...globs.map((pattern) =>
      pattern.includes("/")
        ? pathTest(view, pattern, work, maxStates / globs.length)
        : nameTest(view, pattern, work, maxAnswers / globs.length)
    ),
  ];
}

/** Returns a predicate for names and paths without wildcards: one lookup for any number of them. */
function literalTests(view: View, patterns: ReadonlySet<string>, work: GlobWork): NodeTest[] {
  const { tree, snapshot } = view;
  const folded = view.game.profile.ignoreCase ? smallLetters : (text: string) => text;
  const all = Array.from(patterns, folded);
  const names = new Set(all.filter((pattern) => !pattern.includes("/")));
  const paths = new Set(all.filter((pattern) => pattern.includes("/")).map((pattern) => pattern.replace(/^\//, "")));
  const lastNames = new Set(Array.from(paths, (path) => path.slice(path.lastIndexOf("/") + 1)));
  const isNamed = onceForEachName(snapshot, (name) => names.has(folded(name)), hashTest(snapshot, names));
  const mayBePath = onceForEachName(snapshot, (name) => lastNames.has(folded(name)), hashTest(snapshot, lastNames));
  const isPath = (index: number) => {
    const path = tree.pathOf(index);
    work.steps += 4 * path.length;
    return paths.has(folded(path));
  };
  return [(index) => {
    const node = at(tree.nodes, index);
    work.steps += stepsPerTest;
    return (names.size > 0 && isNamed(node)) || (paths.size > 0 && mayBePath(node) && isPath(index));
  }];
}

/** Returns a fast predicate for a name's bytes, so that few names are decoded: whether it may be one of `wanted`. */
function hashTest(snapshot: Snapshot, wanted: ReadonlySet<string>): (name: number) => boolean {
  const [first = ""] = wanted;
  if (wanted.size === 1) return endsTest(snapshot, first);
  const { names, nameStarts, nodeSeed } = snapshot.columns;
  const seed = at(nodeSeed, 0);
  const hashes = new Set(Array.from(wanted, (text) => {
    const bytes = encoder.encode(text);
    return foldedHash(bytes, 0, bytes.length, seed);
  }));
  return (name) => hashes.has(foldedHash(names, at(nameStarts, name), at(nameStarts, name + 1), seed));
}

/** Returns a string with ASCII upper case converted to lower case, as engines and globs compare names. */
function smallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/**
 * Returns a predicate for paths that compares every directory once.
 * @param most Maximum directories with a cached state.
 */
function pathTest(view: View, pattern: string, work: GlobWork, most: number): NodeTest {
  const { tree, snapshot } = view;
  const { names, nameStarts, nodeNames } = snapshot.columns;
  const glob = compilePathGlob(pattern, { ignoreCase: view.game.profile.ignoreCase, work });
  const withName = (state: GlobState, index: number) => {
    const name = at(nodeNames, at(tree.nodes, index));
    return glob.afterAscii(state, names, at(nameStarts, name), at(nameStarts, name + 1)) ??
      glob.after(state, tree.nameOf(index));
  };
  const directories = new Map([[0, glob.start]]);
  const inDirectory = (index: number): GlobState => {
    const known = directories.get(index);
    if (known) return known;
    const state = glob.after(withName(inDirectory(at(tree.parents, index)), index), "/");
    directories.set(index, state);
    return state;
  };
  return (index) => {
    work.steps += stepsPerTest;
    // The walk is in the directory that was added last: only its parents are still needed.
    if (directories.size > most) {
      directories.clear();
      directories.set(0, glob.start);
    }
    const state = inDirectory(at(tree.parents, index));
    return state.members.length > 0 && withName(state, index).accepts;
  };
}

/**
 * Returns a predicate for names.
 * @param most Maximum names with a cached result.
 */
function nameTest(view: View, pattern: string, work: GlobWork, most: number): NodeTest {
  const { tree, snapshot } = view;
  const { nodeNames, nameStarts } = snapshot.columns;
  const glob = compilePathGlob(pattern, { ignoreCase: view.game.profile.ignoreCase, work });
  const couldPass = endsTest(snapshot, pattern);
  const matches = (name: string) => glob.after(glob.start, name).accepts;
  const test = nameStarts.length <= most
    ? onceForEachName(snapshot, matches, couldPass)
    : (node: number) => couldPass(at(nodeNames, node)) && matches(snapshot.nameOf(node));
  return (index) => {
    work.steps += stepsPerTest;
    return test(at(tree.nodes, index));
  };
}

/**
 * Returns a fast predicate for a name's bytes, so that few names are decoded: whether it begins and ends like the
 * pattern outside its special characters, in any case.
 */
function endsTest(snapshot: Snapshot, pattern: string): (name: number) => boolean {
  if (pattern.includes("\\")) return () => true;
  const { names, nameStarts } = snapshot.columns;
  const [, start = "", end = ""] = /^([^*?[\]{}]*)(?:.*[*?[\]{}])?([^*?[\]{}]*)$/s.exec(pattern) ?? [];
  const prefix = encoder.encode(start);
  const suffix = encoder.encode(end);
  return (name) => {
    const first = at(nameStarts, name);
    const last = at(nameStarts, name + 1);
    return last - first >= Math.max(prefix.length, suffix.length) &&
      equalFolded(names, first, first + prefix.length, prefix, 0, prefix.length) &&
      equalFolded(names, last - suffix.length, last, suffix, 0, suffix.length);
  };
}
