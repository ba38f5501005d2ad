/**
 * Interns path components and paths while a snapshot is built.
 *
 * Paths and names keep their numbers across refreshes, so unchanged files keep their ids and their pages in the kernel.
 * @module
 */
import { at, beyond, sharedCopy, sharedUint32, type SnapshotColumns } from "./columns.ts";
import { childHash, compareBytes, compareFolded, equalBytes, equalFolded, foldedHash } from "./fold.ts";
import { GrowableUint32, GrowableUint8 } from "./growable.ts";

const slash = 0x2f;

/** Moves an open-addressing table into a larger one; `hashOf` returns the hash of the item stored as item + 1. */
function rehashed(table: Uint32Array, larger: Uint32Array, hashOf: (item: number) => number): Uint32Array {
  const mask = larger.length - 1;
  for (const slot of table) {
    if (slot === 0) continue;
    let position = hashOf(slot - 1) & mask;
    while (larger[position] !== 0) position = (position + 1) & mask;
    larger[position] = slot;
  }
  return larger;
}

/** Columns of names and nodes. */
export type NameColumns = Pick<
  SnapshotColumns,
  | "names"
  | "nameStarts"
  | "nodeParents"
  | "nodeNames"
  | "nodeFolds"
  | "nodeOrder"
  | "childStarts"
  | "nodeTable"
  | "nodeSeed"
>;

/** Minimum old nodes per new node; with more new nodes, all nodes are sorted again. */
const maxInserted = 16;

/** Distinct path components, and distinct paths as (parent, component). */
export class NameBuilder {
  readonly #base: NameColumns | undefined;
  readonly #names: GrowableUint8;
  readonly #nameStarts: GrowableUint32;
  /** Filled with the base's names when the first name is added; usually all paths are known and no name is added. */
  readonly #nameHashes = new GrowableUint32();
  #nameTable: Uint32Array = new Uint32Array(1024);

  readonly #parents: GrowableUint32;
  readonly #nodeNames: GrowableUint32;
  readonly #folds: GrowableUint32;
  /** In shared memory; the base's array until a node is added. */
  #nodeTable: Uint32Array;
  readonly #seeds: Uint32Array;
  readonly #seed: number;

  /** Bytes and node of the directory of the last added path: archives list the files of a directory together. */
  #lastDirectory: Uint8Array = new Uint8Array(256);
  #lastLength = 0;
  #lastNode = 0;

  /** Starts with the names and nodes of `base`, if given, which keep their numbers. */
  constructor(base?: NameColumns) {
    this.#base = base;
    this.#names = new GrowableUint8(base?.names, base?.names.length);
    this.#nameStarts = new GrowableUint32(base?.nameStarts, base?.nameStarts.length);
    this.#parents = new GrowableUint32(base?.nodeParents, base?.nodeParents.length);
    this.#nodeNames = new GrowableUint32(base?.nodeNames, base?.nodeNames.length);
    this.#folds = new GrowableUint32(base?.nodeFolds, base?.nodeFolds.length);
    this.#nodeTable = base?.nodeTable ?? sharedUint32(1024);
    this.#seeds = base?.nodeSeed ?? sharedCopy(crypto.getRandomValues(new Uint32Array(1)));
    this.#seed = at(this.#seeds, 0);
    if (base) return;
    this.#nameStarts.push(0);
    const empty = this.#internName(new Uint8Array(0), 0, 0, foldedHash(new Uint8Array(0), 0, 0, this.#seed));
    this.#parents.push(0);
    this.#nodeNames.push(empty);
    this.#folds.push(0);
  }

  /** Number of nodes, the root included. */
  get nodeCount(): number {
    return this.#parents.length;
  }

  /** Returns the node of a path, creating it if it is new. Empty components are ignored. */
  addPath(path: Uint8Array): number {
    const lastSlash = path.lastIndexOf(slash);
    const directory = this.#directoryNode(path, lastSlash < 0 ? 0 : lastSlash);
    return this.addChild(directory, path, lastSlash + 1, path.length);
  }

