/**
 * Warsow.
 * @module
 */
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Warsow. */
export const warsow: KnownGame = {
  name: "warsow",
  title: "Warsow",
  engines: [quake3],
  bases: ["basewsw"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: notConfirmed("has pk3 files, and is the base game directory of Warsow", quake3),
  },
  file: /\.pk3$/i,
  packs: [],
  mods: {},
  installedAs: ["warsow"],
  steam: [],
};
