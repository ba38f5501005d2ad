/**
 * Rules for games without an engine that is known, and for packs that no engine reads.
 * @module
 */
import { plain, type ProfileRow, sortedPacks } from "./shared_rows.ts";

/** Rules for games without an engine that is known, and for packs that no engine reads. */
export const otherRows: readonly ProfileRow[] = [
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
