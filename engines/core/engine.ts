/**
 * The type of an engine's file: its profile, where it keeps files of its own, and what shows that it plays a directory.
 * @module
 */
import type { Profile } from "./profile.ts";

/** All that pakfs knows of one engine. */
export interface Engine extends Omit<Profile, "origin"> {
  /** Its own directories in the user's home, which it searches before an installation. */
  readonly homes: readonly EngineHome[];
  /** Files of a base directory that show that this engine plays it, and not another of the same game. */
  readonly evidence: readonly EngineEvidence[];
}

/** Directories of an engine in the user's home. */
export interface EngineHome {
  /** Name of the game whose files they hold. */
  readonly game: string;
  /** Name in sentences where it is another than the engine's. */
  readonly engine?: string;
  /** Directories, highest first. They begin with `~`, `$XDG_DATA_HOME`, `$XDG_CONFIG_HOME` or `$XDG_STATE_HOME`. */
  readonly paths: readonly string[];
}

/** A file that belongs to one engine: it lies next to the game directories, or in the base game's. */
export interface EngineEvidence {
  /** Base game directory of the games that it is evidence for. */
  readonly base: string;
  /** Order among the evidence of all engines of a game: the lowest is the most specific. */
  readonly rank: number;
  /** Name of a file or directory next to the base game directory. */
  readonly next?: RegExp;
  /** Name of a file in the base game directory, required next to that too. */
  readonly inside?: RegExp;
  /** Ending of packs in the base game directory. */
  readonly packs?: string;
  /** End of a sentence that begins with its path, or with the path of the game directory. */
  readonly says: string;
}
