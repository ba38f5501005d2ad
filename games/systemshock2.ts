/**
 * System Shock 2.
 * @module
 */
import { darkengine } from "../engines/darkengine.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const systemshock2: KnownGame = {
  name: "systemshock2",
  title: "System Shock 2",
  next: /^(shock2|ss2)(\.|$)/i,
  engines: [darkengine],
  bases: ["RES"],
  signature: {
    kind: "base",
    packs: ".crf",
    says: "has crf files",
    nextSays: notConfirmed("belongs to System Shock 2"),
  },
};
