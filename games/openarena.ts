/**
 * OpenArena.
 * @module
 */
import { chomenor, ioquake3, quake3e } from "../engines/mod.ts";
import type { KnownGame } from "./core/game.ts";

/** OpenArena. */
export const openarena: KnownGame = {
  name: "openarena",
  title: "OpenArena",
  engines: [ioquake3, quake3e, chomenor],
  bases: ["baseoa"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of a game on ioquake3",
  },
  file: null,
  packs: [],
  mods: {},
  installedAs: ["openarena"],
  steam: [],
};
