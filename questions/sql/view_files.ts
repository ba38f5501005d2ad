/**
 * The files of views with the numbers of their paths, as the tables of SQL hold them: a path has the number of its node
 * in the snapshot, or a negative one if a view shows it otherwise.
 * @module
 */
import { at, none } from "../../index/mod.ts";
import type { Tree, View } from "../../views/mod.ts";
import { filesAfter } from "../find.ts";

/** Paths by number, and which of them are rows already. */
export class PathNumbers {
  /** 1 for each node whose path is a row. */
  #isAdded = new Uint8Array(1024);
  readonly #others = new Map<string, number>();
  readonly #add: (number: number, path: string) => void;

  /** @param add Adds the row of a path. */
  constructor(add: (number: number, path: string) => void) {
    this.#add = add;
  }

  /** Returns whether the path of a node is a row; it is one from now on. */
  take(node: number): boolean {
    if (node >= this.#isAdded.length) {
      const larger = new Uint8Array(Math.max(node + 1, 2 * this.#isAdded.length));
      larger.set(this.#isAdded);
      this.#isAdded = larger;
    }
    const isAdded = this.#isAdded[node] === 1;
    this.#isAdded[node] = 1;
    return isAdded;
  }

  /** Returns the number of a node's path, or of another one without a node. */
  number(node: number | undefined, path: () => string): number {
    if (node !== undefined) {
      if (!this.take(node)) this.#add(node, path());
      return node;
    }
    const text = path();
    const known = this.#others.get(text);
    if (known !== undefined) return known;
    const number = -1 - this.#others.size;
    this.#others.set(text, number);
    this.#add(number, text);
    return number;
  }
}

/** A file of a view. */
export interface ViewFile {
  /** Number of its path. */
  readonly path: number;
  readonly entry: number;
  /** Returns the path. */
  readonly text: () => string;
}

/** Yields the files of a view in the order of a walk. */
export function* viewFiles({ tree }: View, paths: PathNumbers): Generator<ViewFile> {
  let directory: number = none;
  let isPlain = true;
  let prefix: string | undefined;
  for (const index of filesAfter(tree, 0)) {
    if (index === none) continue;
    const parent = at(tree.parents, index);
    if (parent !== directory) {
      directory = parent;
      isPlain = hasPathOfNode(tree, parent);
      prefix = undefined;
    }
    const text = () => {
      prefix ??= parent === 0 ? "" : `${tree.pathOf(parent)}/`;
      return prefix + tree.nameOf(index);
    };
    const node = isPlain && isBelowParent(tree, index) ? at(tree.nodes, index) : undefined;
    yield { path: paths.number(node, text), entry: at(tree.entries, index), text };
  }
}

/** Returns whether a directory has the path of its node in the snapshot. */
function hasPathOfNode(tree: Tree, directory: number): boolean {
  for (let step = directory; step !== 0; step = at(tree.parents, step)) if (!isBelowParent(tree, step)) return false;
  return true;
}

function isBelowParent(tree: Tree, index: number): boolean {
  const parent = at(tree.nodes, at(tree.parents, index));
  return !tree.isVariant(index) && at(tree.snapshot.columns.nodeParents, at(tree.nodes, index)) === parent;
}
