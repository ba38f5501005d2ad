/**
 * References of the files of a view: rows of `needs`, `users` and `missing`, and the interface that creates them. The
 * room `questions/references/` reads the files.
 * @module
 */
import type { View } from "../views/mod.ts";

/**
 * Kind of an item that an engine loads. `texture` is the name of a surface, with or without an image; `definition` is
 * an entity, model, sound, skin or particle of Doom 3, or a texture, class or sound of Doom.
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

/** An item that an engine loads for a file. */
export interface NeedRow {
  /** Kind. */
  kind: NeedKind;
  /** Name of a shader or definition; for other items the path of the file, or if missing the name in the reference. */
  name: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Path of the file, for a shader of the defining file; null if missing. */
  qpath: string | null;
  /** Absolute path of the pack, or of the directory of a loose file; null if missing. */
  source: string | null;
  /** Name of its game directory; null if missing. */
  gameDirectory: string | null;
  /** Whether it is from a numbered pack of the base game: `pak0`, `pak1`, ... */
  base: boolean;
  /** Decompressed bytes of the file; null if missing. */
  size: number | null;
  /** Whether the item is optional for the engine. */
  optional: boolean;
  /** Name of the first item that refers to it; null for the requested items. */
  by: string | null;
  /** Reason for loading it: `surface`, `sky box`, ... */
  why: string;
  /** Number of references between it and the requested item. */
  depth: number;
  /** Names in its own references, as in the rows of these. */
  needs: string[];
  /** Paths that the engine tries, in order, if missing. */
  tried: string[];
  /** Reason why the file cannot be read, so that its references are unknown; else null. */
  problem: string | null;
}

/** An unresolved reference. */
export interface LackRow {
  /** Kind. */
  kind: NeedKind;
  /** The name in the reference. */
  name: string;
  /** Reason for loading it. */
  why: string;
  /** Paths that the engine tries, in order. */
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
  /** Path of the file, for a shader or definition of the defining file. */
  qpath: string;
  /** Absolute path of the pack, or of the directory of a loose file. */
  source: string;
  /** Name of its game directory. */
  gameDirectory: string;
}

/** A file, shader or definition that refers to a given one, or that may, as it cannot be read. */
export interface UserRow extends ReferrerRow {
  /** Reason for loading it: `surface`, `sky box`, ...; empty if it cannot be read. */
  why: string;
  /** Name of the shader or definition through which it refers to the given one; null if directly. */
  through: string | null;
  /** Reason why the file cannot be read, so that it is unknown whether it refers to the given one; else null. */
  problem: string | null;
}

/** A file, shader or definition with unresolved references. */
export interface MissingRow extends ReferrerRow {
  /** Unresolved references. */
  missing: LackRow[];
  /** Reason why the file cannot be read, so that its references are unknown; else null. */
  problem: string | null;
}

/** A reference of a file, shader or definition. */
export interface ReferenceRow {
  /** Kind. */
  kind: NeedKind;
  /** The name in the reference. */
  name: string;
  /** Reason for loading it. */
  why: string;
  /** Whether it is optional for the engine. */
  optional: boolean;
  /** Path of the referenced file, for a shader of the defining file; null if unresolved. */
  answer: string | null;
}

/** A file, shader or definition with all of its references. */
export interface FollowedRow extends ReferrerRow {
  /** References of the file. */
  references: ReferenceRow[];
  /** Reason why the file cannot be read, so that its references are unknown; else null. */
  problem: string | null;
}

/** Files of one kind that `unused` omits, or a file that it could not read. */
export interface UndecidedRow {
  /**
   * Reason: `kind`: the references to files of this kind are unknown; `replaces`: a file replaces one of another pack
   * or directory, which may be needed; `unreadable`: the file cannot be read; `code`: the view has no game code, so
   * that files named in code may be listed.
   */
  reason: "kind" | "replaces" | "unreadable" | "code";
  /** Extension of the files, or path of the unreadable file; empty for code. */
  name: string;
  /** Number of files. */
  files: number;
  /** Decompressed bytes of the files. */
  size: number;
  /** Reason why the file cannot be read; null for others. */
  problem: string | null;
}

