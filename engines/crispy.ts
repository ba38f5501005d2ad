/**
 * Crispy Doom: fabiangreffrath/crispy-doom, a Chocolate Doom without its limits.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { chocolate } from "./chocolate.ts";

export const crispy: Engine = {
  ...chocolate,
  name: "crispy",
  engine: "Crispy Doom",
  title: "Crispy Doom",
  loadList: {
    lumps: "vanilla",
    switches: ["-merge", "-nwtmerge", "-af", "-as", "-aa", "-file"],
    // src/doom/d_pwad.c loads SIGIL, NERVE and the Master Levels next to the IWAD, renamed; that is left out here.
    own: [],
    autoload: ["doom-all", "{iwad}"],
    autoloadAs: "-merge",
    // src/doom/d_main.c: D_DoomMain, loadparms
    autoloadOfFiles: true,
    // src/w_main.c: W_ParseCommandLine
    mergesFiles: true,
    // src/w_wad.c: W_AddFile
    maxLumps: null,
  },
};
