/**
 * Parts that the profiles of several engines share.
 * @module
 */
import type { NumberedPacks, SortedPacks } from "./pack_steps.ts";
import type { LooseOnly, MemberMethods, MemberNames, Profile, PureRule, RuleName } from "./profile.ts";

/** A profile before its kin is filled in: default is the profile itself. */
export type ProfileRow = Omit<Profile, "kin"> & { readonly kin?: string };

/** Values of engines without mission packs, pure servers, core packs and the like. */
export const plain = {
  ignoreCase: true,
  looseCase: "own",
  bases: [],
  missionPacks: [],
  enginePack: null,
  memberNames: null,
  memberMethods: null,
  nestedPacks: null,
  looseOnly: [],
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
} as const satisfies Partial<Profile>;

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
  lumpTypes: false,
};

/** Names are compared byte by byte, and a name that fills its field is copied up to the next NUL: `strcpy`. */
export const quakeNames: MemberNames = { ...storedNames, fullNames: "joined" };

/** `FS_HashFileName` and `FS_FilenameCompare` take `\\` for `/`; `FS_FOpenFileReadDir` refuses the texts. */
export const quake3Names: MemberNames = { ...storedNames, backslash: true, refused: ["..", "::"] };

/** Paths that are read from loose files only, as they are spelled. */
export function looseOnly(paths: readonly string[], options: Partial<LooseOnly> = {}): LooseOnly[] {
  return paths.map((path) => ({ path, withoutMod: false, anyCase: false, packDirectories: false, ...options }));
}

/** Q3CONFIG_CFG of ioquake3 is the second in the game and the third in the server. */
export const ioquake3Settings = ["autoexec.cfg", "q3config.cfg", "q3config_server.cfg"] as const;

/** Names are listed whatever the method, and opening one fails only after it was found. */
export const zipMethods: MemberMethods = { reads: ["store", "deflate"], others: "taken", skipsEmpty: false };

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

/** A step that loads packs by name, with the values that most engines have. */
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
  folders: "any",
};

export const quake3Packs: SortedPacks = {
  ...sortedPacks,
  suffixes: [".pk3"],
  emptyIsMissing: true,
  collation: "quake3",
  formats: ["zip"],
};
