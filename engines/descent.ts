/**
 * Games of the Descent series, whose ports were not studied: all packs are searched, although ports load some by
 * default.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

/** Games of the Descent series. */
export const descent: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "descent",
  engine: "games of the Descent series",
  title: "Games of the Descent series; the rules are not confirmed",
  looseCase: "any",
  packs: [{ ...sortedPacks, suffixes: [".hog"], collation: "strcasecmp", formats: ["hog", "hog2"] }],
  duplicates: "first",
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "own-spelling", "first-in-pack"],
  unreadMaps: [".rdl", ".rl2", ".d3l"],
  homes: [],
  evidence: [],
};
