/**
 * The index of a running process, which a refresh replaces as a whole.
 * @module
 */
import { resolve } from "@std/path";
import {
  CacheWriter,
  type GameOptions,
  type IndexCache,
  type IndexedGames,
  indexGames,
  RootPresence,
  type ScanOptions,
} from "../index/mod.ts";
import { Catalog, type CatalogChanges, catalogChanges } from "../views/mod.ts";
import type { ChangeCounts, RefreshResult } from "../protocol/rows.ts";

/** The replacement of one index by another. */
export interface Replacement {
  readonly before: Catalog;
  readonly after: Catalog;
  readonly changes: CatalogChanges;
}

/** Returns an up-to-date index, which is `previous` itself if it still is. */
export type Refresher = (previous: Catalog) => Catalog | Promise<Catalog>;

/** Called when an index has been replaced; the reply of a refresh is sent after all listeners have finished. */
export type ReplacementListener = (replacement: Replacement) => void | Promise<void>;

/** Called when everything shows the new index, with the reply of the refresh. */
export type ShownListener = (replacement: Replacement, result: RefreshResult) => void;

/** Options of {@linkcode openLiveIndex}. */
export interface LiveIndexOptions extends Pick<ScanOptions, "onProgress" | "signal"> {
  /** Directory for the cached index; default: none. */
  readonly cache?: IndexCache | undefined;
  /** Called with the cached index before it is compared with the disk. */
  readonly onCached?: (catalog: Catalog) => void;
  /** Resolves when the start is over, which writing the cache must not delay; default: at once. */
  readonly started?: Promise<void>;
  /** Whether missing source directories are awaited instead of being an error. */
  readonly awaitsSources?: boolean;
  /** Whether a path is on a file system that this thread must not wait for; default: no path is. */
  readonly isRemote?: (path: string) => boolean;
  /** Makes indexes; default: {@linkcode indexGames}. */
  readonly indexer?: Indexer;
}

/** Indexes games like {@linkcode indexGames}. */
export type Indexer = typeof indexGames;

/**
 * Indexes games: unchanged parts from the cache, the rest from disk. Source directories that disappear later are
 * problems of the catalog, and their known content is kept.
 * @throws {GameError} if a game's directories, profile or base are invalid.
 */
export async function openLiveIndex(games: readonly GameOptions[], options: LiveIndexOptions = {}): Promise<GameIndex> {
  const { cache, onCached, started, awaitsSources = false, indexer = indexGames, isRemote = () => false, ...scan } =
    options;
  const read = cache?.read(games);
  const cached = read && new Catalog(read);
  if (cached) onCached?.(cached);
  const presence = new RootPresence();
  const indexed = await indexer(games, {
    ...scan,
    ...(read ? { previous: read } : {}),
    ...(awaitsSources ? { presence } : {}),
  });
  const catalog = Catalog.following(cached, indexed);
  const paths = games.flatMap(({ sources }) => sources.map((path) => resolve(path)));
  if (!awaitsSources) { for (const path of paths.filter((path) => !isRemote(path))) presence.absence(path); }
  const index = new GameIndex(games, catalog, presence, { indexer, cache });
  if (!cache) return index;
  const writer = new CacheWriter(cache);
  if (indexed !== read) writer.schedule(games, indexed, started);
  index.onReplaced(({ after }) => writer.schedule(index.games, after.index));
  index.onClosed(() => writer[Symbol.asyncDispose]());
  return index;
}

/** An index that refreshes replace. */
export class LiveIndex implements AsyncDisposable {
  #catalog: Catalog;
  readonly #refresher: Refresher;
  readonly #listeners = new Set<ReplacementListener>();
  readonly #shownListeners = new Set<ShownListener>();
  readonly #closers: (() => Promise<void>)[] = [];
  #refreshes = 0;
  #refreshedAt: number | null = null;
  #running: Promise<unknown> = Promise.resolve();
  /** A refresh that has not begun, which further calls share. */
  #waiting: Promise<RefreshResult> | undefined;

  constructor(catalog: Catalog, refresher: Refresher) {
    this.#catalog = catalog;
    this.#refresher = refresher;
  }

  /** The current index. */
  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Calls `listener` after each replacement. */
  onReplaced(listener: ReplacementListener): void {
    this.#listeners.add(listener);
  }

  /**
   * Calls `listener` once everything else shows the new index; not awaited.
   * @returns A function that removes the listener.
   */
  onShown(listener: ShownListener): () => void {
    this.#shownListeners.add(listener);
    return () => this.#shownListeners.delete(listener);
  }

  /** Number of refreshes. */
  get refreshes(): number {
    return this.#refreshes;
  }

  /** End of the last refresh, in milliseconds since the epoch; null: none. */
  get refreshedAt(): number | null {
    return this.#refreshedAt;
  }

  /** Calls `closer` when the index is no longer needed. */
  onClosed(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  /**
   * Brings the index up to date. One refresh runs at a time; calls during it share one that begins afterwards.
   * @throws errors of indexing, and the index is unchanged then; errors of a listener after all have been called.
   */
  refresh(): Promise<RefreshResult> {
    if (this.#waiting) return this.#waiting;
    const begun = this.#running.then(() => {
      this.#waiting = undefined;
      return this.#refresh(this.#refresher);
    });
    this.#running = begun.catch(() => {});
    this.#waiting = begun;
    return begun;
  }

  /** Returns the identity at `path` at the last refresh, like {@linkcode RootPresence.seen}. */
  seen(_path: string): string | null | undefined {
    return undefined;
  }

