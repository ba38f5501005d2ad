/**
 * Profiles as settings: how one is written in the configuration, what each key means, and what makes no sense.
 * @module
 */
import { generic } from "../generic.ts";
import { methodNames } from "../../formats/core/entry_table.ts";
import { archiveFormats } from "../../formats/table.ts";
import type {
  Companion,
  CorePacks,
  Dependencies,
  DirectoryChain,
  DuplicateRule,
  EngineSetting,
  FullNames,
  LeftOut,
  LooseCase,
  LooseOnly,
  MemberMethods,
  MemberNames,
  NestedOrder,
  NestedPacks,
  PackFolder,
  Profile,
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

/** Which spellings find a loose file where case is ignored. */
export const looseCases: Readonly<Record<LooseCase, string>> = {
  "any": "any spelling",
  "small-directory": "any spelling of the file name, in directories in small letters",
  "own": "only its own",
  "own-or-small": "its own, and any if its own has small letters only",
};

/** Which of several equal names inside one pack answers. */
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
  vanilla: "as the original does: one list of names, the tables of sprites and flats between the last markers",
};

/** Keys of a list of files to load. */
export const loadListSettings: Settings<LoadList> = {
  lumps: { sentence: "How lumps are named.", field: choice(Object.keys(lumpRules) as LumpRules[]) },
  switches: {
    sentence: "Switches of the command line, in the order in which their files are loaded.",
    field: list(choice(loadSwitches)),
    fallback: ["-file"],
  },
  own: { sentence: "Files beside the IWAD that are loaded right after it.", field: list(text), fallback: [] },
  autoload: {
    sentence: "Directories of files that are always loaded, with `{iwad}` and `{game}`; none: an INI file lists them.",
    field: list(text),
    fallback: [],
  },
  autoloadAs: { sentence: "Switch by which they are loaded.", field: choice(loadSwitches), fallback: "-file" },
  autoloadOfFiles: {
    sentence: "A directory named after each file is loaded after all files.",
    field: flag,
    fallback: false,
  },
  maxLumps: {
    sentence: "Maximum lumps of a WAD behind the IWAD.",
    field: orNone(number(1, 999_999_999)),
    fallback: null,
  },
};

const loadList: Field<LoadList> = table("loadList", loadListSettings);

const enginePack: Field<NonNullable<Profile["enginePack"]>> = table("enginePack", {
  name: { sentence: "Its name.", field: text },
  order: {
    sentence: "The number it counts as; 0.5 is between pak0 and pak1.",
    field: number(-1_000_000, 1_000_000, false),
  },
  belowLoose: { sentence: "It is searched after the loose files of the base.", field: flag, fallback: false },
  foundIn: {
    sentence: "Where it is looked for: in each root, in the last, or from the last on in one, as a pack of the last.",
    field: choice(["each-root", "last-root", "one-root"]),
    fallback: "each-root",
  },
  followsPack: { sentence: "It is loaded only if the pack before it is.", field: flag, fallback: false },
  followsListed: {
    sentence: "Beginning, in small letters, of a listed pack with the same ending right after which it is loaded.",
    field: text,
    fallback: "",
  },
});

const companion: Field<Companion> = table("a companion", {
  name: { sentence: "Its name, with `{game}` and `{language}` for theirs.", field: text },
  of: {
    sentence: "The game directories that have it: the base, the others, all, or the one that is played.",
    field: choice(["base", "mods", "all", "played"]),
    fallback: "all",
  },
  isBelow: { sentence: "It is searched after the game directory, not before.", field: flag, fallback: false },
  choice: {
    sentence: "Word by which a view chooses it: `:with=WORD`; none: it is always searched.",
    field: orNone(text),
    fallback: null,
  },
  isRoot: { sentence: "It is a root of that name itself, not a directory in one.", field: flag, fallback: false },
});

const leftOut: Field<LeftOut> = table("packs that are left out", {
  member: { sentence: "A file at the top of such packs.", field: orNone(text), fallback: null },
  prefix: { sentence: "The beginning of their names.", field: orNone(text), fallback: null },
  choice: { sentence: "A view can choose them: `:with=NAME`.", field: flag, fallback: false },
  needs: {
    sentence: "Word in that file before a list, in braces, of checksums of packs that are searched with it.",
    field: orNone(text),
    fallback: null,
  },
  because: { sentence: "Why, as a clause.", field: text },
});

/** How packs in one pack are ordered. */
export const nestedOrders: Readonly<Record<NestedOrder, string>> = {
  steps: "as the steps of `packs` load those of a directory",
  stored: "as the pack lists them, the last searched first",
};

