/**
 * Quake II, the remaster of 2023.
 * @module
 */
import { q2pro } from "../engines/q2pro.ts";
import type { KnownGame } from "./core/game.ts";
import { quake2 } from "./quake2.ts";

export const quake2Remaster: KnownGame = {
  ...quake2,
  name: "quake2-remaster",
  title: "Quake II, the remaster of 2023",
  editionOf: "quake2",
  signature: {
    kind: "base",
    says: "is Quake II's base game directory",
    nextSays: "belongs to the remaster of Quake II, and Q2PRO reads it",
    engine: q2pro,
  },
  next: /^Q2Game\.kpf$/i,
  packs: [],
  installedAs: [],
  steam: [2320],
};
