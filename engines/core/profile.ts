/**
 * The types of a profile: the rules of one engine, as data.
 * @module
 */
import type { FormatName, Method } from "../../formats/parts.ts";
import type { EngineLimit } from "./engine_limits.ts";
import type { LoadList } from "./load_list.ts";
import type { RuleName } from "./rule_names.ts";
import type { Family, FileSearch, PictureSearch } from "./names.ts";
import type { PackRule } from "./pack_steps.ts";
import type { ShaderDialect } from "./shader_dialect.ts";

/** The rules of one engine. */
export interface Profile {
  /** Name on the command line and in the configuration. */
  readonly name: string;
  /** Name of the engine in sentences. */
  readonly engine: string;
  /** One line for people. */
  readonly title: string;
  /**
   * Globs of names of programs next to the game directories, compared without case: games of the configuration without a
   * profile that have one are played by this engine. Built-in engines have none: detection knows their programs.
   */
  readonly programs: readonly string[];
  /** Whether names that differ only in the case of ASCII letters are one name. */
  readonly ignoreCase: boolean;
  /**
   * Spellings that find a loose file if case is ignored.
   *
   * Packs have a table of names, but for loose files an engine asks the file system.
   */
  readonly looseCase: LooseCase;
  /**
   * How names of members are read: members whose name differs from the name that pakfs shows are not found; none: as
   * pakfs shows them.
   */
  readonly memberNames: MemberNames | null;
  /** How the engine treats compression methods of zip members; none: members that pakfs cannot read come last. */
  readonly memberMethods: MemberMethods | null;
  /** Paths that are read from loose files only. */
  readonly looseOnly: readonly LooseOnly[];
  /** Paths for which loose files of another name are opened. */
  readonly aliases: readonly Alias[];
  /**
   * How loose files are found in a list of all names in any spelling, in which the first hides the others; none: they
   * are opened by path.
   */
  readonly looseList: LooseList | null;
  /** Steps in which packs of a game directory are loaded; later steps are searched first. */
  readonly packs: readonly PackRule[];
  /** Inner packs that are searched too. */
  readonly nestedPacks: NestedPacks | null;
  /** Winner among equal names inside one pack. */
  readonly duplicates: DuplicateRule;
  /** Base game directories, the most common first; empty: the root itself is the game directory. */
  readonly bases: readonly string[];
  /** Game directories below every mod, regardless of the order in which they are named; the last is searched first. */
  readonly missionPacks: readonly string[];
  /** A pack next to the game directories that is loaded with the base. */
  readonly enginePack: EnginePack | null;
  /** A pack inside the engine's program, whose files no file system shows. */
  readonly programPack: ProgramPack | null;
  /** Whether game directories whose names differ only in case are the same. */
  readonly foldDirectories: boolean;
  /** Whether archives in directories that are packs are packs too. */
  readonly packsInPackDirectories: boolean;
  /** Paths that are read from the base game directory only. */
  readonly baseOnly: readonly string[];
  /** Folders of a game directory whose packs count as its packs; all other folders hold loose files only. */
  readonly packFolders: readonly PackFolder[];
  /** Whether packs in all folders of a game directory count as its packs. */
  readonly packsInFolders: boolean;
  /** Packs that are omitted because of their content or name. */
  readonly leftOut: readonly LeftOut[];
  /** Settings of the engine that change its rules, by the words that choose them. */
  readonly settings: readonly EngineSetting[];
  /** A file in each game directory that lists its sources, such as gameinfo.txt of the Source engine. */
  readonly sourceList: string | null;
  /** How packs with names like NAME_VERSION declare dependencies, such as DPKs of the Daemon engine. */
  readonly dependencies: Dependencies | null;
  /** How an IWAD and a list of files are loaded, in engines for Doom; none: directories are searched. */
  readonly loadList: LoadList | null;
  /**
   * Settings of a game directory with the directories searched below it instead of the base, such as liblist.gam of
   * Half-Life.
   */
  readonly chain: DirectoryChain | null;
  /** Directories that are searched together with a game directory, in load order; the last is searched first. */
  readonly companions: readonly Companion[];
  /** A game directory that is searched in every view, above the base. */
  readonly overrideDirectory: string | null;
  /** Files of other mods that are read: 0 none, 1 core packs and the pure list, 2 all; none: always 0. */
  readonly inactive: InactiveLevel | null;
  /** Whether the pack of the current map comes before others. */
  readonly currentMap: boolean;
  /** Official packs of the game that rank above players' packs. */
  readonly corePacks: readonly CorePacks[];
  /** Files that a pure server allows besides its listed packs; none: the engine has no pure servers. */
  readonly pure: PureRule | null;
  /** Format of packs without any signature; none: such files are no packs. */
  readonly packFormat: FormatName | null;
  /** The profile of pakfs that plays the same games; default: the extended one. */
  readonly origin: string;
  /** Family of engines that name and load files in the same way; none: detected from the files of a view. */
  readonly family: Family | null;
  /** Family in views whose files define shaders; none: as in other views. */
  readonly familyWithShaders: Family | null;
  /** How the engine finds the picture of a name; none: like its family. */
  readonly pictures: PictureSearch | null;
  /** How the engine finds the model, sound or music of a name; none: like its family. */
  readonly files: FileSearch | null;
  /** How the engine reads shaders; none: detected from the files of a view. */
  readonly shaders: ShaderDialect | null;
  /** Extensions, with the dot, of maps and scripts whose references to other files are not read. */
  readonly unreadMaps: readonly string[];
  /** Limits beyond which the engine refuses or ignores files. */
  readonly limits: readonly EngineLimit[];
  /** Checksum of a pk3 without a non-empty file; none: the MD4 of an empty message. */
  readonly emptyPackChecksum: number | null;
  /** How the engine detects the registered version of Quake; none: it does not. */
  readonly registered: RegisteredCheck | null;
  /** Files next to a map that are ignored if they are from a lower game directory than the map. */
  readonly sideFiles: SideFiles | null;
  /** Rules that decide between two candidates; the first applicable rule decides. */
  readonly rules: readonly RuleName[];
}

