/**
 * Nexuiz.
 * @module
 */
import { darkplaces } from "../engines/darkplaces.ts";
import type { KnownGame } from "./core/game.ts";

/** Nexuiz. */
export const nexuiz: KnownGame = {
  name: "nexuiz",
  title: "Nexuiz",
  engines: [darkplaces],
  bases: ["data"],
  // DarkPlacesEngine/darkplaces com_game.c
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and data is the base of Nexuiz and Xonotic, which run on DarkPlaces",
  },
  file: /\.pk3$/i,
  packs: [],
  mods: {},
  installedAs: ["nexuiz"],
  steam: [],
};
