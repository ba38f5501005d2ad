/**
 * Writes the cache of a changing index: after a period without changes, and at the end.
 * @module
 */
import type { GameOptions } from "../columns/game.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import type { IndexCache } from "./index_cache.ts";

/** Time without a change before a cache is written, in milliseconds. */
const quietTime = 5000;

/** An index with its games. */
interface Waiting {
  readonly games: readonly GameOptions[];
  readonly index: IndexedGames;
}

/** Writes the cache of the games of one process. */
export class CacheWriter implements AsyncDisposable {
  readonly #cache: IndexCache;
  #waiting: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(cache: IndexCache) {
    this.#cache = cache;
  }

  /**
   * Schedules a write of the index of `games`, which a later index replaces.
   * @param started Resolves when a timer may be started: Deno loads modules at the first call of `setTimeout`.
   */
  schedule(games: readonly GameOptions[], index: IndexedGames, started?: Promise<void>): void {
    this.#waiting = { games, index };
    if (started) void started.then(() => this.#wait());
    else this.#wait();
  }

  #wait(): void {
    if (!this.#waiting) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), quietTime);
    Deno.unrefTimer(this.#timer);
  }

  /** Writes a scheduled index now. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
  }

  #write(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this.#writing = this.#writing.then(() => this.#cache.write(waiting.games, waiting.index));
    return this.#writing;
  }
}