/** Check for the registered version of Quake. */
export interface RegisteredCheck {
  /** Whether the content of `gfx/pop.lmp` is compared; otherwise it only has to exist. */
  readonly comparesContent: boolean;
  /** CRC-16 of the file tables of unmodified packs; none: not checked. */
  readonly ownPacks: readonly number[] | null;
}

/** Files next to maps. */
export interface SideFiles {
  /** Extensions with the dot. */
  readonly endings: readonly string[];
  /** Extension of maps. */
  readonly of: string;
}

/** A pack of the engine, next to the game directories. */
export interface EnginePack {
  /** File name of the pack. */
  readonly name: string;
  /** Number of this pack among the numbered packs of the base; 0.5 is between pak0 and pak1. */
  readonly order: number;
  /** Whether it is searched after the loose files of the base. */
  readonly belowLoose: boolean;
  /**
   * Roots in which it is searched: each, the last, or from the last to the first until one is found, which counts as a
   * pack of the last.
   */
  readonly foundIn: "each-root" | "last-root" | "one-root";
  /** Whether it is loaded only if the pack before it is. */
  readonly followsPack: boolean;
  /**
   * Prefix, in lower case, of the listed pack right after which it is loaded: one with the same extension, in any case;
   * empty: none.
   */
  readonly followsListed: string;
}

/** A path for which another loose file is looked for first in each game directory. */
export interface Alias {
  /** Requested path, in any case. */
  readonly path: string;
  /** Path of the file that is looked for. */
  readonly opens: string;
}

/** A pack inside a program. */
export interface ProgramPack {
  /** Name of the pack. */
  readonly name: string;
  /**
   * Name of the pack of the base right after which it is loaded; without that it is not loaded. With it such a pack that
   * is empty is no missing number.
   */
  readonly follows: string;
  /** Names of the user's own roots: the pack follows the first root that is not one of them. */
  readonly userRoots: readonly string[];
  /** Files in it. */
  readonly files: readonly string[];
}

