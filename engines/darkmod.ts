/**
 * The Dark Mod, which keeps its packs next to its program: stgatilov/darkmod_src.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { dhewm3 } from "./dhewm3.ts";

/** The Dark Mod. */
export const darkmod: Engine = {
  ...dhewm3,
  name: "darkmod",
  engine: "The Dark Mod",
  title: "The Dark Mod; its rules are not confirmed, those of dhewm3 are the nearest",
  bases: [],
  missionPacks: [],
  homes: [],
  evidence: [],
};
