/**
 * Interface of the engines for other rooms: each engine, types, rules, sentences that explain a rule, lumps, and the
 * keys of a configuration.
 * @module
 */
export { archiveWarnings } from "./core/archive_warnings.ts";
export { searched } from "./core/binary_search.ts";
export { type Candidate, modLevels, type SourceRank } from "./core/candidate.ts";
export { Doom3Lexer } from "./core/doom3_lexer.ts";
export type { Engine } from "./core/engine.ts";
export { type EngineLimit, type LimitKind, limitTitles, tiedPacks } from "./core/engine_limits.ts";
export { withSettings } from "./core/engine_settings.ts";
export {
  type LoadedFile,
  loadedPaths,
  type LoadList,
  type LoadSwitch,
  loadSwitches,
  type LumpReading,
  type LumpRules,
  lumpSwitch,
  mergesDefinitions,
} from "./core/load_list.ts";
export {
  type Family,
  type FileSearch,
  type OwnExtension,
  pathsAlone,
  pictures,
  type PictureSearch,
  type ReferenceKind,
} from "./core/names.ts";
export type { Collation } from "./core/pack_names.ts";
export {
  enginePackOrder,
  filledPack,
  ignoresHostCase,
  loadedLists,
  missingBefore,
  orderPacks,
  packDirectoryEndings,
  packEndings,
  packFileEndings,
  packNameMeant,
  readPackList,
  sharedEndings,
  tieKey,
} from "./core/pack_order.ts";
export type {
  FolderRule,
  ListedPacks,
  LoadOrder,
  NumberedPacks,
  PackFile,
  PackLists,
  PackRule,
  PrefixRule,
  SortedPacks,
} from "./core/pack_steps.ts";
export { comparePaks, compareVersions, type PakName, pakNameOf, pathInDirectory } from "./core/pak_names.ts";
export type {
  Alias,
  Companion,
  CorePacks,
  Dependencies,
  DirectoryChain,
  DuplicateRule,
  EnginePack,
  EngineSetting,
  FullNames,
  InactiveLevel,
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
} from "./core/profile.ts";
export { innerCompanions, rootCompanion } from "./core/root_companion.ts";
export type { RuleName } from "./core/rule_names.ts";
export { candidateOrder, decide, type Decision, explain, type RuleContext, ruleContext } from "./core/rules.ts";
export {
  isDoom3,
  type JoinedShaders,
  type ListedShaders,
  type RankedShaders,
  type ShaderComment,
  type ShaderDialect,
  type ShaderOmission,
} from "./core/shader_dialect.ts";
export { emptyPackChecksum, quake3Shaders, quakeMusic, storedNames } from "./core/shared_parts.ts";
export { eternityWads } from "./lumps/eternity_archive.ts";
export { gzdoomMembers, sharedFolders } from "./lumps/gzdoom_archive.ts";
export {
  type DoomGame,
  filtersOf,
  type Iwad,
  iwadWith,
  loadedAfter,
  missionsOf,
  prefixesOf,
  requiredBefore,
} from "./lumps/iwads.ts";
export { gzdoomSprite, renamedLumps } from "./lumps/gzdoom_renames.ts";
export { comparedName } from "./lumps/lump_file.ts";
export {
  type FileTable,
  gzdoomTable,
  listedTables,
  singleLump,
  singleLumpFormat,
  topWads,
  unpackedWads,
  withWadNamespaces,
} from "./lumps/lump_tables.ts";
export { typedLumps } from "./lumps/typed_lumps.ts";
export { woofFilters } from "./lumps/woof_archive.ts";
export { checkProfile } from "./settings/check_profile.ts";
export {
  choice,
  type Field,
  flag,
  isTable,
  type JsonSchema,
  type KeyPath,
  list,
  number,
  type RawTable,
  readTable,
  SettingError,
  type Settings,
  tableSchema,
  text,
} from "./settings/fields.ts";
export { profileSchema, profileToml, readProfile } from "./settings/profile_settings.ts";
export { ruleNotes } from "./settings/rule_notes.ts";
export { tomlCommentText, tomlPaths, tomlString, tomlTexts } from "./settings/toml.ts";
export { profileNamed, profiles } from "./table.ts";
