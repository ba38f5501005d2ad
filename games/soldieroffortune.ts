/**
 * Soldier of Fortune.
 * @module
 */
import { quake2 } from "../engines/quake2.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const soldieroffortune: KnownGame = {
  name: "soldieroffortune",
  title: "Soldier of Fortune",
  engines: [quake2],
  bases: ["base"],
  signature: {
    kind: "base",
    packs: ".pak",
    says: "has pak files",
    nextSays: notConfirmed("belongs to Soldier of Fortune", quake2),
  },
  next: /^sof(-bin|mp|ded)?(\.|$)/i,
};
