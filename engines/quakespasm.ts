/**
 * QuakeSpasm: sezero/quakespasm.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import { quakeMusic, quakePacks } from "./core/shared_parts.ts";
import { quake } from "./quake.ts";

export const quakespasm: Engine = {
  ...quake,
  name: "quakespasm",
  engine: "QuakeSpasm",
  title: "QuakeSpasm",
  packs: [{ ...quakePacks, emptyIsMissing: true }],
  missionPacks: ["rogue", "hipnotic", "quoth"],
  // Quake/common.c: COM_AddGameDirectory pushes it right after id1/pak0; no pack is inside the program
  enginePack: {
    name: "quakespasm.pak",
    order: 0.5,
    belowLoose: false,
    foundIn: "each-root",
    followsPack: false,
    followsListed: "",
  },
  // Quake/gl_model.c: Mod_LoadLighting, Mod_LoadEntities, Mod_FindVisibilityExternal
  sideFiles: { endings: [".lit", ".ent", ".vis"], of: ".bsp" },
  // Quake/image.c: Image_LoadImage
  pictures: pictures(["tga", "pcx"]),
  // Quake/bgmusic.c
  files: quakeMusic,
  // Quake/common.c: three versions of id's pack
  registered: { comparesContent: true, ownPacks: [13900, 62751, 32981] },
  // Quake/sys_sdl_unix.c: SYS_USERDIR; forks keep the mechanism with their own names
  homes: [{ game: "quake", paths: ["~/.quakespasm"] }],
  evidence: [
    { base: "id1", rank: 0, next: /^quakespasm\.pak$/, says: "is QuakeSpasm's own pack" },
    { base: "id1", rank: 4, next: /^quakespasm/i, says: "belongs to QuakeSpasm" },
  ],
};
