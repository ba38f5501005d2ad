/**
 * Red Eclipse: redeclipse/base.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone } from "./core/names.ts";
import { ofAnyFamily, plain, sortedPacks, zipMethods } from "./core/shared_parts.ts";

export const redeclipse: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "redeclipse",
  engine: "Red Eclipse",
  title: "Red Eclipse",
  // src/shared/stream.cpp: findfile, openfile; src/shared/zip.cpp: openzipfile; config/defaults.cfg adds all zips
  ignoreCase: false,
  packs: [{ ...sortedPacks, suffixes: [".zip"], anyCase: false, formats: ["zip"], bareEnding: false }],
  memberMethods: zipMethods,
  duplicates: "last",
  // src/engine/server.cpp: setlocations also finds the files of data/ without that folder; that is left out here.
  rules: ["pack-over-loose", "game-directory", "source-directory", "pack-name", "last-in-pack"],
  // src/engine/md2.h, md3.h, iqm.h: scripts such as md3.cfg name the skins of models
  files: { ...pathsAlone, ignores: ["surface", "image"] },
  unreadMaps: [".mpz", ".ogz", ".cfg"],
  homes: [{ game: "redeclipse", paths: ["~/.redeclipse"] }],
};
