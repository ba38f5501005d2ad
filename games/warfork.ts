/**
 * Warfork.
 * @module
 */
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Warfork. */
export const warfork: KnownGame = {
  name: "warfork",
  title: "Warfork",
  engines: [quake3],
  bases: ["basewf"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: notConfirmed("has pk3 files, and is the base game directory of Warfork", quake3),
  },
  file: /\.pk3$/i,
  packs: [],
  mods: {},
  installedAs: ["warfork"],
  steam: [],
};
