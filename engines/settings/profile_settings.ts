/**
 * Profiles as settings: how one is written in the configuration, and the defaults of keys.
 * @module
 */
import { generic } from "../generic.ts";
import { archiveFormats, methodNames } from "../../formats/parts.ts";
import type {
  Alias,
  Companion,
  CorePacks,
  Dependencies,
  DirectoryChain,
  DuplicateRule,
  EnginePack,
  EngineSetting,
  FullNames,
  LeftOut,
  LooseCase,
  LooseList,
  LooseOnly,
  MemberMethods,
  MemberNames,
  NestedOrder,
  NestedPacks,
  PackFolder,
  Profile,
  ProgramPack,
  PureRule,
  RegisteredCheck,
  SideFiles,
} from "../core/profile.ts";
import type { RuleName } from "../core/rule_names.ts";
import { profiles } from "../table.ts";
import { type LoadList, loadSwitches, type LumpRules } from "../core/load_list.ts";
import { checkProfile } from "./check_profile.ts";
import {
  choice,
  type Field,
  flag,
  isTable,
  type JsonSchema,
  type KeyPath,
  list,
  number,
  orNone,
  readTable,
  SettingError,
  type Settings,
  table,
  tableSchema,
  text,
  writtenKeys,
} from "./fields.ts";
import { type EngineLimit, type LimitKind, limitTitles } from "../core/engine_limits.ts";
import { type Family, type FileSearch, type PictureSearch, referenceKinds } from "../core/names.ts";
import { packRule } from "./pack_step_settings.ts";
import { shaderDialect } from "./shader_settings.ts";
import { ruleNames } from "./rule_notes.ts";

/** Spellings that find a loose file if case is ignored. */
export const looseCases: Readonly<Record<LooseCase, string>> = {
  "any": "any spelling",
  "small-directory": "any spelling of the file name, in directories in lower case",
  "own": "only its own",
  "own-or-small": "its own, and any if its own is in lower case",
  "own-or-one-case": "its own, and any if its own is all in lower case or all in capitals",
};

/** Winner among equal names inside one pack. */
export const duplicateRules: Readonly<Record<DuplicateRule, string>> = {
  "first": "the one that the pack lists first",
  "last": "the one that the pack lists last",
  "last-stored": "the one whose data is stored last",
  "met": "the one that a binary search among the sorted names meets first",
};

/** How a name that fills its field in a Quake PAK is read. */
export const fullNameRules: Readonly<Record<FullNames, string>> = {
  whole: "it is found",
  cut: "its last byte is cut off",
  joined: "it continues into the numbers after it",
};

/** How an engine names the lumps of the files that it loads. */
export const lumpRules: Readonly<Record<LumpRules, string>> = {
  gzdoom:
    "as GZDoom does: namespaces for each WAD, full paths and `filter/` in other archives, WADs in them after them",
  boom: "as Boom does: namespaces by markers over all files together",
  woof:
    "as Woof does: as Boom, with the files of some folders of zips and directories, each called as its name before the first dot",
  eternity:
    "as Eternity does: as Boom, with the files of some folders of zips and directories, and of folders in them, and all WADs in zips",
  vanilla: "as the original does: one list of names, the tables of sprites and flats between the last markers",
};

/** Keys of a list of files to load. */
export const loadListSettings: Settings<LoadList> = {
  lumps: { field: choice(Object.keys(lumpRules) as LumpRules[]) },
  switches: { field: list(choice(loadSwitches)), fallback: ["-file"] },
  own: { field: list(text), fallback: [] },
  autoload: { field: list(text), fallback: [] },
  autoloadAs: { field: choice(loadSwitches), fallback: "-file" },
  autoloadOfFiles: { field: flag, fallback: false },
  mergesFiles: { field: flag, fallback: false },
  maxLumps: { field: orNone(number(1, 999_999_999)), fallback: null },
};

const loadList = table<LoadList>("loadList", loadListSettings);

const enginePack = table<EnginePack>("enginePack", {
  name: { field: text },
  order: { field: number(-1_000_000, 1_000_000, false) },
  belowLoose: { field: flag, fallback: false },
  foundIn: { field: choice(["each-root", "last-root", "one-root"]), fallback: "each-root" },
  followsPack: { field: flag, fallback: false },
  followsListed: { field: text, fallback: "" },
});

const alias = table<Alias>("a path that opens another file", {
  path: { field: text },
  opens: { field: text },
});

const programPack = table<ProgramPack>("programPack", {
  name: { field: text },
  follows: { field: text },
  userRoots: { field: list(text), fallback: [] },
  files: { field: list(text) },
});

const companion = table<Companion>("a companion", {
  name: { field: text },
  of: { field: choice(["base", "mods", "all", "played"]), fallback: "all" },
  isBelow: { field: flag, fallback: false },
  choice: { field: orNone(text), fallback: null },
  isRoot: { field: flag, fallback: false },
});

