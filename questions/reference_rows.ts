/**
 * References of the files of a view: rows of `needs`, `users` and `missing`, and what makes them. The room `questions/references/` reads
 * the files.
 * @module
 */
import type { View } from "../views/mod.ts";

/**
 * Kind of something that an engine loads. A texture is the name of a surface that an image answers, or nothing; a
 * definition one of Doom 3's entities, models, sounds, skins and particles, or of Doom's textures, classes and sounds.
 */
export type NeedKind =
  | "map"
  | "model"
  | "sprite"
  | "skin"
  | "shader"
  | "texture"
  | "image"
  | "sound"
  | "music"
  | "video"
  | "definition"
  | "file";

/** Something that an engine loads for a file. */
export interface NeedRow {
  /** Kind. */
  kind: NeedKind;
  /** Name of a shader or definition; otherwise the path of the file, or for what is missing the name that refers to it. */
  name: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Path of the file, for a shader of the file that defines it; null if it is missing. */
  qpath: string | null;
  /** Absolute path of the pack, or of the directory a loose file was found under; null if it is missing. */
  source: string | null;
  /** Name of the game directory that it comes from; null if it is missing. */
  gameDirectory: string | null;
  /** Whether it is from a numbered pack of the base game: `pak0`, `pak1`, ... */
  base: boolean;
  /** Bytes of the file, decompressed; null if it is missing. */
  size: number | null;
  /** Whether the engine does without it. */
  optional: boolean;
  /** Name of what refers to it, of the first if there are several; null for what was asked about. */
  by: string | null;
  /** Reason for loading it: `surface`, `sky box`, ... */
  why: string;
  /** Number of references between it and what was asked about. */
  depth: number;
  /** Names that it refers to itself, as in the rows of those. */
  needs: string[];
  /** Paths that the engine tries, in its order, if it is missing. */
  tried: string[];
  /** Why the file cannot be read, so that what it refers to is not known; else null. */
  problem: string | null;
}

/** A reference that nothing answers. */
export interface LackRow {
  /** Kind. */
  kind: NeedKind;
  /** The name that refers to it. */
  name: string;
  /** Reason for loading it. */
  why: string;
  /** Paths that the engine tries, in its order. */
  tried: string[];
}

/** Fields of a file, shader or definition that refers to others. */
export interface ReferrerRow {
  /** Kind. */
  kind: NeedKind;
  /** Name of a shader or definition, otherwise the path of the file. */
  name: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Path of the file, for a shader or definition of the file with it. */
  qpath: string;
  /** Absolute path of the pack, or of the directory a loose file was found under. */
  source: string;
  /** Name of the game directory that it comes from. */
  gameDirectory: string;
}

/** A file, shader or definition that refers to a given one, or that may, as it cannot be read. */
export interface UserRow extends ReferrerRow {
  /** Reason for loading it: `surface`, `sky box`, ...; empty if it cannot be read. */
  why: string;
  /** Name of the shader or definition that it refers to instead, and that leads there; null if it refers to it itself. */
  through: string | null;
  /** Why the file cannot be read, so that it is not known whether it refers to the given one; else null. */
  problem: string | null;
}

/** A file, shader or definition that lacks something that it refers to. */
export interface MissingRow extends ReferrerRow {
  /** References that nothing answers. */
  missing: LackRow[];
  /** Why the file cannot be read, so that what it refers to is not known; else null. */
  problem: string | null;
}

/** A reference of a file, shader or definition. */
export interface ReferenceRow {
  /** Kind. */
  kind: NeedKind;
  /** The name that refers to it. */
  name: string;
  /** Reason for loading it. */
  why: string;
  /** Whether the engine does without it. */
  optional: boolean;
  /** Path of the file that answers, for a shader of the file that defines it; null if nothing does. */
  answer: string | null;
}

/** A file, shader or definition with all of its references. */
export interface FollowedRow extends ReferrerRow {
  /** Its references. */
  references: ReferenceRow[];
  /** Why the file cannot be read, so that what it refers to is not known; else null. */
  problem: string | null;
}

