/**
 * Thief II: The Metal Age.
 * @module
 */
import { darkengine } from "../engines/darkengine.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const thief2: KnownGame = {
  name: "thief2",
  title: "Thief II: The Metal Age",
  next: /^thief2/i,
  engines: [darkengine],
  bases: ["RES"],
  signature: {
    kind: "base",
    packs: ".crf",
    says: "has crf files",
    nextSays: notConfirmed("belongs to Thief II"),
  },
};
