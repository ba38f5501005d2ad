/**
 * Games on the Build engine, whose ports were not studied: all packs are searched, although ports load only one by
 * default.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

/** Games on the Build engine. */
export const buildengine: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "buildengine",
  engine: "games on the Build engine",
  title: "Games on the Build engine; the rules are not confirmed",
  looseCase: "any",
  packs: [{ ...sortedPacks, suffixes: [".grp", ".rff"], collation: "strcasecmp", formats: ["grp", "rff"] }],
  duplicates: "first",
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "own-spelling", "first-in-pack"],
  unreadMaps: [".map", ".con"],
  homes: [],
  evidence: [],
};
