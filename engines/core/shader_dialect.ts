/**
 * How engines read the files that define shaders or materials.
 * @module
 */

/** Reads files one after another, independently, and keeps the first definition of a name. */
export interface ListedShaders {
  /** Files are read by name, and the first definition counts. */
  readonly reading: "listed";
  /** Name in answers. */
  readonly name: string;
  /** Name of the engine in sentences. */
  readonly title: string;
  /** Syntax of the files. */
  readonly syntax: "doom3" | "darkplaces";
  /** Directory of the files, in lower case. */
  readonly directory: string;
  /** Extension of the files, with the dot. */
  readonly extension: string;
}

/** Reads all files, including overridden ones: the engine's rules decide between them, then offsets. */
export interface RankedShaders {
  /** All files count; the rules decide between them. */
  readonly reading: "ranked";
  /** Name in answers. */
  readonly name: string;
}

/** Joins the listed files into one text, and searches it for names. */
export interface JoinedShaders {
  /** Files are joined into one text. */
  readonly reading: "joined";
  /** Name in answers. */
  readonly name: string;
  /** Name of the engine in sentences. */
  readonly title: string;
  /** Directory of the files, in lower case. */
  readonly directory: string;
  /**
   * Files that the engine ignores: none; files with a shader that lacks a brace, or an opening one; or the former, but
   * in the part before the first whole shader only the lines up to the fault.
   */
  readonly ignores: "nothing" | "unclosed" | "unopened" | "unclosed after the first";
  /** Scope in which comments are removed before shaders are searched: all files together, each file, or none. */
  readonly compresses: "all" | "each" | "none";
  /** Whether `#` begins a comment. */
  readonly hasHashComments: boolean;
  /**
   * Winner among equal names. The text of the last listed file comes first.
   *
   * - `first`: the first of the text.
   * - `last`: the last of the text.
   * - `first of files`: the first shaders of all files come before the others, since the original compares wrong
   *   addresses.
   * - `hash`: the first of the text, but the last if an earlier shader has the same hash.
   */
  readonly order: "first" | "last" | "first of files" | "hash";
  /** Shaders in Quake III's original files that the engine disables by inserting comments. */
  readonly omissions: readonly ShaderOmission[];
}

/** How an engine reads shaders. */
export type ShaderDialect = ListedShaders | RankedShaders | JoinedShaders;

/** A file that is identified by its size and some bytes, and offsets at which comment marks are inserted. */
export interface ShaderOmission {
  /** Name in the directory. */
  readonly file: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Offset of the identifying bytes. */
  readonly offset: number;
  /** Identifying bytes. */
  readonly text: string;
  /** Comments that the engine inserts. */
  readonly comments: readonly ShaderComment[];
}

/** Offsets of a comment. */
export interface ShaderComment {
  /** Offset of the start mark. */
  readonly begin: number;
  /** Offset of the end mark. */
  readonly end: number;
}

/** Returns whether files contain declarations in the syntax of Doom 3, which include materials. */
export function isDoom3(dialect: ShaderDialect): boolean {
  return dialect.reading === "listed" && dialect.syntax === "doom3";
}
