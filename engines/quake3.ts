/**
 * Quake III Arena, the original in version 1.32: id-Software/Quake-III-Arena.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake3Path, shaderFiles } from "./core/engine_limits.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { plain, quake3Names, quake3Packs, quake3Pure, zipMethods } from "./core/shared_parts.ts";

/** Quake III Arena, original. */
export const quake3: Engine = {
  ...plain,
  name: "quake3",
  engine: "Quake III Arena",
  title: "Quake III Arena, original (1.32)",
  // code/qcommon/files.c: FS_AddGameDirectory, paksort, FS_FOpenFileRead
  packs: [quake3Packs],
  memberMethods: zipMethods,
  memberNames: quake3Names,
  duplicates: "last",
  bases: ["baseq3", "demoq3"],
  missionPacks: ["missionpack"],
  pure: quake3Pure,
  rules: ["pure-list", "game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"],
  // code/qcommon/md4.c
  emptyPackChecksum: null,
  family: "quake3",
  // code/renderer/tr_image.c, tr_shader.c: .jpg only after .tga, and a name without extension only for surfaces
  pictures: pictures(["tga", "jpg"], { own: "only" }),
  files: pathsAlone,
  // code/renderer/tr_shader.c: ScanAndLoadShaderFiles, FindShaderInShaderText
  shaders: {
    reading: "joined",
    name: "quake3",
    title: "Quake III Arena",
    directory: "scripts",
    ignores: "nothing",
    compresses: "each",
    hasHashComments: false,
    order: "first of files",
    omissions: [],
  },
  limits: [
    // code/qcommon/q_shared.h
    quake3Path,
    {
      kind: "directory-packs",
      most: 1024,
      then: "loads only the first 1,024 that the file system lists",
      refuses: null,
    },
    shaderFiles(4096),
  ],
};
