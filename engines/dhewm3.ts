/**
 * dhewm3, for Doom 3: dhewm/dhewm3.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import type { LeftOut } from "./core/profile.ts";
import { plain, quake3Names, quake3Packs, zipMethods } from "./core/shared_parts.ts";

/** Packs with game code, which dhewm3 has in libraries instead. */
const binaryPacks: LeftOut = {
  member: "binary.conf",
  prefix: null,
  choice: false,
  except: [],
  needs: null,
  because: "dhewm3 loads no pack that holds binary.conf",
};

export const dhewm3: Engine = {
  ...plain,
  name: "dhewm3",
  engine: "dhewm3",
  title: "dhewm3 and Doom 3",
  // neo/framework/FileSystem.cpp: AddGameDirectory, LoadZipFile, OpenFileReadFlags
  looseCase: "small-directory",
  packs: [{ ...quake3Packs, suffixes: [".pk4"], collation: "doom3" }],
  // neo/framework/minizip/unzip.cpp: unzOpenCurrentFile, which is given no password; asked of the program itself
  memberMethods: zipMethods,
  memberNames: quake3Names,
  duplicates: "last",
  bases: ["base"],
  missionPacks: ["d3xp"],
  leftOut: [
    binaryPacks,
    {
      member: "addon.conf",
      prefix: null,
      choice: true,
      except: [],
      needs: "addonDef",
      because: "it is an addon, which dhewm3 searches only if it is chosen",
    },
  ],
  settings: [{ name: "fs_searchAddons=1", note: "All addons are searched", leftOut: [binaryPacks] }],
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "own-spelling", "last-in-pack"],
  // neo/idlib/hashing/MD4.cpp
  emptyPackChecksum: null,
  family: "doom3",
  // neo/renderer/Image_files.cpp, Image_load.cpp
  pictures: pictures(["tga", "jpg"]),
  files: { ...pathsAlone, sounds: ["wav", "ogg"] },
  // neo/framework/DeclManager.cpp
  shaders: {
    reading: "listed",
    name: "doom3",
    title: "Doom 3",
    syntax: "doom3",
    directory: "materials",
    extension: ".mtr",
  },
  limits: [],
  homes: [
    // neo/sys/linux/main.cpp: Sys_GetPath; configuration above saved games, as in FileSystem.cpp
    { game: "doom3", paths: ["$XDG_CONFIG_HOME/dhewm3", "$XDG_DATA_HOME/dhewm3"] },
    { game: "doom3", engine: "Doom 3", paths: ["~/.doom3"] },
  ],
};
