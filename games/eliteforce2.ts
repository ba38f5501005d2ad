/**
 * Star Trek: Elite Force II.
 * @module
 */
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const eliteforce2: KnownGame = {
  name: "eliteforce2",
  title: "Star Trek: Elite Force II",
  engines: [quake3],
  bases: ["base"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files",
    nextSays: notConfirmed("belongs to Elite Force II", quake3),
  },
  next: /^ef2/i,
};
