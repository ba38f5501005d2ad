/**
 * The Dark Mod, which keeps its packs next to its program: stgatilov/darkmod_src.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { dhewm3 } from "./dhewm3.ts";

export const darkmod: Engine = {
  ...dhewm3,
  name: "darkmod",
  engine: "The Dark Mod",
  title: "The Dark Mod",
  // framework/FileSystem.cpp: AddGameDirectory, LoadZipFile, OpenFileReadFlags, which are dhewm3's but for packs with
  // binary.conf; Startup puts the mission that is played, a directory of fms/, above all: name it as a root before.
  leftOut: [{
    member: "addon.conf",
    prefix: null,
    choice: true,
    except: [],
    needs: "addonDef",
    because: "it is an addon, which The Dark Mod searches only if it is chosen",
  }],
  settings: [{ name: "fs_searchAddons=1", note: "All addons are searched", leftOut: [] }],
  bases: [],
  missionPacks: [],
  homes: [],
  evidence: [],
};
