/**
 * The rules of each engine, as data: the one table that resolution, `which` and the documentation are made from.
 * Sources of every line are named beside it.
 * @module
 */
import type { FormatName } from "../../formats/core/entry_table.ts";
import type { NumberedPacks, PackRule, SortedPacks } from "./pack_order.ts";
import type { MemberMethods, MemberNames, Profile, PureRule, RuleName } from "./profile.ts";

/** Values of engines without mission packs, pure servers, core packs and the like. */
const plain = {
  ignoreCase: true,
  looseCase: "own",
  bases: [],
  missionPacks: [],
  enginePack: null,
  memberNames: null,
  memberMethods: null,
  looseOnly: [],
  foldDirectories: false,
  packsInPackDirectories: false,
  baseOnly: [],
  packFolders: [],
  overrideDirectory: null,
  inactive: null,
  currentMap: false,
  corePacks: [],
  pure: null,
  packFormat: null,
} as const satisfies Partial<Profile>;

/** `FS_FOpenFileReadDir` of ioquake3, `FS_FOpenFileRead` of id: `dm_` and a protocol number are demos. */
const quake3Pure: PureRule = { loose: ["*.cfg", "*.menu", "*.game", "*.dat", "*.dm_??"], allCopies: false };

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

/** Names are compared byte by byte, and a name that fills its field is copied up to the next NUL: `strcpy`. */
const quakeNames: MemberNames = { backslash: false, refused: [], fullNames: "joined" };

/** `FS_HashFileName` and `FS_FilenameCompare` take `\\` for `/`; `FS_FOpenFileReadDir` refuses the texts. */
const quake3Names: MemberNames = { backslash: true, refused: ["..", "::"], fullNames: "whole" };

/** Q3CONFIG_CFG of ioquake3 is the second in the game and the third in the server. */
const ioquake3Settings = ["autoexec.cfg", "q3config.cfg", "q3config_server.cfg"] as const;

/** Names are listed whatever the method, and opening one fails only after it was found. */
const zipMethods: MemberMethods = { reads: ["store", "deflate"], others: "taken" };

const quakePacks: NumberedPacks = {
  kind: "numbered",
  title: "numbered packs",
  prefix: "pak",
  suffix: ".pak",
  last: null,
  anyCase: false,
  stopsAtGap: true,
  emptyIsMissing: false,
  formats: ["quake-pak"],
};

const quakeRules: readonly RuleName[] = [
  "game-directory",
  "source-directory",
  "pack-over-loose",
  "pack-number",
  "first-in-pack",
];

/** Every archive, in the order of the names' bytes. */
const sortedPacks: SortedPacks = {
  kind: "sorted",
  title: "packs",
  suffixes: [],
  directories: [],
  anyCase: true,
  exceptNumbered: false,
  emptyIsMissing: false,
  collation: "bytes",
  formats: [],
  bareEnding: false,
};

const quake3Packs: SortedPacks = {
  ...sortedPacks,
  suffixes: [".pk3"],
  emptyIsMissing: true,
  collation: "quake3",
  formats: ["zip"],
  bareEnding: true,
};

/** Endings in the order in which Yamagi loads them: src/common/filesystem.c, fs_packtypes. */
const yamagiEndings = ["pak", "pk2", "pk3", "pkz", "zip"];

/** Only `.pak` files are Quake PAKs to Yamagi. */
function yamagiFormats(ending: string): readonly FormatName[] {
  return ending === "pak" ? ["quake-pak"] : ["zip"];
}

