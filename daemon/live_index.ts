/**
 * The index of a running process, which a refresh replaces as a whole.
 * @module
 */
import { resolve } from "node:path";
import { CacheWriter } from "../index/cache/cache_writer.ts";
import type { IndexCache } from "../index/cache/index_cache.ts";
import type { Catalog } from "../index/catalog.ts";
import { type CatalogChanges, catalogChanges } from "../index/changes.ts";
import type { GameOptions } from "../index/game.ts";
import { SourceRoots } from "../index/scan/kept.ts";
import { indexGames, type ScanOptions } from "../index/scanner.ts";
import type { ChangeCounts, RefreshResult } from "./protocol.ts";

/** One index has taken another's place. */
export interface Replacement {
  readonly before: Catalog;
  readonly after: Catalog;
  readonly changes: CatalogChanges;
}

/** Makes an index that is up to date; `previous` itself if it still is. */
export type Refresher = (previous: Catalog) => Catalog | Promise<Catalog>;

/** Told when an index has been replaced; a refresh is answered when all have done what they have to do. */
export type ReplacementListener = (replacement: Replacement) => void | Promise<void>;

/** Told of a replacement when everything shows the new index already, with what the refresh is answered with. */
export type ShownListener = (replacement: Replacement, result: RefreshResult) => void;

/** Options of {@linkcode openLiveIndex}. */
export interface LiveIndexOptions extends Pick<ScanOptions, "onProgress" | "signal"> {
  /** Where the index is kept from one start to the next; default: nowhere. */
  readonly cache?: IndexCache | undefined;
}

/**
 * Indexes games: from the cache what has not changed since, the rest from disk. Source directories that vanish later are
 * problems of the catalog: what was known of them is kept.
 * @throws {GameError} if a game's directories, profile or base are not what they should be.
 */
export async function openLiveIndex(games: readonly GameOptions[], options: LiveIndexOptions = {}): Promise<LiveIndex> {
  const { cache, ...scan } = options;
  const cached = cache?.read(games);
  const catalog = await indexGames(games, { ...scan, ...(cached ? { previous: cached } : {}) });
  const roots = new SourceRoots();
  for (const { sources } of games) for (const path of sources) roots.absence(resolve(path));
  const index = new LiveIndex(catalog, (previous) => indexGames(games, { previous, roots }));
  if (!cache) return index;
  const writer = new CacheWriter(cache, games);
  if (catalog !== cached) writer.schedule(catalog);
  index.onReplaced(({ after }) => writer.schedule(after));
  index.onClosed(() => writer[Symbol.asyncDispose]());
  return index;
}

/** The index as it is now. */
export class LiveIndex implements AsyncDisposable {
  #catalog: Catalog;
  readonly #refresher: Refresher;
  readonly #listeners = new Set<ReplacementListener>();
  readonly #shownListeners = new Set<ShownListener>();
  readonly #closers: (() => Promise<void>)[] = [];
  #refreshes = 0;
  #refreshedAt: number | null = null;
  #running: Promise<unknown> = Promise.resolve();
  /** A refresh that has not begun to look yet: who asks meanwhile is answered by it too. */
  #waiting: Promise<RefreshResult> | undefined;

  constructor(catalog: Catalog, refresher: Refresher) {
    this.#catalog = catalog;
    this.#refresher = refresher;
  }

  /** The index as it is now. */
  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Calls `listener` after each replacement. */
  onReplaced(listener: ReplacementListener): void {
    this.#listeners.add(listener);
  }

  /**
   * Calls `listener` after each replacement that everything else has been told of; nobody waits for it.
   * @returns Ends that.
   */
  onShown(listener: ShownListener): () => void {
    this.#shownListeners.add(listener);
    return () => this.#shownListeners.delete(listener);
  }

  /** How often the index was brought up to date. */
  get refreshes(): number {
    return this.#refreshes;
  }

  /** When that ended last, in milliseconds since the epoch; null: never. */
  get refreshedAt(): number | null {
    return this.#refreshedAt;
  }

  /** Calls `closer` when the index is not needed any more. */
  onClosed(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  /**
   * Brings the index up to date. One refresh runs at a time; whoever asks meanwhile gets one that begins after that.
   * @throws whatever looking at the games throws; the index stays as it was.
   */
  refresh(): Promise<RefreshResult> {
    if (this.#waiting) return this.#waiting;
    const begun = this.#running.then(() => {
      this.#waiting = undefined;
      return this.#refresh();
    });
    this.#running = begun.catch(() => {});
    this.#waiting = begun;
    return begun;
  }

  /** Waits for a refresh under way, and lets all end that belongs to the index. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running;
    await Promise.all(this.#closers.map((closer) => closer()));
  }

  async #refresh(): Promise<RefreshResult> {
    const start = performance.now();
    const before = this.#catalog;
    const after = await this.#refresher(before);
    const changes = catalogChanges(before, after);
    const replacement = { before, after, changes };
    if (after !== before) {
      this.#catalog = after;
      await Promise.all(Array.from(this.#listeners, (listener) => listener(replacement)));
    }
    this.#refreshes++;
    this.#refreshedAt = Date.now();
    const result = { ...countsOf(changes), milliseconds: Math.round((performance.now() - start) * 10) / 10 };
    if (after !== before) { for (const listener of this.#shownListeners) listener(replacement, result); }
    return result;
  }
}

function countsOf({ packs, files }: CatalogChanges): Pick<RefreshResult, "packs" | "files"> {
  const { added, removed, changed } = packs;
  const packCounts: ChangeCounts = { added: added.length, removed: removed.length, changed: changed.length };
  return { packs: packCounts, files: { ...files } };
}
