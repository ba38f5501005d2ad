/**
 * Heretic II.
 * @module
 */
import { heretic2 as heretic2Engine } from "../engines/heretic2.ts";
import type { KnownGame } from "./core/game.ts";

export const heretic2: KnownGame = {
  name: "heretic2",
  title: "Heretic II",
  engines: [heretic2Engine],
  bases: ["base"],
  signature: {
    kind: "base",
    inside: /^htic2-\d\.pak$/i,
    says: "has packs of Heretic II",
  },
};
