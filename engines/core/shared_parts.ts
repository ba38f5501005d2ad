/**
 * Parts that several engines share.
 * @module
 */
import type { FormatName } from "../../formats/parts.ts";
import type { Engine } from "./engine.ts";
import { type FileSearch, pathsAlone } from "./names.ts";
import type { ListedPacks, NumberedPacks, SortedPacks } from "./pack_steps.ts";
import type { LooseOnly, MemberMethods, MemberNames, Profile, PureRule } from "./profile.ts";
import type { RuleName } from "./rule_names.ts";
import type { JoinedShaders } from "./shader_dialect.ts";

/**
 * ioquake3's checksum of a pack without a non-empty file: its MD4 (ioquake/ioq3 code/qcommon/md4.c) mixes the closing
 * block of an empty message twice. The original engine's MD4 gives -956940105.
 */
export const emptyPackChecksum: number = -1737972033;

/**
 * Values of engines without mission packs, pure servers, core packs, directories in the home and the like. Each engine
 * must define how it treats pictures, shaders and other names.
 */
export const plain = {
  programs: [],
  ignoreCase: true,
  looseCase: "own",
  bases: [],
  missionPacks: [],
  enginePack: null,
  programPack: null,
  memberNames: null,
  memberMethods: null,
  nestedPacks: null,
  looseOnly: [],
  aliases: [],
  looseList: null,
  foldDirectories: false,
  packsInPackDirectories: false,
  baseOnly: [],
  packFolders: [],
  packsInFolders: false,
  leftOut: [],
  settings: [],
  companions: [],
  sourceList: null,
  dependencies: null,
  loadList: null,
  chain: null,
  overrideDirectory: null,
  inactive: null,
  currentMap: false,
  corePacks: [],
  pure: null,
  packFormat: null,
  familyWithShaders: null,
  emptyPackChecksum,
  registered: null,
  sideFiles: null,
  unreadMaps: [],
  homes: [],
  evidence: [],
} as const satisfies Partial<Engine>;

/** `FS_FOpenFileReadDir` of ioquake3, `FS_FOpenFileRead` of id: `dm_` and a protocol number are demos. */
export const quake3Pure: PureRule = { loose: ["*.cfg", "*.menu", "*.game", "*.dat", "*.dm_??"], allCopies: false };

/** Names of members are compared as they are stored. */
export const storedNames: MemberNames = {
  backslash: false,
  refused: [],
  fullNames: "whole",
  hidden: false,
  characters: null,
  rooted: false,
  smallInZips: false,
  colonsInZips: false,
  lumpTypes: false,
};

/** Names are compared byte by byte, and a name that fills its field is copied up to the next NUL: `strcpy`. */
export const quakeNames: MemberNames = { ...storedNames, fullNames: "joined" };

/**
 * `FS_HashFileName`, `FS_FilenameCompare` and `FS_BuildOSPath` treat `\\` as `/`; `FS_FOpenFileReadDir` refuses the
 * strings.
 */
export const quake3Names: MemberNames = { ...storedNames, backslash: true, refused: ["..", "::"] };

/** Paths that are read from loose files only, in their exact spelling. */
export function looseOnly(paths: readonly string[], options: Partial<LooseOnly> = {}): LooseOnly[] {
  return paths.map((path) => ({ path, withoutMod: false, anyCase: false, packDirectories: false, ...options }));
}

/** Name of Q3CONFIG_CFG in ioquake3: the second in the game and the third in the server. */
export const ioquake3Settings = ["autoexec.cfg", "q3config.cfg", "q3config_server.cfg"] as const;

/**
 * Names are listed whatever the method, and opening one fails only after it was found. Nor does `unzOpenCurrentFile` of
 * minizip, or what these engines have in its place, look at the bit of encrypted members.
 */
export const zipMethods: MemberMethods = {
  reads: ["store", "deflate"],
  others: "taken",
  encrypted: "taken",
  skipsEmpty: false,
};

export const quakePacks: NumberedPacks = {
  kind: "numbered",
  title: "numbered packs",
  prefix: "pak",
  suffix: ".pak",
  otherSuffixes: [],
  last: null,
  anyCase: false,
  capitals: false,
  stopsAtGap: true,
  emptyIsMissing: false,
  unreadableIsMissing: false,
  exceptTwins: false,
  formats: ["quake-pak"],
  formatByEnding: false,
};

export const quakeRules: readonly RuleName[] = [
  "game-directory",
  "source-directory",
  "pack-over-loose",
  "pack-number",
  "first-in-pack",
];

/** A step that loads packs by name, with the most common values. */
export const sortedPacks: SortedPacks = {
  kind: "sorted",
  title: "packs",
  suffixes: [],
  directories: [],
  anyCase: true,
  exceptNumbered: false,
  emptyIsMissing: false,
  exceptTwins: false,
  collation: "bytes",
  sortsAs: [],
  except: [],
  opensAs: [],
  formats: [],
  formatByEnding: false,
  bareEnding: true,
  belowLoose: false,
  folders: "any",
};

export const quake3Packs: SortedPacks = {
  ...sortedPacks,
  suffixes: [".pk3"],
  emptyIsMissing: true,
  collation: "quake3",
  formats: ["zip"],
};

/** Values of engines whose family is unknown, or differs by game: it is detected from the files of a view. */
export const ofAnyFamily = {
  family: null,
  pictures: null,
  files: null,
  shaders: null,
  limits: [],
} as const satisfies Partial<Profile>;

/** Packs that are listed in a file. */
export const listedPacks: ListedPacks = {
  kind: "listed",
  title: "packs listed in pak.lst",
  file: "pak.lst",
  suffixes: [],
  except: [],
  exceptTwins: false,
  loadsAgain: false,
  replacesSorted: false,
  words: true,
  formats: ["quake-pak", "zip"],
  formatByEnding: true,
};

/** Returns the format of packs with an extension: only `.pak` files are Quake PAKs. */
export function formatsOf(ending: string): readonly FormatName[] {
  return ending.toLowerCase() === "pak" ? ["quake-pak"] : ["zip"];
}

/** Packs of any name with an extension, in the order of the directory. */
export function listedByDirectory(ending: string): SortedPacks {
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

/** Names in Quake's engines are paths, except for music, which may have any of these formats. */
export const quakeMusic: FileSearch = {
  ...pathsAlone,
  music: ["ogg", "opus", "mp3", "flac", "wav", "it", "s3m", "xm", "mod", "umx"],
};

/** Shaders in ioquake3: code/renderergl1/tr_shader.c ScanAndLoadShaderFiles, FindShaderInShaderText. */
export const quake3Shaders: JoinedShaders = {
  reading: "joined",
  name: "ioquake3",
  title: "ioquake3",
  directory: "scripts",
  ignores: "unclosed",
  compresses: "all",
  hasHashComments: false,
  order: "first",
  omissions: [],
};
