/**
 * Quake, the original of 1996: id-Software/Quake WinQuake.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { packFiles, packName, readsOn } from "./core/engine_limits.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { plain, quakeNames, quakePacks, quakeRules } from "./core/shared_parts.ts";

/** Quake, original. */
export const quake: Engine = {
  ...plain,
  name: "quake",
  engine: "Quake",
  title: "Quake, original (1996)",
  // common.c: COM_InitFilesystem, COM_AddGameDirectory, COM_FindFile
  ignoreCase: false,
  packs: [quakePacks],
  memberNames: quakeNames,
  duplicates: "first",
  bases: ["id1"],
  missionPacks: ["rogue", "hipnotic"],
  rules: quakeRules,
  family: "quake",
  pictures: pictures([]),
  files: { ...pathsAlone, ignores: ["sky", "side", "music"] },
  shaders: null,
  limits: [packFiles(2048, "refuses to start"), packName(readsOn)],
  // common.c: COM_CheckRegistered, COM_LoadPackFile
  registered: { comparesContent: true, ownPacks: [32981] },
};
