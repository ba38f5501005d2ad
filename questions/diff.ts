/**
 * Changes from one view to another: files that are added, removed, or provided by another source.
 * @module
 */
import { elementAt } from "../formats/parts.ts";
import { at, none, type Snapshot } from "../index/mod.ts";
import { type Profile, profileNamed } from "../engines/mod.ts";
import { type Catalog, OtherList, settingsText, splitViewName, type Tree, type View, walkBoth } from "../views/mod.ts";
import { type HolderRow, holderRow } from "./holder_row.ts";
import { LastResult } from "./last_result.ts";
import type { CompareParameter, PagedQuestion, Question, Step } from "./question.ts";
import { type Comparison, hasSameContent } from "./same_bytes.ts";

/** Change of a path. */
export type Change = "added" | "removed" | "replaced";

/** A path with different files in two views. */
export interface DiffRow {
  /** Path in the view that has it; if both do, in the second. */
  qpath: string;
  /** Change from the first view to the second. */
  change: Change;
  /** The file of the first view, or null. */
  before: HolderRow | null;
  /** The file of the second view, or null. */
  after: HolderRow | null;
  /** Whether both have the same bytes; null if unknown, or if there is only one file. */
  identical: boolean | null;
  /** With `renames`, for an added path: a removed path with the same bytes. */
  renamedFrom?: string;
  /** With `renames`, for a removed path: an added path with the same bytes. */
  renamedTo?: string;
}

/** Number of paths with different files in two views. */
export interface DiffSummary {
  /** Name of the first view. */
  from: string;
  /** Name of the second view. */
  to: string;
  /** Number of files that only the second has. */
  added: number;
  /** Number of files that only the first has. */
  removed: number;
  /** Number of files that both have from different sources. */
  replaced: number;
  /** Number of replaced files with the same bytes. */
  identical: number;
  /** Number of replaced files with different bytes. */
  different: number;
  /** Number of replaced files that the index cannot compare. */
  unknown: number;
  /** Number of files that both have from the same source. */
  unchanged: number;
}

/** Parameters of `diff` and `diffstat`. */
export interface DiffParameters extends CompareParameter {
  /** Name of the first view. */
  from: string;
  /** Name of the second view. */
  to: string;
}

/** Parameters of `diff`. */
export interface DiffListParameters extends DiffParameters {
  /** Whether added and removed files with the same bytes refer to each other. */
  renames?: boolean;
}

/** Lists the changes from one view to another. */
export const diff: PagedQuestion<DiffListParameters, DiffRow> = {
  parameters: { from: "required string", to: "required string", compare: "flag", renames: "flag" },
  list: ({ catalog, compare }, parameters, from) => {
    const found = namedDifference(catalog, parameters);
    return diffSteps(found, from.at, compare(parameters.compare), parameters.renames ?? false);
  },
};

function* diffSteps(
  found: Difference,
  first: number,
  compare: Comparison,
  names: boolean,
): Generator<Step<DiffRow>> {
  const renames = names ? renamesIn(found, compare) : undefined;
  const rowOf = async (index: number) => ({
    ...await diffRow(found, index, compare),
    ...await renames?.(index),
  });
  for (let index = first; index < found.before.length; index++) {
    yield { row: rowOf(index), next: { at: index + 1, part: 0 } };
  }
}

/** Maximum files of one size that are compared with one file to find a rename. */
const maxCompared = 100;

