/**
 * Soldier of Fortune II: Double Helix.
 * @module
 */
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const soldieroffortune2: KnownGame = {
  name: "soldieroffortune2",
  title: "Soldier of Fortune II: Double Helix",
  engines: [quake3],
  bases: ["base"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files",
    nextSays: notConfirmed("belongs to Soldier of Fortune II", quake3),
  },
  next: /^sof2/i,
};