const leftOut = table<LeftOut>("packs that are left out", {
  member: { field: orNone(text), fallback: null },
  prefix: { field: orNone(text), fallback: null },
  except: { field: list(text), fallback: [] },
  choice: { field: flag, fallback: false },
  needs: { field: orNone(text), fallback: null },
  because: { field: text },
});

/** Order of the packs inside one pack. */
export const nestedOrders: Readonly<Record<NestedOrder, string>> = {
  steps: "as the steps of `packs` load those of a directory: those at the top, and in folders those that a list names",
  stored: "as the pack lists them, in any folder, the last searched first",
};

const nestedPacks = table<NestedPacks>("packs in packs", {
  suffixes: { field: list(text) },
  isAbove: { field: flag, fallback: false },
  order: { field: choice(Object.keys(nestedOrders) as NestedOrder[]), fallback: "steps" },
});

const dependencies = table<Dependencies>("dependencies", {
  base: { field: text },
  maps: { field: text, fallback: "map-" },
  file: { field: text, fallback: "DEPS" },
  deleted: { field: text, fallback: "DELETED" },
  legacy: { field: flag, fallback: false },
  prefixes: { field: list(text), fallback: [] },
});

const rules: Field<readonly RuleName[]> = list({ ...choice(ruleNames), listTakes: "a list of names of rules" });

const engineSetting = table<EngineSetting>("a setting", {
  name: { field: text },
  note: { field: text },
  packs: { field: list(packRule), isOptional: true },
  leftOut: { field: list(leftOut), isOptional: true },
  legacy: { field: flag, isOptional: true },
  companions: { field: list(companion), isOptional: true },
  rules: { field: rules, isOptional: true },
});

const chain = table<DirectoryChain>("chain", {
  files: { field: list(text) },
  base: { field: text },
  fallback: { field: text },
});

const looseOnly = table<LooseOnly>("a path read from loose files only", {
  path: { field: text },
  withoutMod: { field: flag, fallback: false },
  anyCase: { field: flag, fallback: false },
  packDirectories: { field: flag, fallback: false },
});

const memberNames = table<MemberNames>("memberNames", {
  backslash: { field: flag, fallback: false },
  refused: { field: list(text), fallback: [] },
  fullNames: { field: choice(Object.keys(fullNameRules) as FullNames[]), fallback: "whole" },
  hidden: { field: flag, fallback: false },
  characters: { field: orNone(text), fallback: null },
  rooted: { field: flag, fallback: false },
  smallInZips: { field: flag, fallback: false },
  colonsInZips: { field: flag, fallback: false },
  lumpTypes: { field: flag, fallback: false },
});

const memberMethods = table<MemberMethods>("memberMethods", {
  reads: { field: list(choice(methodNames)) },
  others: { field: choice(["taken", "skipped"]) },
  encrypted: { field: choice(["taken", "skipped"]), fallback: "skipped" },
  skipsEmpty: { field: flag, fallback: false },
});

const packFolder = table<PackFolder>("a folder of packs", {
  name: { field: text },
  ignored: { field: orNone(text), fallback: null },
});

const corePacks = table<CorePacks>("a ranking of core packs", {
  mod: { field: orNone(text), fallback: null },
  checksums: { field: list(number(-(2 ** 31), 2 ** 31 - 1)), fallback: [] },
  endings: { field: list(text), fallback: [] },
});

const pureRule = table<PureRule>("pure", {
  loose: { field: list(text) },
  allCopies: { field: flag, fallback: false },
});

const inactiveLevels: Field<0 | 1 | 2> = {
  takes: "0, 1 or 2",
  read(value, keyPath) {
    if (value === 0 || value === 1 || value === 2) return value;
    throw new SettingError(`"inactive" must be 0, 1 or 2, or false for none`, keyPath);
  },
  write: String,
  schema: { enum: [0, 1, 2] },
};

const family = choice<Family>(["quake", "quake2", "quake3", "doom3", "doom"]);

const pictures = table<PictureSearch>("pictures", {
  extensions: { field: list(text) },
  own: { field: choice(["first", "in order", "only"]), fallback: "first" },
  keepsUnknown: { field: flag, fallback: true },
  folders: { field: list(text), fallback: [] },
  rules: { field: rules, fallback: [] },
});

const files = table<FileSearch>("files", {
  models: { field: list(text), fallback: [] },
  likeModels: { field: list(text), fallback: [] },
  sounds: { field: list(text), fallback: [] },
  soundsAnywhere: { field: flag, fallback: false },
  music: { field: list(text), fallback: [] },
  ignores: { field: list(choice(referenceKinds)), fallback: [] },
  playsQuake3Classes: { field: flag, fallback: true },
});

const limit = table<EngineLimit>("a limit", {
  kind: { field: choice(Object.keys(limitTitles) as LimitKind[]) },
  most: { field: number(0, 2 ** 31) },
  then: { field: text },
  refuses: { field: orNone(choice(["pack", "file"])), fallback: null },
});

