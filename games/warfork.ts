/**
 * Warfork.
 * @module
 */
import { qfusion } from "../engines/qfusion.ts";
import type { KnownGame } from "./core/game.ts";

export const warfork: KnownGame = {
  name: "warfork",
  title: "Warfork",
  engines: [qfusion],
  bases: ["basewf"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of Warfork",
  },
};
