/**
 * World of Padman: PadWorld-Entertainment/worldofpadman.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { looseOnly } from "./core/shared_parts.ts";
import { ioquake3 } from "./ioquake3.ts";

export const worldofpadman: Engine = {
  ...ioquake3,
  name: "worldofpadman",
  engine: "World of Padman",
  title: "World of Padman",
  // code/qcommon/files.c: FS_AddGameDirectory, which is ioquake3's; FS_FOpenFileRead, with Q3CONFIG_CFG of qcommon.h
  looseOnly: looseOnly(["autoexec.cfg", "wopconfig.cfg", "wopconfig_server.cfg"]),
  bases: ["wop"],
  missionPacks: [],
  // code/sys/sys_unix.c: Sys_DefaultHomePath, with HOMEPATH_NAME_UNIX of q_shared.h
  homes: [{ game: "worldofpadman", paths: ["$XDG_DATA_HOME/worldofpadman"] }],
  evidence: [],
};
