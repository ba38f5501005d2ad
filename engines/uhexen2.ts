/**
 * Hammer of Thyrion, for Hexen II: sezero/uhexen2.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { packFiles, packName, readsOn } from "./core/engine_limits.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { plain, quakeNames, quakePacks } from "./core/shared_parts.ts";

export const uhexen2: Engine = {
  ...plain,
  name: "uhexen2",
  engine: "Hammer of Thyrion",
  title: "Hammer of Thyrion: Hexen II",
  ignoreCase: false,
  // engine/h2shared/quakefs.c: FS_AddGameDirectory, FS_LoadPackFile, FS_Init
  packs: [{ ...quakePacks, last: 9, stopsAtGap: false, emptyIsMissing: true, unreadableIsMissing: true }],
  memberNames: quakeNames,
  // engine/h2shared/hashindex.c: Hash_Add
  duplicates: "last",
  bases: ["data1"],
  missionPacks: ["portals", "hw"],
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-number", "last-in-pack"],
  family: "quake",
  // pictures and music are not read in its source
  pictures: pictures([]),
  files: pathsAlone,
  shaders: null,
  limits: [packFiles(2048, "ignores the pack"), packName(readsOn)],
  // engine/h2shared/userdir.h: SYS_USERDIR_UNIX
  homes: [{ game: "hexen2", paths: ["~/.hexen2"] }],
};
