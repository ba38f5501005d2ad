/**
 * The types of a profile: the rules of one engine, as data.
 * @module
 */
import type { Method } from "../../formats/core/entry_table.ts";
import type { FormatName } from "../../formats/core/entry_table.ts";
import type { EngineLimit } from "./engine_limits.ts";
import type { LoadList } from "./load_list.ts";
import type { RuleName } from "./rule_names.ts";
import type { Family, FileSearch, PictureSearch } from "./names.ts";
import type { PackRule } from "./pack_steps.ts";
import type { ShaderDialect } from "./shader_dialect.ts";

/** The rules of one engine. */
export interface Profile {
  /** Name used on the command line and in the configuration. */
  readonly name: string;
  /** Name of the engine in sentences. */
  readonly engine: string;
  /** One line for people. */
  readonly title: string;
  /** Whether names that differ only in the case of ASCII letters are one name. */
  readonly ignoreCase: boolean;
  /**
   * Where case is ignored: which spellings find a loose file. Packs have a table of names, but for loose files an
   * engine asks the file system.
   */
  readonly looseCase: LooseCase;
  /** How names of members are read; null: as pakfs shows them, cleaned. */
  readonly memberNames: MemberNames | null;
  /** Compression methods that the engine reads; null: members that pakfs cannot read come last. */
  readonly memberMethods: MemberMethods | null;
  /** Paths that are read from loose files only. */
  readonly looseOnly: readonly LooseOnly[];
  /** The steps in which packs of a game directory are loaded; what a later step loads is searched first. */
  readonly packs: readonly PackRule[];
  /** Packs among the members of packs, which are searched too; null: none. */
  readonly nestedPacks: NestedPacks | null;
  /** Which of several equal names inside one pack answers. */
  readonly duplicates: DuplicateRule;
  /** Names of base game directories, the most common first. Empty: the root itself is the game directory. */
  readonly bases: readonly string[];
  /**
   * Mission packs: game directories below every mod, whatever the order they are named in. The last is searched first.
   */
  readonly missionPacks: readonly string[];
  /** A pack beside the game directories that the engine loads with the base game. */
  readonly enginePack: EnginePack | null;
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
  /** Settings of the engine that change its rules, which a view or a game chooses. */
  readonly settings: readonly EngineSetting[];
  /** A file in each game directory that lists its sources, such as `gameinfo.txt` of the Source engine; null: none. */
  readonly sourceList: string | null;
  /** How packs name those that they need; null: they do not. */
  readonly dependencies: Dependencies | null;
  /** How the engine loads an IWAD and a list of files; null: it searches directories. */
  readonly loadList: LoadList | null;
  /** Settings of a game directory that name directories searched below it instead of the base; null: none. */
  readonly chain: DirectoryChain | null;
  /** Directories that are searched with a game directory, in the order of loading: the last is searched first. */
  readonly companions: readonly Companion[];
  /** A game directory that is searched in every view, above the base; null: none. */
  readonly overrideDirectory: string | null;
  /** How much the engine reads of game directories off the search path; null: always nothing. */
  readonly inactive: InactiveLevel | null;
  /** Whether the pack of the map that is played comes before others. */
  readonly currentMap: boolean;
  /** Packs that come with the game and rank above those of players. */
  readonly corePacks: readonly CorePacks[];
  /** Files that pure servers allow beside the packs of their list; null: the engine has no pure servers. */
  readonly pure: PureRule | null;
  /** Format that packs without any signature are read in, by its name; null: such files are no packs. */
  readonly packFormat: FormatName | null;
  /** Name of the engine of pakfs that it is, or that a profile of the configuration extends. */
  readonly origin: string;
  /** Family whose names and files it has; null: as the files of a view show. */
  readonly family: Family | null;
  /** Family that views have whose files define shaders; null: none other. */
  readonly familyWithShaders: Family | null;
  /** How it finds the picture of a name; null: as its family. */
  readonly pictures: PictureSearch | null;
  /** How it finds the model, sound or music of a name; null: as its family. */
  readonly files: FileSearch | null;
  /** How it reads shaders; null: as the files of a view show. */
  readonly shaders: ShaderDialect | null;
  /** Limits beyond which it refuses or ignores files. */
  readonly limits: readonly EngineLimit[];
  /** Checksum of a pk3 without a file that has content, where it is not the MD4 of nothing; null: it is. */
  readonly emptyPackChecksum: number | null;
  /** How it looks for the registered version of Quake; null: it does not. */
  readonly registered: RegisteredCheck | null;
  /** Files next to a map that it ignores if they are from a lower game directory than the map; null: none. */
  readonly sideFiles: SideFiles | null;
  /** Rules that decide between two candidates; the first with an opinion decides. */
  readonly rules: readonly RuleName[];
}

