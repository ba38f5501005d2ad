/**
 * Tremulous: darklegion/tremulous, since the gameplay preview.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import { ioquake3 } from "./ioquake3.ts";

export const tremulous: Engine = {
  ...ioquake3,
  name: "tremulous",
  engine: "Tremulous",
  title: "Tremulous",
  // src/qcommon/files.c: FS_AddGameDirectory, which is ioquake3's; FS_FOpenFileRead knows no names of loose files alone.
  looseOnly: [],
  bases: ["base"],
  missionPacks: [],
  // src/renderergl1/tr_image.c: R_LoadImage, imageLoaders
  pictures: pictures(["tga", "jpg", "jpeg", "png", "pcx", "bmp"]),
  // src/qcommon/q_shared.h: HOMEPATH_NAME_UNIX
  homes: [{ game: "tremulous", paths: ["~/.tremulous"] }],
  evidence: [],
};
