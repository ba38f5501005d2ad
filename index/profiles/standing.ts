/**
 * Where a source stands in a view: what the rules look at beside the source itself.
 * @module
 */

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