const nestedPacks: Field<NestedPacks> = table("packs in packs", {
  suffixes: { sentence: "Endings of their names, in small letters.", field: list(text) },
  isAbove: { sentence: "They are searched before the pack around them, not after it.", field: flag, fallback: false },
  order: {
    sentence: "How those of one pack are ordered.",
    field: choice(Object.keys(nestedOrders) as NestedOrder[]),
    fallback: "steps",
  },
});

const dependencies: Field<Dependencies> = table("dependencies", {
  base: { sentence: "Name of the pack that is loaded first, without its version.", field: text },
  maps: {
    sentence: "Beginning of the names of packs that `:with=NAME` loads after the base; others it loads before.",
    field: text,
    fallback: "map-",
  },
  file: { sentence: "Member that names the packs a pack needs, one per line.", field: text, fallback: "DEPS" },
  deleted: {
    sentence: "Member that names files of packs loaded later, which are then missing.",
    field: text,
    fallback: "DELETED",
  },
  legacy: {
    sentence: "Packs called NAME.pk3, which have no such members, are loaded too.",
    field: flag,
    fallback: false,
  },
  prefixes: {
    sentence: "Folders in which packs are looked for first, as `fs_pakprefixes` names them.",
    field: list(text),
    fallback: [],
  },
});

const rules: Field<readonly RuleName[]> = list({ ...choice(ruleNames), listTakes: "a list of names of rules" });

const engineSetting: Field<EngineSetting> = table("a setting", {
  name: { sentence: "Word by which a view or a game chooses it: `:with=WORD`.", field: text },
  note: { sentence: "Its effect, a sentence without a full stop.", field: text },
  packs: { sentence: "The steps under it.", field: list(packRule), isOptional: true },
  leftOut: { sentence: "The packs that are left out under it.", field: list(leftOut), isOptional: true },
  legacy: { sentence: "`legacy` of the dependencies under it.", field: flag, isOptional: true },
  companions: { sentence: "The companion directories under it.", field: list(companion), isOptional: true },
  rules: { sentence: "The rules under it.", field: rules, isOptional: true },
});

const chain: Field<DirectoryChain> = table("chain", {
  files: { sentence: 'Names of files with `key "value"` lines; the newest counts.', field: list(text) },
  base: { sentence: "Key that names the directory searched last, in place of the base.", field: text },
  fallback: { sentence: "Key that names a directory searched before that one.", field: text },
});

const looseOnly: Field<LooseOnly> = table("a path read from loose files only", {
  path: { sentence: "A path, or the beginning of paths with a slash at its end.", field: text },
  withoutMod: { sentence: "Only where no mod is played.", field: flag, fallback: false },
  anyCase: { sentence: "Capitals in the path that is asked for do not matter.", field: flag, fallback: false },
  packDirectories: { sentence: "Directories that are packs are skipped as well.", field: flag, fallback: false },
});

const memberNames: Field<MemberNames> = table("memberNames", {
  backslash: { sentence: "A backslash counts as a slash.", field: flag, fallback: false },
  refused: { sentence: "Texts that no path may hold.", field: list(text), fallback: [] },
  fullNames: {
    sentence: "What becomes of a name that fills its field in a Quake PAK.",
    field: choice(Object.keys(fullNameRules) as FullNames[]),
    fallback: "whole",
  },
  hidden: { sentence: "Paths with a component that begins with a dot are refused.", field: flag, fallback: false },
  characters: {
    sentence: "Characters beside letters and digits that a path may hold, a dot not at its end; none: any.",
    field: orNone(text),
    fallback: null,
  },
  rooted: { sentence: "Slashes that begin a name in a Quake PAK are dropped.", field: flag, fallback: false },
  smallInZips: {
    sentence: "Capitals in names of members of zips count as small letters.",
    field: flag,
    fallback: false,
  },
  lumpTypes: {
    sentence: "Lumps of WADs are found as `wad/lump.ext` and `lump.ext`, with an ending for their type.",
    field: flag,
    fallback: false,
  },
});

const memberMethods: Field<MemberMethods> = table("memberMethods", {
  reads: { sentence: "Methods that it reads.", field: list(choice(methodNames)) },
  others: {
    sentence: "Members with other methods are used, and then cannot be read, or skipped.",
    field: choice(["taken", "skipped"]),
  },
  skipsEmpty: { sentence: "Members of zips without content are skipped.", field: flag, fallback: false },
});

const packFolder: Field<PackFolder> = table("a folder of packs", {
  name: { sentence: "Its name.", field: text },
  ignored: { sentence: "Why its packs are not loaded.", field: orNone(text), fallback: null },
});

const corePacks: Field<CorePacks> = table("a ranking of core packs", {
  mod: { sentence: "The mod under which it holds.", field: orNone(text), fallback: null },
  checksums: { sentence: "Signed checksums; the last ranks highest.", field: list(number(-(2 ** 31), 2 ** 31 - 1)) },
});

