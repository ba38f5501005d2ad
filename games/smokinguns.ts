/**
 * Smokin' Guns.
 * @module
 */
import { ioquake3 } from "../engines/ioquake3.ts";
import { quake3e } from "../engines/quake3e.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Smokin' Guns. */
export const smokinguns: KnownGame = {
  name: "smokinguns",
  title: "Smokin' Guns",
  engines: [ioquake3, quake3e],
  bases: ["smokinguns"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: notConfirmed("has pk3 files, and is the base game directory of Smokin' Guns", ioquake3),
  },
  file: /\.pk3$/i,
  packs: [],
  mods: {},
  installedAs: ["smokinguns"],
  steam: [],
};
