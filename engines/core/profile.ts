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
  /** Whether names that differ only in the case of ASCII letters are one name. */
  readonly ignoreCase: boolean;
  /**
   * Which spellings find a loose file where case is ignored.
   *
   * Packs have a table of names, but for loose files an engine asks the file system.
   */
  readonly looseCase: LooseCase;
  /**
   * How names of members are read: those that differ from what pakfs shows are not found; none: as pakfs shows them.
   */
  readonly memberNames: MemberNames | null;
  /** How the engine treats compression methods of zip members; none: members that pakfs cannot read come last. */
  readonly memberMethods: MemberMethods | null;
  /** Paths that are read from loose files only. */
  readonly looseOnly: readonly LooseOnly[];
  /** Paths for which loose files of another name are opened. */
  readonly aliases: readonly Alias[];
  /**
   * How loose files are found by a list of all names in any spelling, in which the first hides all others; none: they are
   * opened by their paths.
   */
  readonly looseList: LooseList | null;
  /** Steps in which packs of a game directory are loaded; what a later step loads is searched first. */
  readonly packs: readonly PackRule[];
  /** Packs in packs that are searched too. */
  readonly nestedPacks: NestedPacks | null;
  /** Which of several equal names inside one pack answers. */
  readonly duplicates: DuplicateRule;
  /** Base game directories, the most common first; empty: the root itself is the game directory. */
  readonly bases: readonly string[];
  /** Game directories below every mod, whatever the order they are named in; the last is searched first. */
  readonly missionPacks: readonly string[];
  /** A pack next to the game directories that is loaded with the base. */
  readonly enginePack: EnginePack | null;
  /** A pack inside the engine's program, whose files no file system shows. */
  readonly programPack: ProgramPack | null;
  /** Whether game directories whose names differ only in case are one. */
  readonly foldDirectories: boolean;
  /** Whether archives in directories that are packs are packs too. */
  readonly packsInPackDirectories: boolean;
  /** Paths that are read from the base game directory only. */
  readonly baseOnly: readonly string[];
  /** Folders of a game directory whose packs count as its own; all others hold loose files only. */
  readonly packFolders: readonly PackFolder[];
  /** Whether packs in all folders of a game directory count as its own. */
  readonly packsInFolders: boolean;
  /** Packs that are left out by their content or name. */
  readonly leftOut: readonly LeftOut[];
  /** Settings of the engine that change its rules, by the words that choose them. */
  readonly settings: readonly EngineSetting[];
  /** A file in each game directory that lists its sources, as gameinfo.txt of the Source engine does. */
  readonly sourceList: string | null;
  /** How packs that are called NAME_VERSION name those that they need, as DPKs of the Daemon engine do. */
  readonly dependencies: Dependencies | null;
  /** How an IWAD and a list of files are loaded, as engines for Doom do; none: directories are searched. */
  readonly loadList: LoadList | null;
  /**
   * Settings of a game directory that name directories searched below it instead of the base, as liblist.gam of
   * Half-Life does.
   */
  readonly chain: DirectoryChain | null;
  /** Directories that are searched with a game directory, in the order of loading; the last is searched first. */
  readonly companions: readonly Companion[];
  /** A game directory that is searched in every view, above the base. */
  readonly overrideDirectory: string | null;
  /**
   * Level of reading mods that are not played: 0 nothing, 1 core packs and the pure list, 2 everything; none: always 0.
   */
  readonly inactive: InactiveLevel | null;
  /** Whether the pack of the map that is played comes before others. */
  readonly currentMap: boolean;
  /** Packs that come with the game and rank above players' packs. */
  readonly corePacks: readonly CorePacks[];
  /** Files that a pure server allows besides the packs of its list; none: the engine has no pure servers. */
  readonly pure: PureRule | null;
  /** Format in which packs without any signature are read; none: such files are no packs. */
  readonly packFormat: FormatName | null;
  /** The engine of pakfs that plays the same games; default: the one that is extended. */
  readonly origin: string;
  /** The engines that name and load files alike; none: as the files of a view show. */
  readonly family: Family | null;
  /** Its family in views whose files define shaders; none: as in other views. */
  readonly familyWithShaders: Family | null;
  /** How it finds the picture of a name; none: as its family. */
  readonly pictures: PictureSearch | null;
  /** How it finds the model, sound or music of a name; none: as its family. */
  readonly files: FileSearch | null;
  /** How it reads shaders; none: as the files of a view show. */
  readonly shaders: ShaderDialect | null;
  /** Limits beyond which it refuses or ignores files. */
  readonly limits: readonly EngineLimit[];
  /** Checksum of a pk3 without a file that has content; none: the MD4 of nothing. */
  readonly emptyPackChecksum: number | null;
  /** How it looks for the registered version of Quake; none: it does not. */
  readonly registered: RegisteredCheck | null;
  /** Files next to a map that it ignores if they are from a lower game directory than the map. */
  readonly sideFiles: SideFiles | null;
  /** Rules that decide between two candidates; the first with an opinion decides. */
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
  /** Endings with the dot. */
  readonly endings: readonly string[];
  /** Ending of maps. */
  readonly of: string;
}