/** Packs inside a pack, which the engine loads from there; packs of one file stay together. */
export interface NestedPacks {
  /** Extensions of their names with the dot, in lower case. */
  readonly suffixes: readonly string[];
  /** Whether they are searched before the outer pack instead of after it. */
  readonly isAbove: boolean;
  /** Order of the packs inside one pack. */
  readonly order: NestedOrder;
}

/** Order of the packs inside one pack: see `nestedOrders`. */
export type NestedOrder = "steps" | "stored";

/**
 * How packs name their dependencies, which are loaded only for that reason: `NAME_VERSION.dpk` of the Daemon engine.
 */
export interface Dependencies {
  /** Name of the pack that is loaded first, without its version. */
  readonly base: string;
  /** Prefix of packs that `:with=NAME` loads after the base; it loads others before the base. */
  readonly maps: string;
  /** Member with the dependencies of a pack, one per line. */
  readonly file: string;
  /** Member with the files to hide in packs that are loaded later: a pack and a path per line. */
  readonly deleted: string;
  /** Whether packs named NAME.pk3, which have no such members, are loaded too. */
  readonly legacy: boolean;
  /** Folders in which packs are searched first, from `fs_pakprefixes`. */
  readonly prefixes: readonly string[];
}

/** Settings of a game directory with the directories searched below it. */
export interface DirectoryChain {
  /** Names of files with `key "value"` lines; the newest counts. */
  readonly files: readonly string[];
  /** Key of the directory searched last, instead of the base. */
  readonly base: string;
  /** Key of a directory searched before that one. */
  readonly fallback: string;
}

/** A pack that is not on the search path because of its content or name. */
export interface LeftOut {
  /** A file at the top level of such packs, compared without case; none: any pack. */
  readonly member: string | null;
  /** Prefix of their names, compared without case; none: any name. */
  readonly prefix: string | null;
  /** Globs of paths below the game directory, compared without case, of packs that are searched nevertheless. */
  readonly except: readonly string[];
  /** Whether `:with=NAME` in a view adds them. */
  readonly choice: boolean;
  /**
   * Keyword in that file before a list, in braces, of checksums of packs that are searched with it, such as `addonDef`
   * of Doom 3.
   */
  readonly needs: string | null;
  /** Reason why the engine omits them, as a clause. */
  readonly because: string;
}

/** A setting of an engine that changes its rules. */
export interface EngineSetting {
  /** Word by which a view or a game chooses it, `:with=WORD`: the name in the engine, with its value. */
  readonly name: string;
  /** Effect of the setting, as a sentence without a full stop. */
  readonly note: string;
  /** Value of the profile's `packs` with this setting. */
  readonly packs?: Profile["packs"];
  /** Value of the profile's `leftOut` with this setting. */
  readonly leftOut?: Profile["leftOut"];
  /** Value of `legacy` in the profile's `dependencies` with this setting. */
  readonly legacy?: boolean;
  /** Value of the profile's `companions` with this setting. */
  readonly companions?: Profile["companions"];
  /** Value of the profile's `rules` with this setting. */
  readonly rules?: Profile["rules"];
}

/** A directory that is searched together with a game directory, if it exists. */
export interface Companion {
  /**
   * Name of the directory; `{game}` is replaced with the name of the game directory, `{language}` matches a word of
   * letters.
   */
  readonly name: string;
  /** Game directories to which it applies: the base, the others, all, or the selected one. */
  readonly of: "base" | "mods" | "all" | "played";
  /**
   * Whether it is searched after the game directory instead of before; with `{game}/` at the beginning of its name in
   * each root, before the next one.
   */
  readonly isBelow: boolean;
  /** Word that adds it to a view, `:with=WORD`, which can be `{language}`; none: it is always searched. */
  readonly choice: string | null;
  /** Whether it is a root with that name instead of a directory in a root. */
  readonly isRoot: boolean;
}

