/**
 * NBlood, a port of Blood on EDuke32's engine: nukeykt/NBlood. It has a table of names for each RFF, which pakfs shows as
 * one.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { sortedPacks } from "./core/shared_parts.ts";
import { chosenGroups, eduke32, groups } from "./eduke32.ts";

export const nblood: Engine = {
  ...eduke32,
  name: "nblood",
  engine: "NBlood",
  title: "NBlood: Blood",
  // source/blood/src/blood.cpp 1727, and resource.cpp 645, Resource::Lookup: what is found otherwise replaces a file of an
  // RFF.
  packs: [
    { ...sortedPacks, title: "RFFs", suffixes: [".rff"], collation: "strcasecmp", formats: ["rff"], folders: "none" },
    ...groups,
  ],
  leftOut: chosenGroups("NBlood", ["blood.rff", "gui.rff", "sounds.rff"]),
  // source/blood/src/common.cpp 158
  homes: [{ game: "blood", paths: ["~/.config/nblood"] }],
};
