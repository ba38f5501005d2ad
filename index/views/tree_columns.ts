/**
 * The growing columns of a tree.
 * @module
 */
import { none } from "../columns/columns.ts";

/** The columns of a tree. They grow when a path is asked for in a spelling that is not listed. */
export class TreeColumns {
  nodes: Uint32Array;
  entries: Uint32Array;
  parents: Uint32Array;
  firstChildren: Uint32Array;
  childCounts: Uint32Array;
  length = 1;

  constructor(room: number) {
    this.nodes = new Uint32Array(room);
    this.entries = new Uint32Array(room).fill(none);
    this.parents = new Uint32Array(room);
    this.firstChildren = new Uint32Array(room);
    this.childCounts = new Uint32Array(room);
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
      const larger = new Uint32Array(room);
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
