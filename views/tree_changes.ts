/**
 * Winners of an index in which sources are ordered as in the one before it, as after a pack was replaced or a loose file
 * was written: only names that came, went or have other damage or offsets are decided again.
 * @module
 */
import { entryIsDirectory } from "../formats/parts.ts";
import {
  at,
  beyond,
  hasNestedPacks,
  isDirectorySource,
  isSameIdentity,
  none,
  sharedUint32,
  sharedUint8,
  type Snapshot,
  type Source,
} from "../index/mod.ts";
import { DirectoryChanges } from "./directory_changes.ts";
import { findsOwnSpelling, type TreeRule } from "./tree_rule.ts";
import { Differences, inLoose, inPack, winnerOf, type Winners } from "./winners.ts";

/** A rule over a snapshot, with what it leads to. */
export interface ResolvedRule {
  readonly snapshot: Snapshot;
  readonly rule: TreeRule;
  readonly winners: Winners;
}

/**
 * Numbers the entries in a column as they are numbered now. The column holds each entry + `offset`; of those whose names
 * are decided again {@linkcode none} + `offset` is left, which is 0 if `offset` is 1.
 */
export type Moved = (column: Uint32Array, offset: 0 | 1) => void;

/** Differences between the winners of two indexes. */
export interface WinnerChanges {
  readonly winners: Winners;
  /** Undefined where entries keep their numbers. */
  readonly moved: Moved | undefined;
  /** Nodes of the names that were decided again. */
  readonly nodes: ReadonlySet<number>;
}

/** With more names to decide again than these, and than this share of them, all are. */
const fewChanged = 256;
const maxChangedShare = 1 / 16;

/**
 * Returns the winners of the next index; `undefined` if its sources or rules are not the same, or if much is different.
 */
export function winnerChanges(
  before: ResolvedRule,
  snapshot: Snapshot,
  rule: TreeRule,
): WinnerChanges | undefined {
  if (!isSameRule(before.rule, rule) || before.snapshot.numbering !== snapshot.numbering) return undefined;
  if (!hasSameNames(before.snapshot, snapshot, rule)) return undefined;
  const rows = new RowChanges(before.snapshot, snapshot, rule);
  if (!rows.find(Math.max(fewChanged, snapshot.nodeCount * maxChangedShare))) return undefined;
  const moved = rows.moved();
  if (!hasSameHidden(before.rule, rule, rows, moved)) return undefined;
  const columns = changedColumns(before.winners, snapshot, rule, rows);
  if (!columns) return undefined;
  const entries = sharedUint32(snapshot.nodeCount);
  entries.set(before.winners.entries);
  moved?.(entries, 1);
  const decide = winnerOf(snapshot, rule);
  const { nodeFolds } = snapshot.columns;
  for (const node of columns.nodes) {
    const key = rule.ignoreCase ? at(nodeFolds, node) : node;
    entries[key] = decide(key);
  }
  return { winners: { ...columns.winners, entries }, moved, nodes: columns.nodes };
}

/** Returns the other columns of the winners, and the nodes whose names are to be decided again. */
function changedColumns(
  winners: Winners,
  snapshot: Snapshot,
  rule: TreeRule,
  { before, changed, added, removed }: RowChanges,
): { winners: Omit<Winners, "entries">; nodes: ReadonlySet<number> } | undefined {
  const { entryNodes, nodeParents } = snapshot.columns;
  const isSame = added.length === 0 && removed.length === 0;
  const column = <T extends Uint8Array | Uint32Array>(values: T, allocate: (length: number) => T) => {
    if (isSame && values.length === snapshot.nodeCount) return values;
    const longer = allocate(snapshot.nodeCount);
    longer.set(values);
    return longer;
  };
  const directories = column(winners.directories, sharedUint32);
  const marks = column(winners.marks, sharedUint8);
  const differs = winners.differs && column(winners.differs, sharedUint8);
  const nodes = new Set(changed.map((entry) => at(entryNodes, entry)));
  if (isSame) return { winners: { directories, marks, differs }, nodes };
  const differences = new Differences(snapshot, rule, findsOwnSpelling(rule), differs);
  const changes = new DirectoryChanges(snapshot, rule, { marks, directories });
  for (const entry of added) {
    nodes.add(at(entryNodes, entry));
    changes.add(entry);
    if (isDirectorySource(snapshot.sourceOf(entry))) differences.add(at(entryNodes, entry));
  }
  // Where spelling has decided nothing, directories are listed in another way.
  if (differences.found !== differs) return undefined;
  if (differs) addDiffering(added.map((entry) => at(entryNodes, entry)), winners.differs, differs, snapshot, nodes);
  for (const entry of removed) {
    const node = at(before.columns.entryNodes, entry);
    nodes.add(node);
    const isDirectory = (at(before.columns.entryFlags, entry) & entryIsDirectory) !== 0;
    const isLoose = isDirectorySource(before.sourceOf(entry));
    changes.remove(isDirectory ? node : at(nodeParents, node), isLoose ? inLoose : inPack);
    if (isLoose) { for (const fold of differences.remove(node)) nodes.add(fold); }
  }
  if (differs?.[0] === 0) return undefined;
  for (const node of changes.finish()) nodes.add(node);
  return { winners: { directories, marks, differs: differences.found }, nodes };
}

