/**
 * The type of an engine's file: its profile, its directories, and the evidence that it plays a directory.
 * @module
 */
import type { Profile } from "./profile.ts";

/** Everything that pakfs knows about one engine. */
export interface Engine extends Omit<Profile, "origin"> {
  /** Directories of the engine in the user's home, which it searches before an installation. */
  readonly homes: readonly EngineHome[];
  /** Files of a base directory that show that this engine plays it, and no other engine of the same game. */
  readonly evidence: readonly EngineEvidence[];
}

/** Directories of an engine in the user's home. */
export interface EngineHome {
  /** Name of the game whose files they hold. */
  readonly game: string;
  /** Name in sentences if it is not the engine's. */
  readonly engine?: string;
  /** Directories, highest first. They begin with `~`, `$XDG_DATA_HOME`, `$XDG_CONFIG_HOME` or `$XDG_STATE_HOME`. */
  readonly paths: readonly string[];
}

/** A file that belongs to one engine, next to the game directories or in the base game directory. */
export interface EngineEvidence {
  /** Base game directory of the games to which this evidence applies. */
  readonly base: string;
  /** Order among the evidence of all engines of a game: the lowest is the most specific. */
  readonly rank: number;
  /** Name of a file or directory next to the base game directory. */
  readonly next?: RegExp;
  /** Name of a file in the base game directory, required next to that too. */
  readonly inside?: RegExp;
  /** Extension of packs in the base game directory. */
  readonly packs?: string;
  /** End of a sentence that begins with the path of the file or of the game directory. */
  readonly says: string;
}
