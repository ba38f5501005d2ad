/**
 * Anachronox, whose engine is not public: the rules of Quake II are the nearest.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake2 } from "./quake2.ts";
import { sortedPacks, storedNames } from "./core/shared_parts.ts";

export const anachronox: Engine = {
  ...quake2,
  name: "anachronox",
  engine: "Anachronox",
  title: "Anachronox; its rules are not confirmed, those of Quake II are the nearest",
  packs: [{ ...sortedPacks, suffixes: [".dat"], collation: "strcasecmp", formats: ["anachronox-dat"] }],
  memberNames: storedNames,
  bases: ["anoxdata"],
  missionPacks: [],
  rules: ["game-directory", "source-directory", "pack-over-loose", "pack-name", "first-in-pack"],
  homes: [],
  evidence: [],
};
