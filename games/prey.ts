/**
 * Prey of 2006.
 * @module
 */
import type { KnownGame } from "./core/game.ts";
import { doom3 } from "./doom3.ts";

/** Prey of 2006, whose engine is Doom 3's with changes that were not published. */
export const prey: KnownGame = {
  ...doom3,
  name: "prey",
  title: "Prey",
  signature: {
    kind: "base",
    packs: ".pk4",
    says: "has pk4 files",
    nextSays: "belongs to Prey; the rules of its engine are not confirmed, those of dhewm3 are the nearest",
  },
  // A program next to the base: prey.exe, prey.x86, prey-demo.x86, preyded.x86
  next: /^prey/i,
  packs: [],
  mods: {},
  installedAs: ["prey"],
  steam: [],
};
