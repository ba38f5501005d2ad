/**
 * World of Padman.
 * @module
 */
import { worldofpadman as worldofpadmanEngine } from "../engines/worldofpadman.ts";
import type { KnownGame } from "./core/game.ts";

export const worldofpadman: KnownGame = {
  name: "worldofpadman",
  title: "World of Padman",
  engines: [worldofpadmanEngine],
  bases: ["wop"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of World of Padman",
  },
};
