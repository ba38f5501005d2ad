/**
 * OpenArena.
 * @module
 */
import { chomenor } from "../engines/chomenor.ts";
import { ioquake3 } from "../engines/ioquake3.ts";
import { quake3e } from "../engines/quake3e.ts";
import type { KnownGame } from "./core/game.ts";

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
};
