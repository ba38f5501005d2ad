/**
 * The rules of engines for Quake and Half-Life.
 * @module
 */
import type { FormatName } from "../../formats/core/entry_table.ts";
import type { PackRule, SortedPacks } from "./pack_steps.ts";
import type { Companion } from "./profile.ts";
import {
  plain,
  type ProfileRow,
  quakeNames,
  quakePacks,
  quakeRules,
  sortedPacks,
  storedNames,
  zipMethods,
} from "./shared_rows.ts";

/** Packs of any name with an ending, as QuakeSpasm-Spiked and ezQuake load them: in the order of the directory. */
function listedByDirectory(ending: string): SortedPacks {
  return {
    ...sortedPacks,
    title: `other ${ending} files`,
    suffixes: [`.${ending}`],
    anyCase: false,
    collation: "listing",
    formats: formatsOf(ending),
    bareEnding: false,
  };
}

function formatsOf(ending: string): readonly FormatName[] {
  return ending.toLowerCase() === "pak" ? ["quake-pak"] : ["zip"];
}

/** Endings of packs in the order in which FTE registers them: `FS_RegisterDefaultFileSystems` of engine/common/fs.c. */
const fteEndings = ["pak", "pk3", "pk4", "pkz", "pkx", "iwd", "kpf"];

/** Endings of packs in the order in which ezQuake loads them: `FS_AddDataFiles` of src/fs.c. */
const ezquakeEndings = ["pak", "pk3", "pk4"];

const ezquakeCompanions: readonly Companion[] = ["ezquake", "qw"].map((name) => ({
  name,
  of: "base",
  isBelow: false,
  choice: null,
  isRoot: false,
}));

const quakespasm: ProfileRow = {
  // sezero/quakespasm Quake/common.c: COM_AddGameDirectory pushes quakespasm.pak right after id1/pak0
  ...plain,
  name: "quakespasm",
  memberNames: quakeNames,
  engine: "QuakeSpasm",
  title: "QuakeSpasm",
  ignoreCase: false,
  packs: [{ ...quakePacks, emptyIsMissing: true }],
  duplicates: "first",
  bases: ["id1"],
  missionPacks: ["rogue", "hipnotic", "quoth"],
  enginePack: {
    name: "quakespasm.pak",
    order: 0.5,
    belowLoose: false,
    foundIn: "each-root",
    followsPack: false,
    followsListed: "",
  },
  rules: quakeRules,
};

/** Packs of QuakeSpasm-Spiked that are loaded by list and by number. */
const spikedPacks: readonly PackRule[] = [
  {
    kind: "listed",
    title: "packs listed in pak.lst",
    file: "pak.lst",
    suffixes: [".pak", ".pk3", ".pk4", ".zip", ".apk"],
    except: [],
    exceptTwins: true,
    replacesSorted: false,
    words: true,
    formats: ["quake-pak", "zip"],
    formatByEnding: true,
  },
  {
    ...quakePacks,
    exceptTwins: true,
    otherSuffixes: [".pk3"],
    emptyIsMissing: true,
    formats: ["quake-pak", "zip"],
    formatByEnding: true,
  },
];

/** Packs of FTE, in the order of loading. */
const ftePacks: readonly PackRule[] = [
  {
    kind: "listed",
    title: "packs listed in pak.lst",
    file: "pak.lst",
    suffixes: fteEndings.map((ending) => `.${ending}`),
    except: [],
    exceptTwins: false,
    replacesSorted: false,
    words: true,
    formats: ["quake-pak", "zip"],
    formatByEnding: true,
  },
  // A file system that distinguishes capitals has an ending more.
  ...["pak", "PAK", ...fteEndings.slice(1)].map((ending): PackRule => ({
    ...quakePacks,
    title: `numbered ${ending} files`,
    suffix: `.${ending}`,
    formats: formatsOf(ending),
  })),
  ...fteEndings.map((ending): PackRule => ({
    ...sortedPacks,
    title: `other ${ending} files`,
    suffixes: [`.${ending}`],
    collation: "strcasecmp",
    except: ["."],
    formats: formatsOf(ending),
  })),
  {
    ...sortedPacks,
    title: "pk3dirs",
    suffixes: [".pk3dir"],
    directories: [".pk3dir"],
    collation: "strcasecmp",
    except: ["."],
  },
];

