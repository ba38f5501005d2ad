/**
 * The Dark Mod.
 * @module
 */
import { darkmod as darkmodEngine } from "../engines/darkmod.ts";
import type { KnownGame } from "./core/game.ts";

export const darkmod: KnownGame = {
  name: "darkmod",
  title: "The Dark Mod",
  engines: [darkmodEngine],
  bases: [],
  signature: {
    kind: "pack",
    name: /^tdm_.*\.pk4$/i,
    format: "zip",
    says: "is a pack of The Dark Mod",
  },
};
