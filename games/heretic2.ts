/**
 * Heretic II.
 * @module
 */
import { heretic2 as heretic2Engine } from "../engines/heretic2.ts";
import { quake2 } from "../engines/quake2.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Heretic II. */
export const heretic2: KnownGame = {
  name: "heretic2",
  title: "Heretic II",
  engines: [heretic2Engine],
  bases: ["base"],
  signature: {
    kind: "base",
    inside: /^htic2-\d\.pak$/i,
    says: notConfirmed("has packs of Heretic II", quake2),
  },
  file: /^htic2-\d\.pak$/i,
  packs: [],
  mods: {},
  installedAs: ["heretic2"],
  steam: [],
};