  /**
   * Returns the node of the child named `bytes[start, end)`, creating it if it is new; the parent itself for an empty
   * name.
   */
  addChild(parent: number, bytes: Uint8Array, start: number, end: number): number {
    if (start >= end) return parent;
    const nameHash = foldedHash(bytes, start, end, this.#seed);
    const parentFold = this.#folds.values[parent] ?? beyond(this.#folds.values);
    const mask = this.#nodeTable.length - 1;
    let position = childHash(parentFold, nameHash) & mask;
    let fold = -1;
    for (
      let slot = this.#nodeTable[position] ?? beyond(this.#nodeTable);
      slot !== 0;
      slot = this.#nodeTable[position] ?? beyond(this.#nodeTable)
    ) {
      const node = slot - 1;
      if (this.#foldParent(node) === parentFold && this.#isNamed(node, bytes, start, end, equalFolded)) {
        if (
          (this.#parents.values[node] ?? beyond(this.#parents.values)) === parent &&
          this.#isNamed(node, bytes, start, end, equalBytes)
        ) {
          return node;
        }
        fold = this.#folds.values[node] ?? beyond(this.#folds.values);
      }
      position = (position + 1) & mask;
    }
    const node = this.#parents.push(parent);
    this.#nodeNames.push(this.#internName(bytes, start, end, nameHash));
    this.#folds.push(fold < 0 ? node : fold);
    this.#fileNode(node, position);
    return node;
  }

  /** Enters a new node at a free position of the table. */
  #fileNode(node: number, position: number): void {
    if (this.#nodeTable === this.#base?.nodeTable) this.#nodeTable = sharedCopy(this.#nodeTable);
    this.#nodeTable[position] = node + 1;
    const { length } = this.#nodeTable;
    if (this.nodeCount * 2 <= length) return;
    this.#nodeTable = rehashed(this.#nodeTable, sharedUint32(length * 2), (item) => this.#nodeHash(item));
  }

  /** Parent of a node. */
  parentOf(node: number): number {
    return at(this.#parents.values, node);
  }

  /** Fold node of a node. */
  foldOf(node: number): number {
    return at(this.#folds.values, node);
  }

  /** Returns the bytes of a node's name. */
  nameOf(node: number): Uint8Array {
    const name = at(this.#nodeNames.values, node);
    return this.#names.values.slice(this.#nameStarts.values[name], this.#nameStarts.values[name + 1]);
  }

  /** Returns the finished columns, in shared memory. */
  finish(): NameColumns {
    return {
      names: this.#names.shared(),
      nameStarts: this.#nameStarts.shared(),
      nodeParents: this.#parents.shared(),
      nodeNames: this.#nodeNames.shared(),
      nodeFolds: this.#folds.shared(),
      nodeOrder: this.#nodeOrder(),
      childStarts: this.#childStarts(),
      nodeTable: this.#nodeTable,
      nodeSeed: this.#seeds,
    };
  }

  #directoryNode(path: Uint8Array, length: number): number {
    if (length === this.#lastLength && equalBytes(path, 0, length, this.#lastDirectory, 0, length)) {
      return this.#lastNode;
    }
    let node = 0;
    let start = 0;
    for (let index = 0; index <= length; index++) {
      if (index < length && path[index] !== slash) continue;
      node = this.addChild(node, path, start, index);
      start = index + 1;
    }
    if (length > this.#lastDirectory.length) this.#lastDirectory = new Uint8Array(length * 2);
    this.#lastDirectory.set(path.subarray(0, length));
    this.#lastLength = length;
    this.#lastNode = node;
    return node;
  }

  /** @param hash The folded hash of `bytes[start, end)`. */
  #internName(bytes: Uint8Array, start: number, end: number, hash: number): number {
    if (this.#nameHashes.length < this.#nameStarts.length - 1) this.#fileNames();
    const mask = this.#nameTable.length - 1;
    let position = hash & mask;
    for (
      let slot = this.#nameTable[position] ?? beyond(this.#nameTable);
      slot !== 0;
      slot = this.#nameTable[position] ?? beyond(this.#nameTable)
    ) {
      const name = slot - 1;
      if (this.#nameHashes.values[name] === hash) {
        const nameStart = this.#nameStarts.values[name] ?? beyond(this.#nameStarts.values);
        const nameEnd = this.#nameStarts.values[name + 1] ?? beyond(this.#nameStarts.values);
        if (equalBytes(this.#names.values, nameStart, nameEnd, bytes, start, end)) return name;
      }
      position = (position + 1) & mask;
    }
    const name = this.#nameHashes.push(hash);
    this.#names.append(bytes.subarray(start, end));
    this.#nameStarts.push(this.#names.length);
    this.#nameTable[position] = name + 1;
    if (this.#nameHashes.length * 2 > this.#nameTable.length) {
      const hashes = this.#nameHashes;
      const larger = new Uint32Array(this.#nameTable.length * 2);
      this.#nameTable = rehashed(this.#nameTable, larger, (item) => hashes.values[item] ?? beyond(hashes.values));
    }
    return name;
  }

  /** Enters the names of the base into the hash table. */
  #fileNames(): void {
    const count = this.#nameStarts.length - 1;
    const names = this.#names.values;
    const starts = this.#nameStarts.values;
    this.#nameHashes.reserve(count);
    for (let name = 0; name < count; name++) {
      this.#nameHashes.push(foldedHash(names, at(starts, name), at(starts, name + 1), this.#seed));
    }
    let room = this.#nameTable.length;
    while (room < count * 2) room *= 2;
    this.#nameTable = new Uint32Array(room);
    const mask = room - 1;
    for (let name = 0; name < count; name++) {
      let position = at(this.#nameHashes.values, name) & mask;
      while (this.#nameTable[position] !== 0) position = (position + 1) & mask;
      this.#nameTable[position] = name + 1;
    }
  }

  #nodeHash(node: number): number {
    return childHash(this.#foldParent(node), at(this.#nameHashes.values, at(this.#nodeNames.values, node)));
  }

  /** Returns whether a node's name is `bytes[start, end)`. */
  #isNamed(node: number, bytes: Uint8Array, start: number, end: number, areEqual: typeof equalBytes): boolean {
    const name = this.#nodeNames.values[node] ?? beyond(this.#nodeNames.values);
    const starts = this.#nameStarts.values;
    return areEqual(
      this.#names.values,
      starts[name] ?? beyond(starts),
      starts[name + 1] ?? beyond(starts),
      bytes,
      start,
      end,
    );
  }

  #nodeOrder(): Uint32Array {
    const base = this.#base?.nodeOrder;
    const added = this.nodeCount - (base?.length ?? 0);
    if (!base || this.#isMostlyNew()) return this.#sortedNodes();
    return added === 0 ? base : this.#nodesInserted(base);
  }

  /** Returns whether so many nodes are new that sorting all of them is faster. */
  #isMostlyNew(): boolean {
    const known = this.#base?.nodeOrder.length ?? 0;
    return (this.nodeCount - known) * maxInserted > known;
  }

  /** Returns the order of the base with the new nodes inserted, after old nodes of the same name. */
  #nodesInserted(base: Uint32Array): Uint32Array {
    const added = Uint32Array.from({ length: this.nodeCount - base.length }, (_, index) => base.length + index)
      .sort((a, b) => this.#compareNodes(a, b) || a - b);
    const order = sharedUint32(this.nodeCount);
    let copied = 0;
    for (const [inserted, node] of added.entries()) {
      let low = copied;
      let high = base.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (this.#compareNodes(at(base, middle), node) <= 0) low = middle + 1;
        else high = middle;
      }
      order.set(base.subarray(copied, low), copied + inserted);
      order[low + inserted] = node;
      copied = low;
    }
    order.set(base.subarray(copied), copied + added.length);
    return order;
  }

  /** Compares by fold parent, then by name. */
  #compareNodes(a: number, b: number): number {
    const parents = this.#foldParent(a) - this.#foldParent(b);
    if (parents !== 0) return parents;
    const first = at(this.#nodeNames.values, a);
    const second = at(this.#nodeNames.values, b);
    return first === second ? 0 : this.#compareNames(first, second);
  }

  #foldParent(node: number): number {
    return this.#folds.values[this.#parents.values[node] ?? beyond(this.#parents.values)] ?? beyond(this.#folds.values);
  }

  #compareNames(a: number, b: number): number {
    const starts = this.#nameStarts.values;
    const names = this.#names.values;
    const aStart = starts[a] ?? beyond(starts);
    const aEnd = starts[a + 1] ?? beyond(starts);
    const bStart = starts[b] ?? beyond(starts);
    const bEnd = starts[b + 1] ?? beyond(starts);
    return compareFolded(names, aStart, aEnd, names, bStart, bEnd) ||
      compareBytes(names, aStart, aEnd, names, bStart, bEnd);
  }

  /** Sorts the distinct names once; then the nodes by counting, first by name, then by parent. */
  #sortedNodes(): Uint32Array {
    const nameCount = this.#nameStarts.length - 1;
    const sorted = Uint32Array.from({ length: nameCount }, (_, name) => name).sort((a, b) => this.#compareNames(a, b));
    const ranks = new Uint32Array(nameCount);
    for (let rank = 0; rank < nameCount; rank++) ranks[at(sorted, rank)] = rank;
    const names = this.#nodeNames.values;
    const byNumber = Uint32Array.from({ length: this.nodeCount }, (_, node) => node);
    const byName = countingSort(
      byNumber,
      nameCount,
      (node) => at(ranks, at(names, node)),
      new Uint32Array(this.nodeCount),
    );
    return countingSort(byName, this.nodeCount, (node) => this.#foldParent(node), sharedUint32(this.nodeCount));
  }

  /** Returns the starts in the base, each shifted by the number of new nodes before it. */
  #childStartsMoved(base: Uint32Array): Uint32Array {
    const known = base.length - 1;
    const parents = Uint32Array.from({ length: this.nodeCount - known }, (_, index) => this.#foldParent(known + index))
      .sort();
    const starts = sharedUint32(this.nodeCount + 1);
    let before = 0;
    for (let node = 0; node <= this.nodeCount; node++) {
      while (before < parents.length && at(parents, before) < node) before++;
      starts[node] = at(base, Math.min(node, known)) + before;
    }
    return starts;
  }

  #childStarts(): Uint32Array {
    const base = this.#base?.childStarts;
    if (base?.length === this.nodeCount + 1) return base;
    if (base && !this.#isMostlyNew()) return this.#childStartsMoved(base);
    const starts = sharedUint32(this.nodeCount + 1);
    for (let node = 0; node < this.nodeCount; node++) {
      const after = this.#foldParent(node) + 1;
      starts[after] = at(starts, after) + 1;
    }
    for (let node = 1; node <= this.nodeCount; node++) starts[node] = at(starts, node) + at(starts, node - 1);
    return starts;
  }
}

/** Sorts `items` by a key below `keyCount` into `sorted`; the sort is stable. */
function countingSort(
  items: Uint32Array,
  keyCount: number,
  keyOf: (item: number) => number,
  sorted: Uint32Array,
): Uint32Array {
  const nextPositions = new Uint32Array(keyCount + 1);
  for (const item of items) {
    const after = keyOf(item) + 1;
    nextPositions[after] = at(nextPositions, after) + 1;
  }
  for (let key = 1; key <= keyCount; key++) nextPositions[key] = at(nextPositions, key) + at(nextPositions, key - 1);
  for (const item of items) {
    const key = keyOf(item);
    const position = at(nextPositions, key);
    sorted[position] = item;
    nextPositions[key] = position + 1;
  }
  return sorted;
}
