/**
 * vkQuake: Novum/vkQuake, a QuakeSpasm.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import { quakespasm } from "./quakespasm.ts";

/** vkQuake. */
export const vkquake: Engine = {
  ...quakespasm,
  name: "vkquake",
  engine: "vkQuake",
  title: "vkQuake",
  // Quake/common.c: its own pack is in the program. Further -basedir are searched after the first. After an
  // id1/pak0.pak without files it loads pak1.pak nevertheless, as its own pack then counts; that is left out here.
  enginePack: null,
  // Quake/image.c: Image_LoadImage
  pictures: pictures(["png", "tga", "jpg", "pcx", "lmp"], { rules: ["game-directory"] }),
  // Quake/common.c: COM_SetUserPrefDir, with SDL_GetPrefPath; ~/.vkquake is a choice of the build
  homes: [{ game: "quake", paths: ["$XDG_DATA_HOME/vkQuake"] }, { game: "quake", paths: ["~/.vkquake"] }],
  evidence: [{ base: "id1", rank: 3, next: /^vkquake/i, says: "belongs to vkQuake" }],
};
