/**
 * A game of the Call of Duty series with iwd files, where nothing says which one: Call of Duty 2, 4, World at War, ...
 * @module
 */
import { callofduty2 as callofduty2Engine } from "../engines/callofduty2.ts";
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** A game with iwd files. */
export const callofduty2OrLater: KnownGame = {
  name: "callofduty2-or-later",
  title: "Call of Duty 2 or a later one",
  engines: [callofduty2Engine],
  bases: ["main"],
  signature: {
    kind: "base",
    packs: ".iwd",
    says: notConfirmed("has iwd files, as Call of Duty 2 and later ones have", quake3),
  },
  installedAs: [],
};
