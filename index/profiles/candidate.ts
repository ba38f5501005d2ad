/**
 * Candidates as the rules see them: an entry, and the rank of its source in a view.
 * @module
 */
import type { Source } from "../columns/source.ts";

/** How near a game directory is to what is played. */
export const modLevels = { inactive: 0, base: 1, override: 2, current: 3 } as const;

/** Where a source stands in a view: what rules look at. */
export interface SourceRank {
  /** Place of its game directory on the search path; 0 is searched first. Those off it come behind. */
  readonly gameDirectoryRank: number;
  /** Place on the pure list; `Infinity` for what is not on it. */
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

/** What a rule may look at. */
export interface Candidate extends SourceRank {
  readonly source: Source;
  readonly entry: number;
  /** Where its record starts in the archive. */
  readonly offset: number;
  /** Whether a binary search in its pack meets it before others of its name; default: no. Sorts a pack, so is asked late. */
  readonly isMet?: () => boolean;
  /** Whether it is spelled as it was asked for. */
  readonly isAsked: boolean;
  /** Whether it is a shader that stands in this file, not the file itself. */
  readonly isShader?: boolean;
  /** Place of its extension among those that were asked for together, the first preferred. */
  readonly extensionRank?: number;
}
