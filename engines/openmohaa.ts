/**
 * OpenMoHAA, for Medal of Honor: Allied Assault, Spearhead and Breakthrough: openmoh/openmohaa.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { looseOnly } from "./core/shared_parts.ts";
import { ioquake3 } from "./ioquake3.ts";

export const openmohaa: Engine = {
  ...ioquake3,
  name: "openmohaa",
  engine: "OpenMoHAA",
  title: "OpenMoHAA: Medal of Honor: Allied Assault",
  // code/qcommon/files.cpp: FS_AddGameDirectory, FS_Startup, and ioquake3's FS_FOpenFileRead; code/qcommon/q_shared.h:
  // CONFIG_PREFIX
  looseOnly: looseOnly(["autoexec.cfg", "omconfig.cfg", "omconfig_server.cfg"]),
  bases: ["main"],
  missionPacks: ["mainta", "maintt"],
  homes: [],
  evidence: [],
};
