/**
 * Shadow Warrior.
 * @module
 */
import { voidsw } from "../engines/voidsw.ts";
import { raze } from "../engines/raze.ts";
import type { KnownGame } from "./core/game.ts";

export const shadowwarrior: KnownGame = {
  name: "shadowwarrior",
  title: "Shadow Warrior",
  engines: [voidsw, raze],
  bases: [],
  signature: {
    kind: "pack",
    name: /^sw\.grp$/i,
    format: "grp",
    says: "is the pack of Shadow Warrior",
  },
};
