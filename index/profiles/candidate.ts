/**
 * Candidates as the rules see them: an entry, and the rank of its source in a view.
 * @module
 */
import type { Source } from "../columns/source.ts";

/** How close a game directory is to the mod that is played. */
export const modLevels = { inactive: 0, base: 1, override: 2, current: 3 } as const;

/** Rank of a source in a view. */
export interface SourceRank {
  /** Index of its game directory on the search path; 0 is searched first. Others come last. */
  readonly gameDirectoryRank: number;
  /** Index of its game directory among several base games; 0 is searched first. */
  readonly baseRank: number;
  /** Index on the list of sources of the game directory; 0 without such a list. */
  readonly listPosition: number;
  /** Index on the pure list; `Infinity` if not listed. */
  readonly purePosition: number;
  /** One of {@linkcode modLevels}. */
  readonly modLevel: number;
  /** Rank among the packs that come with the game, the highest first; 0 for all others. */
  readonly coreRank: number;
  /** Whether it is the pack of the map that is played. */
  readonly isMapPack: boolean;
  /** Whether it lies in the folder of downloaded packs. */
  readonly isDownload: boolean;
}

/** A candidate as rules compare it. */
export interface Candidate extends SourceRank {
  readonly source: Source;
  readonly entry: number;
  /** Where its record starts in the archive. */
  readonly offset: number;
  /**
   * Returns whether a binary search in its pack finds it before others of its name; default: no. Sorts the whole pack.
   */
  readonly isMet?: () => boolean;
  /** Pack in its source that it lies in, where the engine searches such packs. */
  readonly nestedPack?: { readonly rank: number; readonly path: string };
  /** Whether it is spelled as it was asked for. */
  readonly isAsked: boolean;
  /** Whether it is a shader defined in this file, not the file itself. */
  readonly isShader?: boolean;
  /** Its extension, and the rank of its path among those that an engine tries for one name; the lowest is preferred. */
  readonly extension?: { readonly name: string; readonly rank: number };
}
