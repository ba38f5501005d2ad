/**
 * One tree of the mount, and the numbers by which the kernel knows its nodes. The lower half of a node's id is its
 * number in the index, which a refresh keeps. The upper half comes from {@linkcode FreshNumbers}: every new or changed
 * node gets one that no node had before. So an id is never reused during a mount; an unchanged node keeps its id and
 * its pages in the kernel, and an open file is never mixed with its successor.
 * @module
 */
import { EntryComparison, type Tree, type View } from "../../views/mod.ts";
import { at, beyond, none } from "../../index/mod.ts";

/** Numbers from 1, each issued once. A mount that has used all 2^32 no longer changes its content. */
export class FreshNumbers {
  #last: number;

  /** @param last The number before the first. */
  constructor(last = 0) {
    this.#last = last;
  }

  /**
   * Returns the next number.
   * @throws {RangeError} if it would not fit into half a node id.
   */
  next(): number {
    if (this.#last >= 2 ** 32 - 1) throw new RangeError("Cannot number more nodes: mount again to show changes");
    return ++this.#last;
  }
}

/** The id of a node. */
export interface NodeId {
  readonly high: number;
  readonly low: number;
}

/** A name in a directory with a given id. */
export interface CachedName extends NodeId {
  readonly name: Uint8Array;
}

/** Changes of converted files by a refresh, in addition to changes of their originals. */
export interface ConversionChanges {
  /** Returns whether an input of a conversion has changed, by the id of the converted file. */
  isStale(high: number, low: number): boolean;
  /** Returns the names that the converted file of a file with this name may have. */
  convertedNames(name: Uint8Array): Uint8Array[];
}

/** Location of a tree in the mount, and how it is resolved. */
export interface TreeMount {
  /** View of the tree, or null for a single pack. */
  readonly view: View | null;
  /** Lower half of its parent, a fixed directory. */
  readonly parent: number;
  readonly resolve: () => Tree;
  /** The original tree, if this one shows converted files. */
  readonly original?: MountedTree | null;
}

/** A tree and its location in the mount, resolved on first access. */
export class MountedTree {
  /** Upper half of the ids of its root, and of the nodes that existed on first access. */
  readonly number: number;
  /** View of the tree, or null for a single pack. */
  readonly view: View | null;
  /** Lower half of its parent, a fixed directory. */
  readonly parent: number;
  /** The original tree, if this one shows converted files; else null. */
  readonly original: MountedTree | null;
  readonly #resolve: () => Tree;
  #tree: Tree | undefined;
  /** Index in the tree by node number, or {@linkcode none}. */
  #indexes: Uint32Array | undefined;
  /** Upper half of the id by index in the tree; undefined if all are {@linkcode number}. */
  #highs: Uint32Array | undefined;
  /** The upper halves in `#highs`. */
  #usedHighs: ReadonlySet<number>;
  readonly #variants: VariantIds;

  /**
   * @param freshHigh Returns a new upper half of ids for this tree.
   */
  constructor(number: number, mount: TreeMount, freshHigh: (tree: MountedTree) => number) {
    this.#variants = new VariantIds(() => freshHigh(this));
    this.number = number;
    this.#usedHighs = new Set([number]);
    this.view = mount.view;
    this.parent = mount.parent;
    this.original = mount.original ?? null;
    this.#resolve = mount.resolve;
  }

  /** The resolved tree. */
  get tree(): Tree {
    this.#tree ??= this.#resolve();
    return this.#tree;
  }

  /** Returns the tree with the id of a node: for unconverted files, the original tree. */
  ownerOf(index: number): MountedTree {
    if (!this.original || this.tree.isDirectory(index)) return this;
    // A refresh ignores ids of a tree that was never resolved.
    this.original.#tree ??= this.tree;
    return this.original;
  }

  /** Whether it has been accessed. */
  get isResolved(): boolean {
    return this.#tree !== undefined;
  }

