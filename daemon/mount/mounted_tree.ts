/**
 * One tree of the mount, and the numbers by which the kernel knows its nodes. A node is known by its number in the
 * index, which a refresh keeps, and by a version that goes up when the node is another one: so what has not changed
 * stays in the kernel's caches, and a file that was open before a change is never mixed with the one after it.
 * @module
 */
import { isSameFile } from "../../index/changes.ts";
import { none } from "../../index/columns.ts";
import type { Tree } from "../../index/tree.ts";
import type { View } from "../../index/view.ts";

/** Bits of a node id's upper half that number the tree; those above them are the node's version. */
const treeBits = 20;
/** The most trees that a mount can number. */
export const mostTrees = 2 ** treeBits - 1;
const mostVersions = 2 ** (32 - treeBits);

/** The number of the tree in the upper half of a node id; 0 for directories that belong to none. */
export function treeNumberOf(high: number): number {
  return high & mostTrees;
}

/** A file that a refresh has taken away or replaced, as it was. */
export interface RetiredNode {
  readonly high: number;
  readonly low: number;
  readonly entry: number;
}

/** A name in a directory, both halves of whose id are given. */
export interface KnownName {
  readonly high: number;
  readonly low: number;
  readonly name: Uint8Array;
}

/** What the kernel must forget of a tree. */
export interface TreeReplacement {
  /** Names that lead elsewhere now, or nowhere, or did not before. */
  readonly names: KnownName[];
  /** Files that were something else before. */
  readonly retired: RetiredNode[];
}

/** A tree with its place in the mount, resolved when it is first looked into. */
export class MountedTree {
  readonly number: number;
  /** The view it shows, or null for a pack alone. */
  readonly view: View | null;
  /** Lower half of the fixed directory above its root. */
  readonly parent: number;
  readonly #resolve: () => Tree;
  /** Version of each node that is not the first one of its number. */
  readonly #versions: Map<number, number>;
  #tree: Tree | undefined;
  /** Place in the tree by number of the node, or {@linkcode none}. */
  #places: Uint32Array | undefined;

  constructor(
    number: number,
    place: { readonly view: View | null; readonly parent: number; readonly resolve: () => Tree },
    versions: Map<number, number> = new Map(),
  ) {
    this.number = number;
    this.view = place.view;
    this.parent = place.parent;
    this.#resolve = place.resolve;
    this.#versions = versions;
  }

  /** The resolved tree. */
  get tree(): Tree {
    this.#tree ??= this.#resolve();
    return this.#tree;
  }

  /** Place in the tree of a node by its id, or {@linkcode none} if it is no longer that node. */
  placeOf(high: number, low: number): number {
    if (low === 0) return 0;
    if (this.#versionOf(low) !== high >>> treeBits) return none;
    return this.#placesByNode()[low] ?? none;
  }

  /** Upper half of the id of a node, given its place in the tree. */
  highOf(place: number): number {
    if (place === 0) return this.number;
    return this.#highOfNode(this.tree.nodes[place] ?? 0);
  }

  /** Lower half of the id of a node, given its place in the tree. */
  lowOf(place: number): number {
    return place === 0 ? 0 : this.tree.nodes[place] ?? 0;
  }

  /** Names in the tree's root, if somebody has looked into it. */
  rootNames(): Uint8Array[] {
    const tree = this.#tree;
    if (!tree) return [];
    const first = tree.firstChildren[0] ?? 0;
    return Array.from(
      { length: tree.childCounts[0] ?? 0 },
      (_, index) => tree.snapshot.nameBytes(tree.nodes[first + index] ?? 0).slice(),
    );
  }

  /** The same tree under another index, with the versions that it goes on from. */
  successor(place: { readonly view: View | null; readonly parent: number; readonly resolve: () => Tree }): MountedTree {
    return new MountedTree(this.number, place, this.#versions);
  }

  /**
   * Gives new versions to nodes that are others under the index that `next` belongs to, and tells what the kernel must
   * forget. Nothing, where nobody has looked into this tree. Both indexes must number nodes alike.
   */
  replacedBy(next: MountedTree): TreeReplacement {
    const names: KnownName[] = [];
    const retired: RetiredNode[] = [];
    if (!this.#tree) return { names, retired };
    const before = this.#placesByNode();
    const after = next.#placesByNode();
    // Ids of directories must be those that the kernel knows, so names are noted before any version goes up.
    const replaced = new Set<number>();
    for (let node = 1; node < Math.max(before.length, after.length); node++) {
      const old = before[node] ?? none;
      const now = after[node] ?? none;
      if (old === none && now === none) continue;
      if (old !== none && now !== none && isSameNode(this.tree, old, next.tree, now)) continue;
      if (old !== none) {
        names.push(this.#nameOf(old));
        const entry = this.tree.entries[old] ?? none;
        if (entry !== none) retired.push({ high: this.highOf(old), low: node, entry });
        replaced.add(node);
      } else {
        const parent = this.#knownDirectory(next, now);
        if (parent !== none) names.push({ ...this.#idOf(parent), name: next.tree.snapshot.nameBytes(node).slice() });
      }
    }
    for (const node of replaced) this.#versions.set(node, (this.#versionOf(node) + 1) % mostVersions);
    // With the name of a directory everything in it is forgotten.
    return { names: names.filter(({ low }) => !replaced.has(low)), retired };
  }

  /** Place in this tree of the directory that a node of the next one is in, or {@linkcode none} if it is a new one. */
  #knownDirectory(next: MountedTree, place: number): number {
    const directory = next.tree.nodes[next.tree.parents[place] ?? 0] ?? 0;
    const known = this.#placesByNode()[directory] ?? none;
    return known !== none && this.tree.isDirectory(known) ? known : none;
  }

  #nameOf(place: number): KnownName {
    const name = this.tree.snapshot.nameBytes(this.tree.nodes[place] ?? 0).slice();
    return { ...this.#idOf(this.tree.parents[place] ?? 0), name };
  }

  #idOf(place: number): { high: number; low: number } {
    return { high: this.highOf(place), low: this.lowOf(place) };
  }

  #versionOf(node: number): number {
    return this.#versions.size === 0 ? 0 : this.#versions.get(node) ?? 0;
  }

  #highOfNode(node: number): number {
    return ((this.#versionOf(node) << treeBits) | this.number) >>> 0;
  }

  #placesByNode(): Uint32Array {
    if (this.#places) return this.#places;
    const { nodes, length, snapshot } = this.tree;
    const places = new Uint32Array(snapshot.nodeCount).fill(none);
    for (let place = 0; place < length; place++) places[nodes[place] ?? 0] = place;
    this.#places = places;
    return places;
  }
}

function isSameNode(before: Tree, old: number, after: Tree, now: number): boolean {
  const entry = before.entries[old] ?? none;
  const other = after.entries[now] ?? none;
  if (entry === none || other === none) return entry === other;
  return isSameFile(before.snapshot, entry, after.snapshot, other);
}
