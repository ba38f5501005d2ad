/**
 * Games: the findings in their base directories.
 * @module
 */
import type { Identity } from "./identity.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Source } from "./source.ts";
import type { LoadedFile, Profile } from "../../engines/mod.ts";

/** Options of a game. */
export interface GameOptions {
  /**
   * Base directories, highest first; or archives and directories of a plain union, the last first; or, for engines of
   * Doom, files to load.
   */
  readonly sources: readonly string[];
  /** The IWAD of a game for engines of Doom; default: the first IWAD in `sources`. */
  readonly iwad?: string;
  /** Files that an engine of Doom loads after the IWAD, in command-line order: `["a.wad", "-merge", "b.wad"]`. */
  readonly files?: readonly string[];
  /** Files that an engine of Doom always loads: a directory such as `autoload`, or GZDoom's INI file. */
  readonly autoload?: string;
  /**
   * Whether `sources` are a plain union, in which later sources win; default: true if there are several, one of them is
   * an archive, and no engine is chosen.
   */
  readonly union?: boolean;
  /** Name shown in views; default: detected. */
  readonly name?: string;
  /** Name of a built-in profile, or a profile; default: detected. */
  readonly profile?: string | Profile;
  /** Profiles of the configuration that a program in the sources selects, if no profile is chosen; default: none. */
  readonly ownEngines?: readonly Profile[];
  /** Base game directory; default: the profile's. */
  readonly base?: string;
  /**
   * Settings of the engine, packs and companion directories for all views of the game, by the words of `:with=`;
   * default: none.
   */
  readonly with?: readonly string[];
  /** Game directories to index other than the base; default: all. */
  readonly mods?: readonly string[];
  /** Whether archives in packs are shown as directories too; default: no. */
  readonly nested?: boolean;
  /** Names or checksums of the packs of a pure server: the list of views called `game/mod:pure`. */
  readonly pure?: readonly string[];
  /** Files with candidate names for hashed packs, one per line. */
  readonly names?: readonly string[];
  /** Hash of names in hashed packs, as in `variantName`; default: detected. */
  readonly hash?: string;
  /** Whether files and packs beyond the engine's limits are omitted instead of only being reported. */
  readonly strict?: boolean;
  /**
   * Whether symbolic links that point outside the base directories are followed, as engines do; packs may be such links
   * in any case.
   */
  readonly followSymlinks?: boolean;
}

/** Settings for recovering the names of packs that store none. */
export interface NameSettings {
  /** Files with names, one per line, with their identity when they were read. */
  readonly lists: readonly { readonly path: string; readonly identity: Identity }[];
  /** Hash of names, as in `variantName`; null: detected. */
  readonly hash: string | null;
}

/** A source in the list of a game directory. */
export interface ListedNumber {
  readonly source: number;
  /** Word that adds it to a view, `:with=WORD`; null: always searched. */
  readonly choice: string | null;
}

/** A pack that names others, by checksum, to be searched with it. */
export interface AddonNumber {
  readonly source: number;
  /** Signed checksums. */
  readonly needs: readonly number[];
  /** Reason why its list was not read, as a sentence; absent: it was read. */
  readonly problem?: string;
}

/** A file that a pack hides in packs of a given name that are loaded after it. */
export interface DeletedNumber {
  readonly source: number;
  /** Name of those packs, without their version. */
  readonly of: string;
  readonly path: string;
}

/** The files that are loaded with one IWAD, in load order. */
export interface LoadedFiles {
  /** Name of the game directory. */
  readonly name: string;
  readonly files: readonly LoadedFile[];
}

/** One game directory, across all base directories that contain it. */
export interface GameDirectory {
  readonly name: string;
  /** Numbers of its sources. */
  readonly sources: readonly number[];
  /** The sources that are searched in its view, the first searched first, if a file of the game lists them. */
  readonly list?: readonly ListedNumber[];
  /** Names of the game directories that are searched below it, lowest first; absent: the base. */
  readonly below?: readonly string[];
  /** Files that its packs hide in packs that are loaded after them. */
  readonly deleted?: readonly DeletedNumber[];
}

/** Properties that a game has before and after its archives are read. */
export interface PlannedGame {
  readonly name: string;
  readonly profile: Profile;
  /** Reason for this profile. */
  readonly because: string;
  /** Absolute paths, highest first. */
  readonly roots: readonly string[];
  /** Name of the base game directory. */
  readonly base: string;
  /** The pure list of the game's options, or null. */
  readonly pure: readonly string[] | null;
  /** Settings for recovering its names. */
  readonly names: NameSettings;
  /** Packs next to its game directories that belong to other engines, by name; absent: none. */
  readonly otherEnginePacks?: readonly string[];
  /** The files that are loaded with each IWAD; absent: the engine searches directories. */
  readonly loads?: readonly LoadedFiles[];
  /** Words of `:with=` that apply to all of its views; absent: none. */
  readonly chosen?: readonly string[];
  /** Whether files and packs beyond the engine's limits are omitted. */
  readonly strict: boolean;
  /** Whether archives in packs are shown as directories too. */
  readonly nested: boolean;
  /** Whether symbolic links that point outside the base directories are followed. */
  readonly followSymlinks: boolean;
}

/** Names of the properties of {@linkcode PlannedGame}. */
export const plannedKeys = Object.keys(
  {
    name: true,
    profile: true,
    because: true,
    roots: true,
    base: true,
    pure: true,
    names: true,
    otherEnginePacks: true,
    loads: true,
    chosen: true,
    strict: true,
    nested: true,
    followSymlinks: true,
  } satisfies Record<keyof PlannedGame, true>,
) as readonly (keyof PlannedGame)[];

/** Returns these properties of a game. */
export function plannedGame(game: PlannedGame): PlannedGame {
  const present = plannedKeys.filter((key) => game[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, game[key]])) as unknown as PlannedGame;
}

/** One indexed game. */
export interface Game extends PlannedGame {
  readonly id: number;
  /** Whether the game is a single archive. */
  readonly isArchive: boolean;
  /** The base first, then the others by name. */
  readonly gameDirectories: readonly GameDirectory[];
  /** Loose files that are packs themselves, with their source numbers. Hidden in views that search the pack. */
  readonly packEntries: ReadonlyMap<number, number>;
  /** Addons and the packs that they need; absent: the engine has none. */
  readonly addons?: readonly AddonNumber[];
}

/** The parts of a view that rules depend on. */
export interface PlayedGame {
  readonly snapshot: Snapshot;
  readonly game: Game;
  /** Whether this is the game without a mod. */
  readonly isBase: boolean;
  /** Names of the game directories that are searched, first searched first. */
  readonly gameDirectories: readonly string[];
  /** Usable sources, first searched first. */
  readonly searchPath: readonly Source[];
}
