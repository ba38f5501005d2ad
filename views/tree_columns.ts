/**
 * The growing columns of a tree.
 * @module
 */
import { none, sharedUint32 } from "../index/mod.ts";

/** The columns of the listed nodes of a tree. */
export interface ListedColumns {
  readonly nodes: Uint32Array;
  readonly entries: Uint32Array;
  readonly parents: Uint32Array;
  readonly firstChildren: Uint32Array;
  readonly childCounts: Uint32Array;
}

/** The columns of a tree, in shared memory. They grow when a path is requested in an unlisted spelling. */
export class TreeColumns implements ListedColumns {
  nodes: Uint32Array;
  entries: Uint32Array;
  parents: Uint32Array;
  firstChildren: Uint32Array;
  childCounts: Uint32Array;
  length = 1;

  constructor(room: number) {
    this.nodes = sharedUint32(room);
    this.entries = sharedUint32(room);
    if (room > 0) this.entries[0] = none;
    this.parents = sharedUint32(room);
    this.firstChildren = sharedUint32(room);
    this.childCounts = sharedUint32(room);
  }

  /**
   * Returns columns with the nodes of another thread. They have no spare capacity: they are replaced before a node is
   * added.
   */
  static from(listed: ListedColumns): TreeColumns {
    const columns = new TreeColumns(0);
    Object.assign(columns, listed);
    columns.length = listed.nodes.length;
    return columns;
  }

  /** Returns the columns of the first `length` nodes, which can be posted to another thread. */
  listed(length: number): ListedColumns {
    return {
      nodes: this.nodes.subarray(0, length),
      entries: this.entries.subarray(0, length),
      parents: this.parents.subarray(0, length),
      firstChildren: this.firstChildren.subarray(0, length),
      childCounts: this.childCounts.subarray(0, length),
    };
  }

  /** Number of nodes that are files. */
  get fileCount(): number {
    let count = this.length;
    for (let directory = 0; directory >= 0; directory = this.nextDirectory(directory)) count--;
    return count;
  }

  /** Returns the next directory after `index`, or -1 at the end. */
  nextDirectory(index: number): number {
    const next = this.entries.indexOf(none, index + 1);
    return next < this.length ? next : -1;
  }

  add(node: number, entry: number, parent: number): number {
    const index = this.length++;
    if (index >= this.nodes.length) this.resize(Math.max(64, index * 2));
    this.nodes[index] = node;
    this.entries[index] = entry;
    this.parents[index] = parent;
    return index;
  }

  resize(room: number): void {
    const resized = (column: Uint32Array) => {
      if (room <= column.length) return column.subarray(0, room);
      const larger = sharedUint32(room);
      larger.set(column);
      return larger;
    };
    this.nodes = resized(this.nodes);
    this.entries = resized(this.entries);
    this.parents = resized(this.parents);
    this.firstChildren = resized(this.firstChildren);
    this.childCounts = resized(this.childCounts);
  }
}
