/**
 * Warsow.
 * @module
 */
import { qfusion } from "../engines/qfusion.ts";
import type { KnownGame } from "./core/game.ts";

export const warsow: KnownGame = {
  name: "warsow",
  title: "Warsow",
  engines: [qfusion],
  bases: ["basewsw"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of Warsow",
  },
};
