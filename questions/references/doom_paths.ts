/**
 * Paths at which Doom's engines look for the lump of a name, as a view shows lumps.
 *
 * Walls, floors and patches of GZDoom may be any picture (`FTextureManager::CheckForTexture`). The others take floors between
 * their markers; of a patch's name Boom's descendants take a lump outside of them or a sprite (`R_InitTextures` of dsda-doom's
 * r_data.c), the original any lump (`W_CheckNumForName`). A WAD without an engine shows lumps in `lumps/` and patches in `patches/`.
 * @module
 */
import type { LumpRules, ReferenceKind } from "../../engines/mod.ts";

/** Folders of pictures that GZDoom accepts for any surface, in its order after the own one. */
const pictureFolders = ["textures/", "hires/", "flats/", "patches/", "graphics/", "", "sprites/"];

/** Returns the folders in which an engine looks for a picture that is written with a folder, or without one. */
function pictureFoldersOf(own: string, lumps: LumpRules | undefined): readonly string[] {
  if (lumps === "gzdoom") return [...new Set([own, ...pictureFolders])];
  if (own === "patches/") {
    if (lumps === undefined) return ["patches/", "lumps/", "sprites/", "flats/"];
    // The original knows no namespaces of patches, sprites and floors.
    return lumps === "vanilla" ? ["", "sprites/", "flats/"] : ["", "sprites/"];
  }
  if (own !== "") return [own];
  return lumps === undefined ? ["lumps/", "patches/"] : [""];
}

/** Returns the paths that an engine tries for a name, in its order; composed textures come before them. */
export function doomPaths(kind: ReferenceKind, name: string, lumps: LumpRules | undefined): string[] {
  const folder = /^(?:flats|patches|sprites|hires)\//.exec(name)?.[0] ?? "";
  const rest = name.slice(folder.length);
  if (kind === "definition") return [];
  if (kind === "map") return [name, `lumps/${name}`, `maps/${name}.wad`];
  if (kind === "file" || kind === "side" || kind === "model") return [name];
  if (rest.includes("/")) return [rest];
  if (kind === "sound" || kind === "music") {
    const own = kind === "sound" ? "sounds/" : "music/";
    return lumps === "gzdoom" ? [own + rest, rest] : lumps === undefined ? [`lumps/${rest}`] : [rest];
  }
  // A frame of a sprite is answered by its first pictures.
  if (folder === "sprites/" && rest.length === 5) return [`${name}0`, `${name}1`];
  // The name on a wall may also name a colour map: special 242 of Boom.
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