/** Adds the nodes on the way to some whose spelling decides something now and did not before. */
function addDiffering(
  from: readonly number[],
  before: Uint8Array | undefined,
  now: Uint8Array,
  { columns: { nodeFolds, nodeParents } }: Snapshot,
  nodes: Set<number>,
): void {
  for (const node of from) {
    let step = at(nodeFolds, node);
    // What is in the root is noted before the root itself.
    while (step !== 0 && at(now, step) === 1 && (before?.[step] ?? 0) === 0) {
      nodes.add(step);
      step = at(nodeFolds, at(nodeParents, step));
    }
  }
}

/** Returns whether two rules decide alike, given sources of the same order and the same hidden entries. */
function isSameRule(a: TreeRule, b: TreeRule): boolean {
  const isPlain = ({ refuses, substitutes }: TreeRule) => refuses === undefined && (substitutes?.size ?? 0) === 0;
  return isPlain(a) && isPlain(b) && a.ignoreCase === b.ignoreCase &&
    a.duplicates === b.duplicates && a.looseCase === b.looseCase && a.acceptedDamage === b.acceptedDamage &&
    (a.order === undefined) === (b.order === undefined) &&
    JSON.stringify(a.looseOnly ?? []) === JSON.stringify(b.looseOnly ?? []) &&
    a.searchPath.length === b.searchPath.length && a.searchPath.every((id, index) => id === b.searchPath[index]) &&
    JSON.stringify(Array.from(a.ties ?? [])) === JSON.stringify(Array.from(b.ties ?? []));
}

/**
 * Returns whether files next to directories have the same second names, and the paths for which packs are passed over
 * are nodes in both snapshots or in neither.
 */
function hasSameNames(before: Snapshot, after: Snapshot, { looseOnly = [] }: TreeRule): boolean {
  const { clashes } = after;
  if (before.clashes.size !== clashes.size) return false;
  for (const [node, alias] of before.clashes) if (clashes.get(node) !== alias) return false;
  return looseOnly.every(({ path }) => before.findNode(path, true) === after.findNode(path, true));
}

/** Rows of the sources of a search path that are not listed as they were. */
class RowChanges {
  readonly before: Snapshot;
  /** Entries now that are listed with other damage, or at another offset where that decides. */
  readonly changed: number[] = [];
  /** Entries now that are not the last of their names in their source, or whose names it did not list before. */
  readonly added: number[] = [];
  /** Entries before, likewise. */
  readonly removed: number[] = [];
  readonly #after: Snapshot;
  readonly #rule: TreeRule;
  /** By number of a source whose names are different: the row now of each row before, or {@linkcode none}. */
  readonly #rows: (Uint32Array | undefined)[] = [];

  constructor(before: Snapshot, after: Snapshot, rule: TreeRule) {
    this.before = before;
    this.#after = after;
    this.#rule = rule;
  }

