/**
 * ezQuake: QW-Group/ezquake-source.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import type { PackRule } from "./core/pack_steps.ts";
import type { Companion } from "./core/profile.ts";
import {
  formatsOf,
  listedByDirectory,
  listedPacks,
  plain,
  quakeMusic,
  quakeNames,
  quakePacks,
  zipMethods,
} from "./core/shared_parts.ts";

/** Extensions of packs in load order: src/fs.c FS_AddDataFiles. */
const endings = ["pak", "pk3", "pk4"];

const companions: readonly Companion[] = ["ezquake", "qw"].map((name) => ({
  name,
  of: "base",
  isBelow: false,
  choice: null,
  isRoot: false,
}));

export const ezquake: Engine = {
  ...plain,
  name: "ezquake",
  engine: "ezQuake",
  title: "ezQuake",
  // src/fs.c: FS_AddPathHandle, FS_AddDataFiles, FS_LoadPackList
  packs: [
    ...endings.flatMap((ending): PackRule[] => [
      {
        ...quakePacks,
        title: `numbered ${ending} files`,
        suffix: `.${ending}`,
        capitals: true,
        unreadableIsMissing: true,
        formats: formatsOf(ending),
      },
      // src/sys_posix.c 541: Sys_EnumerateFiles lists no name that begins with a dot
      { ...listedByDirectory(ending), except: ["."] },
    ]),
    {
      ...listedPacks,
      suffixes: endings.map((ending) => `.${ending}`),
      except: ["soft"],
      // FS_AddUserPaks loads already loaded packs again, with a higher priority.
      loadsAgain: true,
      replacesSorted: true,
      words: false,
    },
  ],
  // FSZIP_LoadZipFile opens zips by their path on disk, so only Quake PAKs are found in packs. FS_AddPak finds none at
  // all there, so numbers and lists have no effect.
  nestedPacks: { suffixes: [".pak"], isAbove: true, order: "stored" },
  memberMethods: zipMethods,
  // src/vfs_pak.c 371: FSPAK_LoadPackFile copies up to 63 bytes, from a name's field and beyond
  memberNames: quakeNames,
  // src/vfs_os.c: FSOS_BuildHash, FSOS_FLocate; src/sys_posix.c 541: Sys_EnumerateFiles; src/fs.c: FS_LoadFile opens
  // files that FS_OpenVFS does not find
  looseList: { opens: [".ezquake"], opensForBase: "qw" },
  duplicates: "first",
  bases: ["id1"],
  companions: [
    ...companions,
    // FS_AddHomeDirectory adds no directory of the mod.
    { name: ".ezquake", of: "base", isBelow: false, choice: null, isRoot: true },
  ],
  settings: [{ name: "-nohome", note: "`~/.ezquake` is not searched", companions }],
  rules: [
    "game-directory",
    "source-directory",
    "pack-over-loose",
    "pack-type",
    "pack-order",
    "nested-pack",
    "first-in-pack",
  ],
  family: "quake",
  // src/r_texture_load.c
  pictures: pictures(["tga", "png", "jpg", "pcx"]),
  files: quakeMusic,
  shaders: null,
  limits: [],
  // src/fs.c: FS_AddHomeDirectory; the home directory is itself a game directory
  homes: [{ game: "quake", paths: ["~/.ezquake"] }],
  evidence: [{ base: "id1", rank: 1, next: /^ezquake/i, says: "belongs to ezQuake" }],
};
