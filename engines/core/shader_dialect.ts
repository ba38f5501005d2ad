/**
 * How engines read the files that define shaders or materials.
 * @module
 */

/** Reads files one after another, each by itself, and keeps the first definition of a name. */
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
  /** Their extension, with the dot. */
  readonly extension: string;
}

/** Reads all files, also those that others replace: the rules of the engine decide between them, then offsets. */
export interface RankedShaders {
  /** All files count; the rules decide between them. */
  readonly reading: "ranked";
  /** Name in answers. */
  readonly name: string;
}

/** Joins the files that it lists into one text, and looks for names in it. */
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
   * Which files it ignores: none; those with a shader that lacks a brace, or an opening one; or the former, but before
   * the first whole shader only the lines up to the fault.
   */
  readonly ignores: "nothing" | "unclosed" | "unopened" | "unclosed after the first";
  /** Text from which comments are removed before shaders are looked for: all files together, each file, or none. */
  readonly compresses: "all" | "each" | "none";
  /** Whether `#` begins a comment. */
  readonly hasHashComments: boolean;
  /**
   * Which of equal names answers. The text of the file that is listed last comes first.
   *
   * - `first`: the first of the text.
   * - `last`: the last of the text.
   * - `first of files`: the first shaders of all files come before the others, as the original compares wrong addresses.
   * - `hash`: the first of the text, but if an earlier shader has the same hash, the last.
   */
  readonly order: "first" | "last" | "first of files" | "hash";
  /** Shaders of Quake III's own files that it leaves out, by the comments that it puts there. */
  readonly omissions: readonly ShaderOmission[];
}

/** How an engine reads shaders. */
export type ShaderDialect = ListedShaders | RankedShaders | JoinedShaders;

/** A file that is known by its size and some of its bytes, and offsets at which it gets a comment's begin and end. */
export interface ShaderOmission {
  /** Name in the directory. */
  readonly file: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Offset of bytes that it is known by. */
  readonly offset: number;
  /** These bytes. */
  readonly text: string;
  /** Comments that the engine puts into it. */
  readonly comments: readonly ShaderComment[];
}

/** Offsets of a comment. */
export interface ShaderComment {
  /** Offset of its begin. */
  readonly begin: number;
  /** Offset of its end. */
  readonly end: number;
}

/** Returns whether files define declarations as Doom 3's do, which include materials. */
export function isDoom3(dialect: ShaderDialect): boolean {
  return dialect.reading === "listed" && dialect.syntax === "doom3";
}
