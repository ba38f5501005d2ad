/**
 * SiN.
 * @module
 */
import { quake2 } from "../engines/quake2.ts";
import { sin as sinEngine } from "../engines/sin.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const sin: KnownGame = {
  name: "sin",
  title: "SiN",
  engines: [sinEngine],
  bases: ["base"],
  signature: {
    kind: "base",
    inside: /^pak\d\.sin$/i,
    says: notConfirmed("has packs of SiN", quake2),
  },
  file: /\.sin$/i,
  mods: { "2015": "Wages of SiN" },
};
