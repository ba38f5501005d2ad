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

/** Returns an index that is up to date; `previous` itself if it still is. */
export type Refresher = (previous: Catalog) => Catalog | Promise<Catalog>;

/** Called when an index has been replaced; a refresh is answered when all listeners have finished. */
export type ReplacementListener = (replacement: Replacement) => void | Promise<void>;

/** Called when everything shows the new index, with the answer of the refresh. */
export type ShownListener = (replacement: Replacement, result: RefreshResult) => void;

/** Options of {@linkcode openLiveIndex}. */
export interface LiveIndexOptions extends Pick<ScanOptions, "onProgress" | "signal"> {
  /** Where the index is kept from one start to the next; default: nowhere. */
  readonly cache?: IndexCache | undefined;
  /** Called with the index of the cache before it is compared with the disk. */
  readonly onCached?: (catalog: Catalog) => void;
  /** Resolved when the start is over, which writing the cache is not to delay; default: it is. */
  readonly started?: Promise<void>;
  /** Whether source directories that are not there yet are waited for, instead of being an error. */
  readonly awaitsSources?: boolean;
  /** Whether a path is on a file system that this thread must not wait for; default: none is. */
  readonly isRemote?: (path: string) => boolean;
  /** Makes indexes; default: {@linkcode indexGames}. */
  readonly indexer?: Indexer;
}

/** Indexes games as {@linkcode indexGames} does. */
export type Indexer = typeof indexGames;

/**
 * Indexes games: from the cache what has not changed since, the rest from disk. Source directories that vanish later are
 * problems of the catalog: what was known of them is kept.
 * @throws {GameError} if a game's directories, profile or base are not what they should be.
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
  /** A refresh that has not begun: calls meanwhile share it. */
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
   * @returns Removes the listener.
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

  /** Calls `closer` when the index is not needed any more. */
  onClosed(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  /**
   * Brings the index up to date. One refresh runs at a time; calls during it share one that begins afterwards.
   * @throws whatever looking at the games throws; the index stays as it was.
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

  /** Returns what was at `path` at the last refresh, as {@linkcode RootPresence.seen} says it. */
  seen(_path: string): string | null | undefined {
    return undefined;
  }

  /**
   * Replaces the index by one that is made in another way.
   * @throws whatever `maker` throws; the index stays as it was.
   */
  protected change(maker: Refresher): Promise<RefreshResult> {
    const begun = this.#running.then(() => this.#refresh(maker));
    this.#running = begun.catch(() => {});
    return begun;
  }

  /** Waits for a refresh under way, and lets all end that belongs to the index. */
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

/** Options of {@linkcode GameIndex.exchange}. */
export interface ExchangeOptions extends Pick<ScanOptions, "onProgress"> {
  /** Called with the new index before it replaces the earlier one, and awaited; if it fails, it does not. */
  readonly accept?: (catalog: Catalog) => void | Promise<void>;
}

/** The index of games, which can be exchanged for others. */
export class GameIndex extends LiveIndex {
  readonly #presence: RootPresence;
  #games: readonly GameOptions[];
  readonly #indexer: Indexer;
  readonly #cache: IndexCache | undefined;

  /** @param presence What the sources were when `catalog` was made. */
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
   * Indexes other games from now on. Of those that are the same nothing is read again.
   * @throws {GameError} if a game is not what it should be; the index stays as it was.
   */
  exchange(
    games: readonly GameOptions[],
    { accept = () => {}, onProgress = () => {} }: ExchangeOptions = {},
  ): Promise<RefreshResult> {
    const presence = this.#presence;
    const first: Refresher = async (previous) => {
      const previousNumbers = numbersOf(games, this.#games);
      const isNew = previousNumbers.map((number) => number < 0);
      const earlier = this.#cached(games, isNew, previous) ?? { previous: previous.index, previousNumbers };
      const catalog = Catalog.following(previous, await this.#indexer(games, { ...earlier, presence, onProgress }));
      await accept(catalog);
      this.#games = games;
      return catalog;
    };
    return this.change(first);
  }

  /**
   * Returns an index of all or of the new games from the cache, if it saves more than it costs: paths have other numbers in
   * it, so that the kernel forgets what it knows of the files that are shown already.
   */
  #cached(
    games: readonly GameOptions[],
    isNew: readonly boolean[],
    { snapshot, games: shown }: Catalog,
  ): Pick<ScanOptions, "previous" | "previousNumbers"> | undefined {
    if (!this.#cache || !isNew.includes(true)) return undefined;
    // What is known of a disk that is away is in the present index only.
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

/** By number of a game, which of the earlier games it is: one that is listed in the same way; -1 for none. */
function numbersOf(games: readonly GameOptions[], earlier: readonly GameOptions[]): number[] {
  const left = new Map<string, number[]>();
  for (const [number, game] of earlier.entries()) {
    const key = listingKey(game);
    left.set(key, [...left.get(key) ?? [], number]);
  }
  return games.map((game) => left.get(listingKey(game))?.shift() ?? -1);
}

/** The settings that decide what is found in the directories of a game. The scanner itself looks at the profile. */
function listingKey({ sources, base, mods, nested = false, followSymlinks = false }: GameOptions): string {
  return JSON.stringify([sources.map((path) => resolve(path)), base, mods, nested, followSymlinks]);
}

/** Returns the numbers of changes, for an answer. */
export function countsOf({ packs, files }: CatalogChanges): Pick<RefreshResult, "packs" | "files"> {
  const { added, removed, changed } = packs;
  const packCounts: ChangeCounts = { added: added.length, removed: removed.length, changed: changed.length };
  return { packs: packCounts, files: { ...files } };
}
