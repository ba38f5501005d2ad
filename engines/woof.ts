/**
 * Woof: fabiangreffrath/woof, based on Boom; it reads zips and directories.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { boom } from "./boom.ts";
import { sortedPacks, zipMethods } from "./core/shared_parts.ts";

export const woof: Engine = {
  ...boom,
  name: "woof",
  engine: "Woof",
  title: "Woof",
  // src/w_zip.c: miniz
  memberMethods: zipMethods,
  packs: [{ ...sortedPacks, title: "files to load", suffixes: [".wad", ".zip", ".pk3", ".lmp"] }],
  loadList: {
    lumps: "woof",
    switches: ["-file"],
    // src/d_main.c: LoadBaseFile loads woof.pk3 below the IWAD; this is not modelled here.
    own: [],
    // src/d_main.c: AutoloadIWadDir, AutoLoadWADs
    autoload: ["all-all", "{mission}-all", "{iwad}"],
    autoloadAs: "-file",
    autoloadOfFiles: true,
    mergesFiles: false,
    maxLumps: null,
  },
};
