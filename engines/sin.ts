/**
 * SiN, whose engine is not public: the rules of Quake II are the nearest.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake2 } from "./quake2.ts";
import { quakePacks, storedNames } from "./core/shared_parts.ts";

export const sin: Engine = {
  ...quake2,
  name: "sin",
  engine: "SiN",
  title: "SiN; its rules are not confirmed, those of Quake II are the nearest",
  packs: [{ ...quakePacks, suffix: ".sin", last: 9, stopsAtGap: false, formats: ["sin-pak"] }],
  memberNames: storedNames,
  bases: ["base"],
  missionPacks: [],
  homes: [],
  evidence: [],
};
