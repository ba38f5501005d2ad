/**
 * Winners of an index in which the same names are in the same sources as in the one before it, as after a pack was
 * replaced: only names with other damage or offsets are decided again.
 * @module
 */
import { entryIsDirectory } from "../../formats/core/entry_table.ts";
import { beyond } from "../columns/columns.ts";
import { isSameIdentity } from "../columns/identity.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { isDirectorySource, type Source } from "../columns/source.ts";
import type { TreeRule } from "./tree_rule.ts";
import { winnerOf, type Winners } from "./winners.ts";

/** A rule over a snapshot, with what it leads to. */
export interface ResolvedRule {
  readonly snapshot: Snapshot;
  readonly rule: TreeRule;
  readonly winners: Winners;
}

/** Differences between the winners of two indexes. */
export interface WinnerChanges {
  readonly winners: Winners;
  /** Returns the number in the next index of an entry on the search path. */
  readonly moved: ((entry: number) => number) | undefined;
  /** Nodes of the names that were decided again. */
  readonly nodes: readonly number[];
}

/** With more names to decide again than these, and than this share of them, all are. */
const fewChanged = 256;
const maxChangedShare = 1 / 16;

/**
 * Returns the winners of the next index; `undefined` if its names, sources or rules are not the same, or if much is
 * different.
 */
export function winnerChanges(
  before: ResolvedRule,
  snapshot: Snapshot,
  rule: TreeRule,
): WinnerChanges | undefined {
  if (!isSameRule(before.rule, rule) || before.snapshot.numbering !== snapshot.numbering) return undefined;
  if (!hasSameNames(before.snapshot, snapshot, rule)) return undefined;
  const rows = changedRows(before, snapshot, rule);
  const moved = movedEntries(before.snapshot, snapshot);
  const isMuch = (count: number) => count > Math.max(fewChanged, snapshot.nodeCount * maxChangedShare);
  if (!rows || isMuch(rows.length) || !hasSameHidden(before.rule, rule, moved)) return undefined;
  const { entryNodes, nodeFolds } = snapshot.columns;
  const { directories, marks, differs } = before.winners;
  const entries = new Uint32Array(snapshot.nodeCount);
  entries.set(before.winners.entries);
  if (moved) {
    for (let key = 0; key < entries.length; key++) {
      const entry = entries[key] ?? beyond(entries);
      if (entry !== 0) entries[key] = moved(entry - 1) + 1;
    }
  }
  const decide = winnerOf(snapshot, rule);
  const nodes = new Set(rows.map((entry) => entryNodes[entry] ?? beyond(entryNodes)));
  for (const node of nodes) {
    const key = rule.ignoreCase ? nodeFolds[node] ?? beyond(nodeFolds) : node;
    entries[key] = decide(key);
  }
  const winners = {
    entries,
    directories: lengthened(directories, snapshot.nodeCount, Uint32Array),
    marks: lengthened(marks, snapshot.nodeCount, Uint8Array),
    differs: differs && lengthened(differs, snapshot.nodeCount, Uint8Array),
  };
  return { winners, moved, nodes: Array.from(nodes) };
}

/** Returns a column with zeros for the nodes that were added. */
function lengthened<T extends Uint8Array | Uint32Array>(column: T, length: number, Type: new (length: number) => T): T {
  if (column.length === length) return column;
  const longer = new Type(length);
  longer.set(column);
  return longer;
}

/** Returns whether two rules decide alike, given sources of the same order and the same hidden entries. */
function isSameRule(a: TreeRule, b: TreeRule): boolean {
  return a.refuses === undefined && b.refuses === undefined && a.ignoreCase === b.ignoreCase &&
    a.duplicates === b.duplicates && a.looseCase === b.looseCase && a.acceptedDamage === b.acceptedDamage &&
    (a.order === undefined) === (b.order === undefined) &&
    JSON.stringify(a.looseOnly ?? []) === JSON.stringify(b.looseOnly ?? []) &&
    a.searchPath.length === b.searchPath.length && a.searchPath.every((id, index) => id === b.searchPath[index]) &&
    JSON.stringify(Array.from(a.ties ?? [])) === JSON.stringify(Array.from(b.ties ?? []));
}

