/**
 * Heretic II, whose engine is not public: the rules of Quake II are the nearest.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake2 } from "./quake2.ts";
import { quakePacks } from "./core/shared_parts.ts";

/** Heretic II. */
export const heretic2: Engine = {
  ...quake2,
  name: "heretic2",
  engine: "Heretic II",
  title: "Heretic II; its rules are not confirmed, those of Quake II are the nearest",
  packs: [{ ...quakePacks, prefix: "htic2-", last: 9, stopsAtGap: false }],
  bases: ["base"],
  missionPacks: [],
  homes: [],
  evidence: [],
};
