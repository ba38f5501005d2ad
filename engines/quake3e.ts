/**
 * Quake3e: ec-/Quake3e.
 * @module
 */
import type { Engine, EngineEvidence } from "./core/engine.ts";
import { quake3Path, shaderFiles } from "./core/engine_limits.ts";
import { pathsAlone } from "./core/names.ts";
import { ioquake3Settings, looseOnly, quake3Names, quake3Shaders, zipMethods } from "./core/shared_parts.ts";
import { ioquake3 } from "./ioquake3.ts";

export const quake3e: Engine = {
  ...ioquake3,
  name: "quake3e",
  engine: "Quake3e",
  title: "Quake3e",
  // code/qcommon/files.c: FS_AddGameDirectory, FS_ReorderSearchPaths, FS_LoadZipFile
  memberMethods: { ...zipMethods, others: "skipped" },
  // FS_CheckDirTraversal; FS_ConvertFilename, 2348, for each member at 2824
  memberNames: { ...quake3Names, refused: ["../", "..\\", "::"], colonsInZips: true },
  // FS_BannedPakFile, called with names in lower case when a pack is read, and for files of directories
  looseOnly: looseOnly(ioquake3Settings, { anyCase: true, packDirectories: true }),
  // FS_Startup adds the games of fs_basegame root by root.
  rules: [
    "pure-list",
    "pack-over-loose",
    "game-directory",
    "source-directory",
    "base-game",
    "pack-name",
    "last-in-pack",
  ],
  files: { ...pathsAlone, models: ["iqm", "mdr", "md3"], sounds: ["wav", "ogg"], music: ["wav", "ogg"] },
  // code/renderer/tr_shader.c: ScanAndLoadShaderFiles, with loadShaderBuffers
  shaders: {
    ...quake3Shaders,
    name: "quake3e",
    title: "Quake3e",
    ignores: "unclosed after the first",
    compresses: "each",
    order: "last",
    omissions: [
      {
        file: "sky.shader",
        size: 35_910,
        offset: 0x3d3e,
        text: "\tcloudparms ",
        comments: [{ begin: 0x27d7, end: 0x2a93 }, { begin: 0x3ca9, end: 0x3fc2 }],
      },
      {
        file: "sfx.shader",
        size: 116_073,
        offset: 93_457,
        text: "textures/sfx/xfinalfog\r\n",
        comments: [{ begin: 93_457, end: 93_663 }],
      },
    ],
  },
  limits: [quake3Path, shaderFiles(16_384)],
  // code/unix/unix_shared.c: Sys_DefaultHomePath
  homes: [{ game: "quake3", paths: ["~/.q3a"] }],
  evidence: ["baseq3", "baseoa", "demoq3"].map((base): EngineEvidence => ({
    base,
    rank: 0,
    next: /^quake3e/i,
    says: "belongs to Quake3e",
  })),
};