/**
 * Returns whether files beside directories have the same second names, and the paths for which packs are passed over
 * are nodes in both snapshots or in neither.
 */
function hasSameNames(before: Snapshot, after: Snapshot, { looseOnly = [] }: TreeRule): boolean {
  const { clashes } = after;
  if (before.clashes.size !== clashes.size) return false;
  for (const [node, alias] of before.clashes) if (clashes.get(node) !== alias) return false;
  return looseOnly.every(({ path }) => before.findNode(path, true) === after.findNode(path, true));
}

/**
 * Returns the entries of the search path that are not listed as they were; `undefined` if any has another name, or is a
 * directory and was none.
 */
function changedRows(before: ResolvedRule, snapshot: Snapshot, rule: TreeRule): number[] | undefined {
  const rows: number[] = [];
  for (const id of rule.searchPath) {
    const [old, now] = [before.snapshot.sources[id], snapshot.sources[id]];
    if (!old || !now || !isSamePlace(old, now) || !addChangedRows(before.snapshot, old, snapshot, now, rule, rows)) {
      return undefined;
    }
  }
  return rows;
}

function isSamePlace(old: Source, now: Source): boolean {
  return old.path === now.path && old.kind === now.kind && old.entryCount === now.entryCount &&
    isDirectorySource(old) === isDirectorySource(now);
}

/** Returns whether an archive was not read again: in other threads columns that are the same are other objects. */
function isKept(old: Source, now: Source): boolean {
  return old.readAt === now.readAt && !isDirectorySource(now) && old.recovery === null && now.recovery === null &&
    isSameIdentity(old.identity, now.identity);
}

function addChangedRows(
  before: Snapshot,
  old: Source,
  after: Snapshot,
  now: Source,
  { duplicates }: TreeRule,
  rows: number[],
): boolean {
  const was = before.columns;
  const is = after.columns;
  const hasMoved = old.firstEntry !== now.firstEntry;
  const areOffsetsSame = duplicates !== "last-stored" || (was.entryOffsets === is.entryOffsets && !hasMoved);
  // Of several equal names, the one that a binary search meets depends on all names of the pack as they are stored.
  const isReplaced = duplicates === "met" && !isSameIdentity(old.identity, now.identity);
  const areColumnsSame = !hasMoved && was.entryNodes === is.entryNodes && was.entryFlags === is.entryFlags &&
    was.entryDamage === is.entryDamage;
  if ((areColumnsSame && areOffsetsSame && !isReplaced) || isKept(old, now)) return true;
  const step = now.firstEntry - old.firstEntry;
  for (let entry = now.firstEntry; entry < now.firstEntry + now.entryCount; entry++) {
    const earlier = entry - step;
    const isSameName = is.entryNodes[entry] === was.entryNodes[earlier] &&
      (((is.entryFlags[entry] ?? beyond(is.entryFlags)) ^ (was.entryFlags[earlier] ?? beyond(was.entryFlags))) &
          entryIsDirectory) === 0;
    if (!isSameName) return false;
    const isChanged = isReplaced || is.entryDamage[entry] !== was.entryDamage[earlier] ||
      (!areOffsetsSame && is.entryOffsets[entry] !== was.entryOffsets[earlier]);
    if (isChanged) rows.push(entry);
  }
  return true;
}

/** Returns how entries are numbered now; `undefined` if they keep their numbers. */
function movedEntries(before: Snapshot, after: Snapshot): ((entry: number) => number) | undefined {
  if (before.sources.every(({ firstEntry }, id) => after.sources[id]?.firstEntry === firstEntry)) return undefined;
  const steps = Int32Array.from(
    before.sources,
    ({ firstEntry }, id) => (after.sources[id]?.firstEntry ?? firstEntry) - firstEntry,
  );
  const { entrySources } = before.columns;
  return (entry) => entry + (steps[entrySources[entry] ?? beyond(entrySources)] ?? beyond(steps));
}

function hasSameHidden(before: TreeRule, after: TreeRule, moved: ((entry: number) => number) | undefined): boolean {
  const now = after.hidden ?? new Set();
  if ((before.hidden?.size ?? 0) !== now.size) return false;
  for (const entry of before.hidden ?? []) if (!now.has(moved ? moved(entry) : entry)) return false;
  return true;
}
