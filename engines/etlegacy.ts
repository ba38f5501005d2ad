/**
 * ET: Legacy, for Wolfenstein: Enemy Territory: etlegacy/etlegacy, since 2.76.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone } from "./core/names.ts";
import { quake3Shaders } from "./core/shared_parts.ts";
import { ioquake3 } from "./ioquake3.ts";

export const etlegacy: Engine = {
  ...ioquake3,
  name: "etlegacy",
  engine: "ET: Legacy",
  title: "ET: Legacy: Wolfenstein Enemy Territory",
  // src/qcommon/files.c: FS_AddGameDirectory, FS_ReorderLocalFoldersToTop
  looseOnly: [],
  bases: ["etmain"],
  missionPacks: [],
  rules: ["loose-over-pack", "pure-list", "game-directory", "source-directory", "pack-name", "last-in-pack"],
  files: { ...pathsAlone, likeModels: ["md3", "mdc"], playsQuake3Classes: false },
  // src/renderer/tr_shader.c: ScanAndLoadShaderFiles, with BuildShaderChecksumLookup
  shaders: {
    ...quake3Shaders,
    name: "etlegacy",
    title: "ET: Legacy",
    ignores: "nothing",
    compresses: "none",
    order: "hash",
  },
  // src/sys/sys_unix.c: Sys_DefaultHomePath
  homes: [{ game: "enemy-territory", paths: ["~/.etlegacy"] }],
  evidence: [],
};
