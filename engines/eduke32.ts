/**
 * EDuke32, a port of Duke Nukem 3D: source/duke3d and source/build of nukeykt/NBlood, which has the source of EDuke32. A
 * directory of `-j` or `-game_dir` is another source here.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import type { PackRule } from "./core/pack_steps.ts";
import type { LeftOut, MemberMethods } from "./core/profile.ts";
import { ofAnyFamily, plain, sortedPacks, storedNames } from "./core/shared_parts.ts";

/** Endings of groups: source/duke3d/src/common.cpp 902, G_LoadGroupsInDir; pakfs reads no `.ssi`. */
const endings = [".grp", ".zip", ".pk3", ".pk4"];

/** Groups that are loaded after the main one; what they are decides, not their ending: vfs.cpp 482, initgroupfile. */
export const groups: readonly PackRule[] = [
  {
    ...sortedPacks,
    title: "other GRPs",
    suffixes: endings,
    collation: "strcasecmp",
    formats: ["grp"],
    folders: "before",
  },
  // source/build/src/vfs.cpp 786, kopen_internal: after loose files, and before all GRPs
  { ...sortedPacks, title: "zips", suffixes: endings, collation: "strcasecmp", formats: ["zip"], folders: "before" },
];

/** Returns the packs that are loaded only if they are chosen. */
export function chosenGroups(engine: string, main: readonly string[]): readonly LeftOut[] {
  return [{
    member: null,
    prefix: null,
    except: [...main, "autoload/*"],
    choice: true,
    needs: null,
    because: `${engine} loads further groups only from autoload/ and with -g`,
  }];
}

/** source/build/src/kplib.cpp 2594, kzopen: a member with another method is looked for in GRPs. */
const methods: MemberMethods = {
  reads: ["store", "deflate"],
  others: "skipped",
  encrypted: "taken",
  skipsEmpty: false,
};

export const eduke32: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "eduke32",
  engine: "EDuke32",
  title: "EDuke32: Duke Nukem 3D",
  // source/build/src/vfs.cpp 280, findfrompath: the path as it is, in lower case, and in capitals
  looseCase: "own-or-one-case",
  memberNames: { ...storedNames, backslash: true },
  memberMethods: methods,
  // source/duke3d/src/common.cpp 394, G_LoadGroups
  packs: [
    { ...sortedPacks, title: "the GRP of the game", suffixes: ["duke3d.grp"], formats: ["grp"], folders: "none" },
    ...groups,
  ],
  packFolders: [{ name: "autoload", ignored: null }],
  leftOut: chosenGroups("EDuke32", ["duke3d.grp"]),
  // source/build/src/vfs.cpp 806, kopen_internal, and kplib.cpp 2509, kzaddstack: the last of equal names
  duplicates: "last",
  rules: [
    "loose-over-pack",
    "pack-type",
    "game-directory",
    "source-directory",
    "own-spelling",
    "pack-name",
    "last-in-pack",
  ],
  unreadMaps: [".map", ".con"],
  // source/duke3d/src/common.cpp 256, G_ExtPreInit
  homes: [{ game: "duke3d", paths: ["~/.config/eduke32"] }],
};
