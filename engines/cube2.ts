/**
 * Cube 2 of Sauerbraten, which reads loose files, and zips that its scripts name: sauerbraten/p1xbraten src/shared.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone } from "./core/names.ts";
import { ofAnyFamily, plain } from "./core/shared_parts.ts";

export const cube2: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "cube2",
  engine: "Cube 2",
  title: "Cube 2: Sauerbraten",
  // stream.cpp: findfile; zip.cpp: addzip is called by scripts alone, which are not read here.
  ignoreCase: false,
  packs: [],
  duplicates: "first",
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "first-in-pack"],
  // engine/md2.h, md3.h, iqm.h: scripts such as md3.cfg name the skins of models
  files: { ...pathsAlone, ignores: ["surface", "image"] },
  unreadMaps: [".ogz", ".cfg"],
  // Its script sauerbraten_unix: SAUER_OPTIONS
  homes: [{ game: "sauerbraten", paths: ["~/.sauerbraten"] }],
};