const registered = table<RegisteredCheck>("registered", {
  comparesContent: { field: flag },
  ownPacks: { field: orNone(list(number(0, 65535))), fallback: null },
});

const looseList = table<LooseList>("looseList", {
  opens: { field: list(text), fallback: [] },
  opensForBase: { field: text },
});

const sideFiles = table<SideFiles>("sideFiles", {
  endings: { field: list(text) },
  of: { field: text, fallback: ".bsp" },
});

/** Keys of a profile, in the order in which they are written. */
export const profileSettings: Settings<Profile> = {
  name: { field: text },
  engine: { field: text },
  title: { field: text },
  programs: { field: list(text), fallback: [] },
  ignoreCase: { field: flag },
  looseCase: { field: choice(Object.keys(looseCases) as LooseCase[]) },
  looseList: { field: orNone(looseList), fallback: null },
  memberNames: { field: orNone(memberNames), fallback: null },
  memberMethods: { field: orNone(memberMethods), fallback: null },
  looseOnly: { field: list(looseOnly), fallback: [] },
  aliases: { field: list(alias), fallback: [] },
  packs: { field: list(packRule) },
  nestedPacks: { field: orNone(nestedPacks), fallback: null },
  duplicates: { field: choice(Object.keys(duplicateRules) as DuplicateRule[]) },
  bases: { field: list(text) },
  missionPacks: { field: list(text) },
  enginePack: { field: orNone(enginePack) },
  programPack: { field: orNone(programPack), fallback: null },
  foldDirectories: { field: flag, fallback: false },
  packsInPackDirectories: { field: flag, fallback: false },
  baseOnly: { field: list(text), fallback: [] },
  packFolders: { field: list(packFolder) },
  packsInFolders: { field: flag, fallback: false },
  sourceList: { field: orNone(text), fallback: null },
  dependencies: { field: orNone(dependencies), fallback: null },
  loadList: { field: orNone(loadList), fallback: null },
  chain: { field: orNone(chain), fallback: null },
  companions: { field: list(companion), fallback: [] },
  leftOut: { field: list(leftOut), fallback: [] },
  overrideDirectory: { field: orNone(text) },
  inactive: { field: orNone(inactiveLevels) },
  currentMap: { field: flag },
  corePacks: { field: list(corePacks) },
  pure: { field: orNone(pureRule) },
  packFormat: { field: orNone(choice(archiveFormats.map(({ name }) => name))), fallback: null },
  origin: { field: choice(profiles.map(({ name }) => name)) },
  family: { field: orNone(family), fallback: null },
  familyWithShaders: { field: orNone(family), fallback: null },
  pictures: { field: orNone(pictures), fallback: null },
  files: { field: orNone(files), fallback: null },
  shaders: { field: orNone(shaderDialect), fallback: null },
  limits: { field: list(limit), fallback: [] },
  emptyPackChecksum: { field: orNone(number(-(2 ** 31), 2 ** 31 - 1)) },
  registered: { field: orNone(registered), fallback: null },
  sideFiles: { field: orNone(sideFiles), fallback: null },
  unreadMaps: { field: list(text), fallback: [] },
  rules: { field: rules },
  settings: { field: list(engineSetting), fallback: [] },
};

/** The profile that is extended by default. */
const defaultParent = generic.name;

/**
 * Reads a profile of a configuration. Missing keys are inherited from the profile that it `extends`.
 * @param known Profiles that can be extended.
 * @throws {SettingError} if a key or value is invalid.
 */
export function readProfile(value: unknown, keyPath: KeyPath, known: readonly Profile[] = profiles): Profile {
  if (!isTable(value)) throw new SettingError("a profile is a table: [[profile]]", keyPath);
  const { extends: parentName = defaultParent, ...own } = value;
  const names = choice(known.map((profile) => profile.name));
  const parent = names.read(parentName, [...keyPath, "extends"]);
  const { name: _name, ...inherited } = known.find((profile) => profile.name === parent) ?? profiles[0] ?? {};
  const profile = readTable("a profile", profileSettings, own, keyPath, inherited, ["extends"]);
  checkProfile(profile, keyPath);
  return profile;
}

/** JSON Schema of a profile: all keys but the name are optional, since they are inherited. */
export function profileSchema(): JsonSchema {
  const { properties, ...rest } = tableSchema(profileSettings);
  const parent = { type: "string", description: "The profile that gives what is left out.", default: defaultParent };
  return { ...rest, properties: { ...(properties as JsonSchema), extends: parent }, required: ["name"] };
}

/** Returns a complete profile as written in a configuration: it depends on no other. */
export function profileToml(profile: Profile): string {
  const lines = writtenKeys(profileSettings, profile).map((
    [key, value],
  ) => `${key} = ${value}`);
  return ["[[profile]]", ...lines].join("\n") + "\n";
}
