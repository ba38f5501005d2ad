/**
 * Rows of files and directories: replies of `ls`, `find` and `stat`.
 * @module
 */
import { at, isDirectorySource } from "../index/mod.ts";
import { entryDamage, type View } from "../views/mod.ts";
import type { JsonBytes } from "../system/mod.ts";
import { QuestionError } from "./question.ts";

/** One file of a view. Sizes and offsets in bytes, times in milliseconds since the epoch. */
export interface FileRow {
  /** Kind of row. */
  type: "file";
  /** Path in the view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Decompressed bytes. */
  size: number;
  /** Modification time. */
  mtime: number;
  /** Absolute path of the pack, or of the directory of a loose file. */
  source: string;
  /** Name inside `source`, as spelled in the archive. */
  member: string;
  /** Name of an archive format, or `loose`. */
  format: string;
  /**
   * Offset of the member's record in `source`, or in `part`: for zip its local header, else its data. For a member of a
   * compressed inner archive: offset in its decompressed bytes.
   */
  offset: number;
  /** Absolute path of the file with the data, for multi-file archives. */
  part?: string;
  /** Bytes as stored in `source`. */
  packedSize: number;
  /** `store`, `deflate`, ... */
  method: string;
  /** Eight hex digits, or null if the format stores none. */
  crc32: string | null;
  /** Number of files on the view's search path that lost to this one. */
  shadows: number;
  /** Reason why the file cannot be read, if it is damaged. */
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
  /** Number of names in the directory. */
  entries: number;
}

/** A file of a view's tree, from which rows are created. */
interface TreeFile {
  readonly view: View;
  readonly index: number;
  readonly entry: number;
  readonly qpath: string;
}

/** Creates each member of a file's row; undefined omits it. */
const fileFields: { readonly [Name in keyof FileRow]-?: (file: TreeFile) => FileRow[Name] | undefined } = {
  type: () => "file",
  qpath: ({ qpath }) => qpath,
  view: ({ view }) => view.name,
  size: ({ view, entry }) => at(view.snapshot.columns.entrySizes, entry),
  mtime: ({ view, entry }) => at(view.snapshot.columns.entryTimes, entry),
  source: ({ view, entry }) => view.snapshot.sourceOf(entry).path,
  member: ({ view, entry }) => view.snapshot.memberOf(entry),
  format: ({ view, entry }) =>
    isDirectorySource(view.snapshot.sourceOf(entry)) ? "loose" : view.snapshot.formatOf(entry),
  offset: ({ view, entry }) => view.snapshot.locationOf(entry).offset,
  part: ({ view, entry }) => view.snapshot.locationOf(entry).part,
  packedSize: ({ view, entry }) => view.snapshot.packedSizeOf(entry),
  method: ({ view, entry }) => view.snapshot.methodOf(entry),
  crc32: ({ view, entry }) => view.snapshot.crcOf(entry)?.toString(16).padStart(8, "0") ?? null,
  shadows: ({ view, index, entry, qpath }) => {
    const node = at(view.tree.nodes, index);
    const asked = view.snapshot.unclashed(node) === node ? qpath : view.tree.askedPathOf(index);
    return view.losersTo(entry, asked).length;
  },
  damaged: ({ view, entry }) => entryDamage(view, entry) ?? undefined,
};

const directoryFields: { readonly [Name in keyof DirectoryRow]: (directory: Omit<TreeFile, "entry">) => unknown } = {
  type: () => "directory",
  qpath: ({ qpath }) => qpath,
  view: ({ view }) => view.name,
  entries: ({ view: { tree }, index }) => {
    tree.list(index);
    return at(tree.childCounts, index) + tree.unlistedChildren(index).length;
  },
};

/** Parameter of questions whose rows are files and directories. */
export interface FieldsParameter {
  /** Members of the rows; default: all. */
  fields?: string[];
}

/** Creates rows of files and directories, with all of their members or some. */
export class TreeRows {
  readonly #view: View;
  readonly #ofFiles: readonly (keyof FileRow)[];
  readonly #ofDirectories: readonly (keyof DirectoryRow)[];
  readonly #written: readonly { readonly before: string; readonly valueOf: (file: TreeFile) => unknown }[];

  /**
   * @throws {QuestionError} if rows have no member with a name in `fields`.
   */
  constructor(view: View, fields?: readonly string[]) {
    this.#view = view;
    const unknown = fields?.find((name) => !Object.hasOwn(fileFields, name) && !Object.hasOwn(directoryFields, name));
    if (unknown !== undefined) {
      const known = Object.keys(fileFields).join(", ");
      throw new QuestionError("invalid", `rows of files have no field ${unknown}; they have ${known}`);
    }
    const wanted = (name: string) => fields === undefined || fields.includes(name);
    this.#ofFiles = (Object.keys(fileFields) as (keyof FileRow)[]).filter(wanted);
    this.#written = this.#ofFiles.map((name) => ({ before: `"${name}":`, valueOf: fileFields[name] }));
    this.#ofDirectories = (Object.keys(directoryFields) as (keyof DirectoryRow)[]).filter(wanted);
  }

  /**
   * Returns the row of a node of the view's tree.
   * @param qpath The path by which it was found, if it is a variant.
   */
  of(index: number, qpath: string = this.#view.tree.pathOf(index)): FileRow | DirectoryRow {
    const view = this.#view;
    if (!view.tree.isDirectory(index)) return this.ofFile(index, qpath);
    const row: Record<string, unknown> = {};
    for (const name of this.#ofDirectories) row[name] = directoryFields[name]({ view, index, qpath });
    return row as unknown as DirectoryRow;
  }

  /** Returns the row of a file of the view's tree; `qpath` as for {@linkcode TreeRows.of}. */
  ofFile(index: number, qpath: string = this.#view.tree.pathOf(index)): FileRow {
    const file = { view: this.#view, index, entry: at(this.#view.tree.entries, index), qpath };
    const row: Record<string, unknown> = {};
    for (const name of this.#ofFiles) {
      const value = fileFields[name](file);
      if (value !== undefined) row[name] = value;
    }
    return row as unknown as FileRow;
  }

  /** Adds the row of {@linkcode TreeRows.ofFile} to JSON. */
  write(json: JsonBytes, index: number, qpath: string): void {
    const file = { view: this.#view, index, entry: at(this.#view.tree.entries, index), qpath };
    let separator = "";
    json.ascii("{");
    for (const { before, valueOf } of this.#written) {
      const value = valueOf(file);
      if (value === undefined) continue;
      json.ascii(separator);
      json.ascii(before);
      json.value(value);
      separator = ",";
    }
    json.ascii("}");
  }
}