/** Check for the registered version of Quake. */
export interface RegisteredCheck {
  /** Whether the content of `gfx/pop.lmp` is compared; otherwise it only has to exist. */
  readonly comparesContent: boolean;
  /** CRC-16 of the file tables of unmodified packs; null: not checked. */
  readonly ownPacks: readonly number[] | null;
}

/** Files next to maps. */
export interface SideFiles {
  /** Endings with the dot. */
  readonly endings: readonly string[];
  /** Ending of maps. */
  readonly of: string;
}

/** A pack of the engine's own, beside the game directories. */
export interface EnginePack {
  /** File name. */
  readonly name: string;
  /** Number among the numbered packs of the base that it counts as. */
  readonly order: number;
  /** Whether it is searched after the loose files of the base beside it. */
  readonly belowLoose: boolean;
  /**
   * Where it is looked for: in each root; in the last; or from the last to the first, where one is loaded, as a pack of
   * the last root.
   */
  readonly foundIn: "each-root" | "last-root" | "one-root";
  /** Whether it is loaded only if the pack that it follows is. */
  readonly followsPack: boolean;
  /**
   * Beginning, in small letters, of a listed pack with the same ending, in any case, right after which it is loaded; empty:
   * none.
   */
  readonly followsListed: string;
}

/** Packs at the top of a pack, which the engine loads out of it; what is in one file stays together. */
export interface NestedPacks {
  /** Endings with the dot, lower case. */
  readonly suffixes: readonly string[];
  /** Whether they are searched before the pack around them, not after it. */
  readonly isAbove: boolean;
  /** Whether they are loaded by the same steps as packs of a directory, or in the order in which their pack has them. */
  readonly order: NestedOrder;
}

/** How packs in one pack are ordered: as those of a directory, or as the pack lists them, the last searched first. */
export type NestedOrder = "steps" | "stored";

/** How packs name those that they need, and are loaded by that alone: `NAME_VERSION.dpk` of the Daemon engine. */
export interface Dependencies {
  /** Name of the pack that is loaded first, without its version. */
  readonly base: string;
  /** Beginning of the names of packs that a view loads after the base; those with other names are loaded before it. */
  readonly maps: string;
  /** Member that names the packs a pack needs, one per line. */
  readonly file: string;
  /** Member that names files of packs loaded later, which are then missing: a pack and a path per line. */
  readonly deleted: string;
  /** Whether packs without a version and without such members are loaded too: `NAME.pk3`. */
  readonly legacy: boolean;
  /** Folders in which the packs of a name are looked for first. */
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
  /** Name of a member at the top of the pack, compared without case; null: any pack. */
  readonly member: string | null;
  /** Beginning of the pack's name, compared without case; null: any name. */
  readonly prefix: string | null;
  /** Whether a view can choose such packs: `:with=NAME`. */
  readonly choice: boolean;
  /**
   * Word in that member before a list of checksums in braces: packs that are searched with a chosen one, as `addonDef`
   * of Doom 3; null: none.
   */
  readonly needs: string | null;
  /** Why the engine leaves it out, as a clause. */
  readonly because: string;
}

/** A setting of an engine that changes its rules. */
export interface EngineSetting
  extends Partial<Pick<Profile, "packs" | "leftOut" | "dependencies" | "companions" | "rules">> {
  /** Word by which it is chosen, `:with=WORD`: as the engine calls it, with its value. */
  readonly name: string;
  /** Its effect, as a sentence without a full stop. */
  readonly note: string;
  /** Whether packs without a version are loaded. */
  readonly legacy?: boolean;
}

