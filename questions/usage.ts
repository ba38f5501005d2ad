/**
 * Number and size of the files below each directory of a view.
 * @module
 */
import { at, none } from "../index/mod.ts";
import type { Tree, View } from "../views/mod.ts";
import { nodeAt } from "./files.ts";
import { numbered, type PagedQuestion, type ViewParameter } from "./question.ts";

/** A directory, with the totals of the files below it. Sizes are bytes. */
export interface UsageRow {
  /** Path in the view; empty for the whole view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Levels below the requested directory; 0 for the directory itself. */
  depth: number;
  /** Number of files below it. */
  files: number;
  /** Decompressed bytes of these files. */
  size: number;
  /** Bytes of these files in packs. */
  packedSize: number;
  /** Number of files directly in it. */
  ownFiles: number;
  /** Decompressed bytes of the files directly in it. */
  ownSize: number;
}

/** Parameters of `usage`. */
export interface UsageParameters extends ViewParameter {
  /** Path of a directory or a file; default: the root of the view. */
  path?: string;
  /** Number of levels; default 1, 0 is the directory alone. */
  depth?: number;
}

/** Totals of a directory and its subdirectories, each before its content, the largest first. */
export const usage: PagedQuestion<UsageParameters, UsageRow> = {
  parameters: { view: "string", path: "string", depth: "count" },
  list: ({ catalog }, { view: name, path = "", depth = 1 }, from) => {
    const view = catalog.view(name);
    return numbered(usageRows(view, nodeAt(view, path), depth), from);
  },
};

/** Totals by node of a tree. */
interface Sums {
  readonly files: Uint32Array;
  readonly sizes: Float64Array;
  readonly compressedSizes: Float64Array;
}

/** The totals of listed nodes. */
const known = new WeakMap<Tree, Sums>();

function noSums(tree: Tree): Sums {
  const count = tree.nodes.length;
  return { files: new Uint32Array(count), sizes: new Float64Array(count), compressedSizes: new Float64Array(count) };
}

/** Adds every file to all directories above it. Children follow their parents, so one pass from the end does it. */
function sumsOf(tree: Tree): Sums {
  // Looking them up allocates space for them.
  const { unlisted } = tree;
  const sums = noSums(tree);
  for (let node = tree.length - 1; node > 0; node--) {
    addFile(sums, tree, node, node);
    addTo(sums, at(tree.parents, node), node);
  }
  for (const node of unlisted) addUpwards(sums, tree, node, 0);
  return sums;
}

/** Totals of the files of a directory that is a variant. */
function sumsOfVariant(tree: Tree, directory: number): Sums {
  const nodes = [directory];
  for (let node = tree.following(directory, directory); node !== none; node = tree.following(node, directory)) {
    nodes.push(node);
  }
  const sums = noSums(tree);
  for (const node of nodes) addUpwards(sums, tree, node, directory);
  return sums;
}

/** Adds a node, if it is a file, to its own totals and to the totals of all directories up to `top`. */
function addUpwards(sums: Sums, tree: Tree, node: number, top: number): void {
  for (let step = node;; step = at(tree.parents, step)) {
    addFile(sums, tree, node, step);
    if (step === top) return;
  }
}

/** Adds a node, if it is a file, to the totals of `to`. */
function addFile(sums: Sums, tree: Tree, node: number, to: number): void {
  const entry = at(tree.entries, node);
  if (entry === none) return;
  const { snapshot } = tree;
  sums.files[to] = at(sums.files, to) + 1;
  sums.sizes[to] = at(sums.sizes, to) + at(snapshot.columns.entrySizes, entry);
  sums.compressedSizes[to] = at(sums.compressedSizes, to) + snapshot.packedSizeOf(entry);
}

function addTo(sums: Sums, to: number, node: number): void {
  sums.files[to] = at(sums.files, to) + at(sums.files, node);
  sums.sizes[to] = at(sums.sizes, to) + at(sums.sizes, node);
  sums.compressedSizes[to] = at(sums.compressedSizes, to) + at(sums.compressedSizes, node);
}

/**
 * Yields a row for `directory` and for the directories below it, each before its content, the largest first.
 * @param deepest Number of levels; 0 is `directory` alone.
 */
function* usageRows(view: View, directory: number, deepest: number): Generator<UsageRow> {
  const sums = view.tree.isVariant(directory)
    ? sumsOfVariant(view.tree, directory)
    : known.getOrInsertComputed(view.tree, sumsOf);
  // Directories of hostile archives can be deeper than the call stack allows.
  const waiting = [{ node: directory, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    const { row, directories } = usageOf(view, node, depth, sums);
    yield row;
    if (depth < deepest) { for (const child of directories.reverse()) waiting.push({ node: child, depth: depth + 1 }); }
  }
}

/** Returns the row of a directory, and its subdirectories, the largest first. */
function usageOf(
  view: View,
  directory: number,
  depth: number,
  sums: Sums,
): { row: UsageRow; directories: number[] } {
  const { tree } = view;
  const { files, sizes, compressedSizes } = sums;
  const first = at(tree.firstChildren, directory);
  const count = tree.isDirectory(directory) ? at(tree.childCounts, directory) : 0;
  const listed = Array.from({ length: count }, (_, index) => first + index);
  const directories: number[] = [];
  let ownFiles = tree.isDirectory(directory) ? 0 : 1;
  let ownSize = tree.isDirectory(directory) ? 0 : at(sizes, directory);
  for (const child of [...listed, ...count > 0 ? tree.unlistedChildren(directory) : []]) {
    // Files of an unlisted directory are counted where they are listed.
    if (tree.isVariant(child) && at(files, child) === 0) continue;
    if (tree.isDirectory(child)) {
      directories.push(child);
    } else {
      ownFiles++;
      ownSize += at(sizes, child);
    }
  }
  directories.sort((a, b) => at(sizes, b) - at(sizes, a) || a - b);
  const row: UsageRow = {
    qpath: tree.pathOf(directory),
    view: view.name,
    depth,
    files: at(files, directory),
    size: at(sizes, directory),
    packedSize: at(compressedSizes, directory),
    ownFiles,
    ownSize,
  };
  return { row, directories };
}
