/**
 * The rules of engines on Quake III's and Doom 3's file systems.
 * @module
 */
import type { LeftOut } from "./profile.ts";
import {
  ioquake3Settings,
  looseOnly,
  plain,
  type ProfileRow,
  quake3Names,
  quake3Packs,
  quake3Pure,
  storedNames,
  zipMethods,
} from "./shared_rows.ts";

/** pak0.pk3 to pak8.pk3 of Quake III Arena: ioquake/ioq3 code/qcommon/files.c. */
const quake3CorePacks = [
  1566731103,
  298122907,
  412165236,
  -1303471980,
  1197932710,
  -207895723,
  -585902437,
  908855077,
  977125798,
] as const;

/** pak0.pk3 to pak3.pk3 of Team Arena: ioquake/ioq3 code/qcommon/files.c. */
const teamArenaCorePacks = [-1864624895, 511014160, -1632328303, 1438664554] as const;

const ioquake3: ProfileRow = {
  // ioquake/ioq3 code/qcommon/files.c: FS_AddGameDirectory, FS_PathCmp, FS_LoadZipFile, FS_FOpenFileReadDir
  ...plain,
  name: "ioquake3",
  memberMethods: zipMethods,
  memberNames: quake3Names,
  looseOnly: looseOnly(ioquake3Settings),
  engine: "ioquake3",
  title: "ioquake3, OpenArena and other games on it",
  packs: [{ ...quake3Packs, directories: [".pk3dir"] }],
  duplicates: "last",
  bases: ["baseq3", "baseoa", "baseEF", "demoq3", "main", "base"],
  missionPacks: ["missionpack"],
  pure: quake3Pure,
  rules: ["pure-list", "game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
};

const iortcw: ProfileRow = {
  ...ioquake3,
  kin: "ioquake3",
  bases: ["main"],
  missionPacks: [],
};

/** Packs with the code of the game, which dhewm3 has in libraries. */
const binaryPacks: LeftOut = {
  member: "binary.conf",
  prefix: null,
  choice: false,
  needs: null,
  because: "dhewm3 loads no pack that holds binary.conf",
};

/** The rules of engines on Quake III's and Doom 3's file systems. */
export const quake3Rows: readonly ProfileRow[] = [
  {
    // id-Software/Quake-III-Arena code/qcommon/files.c: FS_AddGameDirectory, paksort, FS_FOpenFileRead
    ...plain,
    name: "quake3",
    memberMethods: zipMethods,
    memberNames: quake3Names,
    engine: "Quake III Arena",
    title: "Quake III Arena, original (1.32)",
    packs: [quake3Packs],
    duplicates: "last",
    bases: ["baseq3", "demoq3"],
    missionPacks: ["missionpack"],
    pure: quake3Pure,
    rules: ["pure-list", "game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"],
  },
  ioquake3,
  {
    // ec-/Quake3e code/qcommon/files.c: FS_AddGameDirectory, FS_ReorderSearchPaths, FS_LoadZipFile
    ...ioquake3,
    name: "quake3e",
    kin: "ioquake3",
    engine: "Quake3e",
    title: "Quake3e",
    memberMethods: { ...zipMethods, others: "skipped" },
    // FS_CheckDirTraversal
    memberNames: { ...quake3Names, refused: ["../", "..\\", "::"] },
    // FS_BannedPakFile, asked for members in small letters when a pack is read, and for files of directories
    looseOnly: looseOnly(ioquake3Settings, { anyCase: true, packDirectories: true }),
    // FS_Startup adds the games of fs_basegame root by root.
    rules: [
      "pure-list",
      "pack-over-loose",
      "game-directory",
      "source-directory",
      "base-game",
      "pack-name",
      "last-in-pack",
    ],
  },
  {
    // zturtleman/spearmint code/qcommon/files.c: FS_AddGameDirectory
    ...ioquake3,
    name: "spearmint",
    kin: "ioquake3",
    engine: "Spearmint",
    title: "Spearmint",
    looseOnly: looseOnly(["autoexec.cfg", "config.cfg", "config_server.cfg"]),
  },
  {
    // Chomenor/ioef-cmod and ioq3_new_filesystem code/filesystem/fs_lookup.c: precedence_checks; fs_misc.c
    ...plain,
    name: "chomenor",
    memberMethods: zipMethods,
    // FSC_SplitQpath takes \ for /.
    memberNames: { ...storedNames, backslash: true },
    // FS_ExecuteConfigFile and FS_ConfigureLookupResource, with fs_mod_settings 0, the default.
    looseOnly: looseOnly(ioquake3Settings),
    baseOnly: ["default.cfg", ...ioquake3Settings],
    engine: "Chomenor's file system",
    title: "ioquake3 with Chomenor's new file system",
    looseCase: "any",
    packs: [{ ...quake3Packs, directories: [".pk3dir"], collation: "chomenor" }],
    duplicates: "last-stored",
    bases: ["baseq3", "baseoa", "baseEF", "demoq3", "main", "base"],
    missionPacks: ["missionpack"],
    // FS_GetModType of fs_misc.c; FSC_LoadFileFromPath of fscore/fsc_main.c.
    foldDirectories: true,
    packsInPackDirectories: true,
    packFolders: [
      { name: "downloads", ignored: null },
      { name: "nolist", ignored: null },
      { name: "refonly", ignored: "of packs in refonly/ the engine takes only the checksum" },
    ],
    overrideDirectory: "basemod",
    inactive: 1,
    currentMap: true,
    corePacks: [
      { mod: "missionpack", checksums: [...quake3CorePacks, ...teamArenaCorePacks] },
      { mod: null, checksums: [...teamArenaCorePacks, ...quake3CorePacks] },
    ],
    // Game code may read any loose file; the engine itself executes configurations.
    pure: { ...quake3Pure, allCopies: true },
    rules: [
      "special-shader",
      "pure-list",
      "mod-directory",
      "core-pack",
      "current-map",
      "inactive-mod",
      "downloads",
      "shader-over-image",
      "loose-over-pack",
      "pack-name-anywhere",
      "extension",
      "source-directory",
      "last-stored",
      "case-match",
    ],
  },
  {
    // JACoders/OpenJK codemp/qcommon/files.cpp and code/qcommon/files.cpp: FS_AddGameDirectory, paksort
    ...ioquake3,
    name: "openjk",
    kin: "ioquake3",
    engine: "OpenJK",
    title: "OpenJK: Jedi Academy and Jedi Outcast",
    // FS_FOpenFileRead compares them without case.
    looseOnly: looseOnly(["autoexec.cfg", "openjk.cfg", "openjk_server.cfg", "openjk_sp.cfg"], { anyCase: true }),
    packs: [{ ...quake3Packs, sortsAs: [{ prefix: "dl_", as: "~dl_", anyCase: true }] }],
    leftOut: [{
      member: null,
      prefix: "dl_",
      choice: true,
      needs: null,
      because: "OpenJK loads packs that a server sent only where the server refers to them",
    }],
    bases: ["base"],
    missionPacks: [],
    rules: ["pure-list", "game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"],
    settings: [{
      name: "fs_dirbeforepak=1",
      note: "Loose files of a directory are searched before its packs",
      rules: ["pure-list", "game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
    }],
  },
  {
    // iortcw/iortcw MP/code/qcommon/files.c: FS_AddGameDirectory, FS_FOpenFileRead
    ...iortcw,
    looseOnly: looseOnly(["autoexec.cfg", "wolfconfig_mp.cfg", "wolfconfig_server.cfg"]),
    name: "iortcw-mp",
    engine: "iortcw multiplayer",
    title: "iortcw: Return to Castle Wolfenstein, multiplayer",
    packs: [{
      ...quake3Packs,
      sortsAs: [{ prefix: "mp_", as: "zz_", anyCase: false }],
      except: ["sp_"],
      opensAs: [{ prefix: "zz_", as: "mp_", anyCase: false }],
    }],
  },
  {
    // iortcw/iortcw SP/code/qcommon/files.c: FS_AddGameDirectory, FS_FOpenFileRead
    ...iortcw,
    looseOnly: looseOnly(["autoexec.cfg", "wolfconfig.cfg", "wolfconfig_server.cfg"]),
    name: "iortcw-sp",
    engine: "iortcw single player",
    title: "iortcw: Return to Castle Wolfenstein, single player",
    packs: [{
      ...quake3Packs,
      sortsAs: [{ prefix: "sp_", as: "zz_", anyCase: false }],
      except: ["mp_"],
      opensAs: [{ prefix: "zz_", as: "sp_", anyCase: false }],
    }],
    rules: ["pure-list", "game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"],
  },
  {
    // etlegacy/etlegacy src/qcommon/files.c: FS_AddGameDirectory, FS_ReorderLocalFoldersToTop; since 2.76
    ...ioquake3,
    name: "etlegacy",
    kin: "ioquake3",
    engine: "ET: Legacy",
    title: "ET: Legacy: Wolfenstein Enemy Territory",
    looseOnly: [],
    bases: ["etmain"],
    missionPacks: [],
    rules: ["loose-over-pack", "pure-list", "game-directory", "source-directory", "pack-name", "last-in-pack"],
  },
  {
    // dhewm/dhewm3 neo/framework/FileSystem.cpp: AddGameDirectory, LoadZipFile, OpenFileReadFlags
    ...plain,
    name: "dhewm3",
    memberMethods: zipMethods,
    memberNames: quake3Names,
    engine: "dhewm3",
    title: "dhewm3 and Doom 3",
    looseCase: "small-directory",
    packs: [{ ...quake3Packs, suffixes: [".pk4"], collation: "doom3" }],
    duplicates: "last",
    bases: ["base"],
    missionPacks: ["d3xp"],
    leftOut: [
      binaryPacks,
      {
        member: "addon.conf",
        prefix: null,
        choice: true,
        needs: "addonDef",
        because: "it is an addon, which dhewm3 searches only if it is chosen",
      },
    ],
    settings: [{ name: "fs_searchAddons=1", note: "All addons are searched", leftOut: [binaryPacks] }],
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "own-spelling", "last-in-pack"],
  },
  {
    // RobertBeckebans/RBDOOM-3-BFG neo/framework/FileSystem.cpp: AddGameDirectory, OpenFileReadFlags, with
    // fs_resourceLoadPriority 0, the default
    ...plain,
    name: "rbdoom3bfg",
    kin: "dhewm3",
    memberMethods: zipMethods,
    memberNames: quake3Names,
    engine: "RBDOOM-3-BFG",
    title: "RBDOOM-3-BFG: Doom 3 BFG Edition",
    packs: [
      {
        ...quake3Packs,
        title: "resource containers",
        suffixes: [".resources"],
        emptyIsMissing: false,
        collation: "doom3",
        formats: ["bfg-resources"],
        folders: "after",
      },
      { ...quake3Packs, title: "pk4 files", suffixes: [".pk4"], collation: "doom3", folders: "none" },
    ],
    packFolders: [{ name: "maps", ignored: null }],
    duplicates: "last",
    bases: ["base"],
    rules: ["loose-over-pack", "pack-type", "game-directory", "source-directory", "pack-order", "last-in-pack"],
    settings: [{
      name: "fs_resourceLoadPriority=1",
      note: "All packs are searched before any loose file",
      rules: ["pack-over-loose", "pack-type", "game-directory", "source-directory", "pack-order", "last-in-pack"],
    }],
  },
];
