/**
 * Anachronox.
 * @module
 */
import { anachronox as anachronoxEngine } from "../engines/anachronox.ts";
import { quake2 } from "../engines/quake2.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const anachronox: KnownGame = {
  name: "anachronox",
  title: "Anachronox",
  engines: [anachronoxEngine],
  bases: ["anoxdata"],
  signature: {
    kind: "base",
    packs: ".dat",
    says: notConfirmed("has dat files, and is the base game directory of Anachronox", quake2),
  },
};
