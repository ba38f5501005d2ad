/**
 * American McGee's Alice.
 * @module
 */
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const alice: KnownGame = {
  name: "alice",
  title: "American McGee's Alice",
  engines: [quake3],
  bases: ["base"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files",
    nextSays: notConfirmed("belongs to Alice", quake3),
  },
  next: /^alice/i,
};