/** The rules of engines for Quake and Half-Life. */
export const quakeRows: readonly ProfileRow[] = [
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
  quakespasm,
  {
    // andrei-drexler/ironwail Quake/common.c: COM_AddGameDirectory, COM_AddEnginePak, which asks the directory of the
    // program first. Of several -basedir the later ones are searched first.
    ...quakespasm,
    name: "ironwail",
    kin: "quakespasm",
    engine: "Ironwail",
    title: "Ironwail",
    enginePack: {
      name: "ironwail.pak",
      order: 0.5,
      belowLoose: false,
      foundIn: "one-root",
      followsPack: true,
      followsListed: "",
    },
  },
  {
    // Novum/vkQuake Quake/common.c: its own pack is in the program. Further -basedir are searched after the first. Behind
    // an id1/pak0.pak without files it loads pak1.pak nevertheless, as its own pack then counts; that is left out here.
    ...quakespasm,
    name: "vkquake",
    kin: "quakespasm",
    engine: "vkQuake",
    title: "vkQuake",
    enginePack: null,
  },
  {
    // Shpoike/Quakespasm Quake/common.c: COM_AddGameDirectory; Quake/fs_zip.c: FSZIP_EnumerateCentralDirectory
    ...quakespasm,
    name: "qss",
    kin: "quakespasm",
    engine: "QuakeSpasm-Spiked",
    title: "QuakeSpasm-Spiked",
    memberMethods: { ...zipMethods, others: "skipped" },
    memberNames: { ...quakeNames, smallInZips: true },
    enginePack: {
      name: "quakespasm.pak",
      order: 0.5,
      belowLoose: false,
      foundIn: "each-root",
      followsPack: false,
      followsListed: "pak0.",
    },
    packs: [
      ...spikedPacks,
      // COM_ListSystemFiles takes endings in any case.
      // COM_AddPackage compares paths without case.
      { ...listedByDirectory("pak"), anyCase: true, bareEnding: true, emptyIsMissing: true, exceptTwins: true },
      { ...listedByDirectory("pk3"), anyCase: true, bareEnding: true, exceptTwins: true },
    ],
    settings: [{ name: "-nowildpaks", note: "Packs of other names are not loaded", packs: spikedPacks }],
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-type", "pack-order", "first-in-pack"],
  },
  {
    // DarkPlacesEngine/darkplaces fs.c: FS_AddGameDirectory, FS_FindFile, FS_SysFileExists
    ...plain,
    name: "darkplaces",
    memberMethods: zipMethods,
    // FS_LoadPackPAK ends a full name at its last byte; FS_CheckNastyPath refuses the texts.
    memberNames: { ...storedNames, refused: ["..", ":", "/.", "./"], fullNames: "cut" },
    engine: "DarkPlaces",
    title: "DarkPlaces",
    packs: [
      {
        ...sortedPacks,
        title: "pak files",
        suffixes: [".pak"],
        anyCase: true,
        collation: "strcasecmp",
        formats: ["quake-pak"],
        bareEnding: true,
      },
      {
        ...sortedPacks,
        title: "pk3 files and directories",
        suffixes: [".pk3", ".obb", ".dpk"],
        directories: [".pk3dir", ".dpkdir"],
        anyCase: true,
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
    // fte-team/fteqw engine/common/fs.c: FS_AddPathHandle, FS_AddDataFiles; fs_packageprioritisation 1, the default
    ...plain,
    name: "ftequake",
    memberMethods: { ...zipMethods, others: "skipped" },
    // FS_GetCleanPath refuses the names. FSPAK_LoadArchive cleans those of members, and also takes out "..".
    memberNames: { ...storedNames, backslash: true, refused: [":"], hidden: true, rooted: true },
    engine: "FTE",
    title: "FTE QuakeWorld (FTEQW)",
    looseCase: "any",
    packs: ftePacks,
    settings: [{
      name: "fs_packageprioritisation=0",
      note: "Of packs that are loaded by name the one that was changed last wins",
      packs: ftePacks.map((step) => step.kind === "sorted" ? { ...step, collation: "newest" } : step),
    }],
    nestedPacks: { suffixes: fteEndings.map((ending) => `.${ending}`), isAbove: false, order: "steps" },
    duplicates: "first",
    bases: ["id1"],
    missionPacks: ["rogue", "hipnotic", "quoth"],
    companions: [
      { name: "qw", of: "base", isBelow: false, choice: null, isRoot: false },
      { name: "fte", of: "base", isBelow: false, choice: null, isRoot: false },
    ],
    enginePack: {
      name: "QuakeEX.kpf",
      order: 0,
      belowLoose: true,
      foundIn: "last-root",
      followsPack: false,
      followsListed: "",
    },
    rules: [
      "game-directory",
      "source-directory",
      "loose-over-pack",
      "pack-type",
      "pack-order",
      "nested-pack",
      "first-in-pack",
    ],
  },
  {
    // QW-Group/ezquake-source src/fs.c: FS_AddPathHandle, FS_AddDataFiles, FS_LoadPackList
    ...plain,
    name: "ezquake",
    memberMethods: zipMethods,
    engine: "ezQuake",
    title: "ezQuake",
    packs: [
      ...ezquakeEndings.flatMap((ending): PackRule[] => [
        {
          ...quakePacks,
          title: `numbered ${ending} files`,
          suffix: `.${ending}`,
          capitals: true,
          formats: formatsOf(ending),
        },
        listedByDirectory(ending),
      ]),
      {
        kind: "listed",
        title: "packs listed in pak.lst",
        file: "pak.lst",
        suffixes: ezquakeEndings.map((ending) => `.${ending}`),
        except: ["soft"],
        exceptTwins: false,
        replacesSorted: true,
        words: false,
        formats: ["quake-pak", "zip"],
        formatByEnding: true,
      },
    ],
    // FSZIP_LoadZipFile opens zips by their path on disk, so only Quake PAKs are found in packs, and FS_AddPak none at all:
    // numbers count for nothing there, and no list.
    nestedPacks: { suffixes: [".pak"], isAbove: true, order: "stored" },
    duplicates: "first",
    bases: ["id1"],
    companions: [
      ...ezquakeCompanions,
      // FS_AddHomeDirectory adds no directory in it.
      { name: ".ezquake", of: "base", isBelow: false, choice: null, isRoot: true },
    ],
    settings: [{ name: "-nohome", note: "`~/.ezquake` is not searched", companions: ezquakeCompanions }],
    rules: [
      "game-directory",
      "source-directory",
      "pack-over-loose",
      "pack-type",
      "pack-order",
      "nested-pack",
      "first-in-pack",
    ],
  },
  {
    // FWGS/xash3d-fwgs filesystem/searchpath.c: FS_AddGameHierarchy; FS_AddGameDirectory. Its options are off by default.
    ...plain,
    name: "xash3d",
    memberMethods: { ...zipMethods, skipsEmpty: true },
    memberNames: { ...storedNames, refused: ["..", ":", "/."], fullNames: "joined", lumpTypes: true },
    engine: "Xash3D",
    title: "Xash3D FWGS: Half-Life and other games for GoldSrc",
    looseCase: "any",
    packs: [
      { ...sortedPacks, title: "pak files", suffixes: [".pak"], formats: ["quake-pak"] },
      { ...sortedPacks, title: "pk3 files", suffixes: [".pk3"], formats: ["zip"] },
      { ...sortedPacks, title: "pk3dirs", suffixes: [".pk3dir"], directories: [".pk3dir"] },
      { ...sortedPacks, title: "WADs", suffixes: [".wad"], formats: ["wad2", "wad3"] },
    ],
    nestedPacks: { suffixes: [".wad"], isAbove: true, order: "steps" },
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
  },
];
