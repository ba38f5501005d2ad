/**
 * Options of library calls.
 * @module
 */
import type { Target } from "../../media/mod.ts";
import type { GameOptions } from "../../index/mod.ts";
import { loadedPaths } from "../../engines/mod.ts";
import type { FindFilters } from "../rows.ts";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then fails with an error of code `cancelled`. */
  readonly signal?: AbortSignal;
}

/** Options of queries that compare files. */
export interface CompareOptions {
  /** Whether to read files whose sizes and CRC-32 do not show whether they are the same. */
  readonly compare?: boolean;
}

/** Options of `changes`. */
export interface ChangesOptions extends CallOptions {
  /** Names of views to report on; default: all views listed by `views`. */
  readonly views?: readonly string[];
  /** Maximum number of named changed paths per view; default 20, at most 1000. */
  readonly sample?: number;
}

/** Options of `hash`. */
export interface HashOptions {
  /** Whether to also hash the files that lose to a matching file. */
  readonly losers?: boolean;
}

/** Options of `duplicates`. */
export interface DuplicateOptions {
  /** Whether to compare whole packs instead of their files. */
  readonly packs?: boolean;
  /** Minimum size in bytes, inclusive; default 1. */
  readonly minSize?: number;
}

/** Options of `needs`. */
export interface NeedOptions {
  /** Whether to list only missing items. */
  readonly missing?: boolean;
  /** Whether to omit files of the base game's packs. */
  readonly own?: boolean;
  /** Name of another view: omits files that it has with the same bytes. */
  readonly without?: string;
}

/** Options of `convert`. */
export interface ConversionOptions extends CallOptions {
  /** Format of the result; default: the default format of the file's kind. */
  readonly to?: Target;
}

/** A converted file. */
export interface ConvertedFile {
  /** Format of the result. */
  readonly to: Target;
  /** The whole result. */
  readonly bytes: Uint8Array;
}

/** Range of a file to read; default: all of it. */
export interface ContentRange {
  /** First byte; default 0. */
  readonly offset?: number;
  /** Maximum bytes. */
  readonly length?: number;
}

/** Options of `extract`. */
export interface ExtractionOptions extends CallOptions {
  /** Filters as for `find`. */
  readonly filters?: FindFilters;
  /** Called after each file with the number of finished files and of all files. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Result of `extract`. */
export interface ExtractionResult {
  /** Number of files written. */
  readonly files: number;
  /** Bytes written. */
  readonly bytes: number;
  /** Files that could not be read or written, with the reason as a sentence. */
  readonly problems: readonly { readonly qpath: string; readonly problem: string }[];
}

/** Options of `packs`. */
export interface PackOptions {
  /** Whether to list only packs that are used, but whose files all lose. */
  readonly fullyShadowed?: boolean;
}

/** Options of `unused`. */
export interface UnusedOptions {
  /** A pack or game directory whose files are checked; default: the game directory without the base game's packs. */
  readonly source?: string;
}

/** Options of `usage`. */
export interface UsageOptions {
  /** Number of levels; default 1, 0 is the directory alone. */
  readonly depth?: number;
}

/** A game for an engine of Doom: an IWAD, and the files that are loaded after it. */
export interface IwadOptions extends Omit<GameOptions, "sources"> {
  /** Path of the IWAD. */
  readonly iwad: string;
}

/** Options of one game. */
export type GameSource = GameOptions | IwadOptions;

/** Games to index: one directory, one archive, or games as in the configuration. */
export type IndexSource = string | GameSource | readonly GameSource[];

/** Returns the games of an {@linkcode IndexSource}. */
export function gamesOf(source: IndexSource): readonly GameOptions[] {
  if (typeof source === "string") return [{ sources: [source] }];
  const games = "sources" in source || "iwad" in source ? [source] : source;
  return games.map((game) => "sources" in game ? game : { ...game, sources: loadedPaths(game.iwad, game.files) });
}

/** Returns the parameter of a query that compares files. */
export function compareParameter({ compare = false }: CompareOptions): { compare?: true } {
  return compare ? { compare } : {};
}