  /**
   * Replaces the index by one from another maker.
   * @throws errors of `maker`; the index is unchanged then.
   */
  protected change(maker: Refresher): Promise<RefreshResult> {
    const begun = this.#running.then(() => this.#refresh(maker));
    this.#running = begun.catch(() => {});
    return begun;
  }

  /** Waits for a refresh in progress, and closes all resources of the index. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running;
    await Promise.all(this.#closers.map((closer) => closer()));
  }

  async #refresh(refresher: Refresher): Promise<RefreshResult> {
    const start = performance.now();
    const before = this.#catalog;
    const after = await refresher(before);
    const changes = catalogChanges(before, after);
    const replacement = { before, after, changes };
    let failure: PromiseRejectedResult | undefined;
    if (after !== before) {
      this.#catalog = after;
      const calls = Array.from(this.#listeners, (listener) => Promise.try(() => listener(replacement)));
      failure = (await Promise.allSettled(calls)).find((call) => call.status === "rejected");
    }
    this.#refreshes++;
    this.#refreshedAt = Date.now();
    const result = { ...countsOf(changes), milliseconds: Math.round((performance.now() - start) * 10) / 10 };
    if (after !== before) { for (const listener of this.#shownListeners) listener(replacement, result); }
    if (failure) throw failure.reason;
    return result;
  }
}

/** Options of {@linkcode GameIndex.exchange}. */
export interface ExchangeOptions extends Pick<ScanOptions, "onProgress" | "signal"> {
  /**
   * Called with the new index before it replaces the earlier one, and awaited; if it fails, the index is not replaced.
   */
  readonly accept?: (catalog: Catalog) => void | Promise<void>;
}

/** The index of games, which can be replaced by others. */
export class GameIndex extends LiveIndex {
  readonly #presence: RootPresence;
  #games: readonly GameOptions[];
  readonly #indexer: Indexer;
  readonly #cache: IndexCache | undefined;

  /**
   * @param presence State of the sources when `catalog` was made.
   */
  constructor(
    games: readonly GameOptions[],
    catalog: Catalog,
    presence: RootPresence,
    { indexer = indexGames, cache }: Pick<LiveIndexOptions, "indexer" | "cache"> = {},
  ) {
    super(
      catalog,
      async (previous) =>
        Catalog.following(previous, await indexer(this.#games, { previous: previous.index, presence })),
    );
    this.#indexer = indexer;
    this.#cache = cache;
    this.#games = games;
    this.#presence = presence;
  }

  /** The games. */
  get games(): readonly GameOptions[] {
    return this.#games;
  }

  override seen(path: string): string | null | undefined {
    return this.#presence.seen(path);
  }

  /**
   * Indexes other games from now on. Unchanged games are not read again.
   * @throws {GameError} if a game is invalid; the index is unchanged then.
   */
  exchange(
    games: readonly GameOptions[],
    { accept = () => {}, ...scan }: ExchangeOptions = {},
  ): Promise<RefreshResult> {
    const presence = this.#presence;
    const first: Refresher = async (previous) => {
      const previousNumbers = numbersOf(games, this.#games);
      const isNew = previousNumbers.map((number) => number < 0);
      const earlier = this.#cached(games, isNew, previous) ?? { previous: previous.index, previousNumbers };
      const catalog = Catalog.following(previous, await this.#indexer(games, { ...earlier, presence, ...scan }));
      await accept(catalog);
      this.#games = games;
      return catalog;
    };
    return this.change(first);
  }

  /**
   * Returns an index of all or of the new games from the cache, if it saves more than it costs: its paths have other
   * numbers, so that the kernel must forget the files that are already shown.
   */
  #cached(
    games: readonly GameOptions[],
    isNew: readonly boolean[],
    { snapshot, games: shown }: Catalog,
  ): Pick<ScanOptions, "previous" | "previousNumbers"> | undefined {
    if (!this.#cache || !isNew.includes(true)) return undefined;
    // The content of a missing disk is only known to the present index.
    if (shown.some(({ roots }) => roots.some((root) => this.#presence.seen(root) === null))) return undefined;
    const added = games.filter((_, number) => isNew[number]);
    const isMost = ({ snapshot: { entryCount } }: IndexedGames) => entryCount > 2 * snapshot.entryCount;
    const whole = this.#cache.read(games);
    if (whole) return isMost(whole) ? { previous: whole } : undefined;
    const previous = this.#cache.read(added);
    if (!previous || !isMost(previous)) return undefined;
    return { previous, previousNumbers: games.map((game) => added.indexOf(game)) };
  }
}

/** For each game by number, the number of the same game in the earlier index, with the same listing; -1 for none. */
function numbersOf(games: readonly GameOptions[], earlier: readonly GameOptions[]): number[] {
  const left = new Map<string, number[]>();
  for (const [number, game] of earlier.entries()) {
    const key = listingKey(game);
    left.set(key, [...left.get(key) ?? [], number]);
  }
  return games.map((game) => left.get(listingKey(game))?.shift() ?? -1);
}

/** The settings that determine the content of a game's directories. The scanner itself compares the profile. */
function listingKey({ sources, base, mods, nested = false, followSymlinks = false }: GameOptions): string {
  return JSON.stringify([sources.map((path) => resolve(path)), base, mods, nested, followSymlinks]);
}

/** Returns the numbers of changes, for a reply. */
export function countsOf({ packs, files }: CatalogChanges): Pick<RefreshResult, "packs" | "files"> {
  const { added, removed, changed } = packs;
  const packCounts: ChangeCounts = { added: added.length, removed: removed.length, changed: changed.length };
  return { packs: packCounts, files: { ...files } };
}
