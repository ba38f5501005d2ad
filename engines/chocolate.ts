/**
 * Chocolate Doom: chocolate-doom/chocolate-doom.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { sortedPacks } from "./core/shared_parts.ts";
import { gzdoom } from "./gzdoom.ts";

export const chocolate: Engine = {
  ...gzdoom,
  name: "chocolate",
  engine: "Chocolate Doom",
  title: "Chocolate Doom",
  // src/w_wad.c, w_main.c, w_merge.c; d_main.c
  packs: [{ ...sortedPacks, title: "files to load", suffixes: [".wad", ".lmp"] }],
  loadList: {
    lumps: "vanilla",
    switches: ["-merge", "-nwtmerge", "-af", "-as", "-aa", "-file"],
    own: [],
    autoload: ["doom-all", "{iwad}"],
    autoloadAs: "-merge",
    autoloadOfFiles: false,
    mergesFiles: false,
    maxLumps: 4046,
  },
};
