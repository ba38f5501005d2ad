/**
 * Indexes stored on disk between starts, so that only changed files are read again.
 *
 * A cache only saves time: if it is missing, damaged, of another version or cannot be written, everything is read, and
 * the reason is reported.
 * @module
 */
import { archiveFormats, crc32, messageOf } from "../../formats/parts.ts";
import { basename, join, resolve } from "@std/path";
import type { GameOptions } from "../columns/game.ts";
import { profiles } from "../../engines/mod.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import { checkCache, decodeCache, encodeCache } from "./cache_file.ts";
import { readOwnFile, writeOwnFile } from "../../system/mod.ts";

/** Options of {@linkcode IndexCache}. */
export interface IndexCacheOptions {
  /** Called with a message if a cache was not used or not written. */
  readonly onProblem?: (sentence: string) => void;
  /**
   * Minimum number of files and directories of a cached index, since a smaller one is read as fast as its cache;
   * default 10,000.
   */
  readonly minEntries?: number;
}

const defaultMinEntries = 10_000;
/** Maximum size of a cache; a larger file was not written by pakfs. */
const maxFile = 4 * 1024 ** 3;
/** Maximum number of caches for games that are no longer requested. */
const maxCaches = 16;
/** Age of temporary files that dead processes left, in milliseconds. */
const oldestTemporary = 3600_000;
const ending = ".index";

/** The caches in one directory. Requires read and write access there. */
export class IndexCache {
  readonly directory: string;
  readonly #onProblem: (sentence: string) => void;
  readonly #minEntries: number;

  /**
   * @param directory Created, accessible only to its owner, when the first cache is written.
   */
  constructor(directory: string, options: IndexCacheOptions = {}) {
    this.directory = directory;
    this.#onProblem = options.onProblem ?? (() => {});
    this.#minEntries = options.minEntries ?? defaultMinEntries;
  }

  /** Returns the path of the cache of these games. */
  pathOf(games: readonly GameOptions[]): string {
    const key = keyOf(games);
    const name = basename(games[0]?.sources[0] ?? "").replaceAll(/[^A-Za-z0-9._-]/g, "_").slice(0, 40);
    return join(
      this.directory,
      `${name}-${crc32(key).toString(16).padStart(8, "0")}${ending}`,
    );
  }

  /** Returns the cached index of these games, or `undefined` if no cache can be used. */
  read(games: readonly GameOptions[]): IndexedGames | undefined {
    const path = this.pathOf(games);
    try {
      return readOwnFile(path, maxFile, (bytes) => decodeCache(bytes, keyOf(games)));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) this.#report(`The index cache ${path} is not used`, error);
      return undefined;
    }
  }

  /** Writes the index of these games, replacing an earlier one. Never fails. */
  async write(games: readonly GameOptions[], index: IndexedGames): Promise<void> {
    if (index.snapshot.entryCount < this.#minEntries) return;
    const path = this.pathOf(games);
    try {
      await writeOwnFile(this.directory, path, encodeCache(keyOf(games), index));
      await this.#prune();
    } catch (error) {
      this.#report(`The index cache ${path} could not be written`, error);
    }
  }

  /** Removes superseded caches, and files that dead processes have left. */
  async #prune(): Promise<void> {
    const items = (await Array.fromAsync(Deno.readDir(this.directory))).filter((item) => item.isFile);
    const files = await Promise.all(items.map(async ({ name }) => {
      const path = join(this.directory, name);
      const { mtime } = await Deno.stat(path);
      return { path, time: mtime?.getTime() ?? 0 };
    }));
    const latest = files.filter(({ path }) => path.endsWith(ending)).sort((a, b) => b.time - a.time);
    const left = files.filter(({ path, time }) => path.endsWith(".tmp") && Date.now() - time > oldestTemporary);
    // Another process may be faster.
    await Promise.all([...latest.slice(maxCaches), ...left].map(({ path }) => Deno.remove(path).catch(() => {})));
  }

  #report(what: string, error: unknown): void {
    this.#onProblem(`${what}: ${messageOf(error)}`);
  }
}

/** Returns the paths of the caches in a directory; none if it is missing. */
export function cacheFiles(directory: string): string[] {
  try {
    const names = Array.from(Deno.readDirSync(directory), ({ name }) => name);
    return names.filter((name) => name.endsWith(ending)).sort().map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** Returns the reason why a cache would not be used, for any games; null if it is valid. */
export function cacheProblem(path: string): string | null {
  try {
    readOwnFile(path, maxFile, checkCache);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the inputs of an index besides the files: the options of the games, and the rules for reading them. */
function keyOf(games: readonly GameOptions[]): string {
  const formats = archiveFormats.map(({ name, extensions }) => [name, extensions]);
  const rules = crc32(JSON.stringify([profiles, formats]));
  // Times in zips are local.
  const zone = [0, 6].map((month) => new Date(2024, month).getTimezoneOffset());
  return JSON.stringify([
    rules,
    zone,
    games.map((game) => ({ ...game, sources: game.sources.map((path) => resolve(path)) })),
  ]);
}