/** Returns a function for the fields of a row with the other view's name for the same bytes. */
function renamesIn(
  { before, after, from, to, pathOf }: Difference,
  compare: Comparison,
): (index: number) => Promise<Pick<DiffRow, "renamedFrom" | "renamedTo">> {
  const sizeIn = ({ snapshot }: Side, entry: number) => at(snapshot.columns.entrySizes, entry);
  /** Indexes of removed and of added files among the differences, by size. */
  const removed = new Map<number, number[]>();
  const added = new Map<number, number[]>();
  for (const [index, old] of before.entries()) {
    const now = at(after, index);
    if (now === none) removed.getOrInsert(sizeIn(from, old), []).push(index);
    else if (old === none) added.getOrInsert(sizeIn(to, now), []).push(index);
  }
  return async (index) => {
    const [old, now] = [at(before, index), at(after, index)];
    const isAdded = old === none;
    if (!isAdded && now !== none) return {};
    const [own, size] = isAdded ? [now, sizeIn(to, now)] : [old, sizeIn(from, old)];
    const others = size === 0 ? [] : (isAdded ? removed : added).get(size) ?? [];
    for (const other of others.slice(0, maxCompared)) {
      // deno-lint-ignore no-await-in-loop -- files are read one after the other, if at all
      if (await compare(own, at(isAdded ? before : after, other)) !== true) continue;
      return isAdded ? { renamedFrom: pathOf(other) } : { renamedTo: pathOf(other) };
    }
    return {};
  };
}

/** Counts the changes from one view to another. */
export const diffstat: Question<DiffParameters, DiffSummary> = {
  parameters: { from: "required string", to: "required string", compare: "flag" },
  answer: ({ catalog, compare, pause }, parameters) => {
    const found = namedDifference(catalog, parameters);
    return diffSummary(found, compare(parameters.compare), pause);
  },
};

/** One of the two compared sides. */
type Side = Pick<View, "name" | "snapshot">;

/** All differences of two views, as entries; {@linkcode none} if a view has no such file. */
export interface Difference {
  readonly from: Side;
  readonly to: Side;
  /** Entries of the first view. */
  readonly before: Uint32Array;
  /** Entries of the second view, of the same paths. */
  readonly after: Uint32Array;
  /** Files that both have from the same source. */
  readonly unchanged: number;
  /** Returns the path of a difference in the view that has it; if both do, in the second. */
  readonly pathOf: (index: number) => string;
}

/** The last differences by first tree, with the second tree or the name of an engine's list. */
const last = new LastResult<Tree, Tree | string, Difference>();

/**
 * Returns the differences of two views by name. One may be the same view with the rules of another engine.
 * @throws {ViewError} if a view is unknown, or must be indexed again for that engine.
 */
export function namedDifference(
  catalog: Catalog,
  { from, to }: { readonly from: string; readonly to: string },
): Difference {
  const other = otherList(catalog, from, to);
  return other
    ? last.of(other.view.tree, other.name, () => listDifference(other))
    : difference(catalog.view(from), catalog.view(to));
}

/** A list of files, and the engine whose rules are compared. */
interface ComparedList {
  readonly view: View;
  readonly profile: Profile;
  readonly name: string;
}

/** Returns a view with a list of files whose lumps another engine names, if both names mean that view. */
function otherList(catalog: Catalog, from: string, to: string): ComparedList | undefined {
  const { name, settings } = splitViewName(to);
  const view = settings.profile === null ? undefined : catalog.view(name);
  const profile = profileNamed(settings.profile ?? "");
  if (!view?.game.profile.loadList || !profile || catalog.view(from) !== view) return undefined;
  return { view, profile, name: `${view.name}${settingsText(settings)}` };
}

/** Compares each path of a list for both engines, like `which`. */
function listDifference({ view, profile, name }: ComparedList): Difference {
  const { tree, snapshot } = view;
  const other = new OtherList(view, profile);
  const paths = new Map<string, string>();
  for (const path of other.paths()) paths.set(path.toLowerCase(), path);
  for (const node of tree.files()) {
    const path = tree.pathOf(node);
    paths.set(path.toLowerCase(), path);
  }
  const shown: string[] = [];
  const before: number[] = [];
  const after: number[] = [];
  let unchanged = 0;
  for (const key of Array.from(paths.keys()).sort()) {
    const path = paths.get(key) ?? key;
    const left = tree.entryAt(path);
    const right = other.find(path) ?? none;
    if (left === none && right === none) continue;
    if (left !== none && right !== none && isSameLump(snapshot, left, right)) unchanged++;
    else {
      shown.push(path);
      before.push(left);
      after.push(right);
    }
  }
  return {
    from: view,
    to: { name, snapshot },
    before: Uint32Array.from(before),
    after: Uint32Array.from(after),
    unchanged,
    pathOf: (index) => shown[index] ?? "",
  };
}

