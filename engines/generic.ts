/**
 * Rules for packs whose engine is not known.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

/** No engine. */
export const generic: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "generic",
  engine: "the generic profile",
  title: "No engine: later pack names win, loose files win over packs",
  ignoreCase: false,
  packs: [{ ...sortedPacks, title: "packs", suffixes: [], directories: [".pk3dir"], bareEnding: false }],
  duplicates: "last",
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
};
