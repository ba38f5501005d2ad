/**
 * Raze, a port of Build games on GZDoom's file system: ZDoom/Raze. `raze.pk3`, below all else, and what its INI file loads
 * are left out here.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

/** Packs of games in load order: wadsrc/static/engine/grpinfo.txt; source/core/initfs.cpp 345, InitFileSystem. */
const main = ["duke3d.grp", "sw.grp", "blood.rff", "sounds.rff", "gui.rff", "blood.grp"];

export const raze: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "raze",
  engine: "Raze",
  title: "Raze: Duke Nukem 3D, Shadow Warrior, Blood",
  // source/common/filesystem/source/file_directory.cpp 116
  looseCase: "any",
  packs: [
    // source/core/initfs.cpp 372: the directory of the game is loaded after its packs
    {
      ...sortedPacks,
      title: "packs of the game",
      suffixes: main,
      collation: "strcasecmp",
      sortsAs: main.map((prefix, index) => ({ prefix, as: `${index}`, anyCase: true })),
      belowLoose: true,
      folders: "none",
    },
    // source/core/initfs.cpp 400: -file and -g
    {
      ...sortedPacks,
      title: "other packs",
      suffixes: [".grp", ".zip", ".pk3", ".pk4", ".7z", ".pk7", ".rff"],
      collation: "strcasecmp",
    },
  ],
  leftOut: [{
    member: null,
    prefix: null,
    except: main,
    choice: true,
    needs: null,
    because: "Raze loads further packs only with -file",
  }],
  // source/common/filesystem: what is loaded last is found first
  duplicates: "last",
  rules: [
    "pack-over-loose",
    "pack-type",
    "game-directory",
    "source-directory",
    "pack-name",
    "own-spelling",
    "last-in-pack",
  ],
  unreadMaps: [".map", ".con"],
};