/** A folder of a game directory in which packs are searched. */
export interface PackFolder {
  /** Name of the directory; one component. */
  readonly name: string;
  /** Reason why its packs are not loaded, as a clause; none: they are loaded. */
  readonly ignored: string | null;
}

/** Packs that come with a game, known by their checksums or names. */
export interface CorePacks {
  /** The mod to which this ranking applies; none: all others. */
  readonly mod: string | null;
  /** Signed checksums; the last ranks highest. */
  readonly checksums: readonly number[];
  /** Ends of names, in lower case; such packs rank as the first checksum does. */
  readonly endings: readonly string[];
}

/** Files that a pure server allows besides its packs. */
export interface PureRule {
  /** Globs of names of loose files that can still be used. */
  readonly loose: readonly string[];
  /** Whether every pack with a listed checksum counts as listed; else only the first that is found. */
  readonly allCopies: boolean;
}

/** Spellings that find a loose file: see `looseCases`. */
export type LooseCase = "any" | "small-directory" | "own" | "own-or-small" | "own-or-one-case";

/** A list of all names, without loose files that have a path component beginning with a dot. */
export interface LooseList {
  /** Game directories whose files are also opened by path if the list lacks them. */
  readonly opens: readonly string[];
  /** The game directory to which this applies while no mod is selected; a selected mod always is one. */
  readonly opensForBase: string;
}

/** Paths that are not searched in packs. */
export interface LooseOnly {
  /** A path, or a prefix of paths with a slash at its end. */
  readonly path: string;
  /** Whether the rule applies only if no mod is selected. */
  readonly withoutMod: boolean;
  /** Whether the case of the requested path is ignored. */
  readonly anyCase: boolean;
  /** Whether directories that are packs are skipped too, for the path in its exact spelling. */
  readonly packDirectories: boolean;
}

/** How an engine treats compression methods of members. */
export interface MemberMethods {
  /** Supported methods. */
  readonly reads: readonly Method[];
  /** Treatment of members with other methods: `taken` are found but cannot be read. */
  readonly others: "taken" | "skipped";
  /** Treatment of encrypted members of zips: `taken` are found but cannot be read. */
  readonly encrypted: "taken" | "skipped";
  /** Whether empty members of zips are skipped. */
  readonly skipsEmpty: boolean;
}

/** How an engine reads a name that fills its field in a Quake PAK, without a NUL: see `fullNameRules`. */
export type FullNames = "whole" | "cut" | "joined";

/** How an engine reads the names of members. */
export interface MemberNames {
  /** Whether a backslash counts as a slash, in names of members and in requested paths. */
  readonly backslash: boolean;
  /** Strings that no path may contain, in packs or loose. */
  readonly refused: readonly string[];
  /** How a name that fills its field in a Quake PAK is read. */
  readonly fullNames: FullNames;
  /** Whether paths with a component that begins with a dot are refused. */
  readonly hidden: boolean;
  /** Characters other than ASCII letters and digits that a path may hold, a dot not at its end; none: any. */
  readonly characters: string | null;
  /** Whether slashes at the beginning of a name in a Quake PAK are dropped. */
  readonly rooted: boolean;
  /** Whether upper case in names of members of zips counts as lower case. */
  readonly smallInZips: boolean;
  /** Whether a colon in names of members of zips counts as a slash. */
  readonly colonsInZips: boolean;
  /** Whether lumps of WADs are found as `wad/lump.ext` and `lump.ext`, with an extension for their type. */
  readonly lumpTypes: boolean;
}

/** Winner among equal names inside one source: see `duplicateRules`. */
export type DuplicateRule = "first" | "last" | "last-stored" | "met";

/** Level of {@linkcode Profile.inactive}: `fs_read_inactive_mods` of Chomenor's engine. */
export type InactiveLevel = 0 | 1 | 2;
