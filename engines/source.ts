/**
 * The Source engine; ValveSoftware/source-sdk-2013 has its interfaces. Its lookup of loose files is not public; on
 * Linux it requests names in lower case.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

export const source: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "source",
  engine: "the Source engine",
  title: "Source engine games: Half-Life 2, Team Fortress 2, Portal and others with a gameinfo.txt",
  // src/public/filesystem_init.cpp: FileSystem_LoadSearchPaths
  looseCase: "own-or-small",
  packs: [{ ...sortedPacks, title: "VPKs", suffixes: [".vpk"], formats: ["vpk"] }],
  duplicates: "first",
  bases: [
    "tf",
    "cstrike",
    "dod",
    "portal2",
    "left4dead2",
    "left4dead",
    "garrysmod",
    "csgo",
    "portal",
    "hl2mp",
    "hl2",
  ],
  sourceList: "gameinfo.txt",
  rules: ["source-list", "own-spelling", "first-in-pack"],
};
