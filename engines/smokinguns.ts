/**
 * Smokin' Guns: smokin-guns/SmokinGuns.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import { ioquake3 } from "./ioquake3.ts";

export const smokinguns: Engine = {
  ...ioquake3,
  name: "smokinguns",
  engine: "Smokin' Guns",
  title: "Smokin' Guns",
  // code/qcommon/files.c: FS_AddGameDirectory is ioquake3's; FS_FOpenFileRead restricts no names to loose files.
  looseOnly: [],
  bases: ["smokinguns"],
  missionPacks: [],
  // code/renderergl1/tr_image.c: R_LoadImage, imageLoaders
  pictures: pictures(["tga", "jpg", "jpeg", "png", "pcx", "bmp"]),
  // FS_Startup, with SDK_BASEGAME of q_shared.h
  companions: [{ name: "baseq3", of: "base", isBelow: true, choice: null, isRoot: false }],
  // q_shared.h: HOMEPATH_NAME_UNIX
  homes: [{ game: "smokinguns", paths: ["~/.smokinguns"] }],
  evidence: [],
};
