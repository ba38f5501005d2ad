/**
 * The rules of engines for Doom, Heretic, Hexen and Strife.
 * @module
 */
import type { LoadList } from "./load_list.ts";
import { plain, type ProfileRow, sortedPacks } from "./shared_rows.ts";

const boomList: LoadList = {
  lumps: "boom",
  switches: ["-file"],
  own: ["dsda-doom.wad", "prboom-plus.wad"],
  autoload: ["all-all", "{game}-all", "{iwad}"],
  autoloadAs: "-file",
  autoloadOfFiles: true,
  maxLumps: null,
};

const gzdoom: ProfileRow = {
  // ZDoom/gzdoom src/common/filesystem/source: filesystem.cpp, resourcefile.cpp, file_wad.cpp; src/d_main.cpp
  ...plain,
  name: "gzdoom",
  engine: "GZDoom",
  title: "GZDoom and UZDoom",
  looseCase: "any",
  memberMethods: { reads: ["store", "deflate", "bzip2", "lzma"], others: "taken", skipsEmpty: false },
  packs: [{
    ...sortedPacks,
    title: "files to load",
    suffixes: [".wad", ".iwad", ".pk3", ".ipk3", ".pke", ".zip", ".pak", ".grp", ".rff", ".lmp"],
  }],
  duplicates: "last",
  loadList: {
    ...boomList,
    lumps: "gzdoom",
    own: [],
    autoload: [],
    autoloadOfFiles: false,
  },
  rules: ["load-order", "last-in-pack"],
};

/** The rules of engines for Doom, Heretic, Hexen and Strife. */
export const doomRows: readonly ProfileRow[] = [
  gzdoom,
  {
    // kraflab/dsda-doom prboom2/src/w_wad.c: W_AddFile, W_CoalesceMarkedResource; d_main.c: D_AutoloadIWadDir
    ...gzdoom,
    name: "boom",
    engine: "Boom's descendants",
    title: "dsda-doom, PrBoom+ and Woof",
    packs: [{ ...sortedPacks, title: "files to load", suffixes: [".wad", ".zip", ".lmp"] }],
    loadList: boomList,
  },
  {
    // chocolate-doom/chocolate-doom src/w_wad.c, w_main.c, w_merge.c; d_main.c
    ...gzdoom,
    name: "chocolate",
    engine: "Chocolate Doom",
    title: "Chocolate Doom and Crispy Doom",
    packs: [{ ...sortedPacks, title: "files to load", suffixes: [".wad", ".lmp"] }],
    loadList: {
      ...boomList,
      lumps: "vanilla",
      switches: ["-merge", "-nwtmerge", "-af", "-as", "-aa", "-file"],
      own: [],
      autoload: ["doom-all", "{iwad}"],
      autoloadAs: "-merge",
      autoloadOfFiles: false,
      maxLumps: 4046,
    },
  },
];