/** A part of a view's files that may name others and is not followed. */
export interface UnfollowedRow {
  /** Path of a file that contains it. */
  name: string;
  /** Absolute path of the pack, or of the directory of a loose file. */
  source: string;
  /** The part, as a sentence without a full stop. */
  reason: string;
}

/** An archive of a library with files that a view lacks; or, without `source`, the items that no archive provides. */
export interface ProviderRow {
  /** Absolute path of the archive; null for items that no archive provides. */
  source: string | null;
  /** Bytes of the archive. */
  size: number;
  /** Unresolved names of the view that the archive provides, including names in files of other archives. */
  provides: string[];
  /** Whether it belongs to a smallest set of archives that provides everything that can be provided. */
  chosen: boolean;
  /** Whether no smaller set exists; false if there are too many archives to try all sets. */
  exact: boolean;
  /** Reason why the archive, or a file in it, cannot be read; else null. */
  problem: string | null;
}

/** Reads files for a question. */
export interface Reading {
  /** Reads part of an entry, verified. */
  read(entry: number, offset: number, length: number): Promise<Uint8Array>;
  /** Yields to other work; throws when the question is cancelled. */
  pause(): Promise<void>;
}

/** A walk over everything that some files need, without duplicates. */
export interface NeedWalk {
  /** Number of items known so far. */
  readonly length: number;
  /** Returns item number `index`, with its needs; undefined beyond the last item. */
  row(index: number, reading: Reading): Promise<NeedRow | undefined>;
}

/** A search for unreachable files. */
export interface UnusedFiles {
  /** Number of items reached so far. */
  readonly length: number;
  /** Finds the references of item number `index`. */
  advance(index: number, reading: Reading): Promise<void>;
  /** Nodes of the unreachable files, after all references were followed. */
  readonly files: readonly number[];
  /** Omitted files, and unreadable files. */
  readonly undecided: readonly UndecidedRow[];
}

/** References of the files of one view. Files are read on request, and their references cached. */
export interface ViewReferences {
  readonly view: View;
  /** Number of files, shaders and definitions that may refer to others. */
  readonly referrerCount: number;
  /**
   * Returns the walk from some files and shaders.
   * @param names Paths in the view, names of maps and shaders, packs and game directories.
   * @throws {QuestionError} if the view has no item with a name.
   */
  walk(names: readonly string[]): NeedWalk;
  /**
   * Returns the archives at some absolute paths, or in directories, that provide missing items of some files.
   * @param names As for {@linkcode ViewReferences.walk}; empty for the view's game directory.
   * @throws {QuestionError} if the view has no item with a name, or a path is not found.
   */
  providers(names: readonly string[], library: readonly string[], reading: Reading): Promise<readonly ProviderRow[]>;
  /**
   * Returns the search for unreachable files.
   * @param maps Names of maps as for {@linkcode ViewReferences.walk}; empty for all.
   * @param source A pack or game directory: checks only its files.
   * @throws {QuestionError} if the view has no item with a name.
   */
  unused(maps: readonly string[], source: string | undefined): UnusedFiles;
  /**
   * Returns the row of referrer `index` if it refers to a file or shader, or cannot be read.
   * @throws {QuestionError} if no file or shader has the name.
   */
  user(index: number, name: string, reading: Reading): Promise<UserRow | undefined>;
  /**
   * Returns the row of referrer `index` if it belongs to one of `sources` (default: all) and has unresolved references.
   */
  lacking(index: number, sources: ReadonlySet<number> | undefined, reading: Reading): Promise<MissingRow | undefined>;
  /** Returns the parts of the view's files, and of files with some paths, that are not followed and may name further files. */
  unfollowed(names: readonly string[]): readonly UnfollowedRow[];
  /** Returns referrer `index` with all its references. */
  followed(index: number, reading: Reading): Promise<FollowedRow>;
}
