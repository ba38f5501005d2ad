/**
 * Candidates as the rules see them: an entry, and the rank of its source in a view.
 * @module
 */

/** How close a game directory is to the mod that is played. */
export const modLevels = { inactive: 0, base: 1, override: 2, current: 3 } as const;

/** Rank of a source in a view. */
export interface SourceRank {
  /**
   * Index of its game directory on the search path; 0 is searched first. Game directories that are not on it come last.
   */
  readonly gameDirectoryRank: number;
  /** Whether it is in a directory that each root has below its game directory, with the same `gameDirectoryRank`. */
  readonly isBelowInRoot: boolean;
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
  /** Whether it is the pack of the current map. */
  readonly isMapPack: boolean;
  /** Whether it is in the folder of downloaded packs. */
  readonly isDownload: boolean;
}

/** A pack, or the loose files of a game directory, for comparison by rules. */
export interface CandidateSource {
  readonly id: number;
  /** Name of the game directory: `id1`, `baseq3`, a mod. */
  readonly gameDirectory: string;
  /** Index of its root; 0 is the highest. */
  readonly rootIndex: number;
  readonly kind: "pack" | "loose";
  /** Name of an archive format, `pk3dir` or `loose`. */
  readonly format: string;
  /** Absolute path of the archive or directory. */
  readonly path: string;
  /** File name of a pack; name of the game directory for loose files. */
  readonly name: string;
  /** Folder of the game directory that contains the pack; empty: none. */
  readonly folder: string;
  /** Index of the profile's pack rule that accepted it; -1 for none, and for loose files. */
  readonly group: number;
  /** Load order among the packs of its directory and group: higher is searched first. */
  readonly order: number;
  /** Times in milliseconds since the epoch. */
  readonly identity: { readonly mtime: number };
}

/** A candidate for comparison by rules. */
export interface Candidate<Found extends CandidateSource = CandidateSource> extends SourceRank {
  readonly source: Found;
  readonly entry: number;
  /** Offset of its record in the archive. */
  readonly offset: number;
  /**
   * Returns whether a binary search in its pack finds it before others of its name; default: no. Sorts the whole pack.
   */
  readonly isMet?: () => boolean;
  /** Inner pack of its source that contains it, if the engine searches such packs. */
  readonly nestedPack?: { readonly rank: number; readonly path: string };
  /** Whether its spelling is the requested one. */
  readonly isAsked: boolean;
  /** Whether the candidate is a shader defined in this file instead of the file. */
  readonly isShader?: boolean;
  /** Extension, and the rank of its path among the paths that an engine tries for one name; the lowest is preferred. */
  readonly extension?: { readonly name: string; readonly rank: number };
}
