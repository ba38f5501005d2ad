/**
 * The growing columns of a tree.
 * @module
 */
import { beyond, none } from "../columns/columns.ts";

/** The columns of a tree. They grow when a path is asked for in a spelling that is not listed. */
export class TreeColumns {
  nodes: Uint32Array;
  entries: Uint32Array;
  parents: Uint32Array;
  firstChildren: Uint32Array;
  childCounts: Uint32Array;
  length = 1;
  #sharesNodes = false;

  constructor(room: number) {
    this.nodes = new Uint32Array(room);
    this.entries = new Uint32Array(room).fill(none);
    this.parents = new Uint32Array(room);
    this.firstChildren = new Uint32Array(room);
    this.childCounts = new Uint32Array(room);
  }

  /**
   * Returns the first `length` nodes as another tree of the same structure has them.
   * @param moved Returns the number that an entry has there; default: the same.
   */
  next(length: number, moved: ((entry: number) => number) | undefined): TreeColumns {
    const next = new TreeColumns(0);
    next.length = length;
    // Columns that have no room are replaced before something is added.
    next.parents = this.parents.subarray(0, length);
    next.firstChildren = this.firstChildren.subarray(0, length);
    next.childCounts = this.childCounts.subarray(0, length);
    next.nodes = this.nodes.subarray(0, length);
    next.#sharesNodes = true;
    next.entries = this.entries.slice(0, length);
    if (!moved) return next;
    for (let index = 0; index < length; index++) {
      const entry = next.entries[index] ?? beyond(next.entries);
      if (entry !== none) next.entries[index] = moved(entry);
    }
    return next;
  }

  /** Gives a node of another tree's structure another name and entry. */
  replace(index: number, node: number, entry: number): void {
    if (this.nodes[index] !== node) {
      if (this.#sharesNodes) this.nodes = this.nodes.slice();
      this.#sharesNodes = false;
      this.nodes[index] = node;
    }
    this.entries[index] = entry;
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
