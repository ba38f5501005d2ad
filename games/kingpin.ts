/**
 * Kingpin: Life of Crime.
 * @module
 */
import { quake2 } from "../engines/quake2.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const kingpin: KnownGame = {
  name: "kingpin",
  title: "Kingpin: Life of Crime",
  engines: [quake2],
  bases: ["main"],
  signature: {
    kind: "base",
    packs: ".pak",
    says: "has pak files",
    nextSays: notConfirmed("belongs to Kingpin", quake2),
  },
  next: /^kingpin/i,
};
