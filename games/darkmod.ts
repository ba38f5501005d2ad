/**
 * The Dark Mod.
 * @module
 */
import { darkmod as darkmodEngine } from "../engines/darkmod.ts";
import { dhewm3 } from "../engines/dhewm3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** The Dark Mod. */
export const darkmod: KnownGame = {
  name: "darkmod",
  title: "The Dark Mod",
  engines: [darkmodEngine],
  bases: [],
  signature: {
    kind: "pack",
    name: /^tdm_.*\.pk4$/i,
    format: "zip",
    says: notConfirmed("is a pack of The Dark Mod", dhewm3),
  },
  file: /^tdm_.*\.pk4$/i,
  packs: [],
  mods: {},
  installedAs: ["darkmod"],
  steam: [],
};
