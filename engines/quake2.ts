/**
 * Quake II, the original of 1997: id-Software/Quake-2.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { packFiles, packName, readsOn } from "./core/engine_limits.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { plain, quakeNames, quakePacks, quakeRules } from "./core/shared_parts.ts";

/** Quake II, original. */
export const quake2: Engine = {
  ...plain,
  name: "quake2",
  engine: "Quake II",
  title: "Quake II, original (1997)",
  // qcommon/files.c: FS_AddGameDirectory, FS_FOpenFile
  packs: [{ ...quakePacks, last: 9, stopsAtGap: false }],
  memberNames: quakeNames,
  duplicates: "first",
  bases: ["baseq2"],
  missionPacks: ["xatrix", "rogue"],
  rules: quakeRules,
  family: "quake2",
  pictures: pictures([]),
  files: { ...pathsAlone, ignores: ["side", "music"] },
  shaders: null,
  limits: [packFiles(4096, "refuses to start"), packName(readsOn)],
  homes: [{ game: "quake2", paths: ["~/.quake2"] }],
};
