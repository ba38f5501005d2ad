/**
 * Prey of 2006.
 * @module
 */
import { dhewm3 } from "../engines/dhewm3.ts";
import type { KnownGame } from "./core/game.ts";

/** Prey of 2006, whose engine is a modified Doom 3 engine that was not published. */
export const prey: KnownGame = {
  name: "prey",
  title: "Prey",
  engines: [dhewm3],
  bases: ["base"],
  signature: {
    kind: "base",
    packs: ".pk4",
    says: "has pk4 files",
    nextSays: "belongs to Prey; the rules of its engine are not confirmed, those of dhewm3 are the nearest",
  },
  // A program next to the base: prey.exe, prey.x86, prey-demo.x86, preyded.x86
  next: /^prey/i,
  // Packs of its editions for download; those of its discs are called as Doom 3's.
  ownFile: /^pak_(data|sound|[a-z]{2}_[tv])\.pk4$/i,
};