/** A pack of the engine's own, next to the game directories. */
export interface EnginePack {
  /** File name of the pack. */
  readonly name: string;
  /** Number among the numbered packs of the base that it counts as; 0.5 is between pak0 and pak1. */
  readonly order: number;
  /** Whether it is searched after the loose files of the base. */
  readonly belowLoose: boolean;
  /**
   * Where it is looked for: in each root, in the last, or from the last to the first until one is found, which counts
   * as a pack of the last.
   */
  readonly foundIn: "each-root" | "last-root" | "one-root";
  /** Whether it is loaded only if the pack before it is. */
  readonly followsPack: boolean;
  /**
   * Beginning, in lower case, of the listed pack right after which it is loaded: one with the same ending, in any case;
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
  /** Names of roots that are the user's own: the pack follows that of the first other root. */
  readonly userRoots: readonly string[];
  /** Files in it. */
  readonly files: readonly string[];
}

/** Packs in a pack, which the engine loads out of it; what is in one file stays together. */
export interface NestedPacks {
  /** Endings of their names with the dot, in lower case. */
  readonly suffixes: readonly string[];
  /** Whether they are searched before the pack around them, not after it. */
  readonly isAbove: boolean;
  /** How packs in one pack are ordered. */
  readonly order: NestedOrder;
}

/** How packs in one pack are ordered: see `nestedOrders`. */
export type NestedOrder = "steps" | "stored";

/** How packs name those that they need, and are loaded by that alone: `NAME_VERSION.dpk` of the Daemon engine. */
export interface Dependencies {
  /** Name of the pack that is loaded first, without its version. */
  readonly base: string;
  /** Beginning of the names of packs that `:with=NAME` loads after the base; others it loads before. */
  readonly maps: string;
  /** Member that names the packs a pack needs, one per line. */
  readonly file: string;
  /** Member that names files of packs loaded later, which are then missing: a pack and a path per line. */
  readonly deleted: string;
  /** Whether packs called NAME.pk3, which have no such members, are loaded too. */
  readonly legacy: boolean;
  /** Folders in which packs are looked for first, as `fs_pakprefixes` names them. */
  readonly prefixes: readonly string[];
}

/** Settings of a game directory that name directories searched below it. */
export interface DirectoryChain {
  /** Names of files with `key "value"` lines; the newest counts. */
  readonly files: readonly string[];
  /** Key that names the directory searched last, in place of the base. */
  readonly base: string;
  /** Key that names a directory searched before that one. */
  readonly fallback: string;
}

/** A pack that its content or its name keeps off the search path. */
export interface LeftOut {
  /** A file at the top of such packs, compared without case; none: any pack. */
  readonly member: string | null;
  /** Beginning of their names, compared without case; none: any name. */
  readonly prefix: string | null;
  /** Whether a view can choose them: `:with=NAME`. */
  readonly choice: boolean;
  /**
   * Word in that file before a list, in braces, of checksums of packs that are searched with it, as `addonDef` of
   * Doom 3.
   */
  readonly needs: string | null;
  /** Why the engine leaves them out, as a clause. */
  readonly because: string;
}

/** A setting of an engine that changes its rules. */
export interface EngineSetting {
  /** Word by which a view or a game chooses it, `:with=WORD`: as the engine calls it, with its value. */
  readonly name: string;
  /** Effect of the setting, as a sentence without a full stop. */
  readonly note: string;
  /** The profile's `packs` under it. */
  readonly packs?: Profile["packs"];
  /** The profile's `leftOut` under it. */
  readonly leftOut?: Profile["leftOut"];
  /** `legacy` of the profile's `dependencies` under it. */
  readonly legacy?: boolean;
  /** The profile's `companions` under it. */
  readonly companions?: Profile["companions"];
  /** The profile's `rules` under it. */
  readonly rules?: Profile["rules"];
}

