/**
 * Quake 4.
 * @module
 */
import { dhewm3 } from "../engines/dhewm3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const quake4: KnownGame = {
  name: "quake4",
  title: "Quake 4",
  engines: [dhewm3],
  bases: ["q4base"],
  signature: {
    kind: "base",
    packs: ".pk4",
    says: notConfirmed("has pk4 files, and is the base game directory of Quake 4", dhewm3),
  },
};
