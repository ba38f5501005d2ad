/**
 * Files and directories of a view by their paths.
 * @module
 */
import { at, none } from "../index/mod.ts";
import type { View } from "../views/mod.ts";
import { type PagedQuestion, type Question, QuestionError, type Step, type ViewParameter } from "./question.ts";
import { type DirectoryRow, type FieldsParameter, type FileRow, TreeRows } from "./rows.ts";

/** A row of `ls`. */
export type ListRow = FileRow | DirectoryRow;

/** A file, as shown by `stat`. */
export interface StatRow extends FileRow {
  /** Offset of the compressed bytes in `source`; null if unknown. */
  dataOffset: number | null;
}

/** Parameters of `ls`. */
export interface LsParameters extends ViewParameter, FieldsParameter {
  /** Path of a directory or a file; default: the root of the view. */
  path?: string;
}

/** Lists a directory. */
export const ls: PagedQuestion<LsParameters, ListRow> = {
  parameters: { view: "string", path: "string", fields: "strings" },
  list: ({ catalog }, { view: name, path = "", fields }, from) => {
    const view = catalog.view(name);
    const rows = new TreeRows(view, fields);
    const node = nodeAt(view, path);
    const found = foundPath(view, node, path);
    return view.tree.isDirectory(node)
      ? childRows(view, rows, node, found === "" ? "" : `${found}/`, from.at)
      : [{ row: rows.ofFile(node, found), next: null }];
  },
};

function* childRows(
  { tree }: View,
  rows: TreeRows,
  directory: number,
  prefix: string,
  first: number,
): Generator<Step<ListRow>> {
  const unlisted = tree.unlistedChildren(directory);
  const listedCount = at(tree.childCounts, directory);
  const firstChild = at(tree.firstChildren, directory);
  const count = listedCount + unlisted.length;
  for (let index = first; index < count; index++) {
    const child = unlisted[index - listedCount] ?? firstChild + index;
    const row = rows.of(child, `${prefix}${tree.nameOf(child)}`);
    yield { row, next: index + 1 < count ? { at: index + 1, part: 0 } : null };
  }
}

/** Parameters of queries about one path. */
export interface QpathParameters extends ViewParameter {
  /** A path in the view. */
  qpath: string;
}

/** Returns one file or directory. */
export const stat: Question<QpathParameters, DirectoryRow | StatRow> = {
  parameters: { view: "string", qpath: "required string" },
  answer: async ({ catalog, dataOffset }, { view: name, qpath }) => {
    const view = catalog.view(name);
    const node = nodeAt(view, qpath);
    const row = new TreeRows(view).of(node, foundPath(view, node, qpath));
    if (row.type === "directory") return row;
    return { ...row, dataOffset: await dataOffset(at(view.tree.entries, node)) };
  },
};

/** A path that is missing in a view. */
export class MissingPathError extends QuestionError {
  readonly view: View;
  readonly path: string;
  /** Returns similar names. */
  readonly others: () => Iterable<string>;

  constructor(view: View, asked: string, others: () => Iterable<string> = () => []) {
    const path = cleanPath(asked);
    super("notFound", `no "${path}" in ${view.name}`, { errno: "ENOENT", path });
    this.view = view;
    this.path = asked;
    this.others = others;
  }
}

/**
 * Returns the node of a view's tree at a path.
 * @throws {MissingPathError} if it is missing.
 */
export function nodeAt(view: View, path: string): number {
  const node = view.tree.find(path);
  if (node === none) throw new MissingPathError(view, path);
  return node;
}

/** Returns a path without leading, trailing and double slashes. */
export function cleanPath(path: string): string {
  return path.split("/").filter((part) => part !== "" && part !== ".").join("/");
}

/** Returns the path of a node: as listed, or as requested if that spelling finds another file. */
function foundPath({ tree }: View, node: number, asked: string): string {
  return tree.isVariant(node) ? cleanPath(asked) : tree.pathOf(node);
}
