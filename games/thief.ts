/**
 * Thief: The Dark Project.
 * @module
 */
import { darkengine } from "../engines/darkengine.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const thief: KnownGame = {
  name: "thief",
  title: "Thief: The Dark Project",
  relatives: ["Thief Gold"],
  next: /^thief(\.|_|gold|$)/i,
  engines: [darkengine],
  bases: ["RES"],
  signature: {
    kind: "base",
    packs: ".crf",
    says: "has crf files",
    nextSays: notConfirmed("belongs to Thief"),
  },
};
