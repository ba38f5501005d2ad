/**
 * Door of the engines for other rooms: each engine, the types and rules that they are made of, sentences that explain
 * a rule, lumps, and the keys of a configuration.
 * @module
 */
export { boom } from "./boom.ts";
export { chocolate } from "./chocolate.ts";
export { chomenor } from "./chomenor.ts";
export { archiveWarnings } from "./core/archive_warnings.ts";
export { searched } from "./core/binary_search.ts";
export { type Candidate, modLevels, type SourceRank } from "./core/candidate.ts";
export { Doom3Lexer } from "./core/doom3_lexer.ts";
export type { Engine } from "./core/engine.ts";
export { type EngineLimit, type LimitKind, limitTitles } from "./core/engine_limits.ts";
export { withSettings } from "./core/engine_settings.ts";
export {
  type LoadedFile,
  loadedPaths,
  type LoadList,
  type LoadSwitch,
  loadSwitches,
  type LumpReading,
  type LumpRules,
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
} from "./core/profile.ts";
export { rootCompanion } from "./core/root_companion.ts";
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
export { emptyPackChecksum, quake3Shaders, quakeMusic } from "./core/shared_parts.ts";
export { daemon } from "./daemon.ts";
export { darkplaces } from "./darkplaces.ts";
export { dhewm3 } from "./dhewm3.ts";
export { dragonnest } from "./dragonnest.ts";
export { etlegacy } from "./etlegacy.ts";
export { ezquake } from "./ezquake.ts";
export { ftequake } from "./ftequake.ts";
export { generic } from "./generic.ts";
export { gzdoom } from "./gzdoom.ts";
export { ioquake3 } from "./ioquake3.ts";
export { iortcwMp } from "./iortcw_mp.ts";
export { iortcwSp } from "./iortcw_sp.ts";
export { ironwail } from "./ironwail.ts";
export { gzdoomMembers, sharedFolders } from "./lumps/gzdoom_archive.ts";
export {
  type DoomGame,
  filtersOf,
  type Iwad,
  iwadWith,
  loadedAfter,
  prefixesOf,
  requiredBefore,
} from "./lumps/iwads.ts";
export { comparedName } from "./lumps/lump_file.ts";
export {
  type FileTable,
  gzdoomTable,
  listedTables,
  singleLump,
  singleLumpFormat,
  unpackedWads,
  withWadNamespaces,
} from "./lumps/lump_tables.ts";
export { typedLumps } from "./lumps/typed_lumps.ts";
export { openjk } from "./openjk.ts";
export { q2pro } from "./q2pro.ts";
export { q2rtx } from "./q2rtx.ts";
export { qss } from "./qss.ts";
export { quake } from "./quake.ts";
export { quake2 } from "./quake2.ts";
export { quake3 } from "./quake3.ts";
export { quake3e } from "./quake3e.ts";
export { quakespasm } from "./quakespasm.ts";
export { rbdoom3bfg } from "./rbdoom3bfg.ts";
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
export { shellWord } from "./settings/shell_word.ts";
export { tomlCommentText, tomlPaths, tomlString, tomlTexts } from "./settings/toml.ts";
export { source } from "./source.ts";
export { spearmint } from "./spearmint.ts";
export { profileNamed, profiles } from "./table.ts";
export { vkquake } from "./vkquake.ts";
export { xash3d } from "./xash3d.ts";
export { yquake2 } from "./yquake2.ts";