/** A directory that is searched with a game directory, if it exists. */
export interface Companion {
  /** Its name, with `{game}` for that of the game directory and `{language}` for a word of letters. */
  readonly name: string;
  /** The game directories that have it: the base, the others, all, or the one that is played. */
  readonly of: "base" | "mods" | "all" | "played";
  /** Whether it is searched after the game directory, not before. */
  readonly isBelow: boolean;
  /** Word by which a view chooses it, `:with=WORD`, which can be `{language}`; null: always searched. */
  readonly choice: string | null;
  /** Whether it is a root of that name itself, not a directory in one. */
  readonly isRoot: boolean;
}

/** A folder in a game directory in which packs are looked for. */
export interface PackFolder {
  /** Its name; one component. */
  readonly name: string;
  /** Why its packs are not loaded, as a clause; null if they are. */
  readonly ignored: string | null;
}

/** Packs that come with a game, known by their checksums. */
export interface CorePacks {
  /** The mod under which this ranking holds; null: under every other. */
  readonly mod: string | null;
  /** Signed checksums; the last ranks highest. */
  readonly checksums: readonly number[];
}

/** Files that a pure server allows beside its packs. */
export interface PureRule {
  /** Globs of names of loose files that can still be used. */
  readonly loose: readonly string[];
  /** Whether every pack with a listed checksum counts as listed; else only the first that is found. */
  readonly allCopies: boolean;
}

/**
 * Spellings that find a loose file: any; any, but none if its directory has capitals; only its own; or its own, and any
 * if its own has small letters only.
 */
export type LooseCase = "any" | "small-directory" | "own" | "own-or-small";

/** Paths for which packs are skipped. */
export interface LooseOnly {
  /** A path, or the beginning of paths with a slash at its end. */
  readonly path: string;
  /** Only where no mod is played. */
  readonly withoutMod: boolean;
  /** Whether capitals in the path that is asked for do not matter. */
  readonly anyCase: boolean;
  /** Whether directories that are packs are skipped as well, for the path in its own spelling. */
  readonly packDirectories: boolean;
}

/** How an engine treats compression methods of members. */
export interface MemberMethods {
  /** The methods that it reads. */
  readonly reads: readonly Method[];
  /** Whether it uses members with other methods, and fails to read them, or skips them. */
  readonly others: "taken" | "skipped";
  /** Whether it skips members of zips without content. */
  readonly skipsEmpty: boolean;
}

/** How an engine reads a name that fills its field in a Quake PAK, without a NUL at its end. */
export type FullNames = "whole" | "cut" | "joined";

/** How an engine reads the names of members. */
export interface MemberNames {
  /** Whether `\` counts as `/`. */
  readonly backslash: boolean;
  /** Texts that no path may hold, in packs or loose. */
  readonly refused: readonly string[];
  /** How a name that fills its field in a Quake PAK is read. */
  readonly fullNames: FullNames;
  /** Whether paths with a component that begins with a dot are refused. */
  readonly hidden: boolean;
  /**
   * Characters beside letters and digits of ASCII that a path may hold between its slashes, a dot not at its end; null:
   * any.
   */
  readonly characters: string | null;
  /** Whether slashes at the beginning of a name in a Quake PAK are dropped. */
  readonly rooted: boolean;
  /** Whether capitals in the names of a zip's members count as small letters. */
  readonly smallInZips: boolean;
  /** Whether lumps of a WAD are found by an ending for their type, with the WAD's name as their directory or without. */
  readonly lumpTypes: boolean;
}

/**
 * Which of several equal names inside one source answers; `last-stored` is the one at the highest offset, `met` the one
 * that a binary search finds first.
 */
export type DuplicateRule = "first" | "last" | "last-stored" | "met";

/**
 * Which files of game directories off the search path are read anyway: 0 none, 1 those of packs that
 * come with the game or are on the pure list, 2 all (`fs_read_inactive_mods` of Chomenor's engine).
 */
export type InactiveLevel = 0 | 1 | 2;
