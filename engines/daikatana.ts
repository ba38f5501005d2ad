/**
 * Daikatana, whose engine is not public: the rules of Quake II are the nearest.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake2 } from "./quake2.ts";
import { quakePacks, storedNames } from "./core/shared_parts.ts";

export const daikatana: Engine = {
  ...quake2,
  name: "daikatana",
  engine: "Daikatana",
  title: "Daikatana; its rules are not confirmed, those of Quake II are the nearest",
  packs: [{ ...quakePacks, last: 9, stopsAtGap: false, formats: ["daikatana-pak", "quake-pak"] }],
  memberNames: storedNames,
  bases: ["data"],
  missionPacks: [],
  homes: [],
  evidence: [],
};
