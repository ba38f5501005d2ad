/**
 * Smokin' Guns.
 * @module
 */
import { smokinguns as smokingunsEngine } from "../engines/smokinguns.ts";
import type { KnownGame } from "./core/game.ts";

export const smokinguns: KnownGame = {
  name: "smokinguns",
  title: "Smokin' Guns",
  engines: [smokingunsEngine],
  bases: ["smokinguns"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of Smokin' Guns",
  },
};
