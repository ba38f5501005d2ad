/**
 * Urban Terror: FrozenSand/ioq3-for-UrbanTerror-4.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { looseOnly, quake3Packs, quake3Shaders } from "./core/shared_parts.ts";
import { ioquake3 } from "./ioquake3.ts";

export const urbanterror: Engine = {
  ...ioquake3,
  name: "urbanterror",
  engine: "Urban Terror",
  title: "Urban Terror",
  // code/qcommon/files.c: FS_AddGameDirectory, 2494
  packs: [quake3Packs],
  // FS_FOpenFileRead, 1008
  looseOnly: looseOnly(["autoexec.cfg", "q3config.cfg"], { anyCase: true }),
  bases: ["q3ut4"],
  missionPacks: [],
  // FS_Startup, 2830; code for virtual machines and menus in these packs are not used, which is left out here.
  companions: [{ name: "{game}/download", of: "base", isBelow: true, choice: null, isRoot: false }],
  rules: ["pure-list", "game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"],
  // code/renderer/tr_image.c: R_LoadImage, imageLoaders
  pictures: pictures(["tga", "jpg", "jpeg", "png", "pcx", "bmp"]),
  // code/renderer/tr_model.c: RE_RegisterModel tries no other extension.
  files: pathsAlone,
  // code/renderer/tr_shader.c: ScanAndLoadShaderFiles, 2863
  shaders: {
    ...quake3Shaders,
    name: "urbanterror",
    title: "Urban Terror",
    ignores: "nothing",
    compresses: "each",
    order: "first of files",
  },
  // code/sys/sys_unix.c: Sys_DefaultHomePath
  homes: [{ game: "urbanterror", paths: ["~/.q3a"] }],
  evidence: [],
};