/** Returns whether two entries are one file or lump, which engines may find by two paths. */
export function isSameLump(snapshot: Snapshot, a: number, b: number): boolean {
  const { entrySources, entryOffsets, entrySizes } = snapshot.columns;
  return a === b || (entrySources[a] === entrySources[b] && entryOffsets[a] === entryOffsets[b] &&
    entrySizes[a] === entrySizes[b] && snapshot.memberOf(a) === snapshot.memberOf(b));
}

/**
 * Returns the differences of two views of one snapshot, in the order of a walk, with one walk over both trees. Spelling
 * matters unless both engines ignore case.
 */
export function difference(from: View, to: View): Difference {
  return last.of(from.tree, to.tree, () => treeDifference(from, to));
}

function treeDifference(from: View, to: View): Difference {
  const [left, right] = [from.tree, to.tree];
  const before: number[] = [];
  const after: number[] = [];
  let unchanged = 0;
  const push = (old: number, now: number) => {
    before.push(old);
    after.push(now);
  };
  const ignoreCase = from.game.profile.ignoreCase && to.game.profile.ignoreCase;
  walkBoth(left, right, ignoreCase, (old, now) => {
    if (now === none) { for (const file of left.files(old)) push(file, none); }
    else if (old === none) { for (const file of right.files(now)) push(none, file); }
    else if (hasSameContent(from.snapshot, left.entryOf(old), right.entryOf(now))) unchanged++;
    else push(old, now);
  });
  const entriesOf = (tree: Tree, nodes: readonly number[]) =>
    Uint32Array.from(nodes, (node) => node === none ? none : tree.entryOf(node));
  return {
    from,
    to,
    before: entriesOf(left, before),
    after: entriesOf(right, after),
    unchanged,
    pathOf: (index) => {
      const node = elementAt(after, index);
      return node === none ? left.pathOf(elementAt(before, index)) : right.pathOf(node);
    },
  };
}

/** Returns the row of a difference. */
export async function diffRow(found: Difference, index: number, compare: Comparison): Promise<DiffRow> {
  const { from, to } = found;
  const left = at(found.before, index);
  const right = at(found.after, index);
  return {
    qpath: found.pathOf(index),
    change: left === none ? "added" : right === none ? "removed" : "replaced",
    before: left === none ? null : holderRow(from.snapshot, left),
    after: right === none ? null : holderRow(to.snapshot, right),
    identical: left === none || right === none ? null : await compare(left, right),
  };
}

/** Number of counted differences after which to yield. */
const differencesPerPause = 10_000;

/** Counts the differences; `pause` is called periodically. */
export async function diffSummary(
  found: Difference,
  compare: Comparison,
  pause: () => Promise<void>,
): Promise<DiffSummary> {
  const { from, to, before, after, unchanged } = found;
  const summary = { from: from.name, to: to.name, added: 0, removed: 0, replaced: 0, identical: 0, different: 0 };
  for (let index = 0; index < before.length; index++) {
    const left = at(before, index);
    const right = at(after, index);
    // deno-lint-ignore no-await-in-loop -- lets others have their turn
    if (index % differencesPerPause === differencesPerPause - 1) await pause();
    if (left === none) summary.added++;
    else if (right === none) summary.removed++;
    else {
      summary.replaced++;
      const answer = compare(left, right);
      // deno-lint-ignore no-await-in-loop -- files are read one after the other, if at all
      const identical = answer instanceof Promise ? await answer : answer;
      if (identical === true) summary.identical++;
      else if (identical === false) summary.different++;
    }
  }
  return { ...summary, unknown: summary.replaced - summary.identical - summary.different, unchanged };
}
