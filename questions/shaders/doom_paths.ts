/**
 * Paths that Doom's engines try for a lump's name, as a view shows lumps.
 *
 * Walls, floors and patches of GZDoom may be any picture (`FTextureManager::CheckForTexture`). The others use floors
 * between their markers; for a patch's name Boom's descendants use a lump outside all markers or a sprite
 * (`R_InitTextures` of dsda-doom's r_data.c), the original any lump (`W_CheckNumForName`). A WAD without an engine
 * shows lumps in `lumps/` and patches in `patches/`.
 * @module
 */
import type { LumpRules, ReferenceKind } from "../../engines/mod.ts";

/** Folders of pictures that GZDoom accepts for any surface, in order, after the folder of its kind. */
const pictureFolders = ["textures/", "hires/", "flats/", "patches/", "graphics/", "", "sprites/"];

/** Returns the folders that an engine searches for a picture, depending on whether its name has a folder. */
function pictureFoldersOf(own: string, lumps: LumpRules | undefined): readonly string[] {
  if (lumps === "gzdoom") return [...new Set([own, ...pictureFolders])];
  if (own === "patches/") {
    if (lumps === undefined) return ["patches/", "lumps/", "sprites/", "flats/"];
    // The original has no namespaces of patches, sprites and floors.
    return lumps === "vanilla" ? ["", "sprites/", "flats/"] : ["", "sprites/"];
  }
  if (own !== "") return [own];
  return lumps === undefined ? ["lumps/", "patches/"] : [""];
}

/** Returns the paths that an engine tries for a name, in order; composed textures come before them. */
export function doomPaths(kind: ReferenceKind, name: string, lumps: LumpRules | undefined): string[] {
  const folder = /^(?:flats|patches|sprites|hires)\//.exec(name)?.[0] ?? "";
  const rest = name.slice(folder.length);
  if (kind === "definition") return [];
  if (kind === "map") return [name, `lumps/${name}`, `maps/${name}.wad`];
  if (kind === "file" || kind === "side" || kind === "model") return [name];
  // A name with a folder is a full path.
  if (rest.includes("/")) return [...new Set([name, rest])];
  if (kind === "sound" || kind === "music") {
    const own = kind === "sound" ? "sounds/" : "music/";
    return lumps === "gzdoom" ? [own + rest, rest] : lumps === undefined ? [`lumps/${rest}`] : [rest];
  }
  // A frame of a sprite is resolved to its first pictures.
  if (folder === "sprites/" && rest.length === 5) return [`${name}0`, `${name}1`];
  // The name on a wall may also be a colour map: special 242 of Boom.
  if (kind === "texture" && folder === "") {
    // src/r_data.c of Woof: what is between TX_START and TX_END is a texture of its own.
    const folders = lumps === "gzdoom"
      ? pictureFolders
      : lumps === undefined || lumps === "woof" || lumps === "eternity"
      ? ["textures/"]
      : [];
    return [...folders, "colormaps/"].map((one) => one + rest);
  }
  return pictureFoldersOf(folder, lumps).map((one) => one + rest);
}

/** Returns the paths that any of these engines tries for the picture of a name. */
export function everyDoomPath(name: string): string[] {
  const rules = ["gzdoom", "vanilla", "woof", undefined] as const;
  const kinds = ["texture", "image"] as const;
  return Array.from(new Set(rules.flatMap((lumps) => kinds.flatMap((kind) => doomPaths(kind, name, lumps)))));
}
