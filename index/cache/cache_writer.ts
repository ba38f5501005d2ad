/**
 * Writing the cache of an index that changes: once it has been quiet for a while, and at the end.
 * @module
 */
import type { Catalog } from "../catalog.ts";
import type { GameOptions } from "../game.ts";
import type { IndexCache } from "./index_cache.ts";

/** Time without a change before a cache is written; milliseconds. */
const quietTime = 5000;

/** Writes the cache of the games of one process. */
export class CacheWriter implements AsyncDisposable {
  readonly #cache: IndexCache;
  readonly #games: readonly GameOptions[];
  #waiting: Catalog | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(cache: IndexCache, games: readonly GameOptions[]) {
    this.#cache = cache;
    this.#games = games;
  }

  /** Writes `catalog` later, unless another follows it. */
  schedule(catalog: Catalog): void {
    this.#waiting = catalog;
    clearTimeout(this.#timer);
    const timer = setTimeout(() => this.#write(), quietTime);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  /** Writes what waits to be written. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
  }

  #write(): Promise<void> {
    const catalog = this.#waiting;
    this.#waiting = undefined;
    if (catalog) this.#writing = this.#writing.then(() => this.#cache.write(this.#games, catalog));
    return this.#writing;
  }
}
