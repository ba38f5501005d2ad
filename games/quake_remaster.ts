/**
 * Quake, the remaster of 2021.
 * @module
 */
import { ironwail } from "../engines/ironwail.ts";
import type { KnownGame } from "./core/game.ts";
import { quake } from "./quake.ts";

export const quakeRemaster: KnownGame = {
  ...quake,
  name: "quake-remaster",
  title: "Quake, the remaster of 2021",
  editionOf: "quake",
  signature: {
    kind: "base",
    says: "is Quake's base game directory",
    nextSays: "belongs to the remaster of Quake, which Ironwail plays",
    engine: ironwail,
  },
  next: /^QuakeEX\.kpf$/i,
  packs: [],
  // andrei-drexler/ironwail Quake/sys_sdl_unix.c: Sys_GetSteamQuakeUserDir; common.c: COM_InitBaseDir
  addOns: {
    engine: ironwail,
    path: "compatdata/2310/pfx/drive_c/users/steamuser/Saved Games/Nightdive Studios/Quake",
  },
  installedAs: [],
  steam: [2310],
};