  /** Returns the index in the tree of a node by its id, or {@linkcode none} if the node no longer has that id. */
  indexOf(high: number, low: number): number {
    const variant = this.#variants.indexOf(high, low);
    if (variant !== none) return variant;
    if (low === 0) return 0;
    const index = this.#indexesByNode()[low] ?? none;
    return index !== none && this.highOf(index) === high ? index : none;
  }

  /** Returns the upper half of the id of a node, given its index in the tree. */
  highOf(index: number): number {
    if (this.#tree?.isVariant(index)) return this.#variants.idOf(index).high;
    return this.#highs?.[index] ?? this.number;
  }

  /** Returns the lower half of the id of a node, given its index in the tree. */
  lowOf(index: number): number {
    if (this.#tree?.isVariant(index)) return this.#variants.idOf(index).low;
    return index === 0 ? 0 : at(this.tree.nodes, index);
  }

  /** Upper halves of the ids of its nodes. */
  get highs(): ReadonlySet<number> {
    return new Set([...this.#usedHighs, ...this.#variants.highs]);
  }

  /** Returns the names in the tree's root. */
  rootNames(): Uint8Array[] {
    const { tree } = this;
    const first = at(tree.firstChildren, 0);
    return Array.from(
      { length: at(tree.childCounts, 0) },
      (_, index) => tree.snapshot.nameBytes(at(tree.nodes, first + index)).slice(),
    );
  }

  /**
   * Keeps the ids of nodes that are unchanged since the tree of the previous index, gives new ids to all others, and
   * returns the names that the kernel must forget. Does nothing if that tree was never accessed: then the kernel knows
   * none of its nodes. Both indexes must have the same node numbers.
   * @param conversions Changes of converted files, if this tree shows converted files.
   */
  keepIds(previous: MountedTree, numbers: FreshNumbers, conversions?: ConversionChanges): CachedName[] {
    if (!previous.isResolved) return [];
    const names: CachedName[] = [];
    const { tree } = this;
    const before = previous.#indexesByNode();
    const after = this.#indexesByNode();
    const highs = new Uint32Array(tree.length).fill(this.number);
    const usedHighs = new Set([this.number]);
    const entries = new EntryComparison(previous.tree.snapshot, tree.snapshot);
    let fresh: number | undefined;
    let last = this.number;
    // Forgetting the name of a directory forgets everything in it.
    const replaced = new Set<number>();
    const isSame = (old: number, now: number) =>
      isSameNode(entries, previous.tree, old, tree, now) &&
      !(conversions && tree.entries[now] !== none && conversions.isStale(previous.highOf(old), previous.lowOf(old)));
    for (let node = 1; node < Math.max(before.length, after.length); node++) {
      const old = before[node] ?? none;
      const now = after[node] ?? none;
      if (old === none && now === none) continue;
      if (old !== none && now !== none && isSame(old, now)) {
        const high = previous.highOf(old);
        highs[now] = high;
        if (high !== last) usedHighs.add(high);
        last = high;
        continue;
      }
      if (now !== none) highs[now] = fresh ??= numbers.next();
      if (old !== none) {
        names.push(previous.#nameOf(old));
        replaced.add(node);
      } else {
        const parent = previous.#knownDirectory(this, now);
        if (parent !== none) names.push({ ...previous.#idOf(parent), name: tree.snapshot.nameBytes(node).slice() });
      }
    }
    if (fresh !== undefined) usedHighs.add(fresh);
    if (fresh !== undefined || previous.#highs) {
      this.#highs = highs;
      this.#usedHighs = usedHighs;
    }
    this.#keepVariantIds(previous, isSame);
    const forgotten = names.filter(({ low }) => !replaced.has(low));
    if (!conversions) return forgotten;
    return forgotten.flatMap((known) => [
      known,
      ...conversions.convertedNames(known.name).map((name) => ({ ...known, name })),
    ]);
  }

  /** Unchanged variants keep their ids. Their names are not listed: see `CachedLookups`. */
  #keepVariantIds(previous: MountedTree, isSameIndex: (old: number, now: number) => boolean): void {
    for (const [old, id] of previous.#variants.ids) {
      const now = this.tree.find(previous.tree.pathOf(old));
      const isSame = now !== none && this.tree.isVariant(now) &&
        isSameIndex(old, now) &&
        (this.tree.entries[now] !== none || hasSameNames(previous.tree, old, this.tree, now));
      if (isSame) this.#variants.keep(now, id);
    }
  }

  /**
   * Returns the index in this tree of the parent of a node of the next tree, or {@linkcode none} if the parent is new.
   */
  #knownDirectory(next: MountedTree, index: number): number {
    const directory = at(next.tree.nodes, at(next.tree.parents, index));
    const known = this.#indexesByNode()[directory] ?? none;
    return known !== none && this.tree.isDirectory(known) ? known : none;
  }

  #nameOf(index: number): CachedName {
    const name = this.tree.snapshot.nameBytes(at(this.tree.nodes, index)).slice();
    return { ...this.#idOf(at(this.tree.parents, index)), name };
  }

  #idOf(index: number): { high: number; low: number } {
    return { high: this.highOf(index), low: this.lowOf(index) };
  }

  #indexesByNode(): Uint32Array {
    if (this.#indexes) return this.#indexes;
    const { nodes, length, snapshot } = this.tree;
    const indexes = new Uint32Array(snapshot.nodeCount).fill(none);
    for (let index = 0; index < length; index++) indexes[nodes[index] ?? beyond(nodes)] = index;
    this.#indexes = indexes;
    return indexes;
  }
}

/** Ids of variants of a tree, assigned when the kernel requests one. */
class VariantIds {
  /** Ids by index in the tree. */
  readonly ids = new Map<number, NodeId>();
  /** Indexes by upper and then lower half of the id. */
  readonly #indexes = new Map<number, Map<number, number>>();
  readonly #freshHigh: () => number;
  #high: number | undefined;
  #last = 0;

  constructor(freshHigh: () => number) {
    this.#freshHigh = freshHigh;
  }

  /** Upper halves of all ids. */
  get highs(): Iterable<number> {
    return this.#indexes.keys();
  }

  idOf(index: number): NodeId {
    const known = this.ids.get(index);
    if (known) return known;
    this.#high ??= this.#freshHigh();
    const id = { high: this.#high, low: ++this.#last };
    this.keep(index, id);
    return id;
  }

  keep(index: number, id: NodeId): void {
    this.ids.set(index, id);
    const indexes = this.#indexes.get(id.high) ?? new Map<number, number>();
    this.#indexes.set(id.high, indexes);
    indexes.set(id.low, index);
  }

  /** Returns the index of a variant by its id, or {@linkcode none}. */
  indexOf(high: number, low: number): number {
    return this.#indexes.size === 0 ? none : this.#indexes.get(high)?.get(low) ?? none;
  }
}

/** Returns whether two directories list the same names: the kernel may cache a listing by the directory's id. */
function hasSameNames(before: Tree, old: number, after: Tree, now: number): boolean {
  before.list(old);
  after.list(now);
  const count = at(after.childCounts, now);
  if (before.childCounts[old] !== count) return false;
  for (let index = 0; index < count; index++) {
    const [left, right] = [at(before.firstChildren, old) + index, at(after.firstChildren, now) + index];
    if (before.nameOf(left) !== after.nameOf(right) || before.isDirectory(left) !== after.isDirectory(right)) {
      return false;
    }
  }
  return true;
}

function isSameNode(entries: EntryComparison, before: Tree, old: number, after: Tree, now: number): boolean {
  const entry = before.entries[old] ?? none;
  const other = after.entries[now] ?? none;
  if (entry === none || other === none) return entry === other;
  return entries.isSame(entry, other);
}