  /** Compares all sources; returns whether they are the same sources, and at most `most` rows are different. */
  find(most: number): boolean {
    for (const id of this.#rule.searchPath) {
      const [old, now] = [this.before.sources[id], this.#after.sources[id]];
      if (!old || !now || !isSamePlace(old, now)) return false;
      const changed = this.#changedRows(old, now);
      if (!changed) this.#compareNames(old, now);
      else for (const entry of changed) this.changed.push(entry);
      if (this.changed.length + this.added.length + this.removed.length > most) return false;
    }
    return true;
  }

  /** Returns how entries are numbered now; `undefined` if they keep their numbers. */
  moved(): Moved | undefined {
    const { sources, columns: { entrySources } } = this.before;
    const after = this.#after.sources;
    const rows = this.#rows;
    if (rows.length === 0 && sources.every(({ firstEntry }, id) => after[id]?.firstEntry === firstEntry)) {
      return undefined;
    }
    const steps = Int32Array.from(sources, ({ firstEntry }, id) => (after[id]?.firstEntry ?? firstEntry) - firstEntry);
    const firsts = Uint32Array.from(sources, ({ firstEntry }) => firstEntry);
    return (column, offset) => {
      const nothing = offset === 0 ? none : 0;
      for (let index = 0; index < column.length; index++) {
        const value = column[index] ?? beyond(column);
        if (value === nothing) continue;
        const id = entrySources[value - offset] ?? beyond(entrySources);
        const ofSource = rows[id];
        let step = steps[id] ?? beyond(steps);
        if (ofSource !== undefined) {
          const row = value - offset - at(firsts, id);
          const next = at(ofSource, row);
          step = next === none ? nothing - value : step + next - row;
        }
        column[index] = value + step;
      }
    };
  }

  /** Returns the entries now of the rows that differ; `undefined` if names do. */
  #changedRows(old: Source, now: Source): number[] | undefined {
    const was = this.before.columns;
    const is = this.#after.columns;
    const hasMoved = old.firstEntry !== now.firstEntry;
    const areColumnsSame = !hasMoved && was.entryNodes === is.entryNodes && was.entryFlags === is.entryFlags &&
      was.entryDamage === is.entryDamage &&
      (this.#rule.duplicates !== "last-stored" || was.entryOffsets === is.entryOffsets);
    if (old.entryCount === now.entryCount && areColumnsSame && !this.#isReplaced(old, now)) return [];
    if (isKept(old, now)) return [];
    if (old.entryCount !== now.entryCount) return undefined;
    const changed: number[] = [];
    for (let row = 0; row < now.entryCount; row++) {
      const [earlier, entry] = [old.firstEntry + row, now.firstEntry + row];
      const isSameName = is.entryNodes[entry] === was.entryNodes[earlier] &&
        (((is.entryFlags[entry] ?? beyond(is.entryFlags)) ^ (was.entryFlags[earlier] ?? beyond(was.entryFlags))) &
            entryIsDirectory) === 0;
      if (!isSameName) return undefined;
      if (this.#isChanged(old, earlier, now, entry)) changed.push(entry);
    }
    return changed;
  }

  /** Finds the rows of names before and now, of several the last; all others came or went. */
  #compareNames(old: Source, now: Source): void {
    const known = this.#rowsByName(this.before, old);
    const found = this.#rowsByName(this.#after, now);
    const rows = new Uint32Array(old.entryCount).fill(none);
    const isKnown = new Uint8Array(now.entryCount);
    for (const [key, row] of known) {
      const next = found.get(key) ?? none;
      if (next === none) continue;
      const [earlier, entry] = [old.firstEntry + row, now.firstEntry + next];
      const isSame = at(this.before.columns.entryNodes, earlier) === at(this.#after.columns.entryNodes, entry) &&
        this.before.isDirectory(earlier) === this.#after.isDirectory(entry);
      if (!isSame) continue;
      rows[row] = next;
      isKnown[next] = 1;
      if (this.#isChanged(old, earlier, now, entry)) this.changed.push(entry);
    }
    for (const [row, next] of rows.entries()) if (next === none) this.removed.push(old.firstEntry + row);
    for (const [row, kept] of isKnown.entries()) if (kept === 0) this.added.push(now.firstEntry + row);
    this.#rows[old.id] = rows;
  }

  /** Returns the last row of each name of a source, as the rule compares names. */
  #rowsByName({ columns: { entryNodes, nodeFolds } }: Snapshot, { firstEntry, entryCount }: Source) {
    const rows = new Map<number, number>();
    for (let row = 0; row < entryCount; row++) {
      const node = at(entryNodes, firstEntry + row);
      const key = this.#rule.ignoreCase ? at(nodeFolds, node) : node;
      rows.set(key, row);
    }
    return rows;
  }

  #isChanged(old: Source, earlier: number, now: Source, entry: number): boolean {
    const was = this.before.columns;
    const is = this.#after.columns;
    return this.#isReplaced(old, now) || is.entryDamage[entry] !== was.entryDamage[earlier] ||
      (this.#rule.duplicates === "last-stored" && is.entryOffsets[entry] !== was.entryOffsets[earlier]);
  }

  /**
   * Of several equal names, the one that a binary search meets depends on all names of the pack as they are stored; the
   * order of packs in a pack on more than names.
   */
  #isReplaced(old: Source, now: Source): boolean {
    const isOrdered = this.#rule.duplicates === "met" || hasNestedPacks(old) || hasNestedPacks(now);
    return isOrdered && !isSameIdentity(old.identity, now.identity);
  }
}

function isSamePlace(old: Source, now: Source): boolean {
  return old.path === now.path && old.kind === now.kind && isDirectorySource(old) === isDirectorySource(now);
}

/** Returns whether an archive was not read again: in other threads columns that are the same are other objects. */
function isKept(old: Source, now: Source): boolean {
  return old.readAt === now.readAt && !isDirectorySource(now) && old.recovery === null && now.recovery === null &&
    isSameIdentity(old.identity, now.identity);
}

/** Returns whether the same entries are hidden, but for those whose names are decided again. */
function hasSameHidden(before: TreeRule, after: TreeRule, rows: RowChanges, moved: Moved | undefined): boolean {
  const now = after.hidden ?? new Set();
  const numbers = Uint32Array.from(before.hidden ?? []);
  moved?.(numbers, 0);
  const kept = new Set(numbers);
  kept.delete(none);
  const added = new Set(rows.added);
  return Array.from(kept).every((entry) => now.has(entry)) &&
    Array.from(now).every((entry) => kept.has(entry) || added.has(entry));
}
