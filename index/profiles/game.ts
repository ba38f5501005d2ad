/**
 * Games: what was found under their base directories.
 * @module
 */
import type { Identity } from "../columns/identity.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import type { Source } from "../columns/source.ts";
import type { Profile } from "./profile.ts";

/** What a user says of a game. */
export interface GameOptions {
  /** Base directories, highest first; or one archive. */
  readonly sources: readonly string[];
  /** Name shown in views; default: after what was found. */
  readonly name?: string;
  /** Name of a built-in profile, or a profile; default: after what was found. */
  readonly profile?: string | Profile;
  /** Base game directory; default: the profile's. */
  readonly base?: string;
  /** Game directories to index beside the base; default: all. */
  readonly mods?: readonly string[];
  /** Whether archives in packs are shown as directories too; default: no. */
  readonly nested?: boolean;
  /** Names or checksums of the packs of a pure server: the list of views called `game/mod:pure`. */
  readonly pure?: readonly string[];
  /** Files with names that packs without names may hold, one on a line. */
  readonly names?: readonly string[];
  /** How packs without names hash theirs, as of `variantName`; default: found out. */
  readonly hash?: string;
  /** Leave out what is beyond the limits of the engine, instead of only reporting it. */
  readonly strict?: boolean;
  /** Follow symbolic links that lead out of the base directories, as engines do; packs may be such links in any case. */
  readonly followSymlinks?: boolean;
}

/** What names of packs without names are found with, beside what the game itself holds. */
export interface NameSettings {
  /** Files with names, one on a line, as they were when they were read. */
  readonly lists: readonly { readonly path: string; readonly identity: Identity }[];
  /** How names are hashed, as of `variantName`; null: found out. */
  readonly hash: string | null;
}

/** One game directory, over all base directories that have it. */
export interface GameDirectory {
  readonly name: string;
  /** Numbers of its sources. */
  readonly sources: readonly number[];
}

/** One indexed game. */
export interface Game {
  readonly id: number;
  readonly name: string;
  readonly profile: Profile;
  /** Why this profile. */
  readonly because: string;
  /** Absolute paths, highest first. */
  readonly roots: readonly string[];
  /** Name of the base game directory. */
  readonly base: string;
  /** Whether this is one archive alone. */
  readonly isArchive: boolean;
  /** The base first, then the others by name. */
  readonly gameDirectories: readonly GameDirectory[];
  /** Loose files that are packs themselves: entry to source number. Hidden in views that search that pack. */
  readonly packEntries: ReadonlyMap<number, number>;
  /** The pure list of the game's options, or null. */
  readonly pure: readonly string[] | null;
  /** What names were found with. */
  readonly names: NameSettings;
  /** Whether what is beyond the limits of the engine is left out. */
  readonly strict: boolean;
  /** Whether archives in packs are shown as directories too. */
  readonly nested: boolean;
  /** Whether symbolic links that lead out of the base directories are followed. */
  readonly followSymlinks: boolean;
}

/** What rules need to know of a view. */
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

/** A game's directory, name or profile is not what it should be. The message is for the user. */
export class GameError extends Error {
  /** Name of the class. */
  override readonly name = "GameError";
  /** The path or word the message speaks of. */
  readonly subject: string;

  /** Makes an error about `subject`. */
  constructor(message: string, subject: string) {
    super(message);
    this.subject = subject;
  }
}
