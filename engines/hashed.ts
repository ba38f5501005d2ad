/**
 * Hashed packfiles: Systematic Gaming, "Packfiles" (2008). Later registered packs override earlier ones. The game
 * registers them in code; pakfs orders them by name. There are no loose files.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

export const hashed: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "hashed",
  engine: "the hashed profile",
  title: "Hashed packfiles: packs registered later win, loose files win over packs",
  ignoreCase: false,
  packs: [{ ...sortedPacks, title: "packs", suffixes: [".pack", ".pak", ".dat"], bareEnding: false }],
  duplicates: "first",
  packFormat: "hashed-pack",
  rules: ["game-directory", "source-directory", "loose-over-pack", "later-pack", "first-in-pack"],
};
