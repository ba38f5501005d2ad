/**
 * Dragon Nest. gpbeta.com and nyko.me describe packs that replace others (Resource01-test.pak), and dnblank123/PAKCPP
 * ships 00Resource.pak. No source says how the game orders packs; these two suggest that the first name wins.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

export const dragonnest: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "dragonnest",
  engine: "Dragon Nest",
  title: "Dragon Nest; that the pak whose name sorts first wins is a guess",
  looseCase: "any",
  packs: [{ ...sortedPacks, title: "paks", suffixes: [".pak"], bareEnding: false }],
  duplicates: "first",
  rules: ["game-directory", "source-directory", "pack-over-loose-guess", "first-name-guess", "first-in-pack"],
};
