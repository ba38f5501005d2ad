/**
 * Boom's descendants, as dsda-doom loads files: kraflab/dsda-doom.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { sortedPacks } from "./core/shared_parts.ts";
import { gzdoom } from "./gzdoom.ts";

export const boom: Engine = {
  ...gzdoom,
  name: "boom",
  engine: "Boom's descendants",
  title: "dsda-doom and PrBoom+",
  // prboom2/src/w_wad.c: W_AddFile, W_CoalesceMarkedResource; d_main.c: D_AutoloadIWadDir
  packs: [{ ...sortedPacks, title: "files to load", suffixes: [".wad", ".zip", ".lmp"] }],
  loadList: {
    lumps: "boom",
    switches: ["-file"],
    own: ["dsda-doom.wad", "prboom-plus.wad"],
    autoload: ["all-all", "{game}-all", "{iwad}"],
    autoloadAs: "-file",
    autoloadOfFiles: true,
    mergesFiles: false,
    maxLumps: null,
  },
};
