/**
 * Heretic II, as m-x-d/Heretic2R rebuilds its engine, which is not public.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import type { RuleName } from "./core/rule_names.ts";
import { quake2 } from "./quake2.ts";
import { quakePacks } from "./core/shared_parts.ts";

/** Returns its rules, with packs or loose files first. */
function rules(first: RuleName): RuleName[] {
  // FS_FOpenFile: of names of one pack a sort decides; the first is a guess.
  return ["game-directory", "source-directory", first, "pack-number", "first-in-pack"];
}

export const heretic2: Engine = {
  ...quake2,
  name: "heretic2",
  engine: "Heretic II",
  title: "Heretic II",
  // Its file systems ignore case.
  looseCase: "any",
  // src/quake2/src/cs_shared/files.c: FS_AddGameDirectory
  packs: [{ ...quakePacks, prefix: "htic2-", last: 9, stopsAtGap: false, anyCase: true }],
  bases: ["base"],
  missionPacks: [],
  rules: rules("loose-over-pack"),
  settings: [{ name: "pakfirst=1", note: "Packs are searched before loose files", rules: rules("pack-over-loose") }],
  homes: [],
  evidence: [],
};
