/**
 * Limits of engines, each with the consequence of exceeding it. They are reported, and enforced for strictly indexed
 * games.
 * @module
 */

/** Kind of a limit. */
export type LimitKind = "pack-files" | "pack-name" | "path-name" | "directory-packs" | "shader-files" | "tied-packs";

/** A limit of an engine. */
export interface EngineLimit {
  /** Kind of the counted things. */
  readonly kind: LimitKind;
  /** Maximum number of files, bytes or packs. */
  readonly most: number;
  /** Consequence of exceeding it, a clause after the engine's name. */
  readonly then: string;
  /** Rejected under strict rules: the pack or the file; none: unknown or harmless. */
  readonly refuses: "pack" | "file" | null;
}

/** Title of each limit, for people. */
export const limitTitles: Readonly<Record<LimitKind, string>> = {
  "pack-files": "files in one PAK",
  "pack-name": "bytes of a name in a PAK",
  "path-name": "bytes of a path",
  "directory-packs": "packs in one directory",
  "shader-files": "shader files",
  "tied-packs": "packs that sort as one",
};

/** Returns the limit on files in one PAK. */
export const packFiles = (most: number, then: string, refuses: "pack" | null = "pack"): EngineLimit => ({
  kind: "pack-files",
  most,
  then,
  refuses,
});

/** The name field has 56 bytes, including a NUL. */
export const packName = (then: string): EngineLimit => ({ kind: "pack-name", most: 55, then, refuses: "file" });

/** Consequence in engines that copy a name up to its NUL. */
export const readsOn = "reads past a name that fills its field, and cannot find the file";

/** MAX_QPATH is 64 with the NUL. */
export const quake3Path: EngineLimit = {
  kind: "path-name",
  most: 63,
  then: "refuses longer names of models, sounds and images",
  refuses: "file",
};

/** Packs of one directory whose order the engine does not define. */
export const tiedPacks: EngineLimit = {
  kind: "tied-packs",
  most: 1,
  then: "searches them in the order in which the directory lists them",
  refuses: null,
};

/** Returns the limit on shader files. */
export const shaderFiles = (most: number): EngineLimit => ({
  kind: "shader-files",
  most,
  then: `reads only the first ${String(most).replace(/\d{3}$/, ",$&")} that it lists`,
  refuses: null,
});
