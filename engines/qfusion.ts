/**
 * qfusion, the engine of Warsow and Warfork: TeamForbiddenLLC/warfork-qfusion.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone } from "./core/names.ts";
import { ofAnyFamily, plain, sortedPacks, storedNames, zipMethods } from "./core/shared_parts.ts";

export const qfusion: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "qfusion",
  engine: "qfusion",
  title: "qfusion: Warsow and Warfork",
  // source/qcommon/files.c: FS_GamePathPaks, FS_FindPackFilePos, FS_LoadPackFile. Packs of other versions that end in
  // "pure" are not loaded, nor is a pack whose name a lower directory has; these two are left out here.
  packs: [{
    ...sortedPacks,
    suffixes: [".pk3", ".pk2", ".pak"],
    emptyIsMissing: true,
    collation: "strcasecmp",
    formats: ["quake-pak", "zip"],
    formatByEnding: true,
  }],
  memberMethods: zipMethods,
  memberNames: { ...storedNames, refused: ["..", "//", "\\"], fullNames: "cut" },
  duplicates: "last",
  bases: ["basewsw", "basewf"],
  // FS_IsExplicitPurePak, FS_SearchPathForFile
  corePacks: [{ mod: null, checksums: [], endings: ["pure.pk3", "pure.pk2", "pure.pak"] }],
  rules: [
    "core-pack",
    "game-directory",
    "source-directory",
    "loose-over-pack",
    "pack-name",
    "last-in-pack",
  ],
  files: pathsAlone,
};
