/**
 * Rules for games without an engine that is known, and for packs that no engine reads.
 * @module
 */
import type { SortedPacks } from "./pack_steps.ts";
import type { Dependencies } from "./profile.ts";
import { plain, type ProfileRow, sortedPacks, storedNames, zipMethods } from "./shared_rows.ts";

const dpks: SortedPacks = {
  ...sortedPacks,
  title: "DPKs",
  suffixes: [".dpk"],
  directories: [".dpkdir"],
  anyCase: false,
  formats: ["zip"],
};

const paks: Dependencies = {
  base: "unvanquished",
  maps: "map-",
  file: "DEPS",
  deleted: "DELETED",
  legacy: false,
  prefixes: [],
};

/** Rules for games without an engine that is known, and for packs that no engine reads. */
export const otherRows: readonly ProfileRow[] = [
  {
    // ValveSoftware/source-sdk-2013 src/public/filesystem_init.cpp: FileSystem_LoadSearchPaths. How the engine looks up
    // loose files is not public; on Linux it asks for names in small letters.
    ...plain,
    name: "source",
    engine: "the Source engine",
    title: "Source engine games: Half-Life 2, Team Fortress 2, Portal and others with a gameinfo.txt",
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
  },
  {
    // DaemonEngine/Daemon src/common/FileSystem.cpp: FindPaksInPath, RefreshPaks, FindPak, InternalLoadPak
    ...plain,
    name: "daemon",
    memberMethods: zipMethods,
    memberNames: { ...storedNames, refused: ["..", "//", "./"], hidden: true, characters: "-_.+~" },
    engine: "Daemon",
    looseCase: "any",
    title: "Daemon: Unvanquished",
    packs: [dpks],
    packsInFolders: true,
    duplicates: "first",
    bases: ["pkg"],
    dependencies: paks,
    settings: [{
      name: "fs_legacypaks=1",
      note: "Packs without a version are loaded too",
      packs: [{
        ...dpks,
        title: "DPKs and pk3s",
        suffixes: [".dpk", ".pk3"],
        directories: [".dpkdir", ".pk3dir"],
      }],
      legacy: true,
    }],
    rules: ["dependency-order", "first-in-pack"],
  },
  {
    // gpbeta.com and nyko.me on packs that replace others (Resource01-test.pak); dnblank123/PAKCPP ships
    // 00Resource.pak. No source says how the game orders packs; that the first name wins is concluded from these names.
    ...plain,
    name: "dragonnest",
    engine: "Dragon Nest",
    title: "Dragon Nest; that the pak whose name sorts first wins is a guess",
    looseCase: "any",
    packs: [{
      ...sortedPacks,
      title: "paks",
      suffixes: [".pak"],
      anyCase: true,
      collation: "bytes",
      formats: [],
      bareEnding: false,
    }],
    duplicates: "first",
    rules: ["game-directory", "source-directory", "pack-over-loose-guess", "first-name-guess", "first-in-pack"],
  },
  {
    // Systematic Gaming, "Packfiles" (2008): packs are registered one after another, and later ones are meant to
    // override earlier ones. It registers them by hand; here they are ordered by name. It has no loose files.
    ...plain,
    name: "hashed",
    engine: "the hashed profile",
    title: "Hashed packfiles: packs registered later win, loose files win over packs",
    ignoreCase: false,
    packs: [{
      ...sortedPacks,
      title: "packs",
      suffixes: [".pack", ".pak", ".dat"],
      anyCase: true,
      collation: "bytes",
      formats: [],
      bareEnding: false,
    }],
    duplicates: "first",
    packFormat: "hashed-pack",
    rules: ["game-directory", "source-directory", "loose-over-pack", "later-pack", "first-in-pack"],
  },
  {
    ...plain,
    name: "generic",
    engine: "the generic profile",
    title: "No engine: later pack names win, loose files win over packs",
    ignoreCase: false,
    packs: [{
      ...sortedPacks,
      title: "packs",
      suffixes: [],
      directories: [".pk3dir"],
      anyCase: true,
      collation: "bytes",
      formats: [],
      bareEnding: false,
    }],
    duplicates: "last",
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
  },
];
