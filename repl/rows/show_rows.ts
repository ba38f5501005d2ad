/**
 * Rows that `show` prints.
 * @module
 */
import type { Model } from "../../preview/model.ts";
import type { Sound } from "../../preview/wav.ts";

/** What a view has of a name; null if nothing. */
export type FoundKind = "shader" | "image" | "file" | null;

/** A texture of a map, and what the view has of it. */
export interface TextureRow {
  readonly name: string;
  /** How many surfaces show it. */
  readonly surfaces: number;
  /** `embedded`: in the map itself. null: nowhere. */
  readonly found: FoundKind | "embedded";
  /** Images that its shader asks for and the view lacks. */
  readonly lacks: readonly string[];
}

/** A skin of a model, and what the view has of it. */
export interface SkinRow {
  readonly name: string;
  /** The skin file that names it, for MD3; null where the model itself does. */
  readonly file: string | null;
  /** `embedded`: in the model itself. null: nowhere. */
  readonly found: FoundKind | "embedded";
  /** Images that its shader asks for and the view lacks. */
  readonly lacks: readonly string[];
}

/** A frame of an SP2, and whether the view has its file. */
export interface SpriteFrameRow {
  /** The file that is its picture. */
  readonly name: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Whether the view has the file. */
  readonly found: boolean;
}

/** What every row of `show` says. */
export interface ShownRow {
  /** The path in the view. */
  qpath: string;
  /** `game/gamedirectory`. */
  view: string;
}

/** A picture that `show` was asked for. */
export interface PictureRow extends ShownRow {
  /** What kind of row it is. */
  type: "picture";
  /** How it is stored. */
  format: string;
  /** Name of the texture or lump, where it is one of several in a file. */
  texture?: string;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** Whether any pixel is not opaque. */
  transparent: boolean;
  /** Where its colours come from; null where they are its own. */
  palette: string | null;
  /** The file it was written to. */
  png?: string;
}

/** A sound that `show` was asked for. */
export interface SoundRow extends ShownRow, Sound {
  /** What kind of row it is. */
  type: "sound";
  /** How it is stored. */
  format: string;
}

/** A list of entities that `show` was asked for. */
export interface EntitiesRow extends ShownRow {
  /** What kind of row it is. */
  type: "entities";
  /** Number of entities. */
  entities: number;
  /** How many there are of each class. */
  classes: { classname: string; count: number }[];
  /** What the entity `worldspawn` says. */
  worldspawn: Record<string, string>;
}

/** A map that `show` was asked for. */
export interface MapRow extends ShownRow {
  /** What kind of row it is. */
  type: "map";
  /** Which engine's map. */
  format: string;
  /** Version of the format, a word for the large maps of Quake. */
  version: number | "BSP2" | "2PSB";
  /** Number of vertices. */
  vertices: number;
  /** Number of surfaces. */
  surfaces: number;
  /** Number of models, the world included. */
  models: number;
  /** Number of entities. */
  entities: number;
  /** How many there are of each class. */
  classes: { classname: string; count: number }[];
  /** What the entity `worldspawn` says. */
  worldspawn: Record<string, string>;
  /** Its textures. */
  textures: TextureRow[];
  /** Textures and images that the view lacks. */
  missing: string[];
}

/** A model that `show` was asked for. */
export interface ModelRow extends ShownRow, Omit<Model, "skins"> {
  /** What kind of row it is. */
  type: "model";
  /** Its skins. */
  skins: SkinRow[];
  /** Skins and images that the view lacks. */
  missing: string[];
}

/** A sprite of Quake 2 that `show` was asked for; one of Quake is a picture. */
export interface SpriteRow extends ShownRow {
  /** What kind of row it is. */
  type: "sprite";
  /** How it is stored. */
  format: "SP2";
  /** Its frames. */
  frames: SpriteFrameRow[];
  /** Files that the view lacks. */
  missing: string[];
}

/** A file of textures that `show` was asked for. */
export interface TextureWadRow extends ShownRow {
  /** What kind of row it is. */
  type: "wad";
  /** What is in it; sizes of pictures in pixels, null for what is none. */
  lumps: { name: string; type: string; size: number; width: number | null; height: number | null }[];
}
