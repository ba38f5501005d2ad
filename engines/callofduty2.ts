/**
 * Call of Duty 2, whose engine is not public: the rules of Quake III Arena are the nearest.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake3 } from "./quake3.ts";
import { quake3Packs } from "./core/shared_parts.ts";

export const callofduty2: Engine = {
  ...quake3,
  name: "callofduty2",
  engine: "Call of Duty 2",
  title: "Call of Duty 2; its rules are not confirmed, those of Quake III Arena are the nearest",
  packs: [{ ...quake3Packs, suffixes: [".iwd"] }],
  bases: ["main"],
  missionPacks: [],
  homes: [],
  evidence: [],
};
