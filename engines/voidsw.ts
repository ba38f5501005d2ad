/**
 * VoidSW, a port of Shadow Warrior on EDuke32's engine: source/sw of nukeykt/NBlood.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { sortedPacks } from "./core/shared_parts.ts";
import { chosenGroups, eduke32, groups } from "./eduke32.ts";

export const voidsw: Engine = {
  ...eduke32,
  name: "voidsw",
  engine: "VoidSW",
  title: "VoidSW: Shadow Warrior",
  // source/sw/src/common.cpp 18, defaultgrpfilename
  packs: [
    { ...sortedPacks, title: "the GRP of the game", suffixes: ["sw.grp"], formats: ["grp"], folders: "none" },
    ...groups,
  ],
  leftOut: chosenGroups("VoidSW", ["sw.grp"]),
  // source/sw/src/common.cpp 412, SW_ExtPreInit
  homes: [{ game: "shadowwarrior", paths: ["~/.config/voidsw"] }],
};
