/**
 * How engines find the file of a name that is no path: pictures, models, sounds and music.
 * @module
 */
import type { RuleName } from "./rule_names.ts";

/** Engine families: engines of a family name and load files in the same way. */
export type Family = "quake" | "quake2" | "quake3" | "doom3" | "doom";

/**
 * Kind of a reference; it decides where an engine looks for a name:
 * - `texture`: name of a surface: a shader or an image.
 * - `surface`: name of a surface in a model: a texture.
 * - `image`: image of a shader or a skin.
 * - `sky`: image of a side of a sky box that an entity names.
 * - `map`: name of a map that the engine loads after this one.
 * - `definition`: a declaration of Doom 3 other than a material, such as `sound NAME`.
 * - `side`: a file next to a map, by its path.
 * - `file`: a path as it is.
 */
export type ReferenceKind =
  | "texture"
  | "surface"
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
  "surface",
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

/** How an engine finds the picture of a name. */
export interface PictureSearch {
  /** Extensions in the order in which the engine tries them; empty: a name is a path. */
  readonly extensions: readonly string[];
  /**
   * Order in which the engine tries the extension in a name, if it is one of these: first, in order, or only this one,
   * and `.jpg` after `.tga`.
   */
  readonly own: OwnExtension;
  /** Whether an unknown extension is part of the name; otherwise it is replaced. */
  readonly keepsUnknown: boolean;
  /** Folders that are searched first for a name without a folder. */
  readonly folders: readonly string[];
  /** Rules that are applied to pictures before the order of extensions. */
  readonly rules: readonly RuleName[];
}

/** Order in which an engine tries the extension in a name. */
export type OwnExtension = "first" | "in order" | "only";

/** Returns a search for pictures by their extensions, with the most common values. */
export function pictures(extensions: readonly string[], others: Partial<PictureSearch> = {}): PictureSearch {
  return { extensions, own: "first", keepsUnknown: true, folders: [], rules: [], ...others };
}

/** Extensions that an engine tries for the names of other files, in its order. */
export interface FileSearch {
  /** Extensions of models, in order; empty: a name is a path. */
  readonly models: readonly string[];
  /** Extensions of models that are equivalent: each stands for all of these, in this order. */
  readonly likeModels: readonly string[];
  /** Extensions of sounds. */
  readonly sounds: readonly string[];
  /** Whether sounds are searched below `sound/` and then by their own path, each `.wav` also as `.ogg`. */
  readonly soundsAnywhere: boolean;
  /** Extensions of music. */
  readonly music: readonly string[];
  /** Kinds of references that the engine does not follow. */
  readonly ignores: readonly ReferenceKind[];
  /** Whether entity classes of the game play the sounds of Quake III, which maps do not name. */
  readonly playsQuake3Classes: boolean;
}

/** A search in which each name is a path. */
export const pathsAlone: FileSearch = {
  models: [],
  likeModels: [],
  sounds: [],
  soundsAnywhere: false,
  music: [],
  ignores: [],
  playsQuake3Classes: true,
};