const pureRule: Field<PureRule> = table("pure", {
  loose: { sentence: "Globs of names of loose files that can still be used.", field: list(text) },
  allCopies: {
    sentence: "Every pack with a listed checksum counts as listed.",
    field: flag,
    fallback: false,
  },
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

const family = choice<Family>(["quake", "quake2", "quake3", "doom3"]);

const pictures: Field<PictureSearch> = table("pictures", {
  extensions: { sentence: "Extensions in the order in which it tries them.", field: list(text) },
  own: {
    sentence: "When it tries the extension that a name has: first, in order, or only that, and `.jpg` after `.tga`.",
    field: choice(["first", "in order", "only"]),
    fallback: "first",
  },
  keepsUnknown: { sentence: "An unknown extension is part of the name.", field: flag, fallback: true },
  rules: { sentence: "Rules that decide before the order of extensions.", field: rules, fallback: [] },
});

const files: Field<FileSearch> = table("files", {
  models: { sentence: "Extensions of models that it tries; none: a name is a path.", field: list(text), fallback: [] },
  likeModels: {
    sentence: "Extensions of models that each mean all of these.",
    field: list(text),
    fallback: [],
  },
  sounds: { sentence: "Extensions of sounds.", field: list(text), fallback: [] },
  music: { sentence: "Extensions of music.", field: list(text), fallback: [] },
  ignores: {
    sentence: "Kinds of references that it does not follow.",
    field: list(choice(referenceKinds)),
    fallback: [],
  },
  playsQuake3Classes: {
    sentence: "The classes of its game play the sounds of Quake III.",
    field: flag,
    fallback: true,
  },
});

const limit: Field<EngineLimit> = table("a limit", {
  kind: { sentence: "What is counted.", field: choice(Object.keys(limitTitles) as LimitKind[]) },
  most: { sentence: "Maximum.", field: number(0, 2 ** 31) },
  then: { sentence: "Consequence of more, a clause after the engine's name.", field: text },
  refuses: {
    sentence: "What strict rules refuse.",
    field: orNone(choice(["pack", "file"])),
    fallback: null,
  },
});

const registered: Field<RegisteredCheck> = table("registered", {
  comparesContent: { sentence: "The content of `gfx/pop.lmp` is compared.", field: flag },
  ownPacks: {
    sentence: "CRC-16 of the file tables of unmodified packs.",
    field: orNone(list(number(0, 65535))),
    fallback: null,
  },
});

const sideFiles: Field<SideFiles> = table("sideFiles", {
  endings: { sentence: "Their endings, with the dot.", field: list(text) },
  of: { sentence: "Ending of maps.", field: text, fallback: ".bsp" },
});

/** Keys of a profile, in the order in which one is written. A profile has a key more: one line more here. */
export const profileSettings: Settings<Profile> = {
  name: { sentence: "Name on the command line and in the configuration.", field: text },
  engine: { sentence: "Name of the engine in sentences.", field: text },
  title: { sentence: "One line for people.", field: text },
  ignoreCase: { sentence: "Names that differ only in the case of ASCII letters are one name.", field: flag },
  looseCase: {
    sentence: "Where case is ignored: which spellings find a loose file.",
    field: choice(Object.keys(looseCases) as LooseCase[]),
  },
  memberNames: {
    sentence: "How names of members are read: those that differ from what pakfs shows are not found.",
    field: orNone(memberNames),
    fallback: null,
  },
  memberMethods: {
    sentence: "How the engine treats compression methods of zip members.",
    field: orNone(memberMethods),
    fallback: null,
  },
  looseOnly: { sentence: "Paths that are read from loose files only.", field: list(looseOnly), fallback: [] },
  packs: {
    sentence: "Steps in which packs of a game directory are loaded; what a later step loads is searched first.",
    field: list(packRule),
  },
  nestedPacks: {
    sentence: "Packs at the top of packs that are searched too.",
    field: orNone(nestedPacks),
    fallback: null,
  },
  duplicates: {
    sentence: "Which of several equal names inside one pack answers.",
    field: choice(Object.keys(duplicateRules) as DuplicateRule[]),
  },
  bases: {
    sentence: "Base game directories, the most common first; none: the root itself is the game directory.",
    field: list(text),
  },
  missionPacks: {
    sentence: "Game directories that stay below every mod; the last is searched first.",
    field: list(text),
  },
  enginePack: {
    sentence: "A pack beside the game directories that is loaded with the base.",
    field: orNone(enginePack),
  },
  foldDirectories: {
    sentence: "Game directories whose names differ only in case are one.",
    field: flag,
    fallback: false,
  },
  packsInPackDirectories: {
    sentence: "Archives in directories that are packs are packs too.",
    field: flag,
    fallback: false,
  },
  baseOnly: {
    sentence: "Paths that are read from the base game directory only.",
    field: list(text),
    fallback: [],
  },
  packFolders: { sentence: "Folders of a game directory whose packs count as its own.", field: list(packFolder) },
  packsInFolders: {
    sentence: "Packs in all folders of a game directory count as its own.",
    field: flag,
    fallback: false,
  },
  sourceList: {
    sentence: "A file in each game directory that lists its sources, as gameinfo.txt of the Source engine does.",
    field: orNone(text),
    fallback: null,
  },
  dependencies: {
    sentence: "Packs are called NAME_VERSION and name those that they need, as DPKs of the Daemon engine do.",
    field: orNone(dependencies),
    fallback: null,
  },
  loadList: {
    sentence: "How an IWAD and a list of files are loaded, as engines for Doom do.",
    field: orNone(loadList),
    fallback: null,
  },
  chain: {
    sentence: "Settings of a game directory that name directories searched below it, as liblist.gam of Half-Life does.",
    field: orNone(chain),
    fallback: null,
  },
  companions: {
    sentence:
      "Directories that are searched with a game directory, in the order of loading; the last is searched first.",
    field: list(companion),
    fallback: [],
  },
  leftOut: { sentence: "Packs that are left out by their content or name.", field: list(leftOut), fallback: [] },
  overrideDirectory: {
    sentence: "A game directory that is searched in every view, above the base.",
    field: orNone(text),
  },
  inactive: {
    sentence: "What is read of mods that are not played: 0 nothing, 1 core packs and the pure list, 2 everything.",
    field: orNone(inactiveLevels),
  },
  currentMap: { sentence: "The pack of the map that is played comes before others.", field: flag },
  corePacks: { sentence: "Packs that come with the game and rank above those of players.", field: list(corePacks) },
  pure: { sentence: "What a pure server allows beside the packs of its list.", field: orNone(pureRule) },
  packFormat: {
    sentence: "Format in which packs without any signature are read.",
    field: orNone(choice(archiveFormats.map(({ name }) => name))),
    fallback: null,
  },
  origin: {
    sentence: "The engine of pakfs that plays the same games; default: the one that is extended.",
    field: choice(profiles.map(({ name }) => name)),
  },
  family: {
    sentence: "The engines that name and load files alike; none: as the files of a view show.",
    field: orNone(family),
    fallback: null,
  },
  familyWithShaders: {
    sentence: "Those that it is of in views whose files define shaders.",
    field: orNone(family),
    fallback: null,
  },
  pictures: {
    sentence: "How it finds the picture of a name; none: as its family.",
    field: orNone(pictures),
    fallback: null,
  },
  files: {
    sentence: "How it finds the model, sound or music of a name; none: as its family.",
    field: orNone(files),
    fallback: null,
  },
  shaders: {
    sentence: "How it reads shaders; none: as the files of a view show.",
    field: orNone(shaderDialect),
    fallback: null,
  },
  limits: { sentence: "What it refuses or ignores, and from which number on.", field: list(limit), fallback: [] },
  emptyPackChecksum: {
    sentence: "Checksum of a pk3 without a file that has content; none: the MD4 of nothing.",
    field: orNone(number(-(2 ** 31), 2 ** 31 - 1)),
  },
  registered: {
    sentence: "How it looks for the registered version of Quake.",
    field: orNone(registered),
    fallback: null,
  },
  sideFiles: {
    sentence: "Files next to a map that it ignores if they are from a lower game directory than the map.",
    field: orNone(sideFiles),
    fallback: null,
  },
  rules: {
    sentence: "What decides between two candidates; the first with an opinion does.",
    field: rules,
  },
  settings: {
    sentence: "Settings of the engine that change keys, by the words that choose them.",
    field: list(engineSetting),
    fallback: [],
  },
};

/** The profile that one begins from which does not say. */
const defaultParent = generic.name;

/**
 * Reads a profile of a configuration. What it leaves out it has from the profile that it `extends`.
 * @param known Profiles that can be extended.
 * @throws {SettingError} if anything in it is not understood, or makes no sense.
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

/** JSON Schema of a profile: all keys but the name are optional, as the extended profile has values for them. */
export function profileSchema(): JsonSchema {
  const { properties, ...rest } = tableSchema(profileSettings);
  const parent = { type: "string", description: "The profile that gives what is left out.", default: defaultParent };
  return { ...rest, properties: { ...(properties as JsonSchema), extends: parent }, required: ["name"] };
}

/** Returns a profile as it is written in a configuration, whole: nothing in it depends on another. */
export function profileToml(profile: Profile): string {
  const lines = writtenKeys(profileSettings, profile).map((
    [key, value],
  ) => `${key} = ${value}`);
  return ["[[profile]]", ...lines].join("\n") + "\n";
}
