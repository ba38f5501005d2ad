/**
 * ioquake3, which OpenArena and other games also use: ioquake/ioq3.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake3Path, shaderFiles } from "./core/engine_limits.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import {
  ioquake3Settings,
  looseOnly,
  plain,
  quake3Names,
  quake3Packs,
  quake3Pure,
  quake3Shaders,
  zipMethods,
} from "./core/shared_parts.ts";

export const ioquake3: Engine = {
  ...plain,
  name: "ioquake3",
  engine: "ioquake3",
  title: "ioquake3, OpenArena and other games on it",
  // code/qcommon/files.c: FS_AddGameDirectory, FS_PathCmp, FS_LoadZipFile, FS_FOpenFileReadDir
  packs: [{ ...quake3Packs, directories: [".pk3dir"] }],
  looseOnly: looseOnly(ioquake3Settings),
  memberMethods: zipMethods,
  memberNames: quake3Names,
  duplicates: "last",
  bases: ["baseq3", "baseoa", "baseEF", "demoq3", "main", "base"],
  missionPacks: ["missionpack"],
  pure: quake3Pure,
  rules: ["pure-list", "game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
  family: "quake3",
  // code/renderergl1/tr_image.c: R_LoadImage
  pictures: pictures(["png", "tga", "jpg", "jpeg", "pcx", "bmp"]),
  files: {
    ...pathsAlone,
    // code/renderergl1/tr_model.c: RE_RegisterModel
    models: ["iqm", "mdr", "md3"],
    // code/client/snd_codec.c: S_CodecGetSound
    sounds: ["wav", "ogg", "opus"],
    music: ["wav", "ogg", "opus"],
  },
  shaders: quake3Shaders,
  // code/renderergl1/tr_shader.c
  limits: [quake3Path, shaderFiles(4096)],
  homes: [
    // code/sys/sys_unix.c: Sys_LegacyHomePath is used if it exists, else the three of XDG
    { game: "quake3", paths: ["~/.q3a"] },
    { game: "quake3", paths: ["$XDG_CONFIG_HOME/Quake3", "$XDG_DATA_HOME/Quake3", "$XDG_STATE_HOME/Quake3"] },
    // OpenArena/engine code/qcommon/q_shared.h: HOMEPATH_NAME_UNIX
    { game: "openarena", engine: "OpenArena", paths: ["~/.openarena"] },
    {
      game: "openarena",
      engine: "OpenArena",
      paths: ["$XDG_CONFIG_HOME/OpenArena", "$XDG_DATA_HOME/OpenArena", "$XDG_STATE_HOME/OpenArena"],
    },
  ],
};
