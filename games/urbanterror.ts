/**
 * Urban Terror.
 * @module
 */
import { ioquake3 } from "../engines/ioquake3.ts";
import { quake3e } from "../engines/quake3e.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Urban Terror. */
export const urbanterror: KnownGame = {
  name: "urbanterror",
  title: "Urban Terror",
  engines: [ioquake3, quake3e],
  bases: ["q3ut4"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: notConfirmed("has pk3 files, and is the base game directory of Urban Terror", ioquake3),
  },
  file: /\.pk3$/i,
  packs: [],
  mods: {},
  installedAs: ["urbanterror"],
  steam: [],
};
