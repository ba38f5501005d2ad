/**
 * World of Padman.
 * @module
 */
import { ioquake3 } from "../engines/ioquake3.ts";
import { quake3e } from "../engines/quake3e.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** World of Padman. */
export const worldofpadman: KnownGame = {
  name: "worldofpadman",
  title: "World of Padman",
  engines: [ioquake3, quake3e],
  bases: ["wop"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: notConfirmed("has pk3 files, and is the base game directory of World of Padman", ioquake3),
  },
  file: /\.pk3$/i,
  packs: [],
  mods: {},
  installedAs: ["worldofpadman"],
  steam: [],
};
