/**
 * GZDoom and UZDoom: ZDoom/gzdoom.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

export const gzdoom: Engine = {
  ...plain,
  ...ofAnyFamily,
  family: "doom",
  name: "gzdoom",
  engine: "GZDoom",
  title: "GZDoom and UZDoom",
  // src/common/filesystem/source: filesystem.cpp, resourcefile.cpp, file_wad.cpp; src/d_main.cpp. Its own gzdoom.pk3 and
  // game_support.pk3, which are loaded before the IWAD (3757, 3794), are left out; none is inside the program.
  looseCase: "any",
  memberMethods: {
    reads: ["store", "deflate", "bzip2", "lzma"],
    others: "taken",
    encrypted: "skipped",
    skipsEmpty: false,
  },
  packs: [{
    ...sortedPacks,
    title: "files to load",
    suffixes: [
      ".wad",
      ".iwad",
      ".pk3",
      ".ipk3",
      ".pke",
      ".zip",
      ".pk7",
      ".ipk7",
      ".7z",
      ".pak",
      ".grp",
      ".rff",
      ".lmp",
    ],
  }],
  duplicates: "last",
  loadList: {
    lumps: "gzdoom",
    switches: ["-file"],
    own: [],
    autoload: [],
    autoloadAs: "-file",
    autoloadOfFiles: false,
    mergesFiles: false,
    maxLumps: null,
  },
  rules: ["load-order", "last-in-pack"],
};
