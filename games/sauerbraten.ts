/**
 * Sauerbraten.
 * @module
 */
import { cube2 } from "../engines/cube2.ts";
import type { KnownGame } from "./core/game.ts";

export const sauerbraten: KnownGame = {
  name: "sauerbraten",
  title: "Sauerbraten",
  engines: [cube2],
  bases: ["data"],
  signature: {
    kind: "base",
    inside: /^stdlib\.cfg$/,
    says: "has the script that Sauerbraten reads first",
    nextSays: "belongs to Sauerbraten",
  },
  next: /^(packages$|sauerbraten)/i,
  // Debian's game cube2 is played by the same engine.
  installedAs: ["sauerbraten", "cube2"],
};
