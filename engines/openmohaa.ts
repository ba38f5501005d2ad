/**
 * OpenMoHAA, for Medal of Honor: Allied Assault, Spearhead and Breakthrough: openmoh/openmohaa.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ioquake3 } from "./ioquake3.ts";

/** OpenMoHAA. */
export const openmohaa: Engine = {
  ...ioquake3,
  name: "openmohaa",
  engine: "OpenMoHAA",
  title: "OpenMoHAA: Medal of Honor: Allied Assault",
  // code/qcommon/files.cpp: FS_AddGameDirectory, FS_Startup, which are ioquake3's
  bases: ["main"],
  missionPacks: ["mainta", "maintt"],
  homes: [],
  evidence: [],
};
