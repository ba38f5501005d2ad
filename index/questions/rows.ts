/**
 * Rows of files and directories: answers of `ls`, `find` and `stat`.
 * @module
 */
import { at } from "../columns/columns.ts";
import { isDirectorySource } from "../columns/source.ts";
import type { View } from "../views/view.ts";
import { entryDamage } from "../views/which.ts";

/** One file of a view. Sizes and offsets in bytes, times in milliseconds since the epoch. */
export interface FileRow {
  /** Kind of row. */
  type: "file";
  /** Path in the view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Bytes, decompressed. */
  size: number;
  /** Modification time. */
  mtime: number;
  /** Absolute path of the pack, or of the directory a loose file was found under. */
  source: string;
  /** Name inside `source`, as the archive spells it. */
  member: string;
  /** Name of an archive format, or `loose`. */
  format: string;
  /**
   * Where the member's record starts in `source`, or in `part`; for zip its local header, else its data. For a member of a
   * compressed archive in an archive: in what that decompresses to.
   */
  offset: number;
  /** Absolute path of the file that holds the data, for archives in several files. */
  part?: string;
  /** Bytes as stored in `source`. */
  packedSize: number;
  /** `store`, `deflate`, ... */
  method: string;
  /** Eight hex digits, or null where the format keeps none. */
  crc32: string | null;
  /** Number of files of the view's search path that lost to this one. */
  shadows: number;
  /** Why the file cannot be read, if it is damaged. */
  damaged?: string;
}

/** One directory of a view. */
export interface DirectoryRow {
  /** Kind of row. */
  type: "directory";
  /** Path in the view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Number of names in it. */
  entries: number;
}

/**
 * Returns the row of a node of a view's tree.
 * @param qpath The path that it was found by, if that is a variant.
 */
export function treeRow(view: View, index: number, qpath: string = view.tree.pathOf(index)): FileRow | DirectoryRow {
  const { tree } = view;
  if (!tree.isDirectory(index)) return fileRow(view, index, qpath);
  tree.list(index);
  return { type: "directory", qpath, view: view.name, entries: at(tree.childCounts, index) };
}

/** Returns the row of a file of a view's tree; `qpath` as for {@linkcode treeRow}. */
export function fileRow(view: View, index: number, qpath: string = view.tree.pathOf(index)): FileRow {
  const { snapshot, tree } = view;
  const entry = at(tree.entries, index);
  const { entrySizes, entryTimes, entryCompressedSizes } = snapshot.columns;
  const source = snapshot.sourceOf(entry);
  const crc = snapshot.crcOf(entry);
  const damaged = entryDamage(view, entry);
  const node = at(tree.nodes, index);
  const asked = snapshot.unclashed(node) === node ? qpath : tree.askedPathOf(index);
  return {
    type: "file",
    qpath,
    view: view.name,
    size: at(entrySizes, entry),
    mtime: at(entryTimes, entry),
    source: source.path,
    member: snapshot.memberOf(entry),
    format: isDirectorySource(source) ? "loose" : snapshot.formatOf(entry),
    ...snapshot.locationOf(entry),
    packedSize: at(entryCompressedSizes, entry),
    method: snapshot.methodOf(entry),
    crc32: crc === null ? null : crc.toString(16).padStart(8, "0"),
    shadows: view.shadowedBy(entry, asked),
    ...(damaged === null ? {} : { damaged }),
  };
}
