/**
 * How engines find the file that a name means, where a name is no path: pictures, models, sounds and music.
 * @module
 */
import type { RuleName } from "./rule_names.ts";

/** Engines that name and load files alike. */
export type Family = "quake" | "quake2" | "quake3" | "doom3" | "doom";

/**
 * Kind of a reference, which decides where an engine looks for a name:
 * - `texture`: name of a surface, which is a shader or an image.
 * - `image`: image of a shader or a skin.
 * - `sky`: image of a side of a sky box that an entity names.
 * - `map`: name of a map that the engine loads after this one.
 * - `definition`: a declaration of Doom 3 that is no material, as `sound NAME`.
 * - `side`: a file next to a map, by its path.
 * - `file`: a path as it is.
 */
export type ReferenceKind =
  | "texture"
  | "image"
  | "sky"
  | "model"
  | "sound"
  | "music"
  | "video"
  | "map"
  | "definition"
  | "side"
  | "file";

/** All kinds of references. */
export const referenceKinds = [
  "texture",
  "image",
  "sky",
  "model",
  "sound",
  "music",
  "video",
  "map",
  "definition",
  "side",
  "file",
] as const satisfies readonly ReferenceKind[];

/** How an engine looks for the picture of a name. */
export interface PictureSearch {
  /** Extensions in the order in which it tries them; empty: a name is a path. */
  readonly extensions: readonly string[];
  /**
   * When it tries the extension that a name has, if that is one of these: first, in order, or only that, and `.jpg`
   * after `.tga`.
   */
  readonly own: OwnExtension;
  /** Whether an extension that it does not know is part of the name; otherwise others replace it. */
  readonly keepsUnknown: boolean;
  /** Rules that decide between pictures before the order of extensions does. */
  readonly rules: readonly RuleName[];
}

/** When an engine tries the extension that a name has. */
export type OwnExtension = "first" | "in order" | "only";

/** Returns a search for pictures by their extensions, with the values that most engines have. */
export function pictures(extensions: readonly string[], others: Partial<PictureSearch> = {}): PictureSearch {
  return { extensions, own: "first", keepsUnknown: true, rules: [], ...others };
}

/** Extensions that an engine tries for the names of other files, in its order. */
export interface FileSearch {
  /** Extensions of models that it tries; empty: a name is a path. */
  readonly models: readonly string[];
  /** Extensions of models that each mean all of these, in this order. */
  readonly likeModels: readonly string[];
  /** Extensions of sounds. */
  readonly sounds: readonly string[];
  /** Extensions of music. */
  readonly music: readonly string[];
  /** Kinds of references that it does not follow. */
  readonly ignores: readonly ReferenceKind[];
  /** Whether the classes of its game play the sounds of Quake III, which maps do not name. */
  readonly playsQuake3Classes: boolean;
}

/** A search in which each name is a path. */
export const pathsAlone: FileSearch = {
  models: [],
  likeModels: [],
  sounds: [],
  music: [],
  ignores: [],
  playsQuake3Classes: true,
};
