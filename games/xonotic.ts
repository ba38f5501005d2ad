/**
 * Xonotic.
 * @module
 */
import { darkplaces } from "../engines/darkplaces.ts";
import type { KnownGame } from "./core/game.ts";

export const xonotic: KnownGame = {
  name: "xonotic",
  title: "Xonotic",
  engines: [darkplaces],
  bases: ["data"],
  // DarkPlacesEngine/darkplaces com_game.c
  signature: {
    kind: "base",
    inside: /^xonotic-.*\.pk3(dir)?$/i,
    says: "has packs of Xonotic, which runs on DarkPlaces",
  },
};
