/**
 * vkQuake: Novum/vkQuake, a fork of QuakeSpasm.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import { quakespasm } from "./quakespasm.ts";

export const vkquake: Engine = {
  ...quakespasm,
  name: "vkquake",
  engine: "vkQuake",
  title: "vkQuake",
  enginePack: null,
  // Quake/common.c 2703: COM_AddGameDirectoryRoot; Misc/vq_pak/vq_pak_contents.txt. After an id1/pak0.pak without files
  // it loads pak1.pak nevertheless, as its own pack then counts: 2731.
  programPack: {
    name: "vkquake.pak",
    follows: "pak0.pak",
    // COM_AddGameDirectory 2777: neither the user's directory nor any later one
    userRoots: [".vkquake", "vkQuake"],
    files: [
      "default.cfg",
      "gfx/conback.png",
      "gfx/mainmenu2.lmp",
      "gfx/p_mods.png",
      "gfx/sp_maps.lmp",
      "gfx/p_skill.lmp",
      "gfx/skillmenu.lmp",
      "maps/e1m1@c49d.ent",
      "maps/e1m2@0caa.ent",
      "maps/e1m4@958e.ent",
      "maps/e2m2@fbfe.ent",
      "maps/e2m3@237a.ent",
      "maps/e2m7@10a8.ent",
      "maps/r2m3@63f4.ent",
      "maps/r2m3@76ec.ent",
    ],
  },
  // Quake/common.c 2234, 2290: COM_FindFile; Quake/quakedef.h 33
  aliases: [{ path: "config.cfg", opens: "vkQuake.cfg" }],
  // Quake/image.c: Image_LoadImage
  pictures: pictures(["png", "tga", "jpg", "pcx", "lmp"], { rules: ["game-directory"] }),
  // Quake/common.c: COM_SetUserPrefDir, with SDL_GetPrefPath; ~/.vkquake is a choice of the build
  homes: [{ game: "quake", paths: ["$XDG_DATA_HOME/vkQuake"] }, { game: "quake", paths: ["~/.vkquake"] }],
  evidence: [{ base: "id1", rank: 3, next: /^vkquake/i, says: "belongs to vkQuake" }],
};
