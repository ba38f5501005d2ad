/**
 * Mark V: sim511777/Quake_Mark_V, a copy of the source of its release 1099, revision 4.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import { quake } from "./quake.ts";

export const markv: Engine = {
  ...quake,
  name: "markv",
  engine: "Mark V",
  title: "Mark V",
  // Mark_V/common.c: COM_InitFilesystem, 1847; COM_AddGameDirectory and COM_FindFile are Quake's.
  missionPacks: ["rogue", "hipnotic", "quoth", "nehahra"],
  // Mark_V/model.c: Mod_LoadLighting, Mod_LoadEntities
  sideFiles: { endings: [".lit", ".ent", ".vis"], of: ".bsp" },
  // Mark_V/q_image.c: Image_Load_Limited
  pictures: pictures(["tga", "pcx"]),
  // Mark_V/common.c: COM_CheckRegistered, COM_LoadPackFile
  registered: { comparesContent: true, ownPacks: [13900, 62751, 32981] },
  homes: [],
  evidence: [{ base: "id1", rank: 3, next: /^(dx\d_)?mark_v/i, says: "belongs to Mark V" }],
};
