/**
 * Doom 3 or Prey of 2006, which name their first packs alike.
 * @module
 */
import { dhewm3 } from "../engines/dhewm3.ts";
import type { KnownGame } from "./core/game.ts";

/** A directory with packs that both have. */
export const doom3OrPrey: KnownGame = {
  name: "doom3-or-prey",
  title: "Doom 3 or Prey",
  editionOf: "doom3",
  engines: [dhewm3],
  bases: ["base"],
  signature: {
    kind: "base",
    packs: ".pk4",
    says: "has pk4 files, as Doom 3 and other games on its engine have",
  },
  file: /^pak000\.pk4$/i,
  installedAs: [],
};