/** A directory that is searched with a game directory, if it exists. */
export interface Companion {
  /**
   * Name of the directory; `{game}` is replaced with the name of the game directory, `{language}` matches a word of
   * letters.
   */
  readonly name: string;
  /** The game directories that have it: the base, the others, all, or the one that is played. */
  readonly of: "base" | "mods" | "all" | "played";
  /** Whether it is searched after the game directory, not before. */
  readonly isBelow: boolean;
  /** Word by which a view chooses it, `:with=WORD`, which can be `{language}`; none: it is always searched. */
  readonly choice: string | null;
  /** Whether it is a root of that name itself, not a directory in one. */
  readonly isRoot: boolean;
}

/** A folder in a game directory in which packs are looked for. */
export interface PackFolder {
  /** Name of the directory; one component. */
  readonly name: string;
  /** Why its packs are not loaded, as a clause; none: they are. */
  readonly ignored: string | null;
}

/** Packs that come with a game, known by their checksums or names. */
export interface CorePacks {
  /** The mod under which this ranking holds; none: every other. */
  readonly mod: string | null;
  /** Signed checksums; the last ranks highest. */
  readonly checksums: readonly number[];
  /** Ends of names, in lower case; such packs rank as the first checksum does. */
  readonly endings: readonly string[];
}

/** Files that a pure server allows next to its packs. */
export interface PureRule {
  /** Globs of names of loose files that can still be used. */
  readonly loose: readonly string[];
  /** Whether every pack with a listed checksum counts as listed; else only the first that is found. */
  readonly allCopies: boolean;
}

/** Spellings that find a loose file: see `looseCases`. */
export type LooseCase = "any" | "small-directory" | "own" | "own-or-small";

/** A list of all names, without loose files in whose path a name begins with a dot. */
export interface LooseList {
  /** Game directories whose files are still opened by their paths if the list has none. */
  readonly opens: readonly string[];
  /** The game directory that is one of these while no mod is played; a mod that is played is one itself. */
  readonly opensForBase: string;
}

/** Paths for which packs are skipped. */
export interface LooseOnly {
  /** A path, or the beginning of paths with a slash at its end. */
  readonly path: string;
  /** Whether it holds only where no mod is played. */
  readonly withoutMod: boolean;
  /** Whether the case of the requested path is ignored. */
  readonly anyCase: boolean;
  /** Whether directories that are packs are skipped as well, for the path in its own spelling. */
  readonly packDirectories: boolean;
}

/** How an engine treats compression methods of members. */
export interface MemberMethods {
  /** Methods that it reads. */
  readonly reads: readonly Method[];
  /** Members with other methods are used, and then cannot be read, or skipped. */
  readonly others: "taken" | "skipped";
  /** Encrypted members of zips are used, and then cannot be read, or skipped. */
  readonly encrypted: "taken" | "skipped";
  /** Whether members of zips without content are skipped. */
  readonly skipsEmpty: boolean;
}

/** How an engine reads a name that fills its field in a Quake PAK, without a NUL at its end: see `fullNameRules`. */
export type FullNames = "whole" | "cut" | "joined";

/** How an engine reads the names of members. */
export interface MemberNames {
  /** Whether a backslash counts as a slash, in names of members and in requested paths. */
  readonly backslash: boolean;
  /** Strings that no path may hold, in packs or loose. */
  readonly refused: readonly string[];
  /** How a name that fills its field in a Quake PAK is read. */
  readonly fullNames: FullNames;
  /** Whether paths with a component that begins with a dot are refused. */
  readonly hidden: boolean;
  /** Characters besides ASCII letters and digits that a path may hold, a dot not at its end; none: any. */
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

/** Which of several equal names inside one source answers: see `duplicateRules`. */
export type DuplicateRule = "first" | "last" | "last-stored" | "met";

/** Level of {@linkcode Profile.inactive}: `fs_read_inactive_mods` of Chomenor's engine. */
export type InactiveLevel = 0 | 1 | 2;