/** Files of one kind that `unused` leaves out, or a file that it could not read. */
export interface UndecidedRow {
  /**
   * Why: it is not known what refers to files of a `kind`; a file `replaces` one of another pack or directory, which may
   * be needed; a file is `unreadable`, or the view has no game `code`, so that files which these name may be listed.
   */
  reason: "kind" | "replaces" | "unreadable" | "code";
  /** Extension of the files, or path of the file that cannot be read; empty for code. */
  name: string;
  /** Number of files. */
  files: number;
  /** Bytes of the files, decompressed. */
  size: number;
  /** Why the file cannot be read; null for others. */
  problem: string | null;
}

/** A part of a view's files that may name others and is not followed. */
export interface UnfollowedRow {
  /** Path of a file with it. */
  name: string;
  /** Absolute path of the pack, or of the directory a loose file was found under. */
  source: string;
  /** The part, as a sentence without a full stop. */
  reason: string;
}

/** An archive of a library that provides files which a view lacks; or, without `source`, what none provides. */
export interface ProviderRow {
  /** Absolute path of the archive; null for what no archive provides. */
  source: string | null;
  /** Bytes of the archive. */
  size: number;
  /** Names that nothing in the view answers and the archive does; also those that files of other archives need. */
  provides: string[];
  /** Whether it is one of a smallest set of archives after which nothing is missing that an archive could provide. */
  chosen: boolean;
  /** Whether no smaller set exists; false if there are too many archives to try all sets. */
  exact: boolean;
  /** Why the archive, or a file in it, cannot be read; else null. */
  problem: string | null;
}

/** Reads files for a question. */
export interface Reading {
  /** Reads part of an entry, verified. */
  read(entry: number, offset: number, length: number): Promise<Uint8Array>;
  /** Yields to other work; throws when the question is cancelled. */
  pause(): Promise<void>;
}

/** A walk over all that some files need, each thing once. */
export interface NeedWalk {
  /** Number of things that are known so far. */
  readonly length: number;
  /** Returns thing number `index`, whose own needs are known then; undefined beyond the last thing. */
  row(index: number, reading: Reading): Promise<NeedRow | undefined>;
}

/** A search for files that nothing reaches. */
export interface UnusedFiles {
  /** Number of things that have been reached so far. */
  readonly length: number;
  /** Finds what thing number `index` refers to. */
  advance(index: number, reading: Reading): Promise<void>;
  /** Nodes of the files that nothing reaches, once everything is followed. */
  readonly files: readonly number[];
  /** Files that are left out, and those that cannot be read. */
  readonly undecided: readonly UndecidedRow[];
}

/** References of the files of one view. Files are read when they are asked about, and their references kept. */
export interface ViewReferences {
  readonly view: View;
  /** Number of files, shaders and definitions that may refer to others. */
  readonly referrerCount: number;
  /**
   * Returns the walk from some files and shaders.
   * @param names Paths in the view, names of maps and shaders, packs and game directories.
   * @throws {QuestionError} if the view has nothing of a name.
   */
  walk(names: readonly string[]): NeedWalk;
  /**
   * Returns the archives at some absolute paths, or in directories, that provide what some files lack.
   * @param names As for {@linkcode ViewReferences.walk}; empty for the view's game directory.
   * @throws {QuestionError} if the view has nothing of a name, or a path is not found.
   */
  providers(names: readonly string[], library: readonly string[], reading: Reading): Promise<readonly ProviderRow[]>;
  /**
   * Returns the search for files that nothing reaches.
   * @param maps Names of maps as for {@linkcode ViewReferences.walk}; empty for all.
   * @param source A pack or game directory, whose files are looked at.
   * @throws {QuestionError} if the view has nothing of a name.
   */
  unused(maps: readonly string[], source: string | undefined): UnusedFiles;
  /**
   * Returns the row of referrer `index` if it refers to a file or shader, or cannot be read.
   * @throws {QuestionError} if no file or shader has the name.
   */
  user(index: number, name: string, reading: Reading): Promise<UserRow | undefined>;
  /** Returns the row of referrer `index` if it is of one of `sources` (default: all) and lacks something. */
  lacking(index: number, sources: ReadonlySet<number> | undefined, reading: Reading): Promise<MissingRow | undefined>;
  /** Returns the parts of the view's files that are not followed, so that they may name further files. */
  unfollowed(): readonly UnfollowedRow[];
  /** Returns referrer `index` with all that it refers to. */
  followed(index: number, reading: Reading): Promise<FollowedRow>;
}
