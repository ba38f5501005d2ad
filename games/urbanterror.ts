/**
 * Urban Terror.
 * @module
 */
import { quake3e } from "../engines/quake3e.ts";
import { urbanterror as urbanterrorEngine } from "../engines/urbanterror.ts";
import type { KnownGame } from "./core/game.ts";

export const urbanterror: KnownGame = {
  name: "urbanterror",
  title: "Urban Terror",
  engines: [urbanterrorEngine, quake3e],
  bases: ["q3ut4"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of Urban Terror",
  },
};
