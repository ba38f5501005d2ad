/**
 * Shadow Warrior.
 * @module
 */
import { buildengine } from "../engines/buildengine.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Shadow Warrior. */
export const shadowwarrior: KnownGame = {
  name: "shadowwarrior",
  title: "Shadow Warrior",
  engines: [buildengine],
  bases: [],
  signature: {
    kind: "pack",
    name: /^sw\.grp$/i,
    format: "grp",
    says: notConfirmed("is the pack of Shadow Warrior"),
  },
};