const rows: readonly Omit<Profile, "kin">[] = [
  {
    // id-Software/Quake WinQuake/common.c: COM_InitFilesystem, COM_AddGameDirectory, COM_FindFile
    ...plain,
    name: "quake",
    memberNames: quakeNames,
    engine: "Quake",
    title: "Quake, original (1996)",
    ignoreCase: false,
    packs: [quakePacks],
    duplicates: "first",
    bases: ["id1"],
    missionPacks: ["rogue", "hipnotic"],
    rules: quakeRules,
  },
  {
    // sezero/quakespasm Quake/common.c: COM_AddGameDirectory pushes quakespasm.pak right after id1/pak0
    ...plain,
    name: "quakespasm",
    memberNames: quakeNames,
    engine: "QuakeSpasm",
    title: "QuakeSpasm and its relatives",
    ignoreCase: false,
    packs: [{ ...quakePacks, emptyIsMissing: true }],
    duplicates: "first",
    bases: ["id1"],
    missionPacks: ["rogue", "hipnotic", "quoth"],
    enginePack: { name: "quakespasm.pak", order: 0.5 },
    rules: quakeRules,
  },
  {
    // DarkPlacesEngine/darkplaces fs.c: FS_AddGameDirectory, FS_FindFile, FS_SysFileExists
    ...plain,
    name: "darkplaces",
    memberMethods: zipMethods,
    // FS_LoadPackPAK ends a full name at its last byte; FS_CheckNastyPath refuses the texts.
    memberNames: { backslash: false, refused: ["..", ":", "/.", "./"], fullNames: "cut" },
    engine: "DarkPlaces",
    title: "DarkPlaces",
    packs: [
      {
        ...sortedPacks,
        title: "pak files",
        suffixes: [".pak"],
        collation: "strcasecmp",
        formats: ["quake-pak"],
        bareEnding: true,
      },
      {
        ...sortedPacks,
        title: "pk3 files and directories",
        suffixes: [".pk3", ".obb", ".dpk"],
        directories: [".pk3dir", ".dpkdir"],
        collation: "strcasecmp",
        formats: ["zip"],
        bareEnding: true,
      },
    ],
    duplicates: "met",
    bases: ["id1", "data"],
    missionPacks: ["rogue", "hipnotic", "quoth"],
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-type", "pack-name", "met-in-pack"],
  },
  {
    // id-Software/Quake-2 qcommon/files.c: FS_AddGameDirectory, FS_FOpenFile
    ...plain,
    name: "quake2",
    memberNames: quakeNames,
    engine: "Quake II",
    title: "Quake II, original (1997)",
    packs: [{ ...quakePacks, last: 9, stopsAtGap: false }],
    duplicates: "first",
    bases: ["baseq2"],
    missionPacks: ["xatrix", "rogue"],
    rules: quakeRules,
  },
  {
    // yquake2/yquake2 src/common/filesystem.c: FS_AddDirToSearchPath, FS_FOpenFile
    ...plain,
    name: "yquake2",
    memberMethods: zipMethods,
    memberNames: quakeNames,
    looseOnly: ["maps.lst", "players/"].map((path) => ({ path, withoutMod: true })),
    engine: "Yamagi Quake II",
    title: "Yamagi Quake II",
    looseCase: "own-or-small",
    packs: [
      ...yamagiEndings.map((ending): PackRule => ({
        ...quakePacks,
        title: `numbered ${ending} files`,
        suffix: `.${ending}`,
        last: 99,
        stopsAtGap: false,
        formats: yamagiFormats(ending),
      })),
      ...yamagiEndings.map((ending): PackRule => ({
        ...sortedPacks,
        title: `other ${ending} files`,
        suffixes: [`.${ending}`],
        anyCase: false,
        exceptNumbered: true,
        formats: yamagiFormats(ending),
        bareEnding: true,
      })),
    ],
    duplicates: "first",
    bases: ["baseq2"],
    missionPacks: ["xatrix", "rogue"],
    rules: [
      "game-directory",
      "source-directory",
      "pack-over-loose",
      "pack-type",
      "pack-number-or-listing",
      "own-spelling",
      "first-in-pack",
    ],
  },
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
  {
    // ioquake/ioq3 code/qcommon/files.c: FS_AddGameDirectory, FS_PathCmp, FS_LoadZipFile, FS_FOpenFileReadDir
    ...plain,
    name: "ioquake3",
    memberMethods: zipMethods,
    memberNames: quake3Names,
    looseOnly: ioquake3Settings.map((path) => ({ path, withoutMod: false })),
    engine: "ioquake3",
    title: "ioquake3, OpenArena and other games on it",
    packs: [{ ...quake3Packs, directories: [".pk3dir"] }],
    duplicates: "last",
    bases: ["baseq3", "baseoa", "demoq3", "main", "base"],
    missionPacks: ["missionpack"],
    pure: quake3Pure,
    rules: ["pure-list", "game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
  },
  {
    // Chomenor/ioef-cmod and ioq3_new_filesystem code/filesystem/fs_lookup.c: precedence_checks; fs_misc.c
    ...plain,
    name: "chomenor",
    memberMethods: zipMethods,
    // FSC_SplitQpath takes \ for /.
    memberNames: { backslash: true, refused: [], fullNames: "whole" },
    // FS_ExecuteConfigFile and FS_ConfigureLookupResource, with fs_mod_settings 0, the default.
    looseOnly: ioquake3Settings.map((path) => ({ path, withoutMod: false })),
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
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "own-spelling", "last-in-pack"],
  },
  {
    // gpbeta.com and nyko.me on packs that replace others (Resource01-test.pak); dnblank123/PAKCPP ships
    // 00Resource.pak. No source says how the game orders packs; that the first name wins is concluded from these names.
    ...plain,
    name: "dragonnest",
    engine: "Dragon Nest",
    title: "Dragon Nest; that the pak whose name sorts first wins is a guess",
    looseCase: "any",
    packs: [{ ...sortedPacks, title: "paks", suffixes: [".pak"] }],
    duplicates: "first",
    rules: ["game-directory", "source-directory", "pack-over-loose-guess", "first-name-guess", "first-in-pack"],
  },
  {
    // Systematic Gaming, "Packfiles" (2008): packs are registered one after another, and later ones are meant to
    // override earlier ones. It registers them by hand; here they are ordered by name. It has no loose files.
    ...plain,
    name: "hashed",
    engine: "the hashed profile",
    title: "Hashed packfiles: packs registered later win, loose files win over packs",
    ignoreCase: false,
    packs: [{ ...sortedPacks, suffixes: [".pack", ".pak", ".dat"] }],
    duplicates: "first",
    packFormat: "hashed-pack",
    rules: ["game-directory", "source-directory", "loose-over-pack", "later-pack", "first-in-pack"],
  },
  {
    ...plain,
    name: "generic",
    engine: "the generic profile",
    title: "No engine: later pack names win, loose files win over packs",
    ignoreCase: false,
    packs: [{ ...sortedPacks, directories: [".pk3dir"] }],
    duplicates: "last",
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
  },
];

/** All profiles. */
export const profiles: readonly Profile[] = rows.map((row) => ({ ...row, kin: row.name }));

/** Returns the profile of that name, or `undefined`. */
export function profileNamed(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name);
}
