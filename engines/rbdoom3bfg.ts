/**
 * RBDOOM-3-BFG, for Doom 3 BFG Edition: RobertBeckebans/RBDOOM-3-BFG.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake3Packs } from "./core/shared_parts.ts";
import { dhewm3 } from "./dhewm3.ts";

export const rbdoom3bfg: Engine = {
  ...dhewm3,
  name: "rbdoom3bfg",
  engine: "RBDOOM-3-BFG",
  title: "RBDOOM-3-BFG: Doom 3 BFG Edition",
  // neo/framework/FileSystem.cpp: AddGameDirectory, OpenFileReadFlags, with fs_resourceLoadPriority 0, the default
  looseCase: "own",
  packs: [
    {
      ...quake3Packs,
      title: "resource containers",
      suffixes: [".resources"],
      // neo/sys/posix/posix_main.cpp: Sys_ListFiles compares by fnmatch, case included
      anyCase: false,
      emptyIsMissing: false,
      collation: "doom3",
      formats: ["bfg-resources"],
      folders: "after",
    },
    { ...quake3Packs, title: "pk4 files", suffixes: [".pk4"], anyCase: false, collation: "doom3", folders: "none" },
  ],
  packFolders: [{ name: "maps", ignored: null }],
  missionPacks: [],
  leftOut: [],
  rules: ["loose-over-pack", "pack-type", "game-directory", "source-directory", "pack-order", "last-in-pack"],
  settings: [{
    name: "fs_resourceLoadPriority=1",
    note: "All packs are searched before any loose file",
    rules: ["pack-over-loose", "pack-type", "game-directory", "source-directory", "pack-order", "last-in-pack"],
  }],
  homes: [{ game: "doom3bfg", paths: ["$XDG_DATA_HOME/rbdoom3bfg"] }],
  evidence: [],
};
