/**
 * Rows that `show` prints.
 * @module
 */
import type { Model, Sound } from "../../media/mod.ts";

/** Kind of item that a view has for a name; null if missing. */
export type FoundKind = "shader" | "image" | "file" | null;

/** A texture of a map, and whether the view has it. */
export interface TextureRow {
  readonly name: string;
  /** Number of surfaces with this texture. */
  readonly surfaces: number;
  /** `embedded`: in the map itself. null: missing, or not loaded because no surface shows it. */
  readonly found: FoundKind | "embedded";
  /** Images of its shader that the view lacks. */
  readonly lacks: readonly string[];
}

/** A skin of a model, and whether the view has it. */
export interface SkinRow {
  readonly name: string;
  /** The skin file with its name, for MD3; null if it is in the model itself. */
  readonly file: string | null;
  /** `embedded`: in the model itself. null: missing. */
  readonly found: FoundKind | "embedded";
  /** Images of its shader that the view lacks. */
  readonly lacks: readonly string[];
}

/** A frame of an SP2, and whether the view has its file. */
export interface SpriteFrameRow {
  /** The file with its picture. */
  readonly name: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Whether the view has the file. */
  readonly found: boolean;
}

/** Fields of every row of `show`. */
export interface ShownRow {
  /** The path in the view. */
  qpath: string;
  /** `game/gamedirectory`. */
  view: string;
}

/** A picture. */
export interface PictureRow extends ShownRow {
  /** Kind of the row. */
  type: "picture";
  /** Format of the file. */
  format: string;
  /** Name of the texture or lump, if it is one of several in a file. */
  texture?: string;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** Whether any pixel is not opaque. */
  transparent: boolean;
  /** Palette of its colours; null if the file has colours. */
  palette: string | null;
  /** Path of the output file. */
  png?: string;
}

/** A sound. */
export interface SoundRow extends ShownRow, Sound {
  /** Kind of the row. */
  type: "sound";
  /** Format of the file. */
  format: string;
}

/** A list of entities. */
export interface EntitiesRow extends ShownRow {
  /** Kind of the row. */
  type: "entities";
  /** Number of entities. */
  entities: number;
  /** Number of entities of each class. */
  classes: { classname: string; count: number }[];
  /** Keys of the entity `worldspawn`. */
  worldspawn: Record<string, string>;
}

/** A map. */
export interface MapRow extends ShownRow {
  /** Kind of the row. */
  type: "map";
  /** Engine of the map. */
  format: string;
  /** Version of the format; a word for the large maps of Quake; null for maps of Doom. */
  version: number | "BSP2" | "2PSB" | null;
  /** Number of vertices. */
  vertices: number;
  /** Number of surfaces; of a map of Doom floors, ceilings and parts of walls with a texture. */
  surfaces: number;
  /** Number of models, the world included. */
  models: number;
  /** Number of entities. */
  entities: number;
  /** Number of entities of each class. */
  classes: { classname: string; count: number }[];
  /** Keys of the entity `worldspawn`. */
  worldspawn: Record<string, string>;
  /** Textures of the map. */
  textures: TextureRow[];
  /** Textures and images that the view lacks. */
  missing: string[];
}

/** A model. */
export interface ModelRow extends ShownRow, Omit<Model, "skins"> {
  /** Kind of the row. */
  type: "model";
  /** Skins of the model. */
  skins: SkinRow[];
  /** Skins and images that the view lacks. */
  missing: string[];
}

/** A sprite of Quake 2; one of Quake is a picture. */
export interface SpriteRow extends ShownRow {
  /** Kind of the row. */
  type: "sprite";
  /** Format of the file. */
  format: "SP2";
  /** Frames of the sprite. */
  frames: SpriteFrameRow[];
  /** Files that the view lacks. */
  missing: string[];
}

/** A file of textures. */
export interface TextureWadRow extends ShownRow {
  /** Kind of the row. */
  type: "wad";
  /** Lumps of the file; sizes of pictures in pixels, null for other lumps. */
  lumps: { name: string; type: string; size: number; width: number | null; height: number | null }[];
}

/** Textures of Doom that are composed of patches. */
export interface TexturesRow extends ShownRow {
  /** Kind of the row. */
  type: "textures";
  /** Names of the textures, sizes in pixels, and the names of their patches in drawing order. */
  textures: { name: string; width: number; height: number; patches: string[] }[];
}
