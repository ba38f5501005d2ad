/**
 * Xash3D, which plays Half-Life and other games for GoldSrc, whose own rules are not public: FWGS/xash3d-fwgs.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import { plain, quakeMusic, sortedPacks, storedNames, zipMethods } from "./core/shared_parts.ts";

export const xash3d: Engine = {
  ...plain,
  name: "xash3d",
  engine: "Xash3D",
  title: "Xash3D FWGS: Half-Life and other games for GoldSrc",
  // filesystem/searchpath.c: FS_AddGameHierarchy; FS_AddGameDirectory. These options are off by default.
  looseCase: "any",
  packs: [
    { ...sortedPacks, title: "pak files", suffixes: [".pak"], formats: ["quake-pak"] },
    { ...sortedPacks, title: "pk3 files", suffixes: [".pk3"], formats: ["zip"] },
    { ...sortedPacks, title: "pk3dirs", suffixes: [".pk3dir"], directories: [".pk3dir"] },
    { ...sortedPacks, title: "WADs", suffixes: [".wad"], formats: ["wad2", "wad3"] },
  ],
  nestedPacks: { suffixes: [".wad"], isAbove: true, order: "steps" },
  memberMethods: { ...zipMethods, skipsEmpty: true },
  memberNames: { ...storedNames, refused: ["..", ":", "/."], fullNames: "joined", lumpTypes: true },
  duplicates: "met",
  bases: ["valve"],
  chain: { files: ["gameinfo.txt", "liblist.gam"], base: "basedir", fallback: "fallback_dir" },
  companions: [
    { name: "{game}_downloads", of: "played", isBelow: true, choice: null, isRoot: false },
    { name: "{game}_hd", of: "all", isBelow: false, choice: "hd", isRoot: false },
    { name: "{game}_addon", of: "all", isBelow: false, choice: "addon", isRoot: false },
    { name: "{game}_lv", of: "all", isBelow: false, choice: "lv", isRoot: false },
    { name: "{game}_{language}", of: "all", isBelow: false, choice: "{language}", isRoot: false },
    { name: "{game}/custom", of: "played", isBelow: false, choice: null, isRoot: false },
  ],
  rules: [
    "game-directory",
    "source-directory",
    "loose-over-pack",
    "pack-type",
    "pack-order",
    "nested-pack",
    "met-in-pack",
  ],
  family: "quake",
  pictures: pictures(["tga", "png", "jpg", "pcx"]),
  files: quakeMusic,
  shaders: null,
  limits: [],
};
