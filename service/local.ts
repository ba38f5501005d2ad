/**
 * A connection to an index in this process: the same methods as over the socket, without a daemon.
 * @module
 */
import {
  type Connection,
  defaultSample,
  EncodedPage,
  errorCodes,
  EventQueue,
  eventsUntil,
  type MethodName,
  type ParamsOf,
  type RequestOptions,
  type ResultOf,
  RpcError,
  type SubscribeParameters,
} from "../protocol/mod.ts";
import { type GameOptions, HashStore, type IndexCache, RemoteReaders, RemoteSources } from "../index/mod.ts";
import { choiceSentences, engineClauses } from "../questions/mod.ts";
import type { Profile } from "../engines/mod.ts";
import { type LiveIndex, type LiveIndexOptions, openLiveIndex } from "./live_index.ts";
import type { RefreshedEvent } from "../protocol/rows.ts";
import { RemoteScan } from "./remote_scan.ts";
import { RefreshReports } from "./refresh_reports.ts";
import { Service } from "./service.ts";
import { IndexWatcher } from "./watch/index_watcher.ts";

/** The game to index. */
export interface LocalOptions {
  /** Base directories, highest first; or one archive. */
  readonly sources: readonly string[];
  readonly profile?: string | Profile;
  /** Whether the sources are a plain union: see {@linkcode GameOptions}. */
  readonly union?: boolean;
  /** Name shown in views. */
  readonly game?: string;
  /** Base game directory; default: the profile's. */
  readonly base?: string;
  /** Files with candidate names for packs without names. */
  readonly names?: readonly string[];
  /** Hash function of packs without names. */
  readonly hash?: string;
  /** Whether files and packs beyond the engine's limits are omitted. */
  readonly strict?: boolean;
  /** Whether symbolic links that point outside the base directories are followed. */
  readonly followSymlinks?: boolean;
  /** Called with a sentence if the user did not choose the engine. */
  readonly onChoice?: (sentence: string) => void;
  /** Called with messages about omitted or unreadable files. */
  readonly onProblems?: (sentences: readonly string[]) => void;
  /** Text of `/proc/self/mountinfo`: file systems in it that may hang are read in other threads. Default: none. */
  readonly mountTable?: string | undefined;
}

/** Parts of a local connection that read remote file systems. */
interface RemoteParts {
  readonly scan: RemoteScan;
  readonly readers: RemoteReaders;
}

/** A {@linkcode Connection} that calls a {@linkcode Service} directly. */
class LocalConnection implements Connection {
  readonly #index: LiveIndex;
  readonly #service: Service;
  readonly #reports = new RefreshReports();
  readonly #queues = new Set<EventQueue>();
  /** Watches while a subscription is open. */
  #watcher: IndexWatcher | undefined;
  #stopping: Promise<unknown> = Promise.resolve();
  #closed = false;
  readonly #remote: RemoteParts | undefined;

  constructor(
    index: LiveIndex,
    { cache, remote }: { cache?: IndexCache | undefined; remote?: RemoteParts | undefined },
  ) {
    this.#index = index;
    this.#remote = remote;
    index.onShown((replacement, result) => this.#reports.publish(replacement, result));
    index.onShown(() => this.#service.refreshed());
    const watch = () => this.#watcher?.rows() ?? [];
    this.#service = new Service({
      get catalog() {
        return index.catalog;
      },
      refresh: () => index.refresh(),
      reload: async () => ({ ...await index.refresh(), config: null, needsRestart: [] }),
      mounts: () => [],
      socket: "",
      clients: () => 1,
      problems: () => ({ sentences: [], omitted: 0 }),
      counters: () => ({ refreshes: index.refreshes }),
      errors: () => [],
      watch,
      refreshed: () => index.refreshedAt,
      reports: this.#reports,
      ...(remote ? { remoteReaders: remote.readers } : {}),
      hashStore: new HashStore(cache?.directory),
      stop: () => {},
    });
  }

  async call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    { signal, encoded = false }: RequestOptions = {},
  ): Promise<ResultOf<M>> {
    if (this.#closed) throw new RpcError({ code: errorCodes.cancelled, message: "the index is closed" });
    const result = await this.#service.call(method, params, signal);
    return (result instanceof EncodedPage && !encoded ? result.parsed : result) as ResultOf<M>;
  }

  async subscribe(
    params: SubscribeParameters,
    options: { signal?: AbortSignal } = {},
  ): Promise<AsyncIterableIterator<RefreshedEvent>> {
    if (this.#closed) throw new RpcError({ code: errorCodes.cancelled, message: "the index is closed" });
    const { views, sample = defaultSample, settle = false } = params;
    const names = views?.map((view) => this.#index.catalog.view(view).name) ?? null;
    this.#watcher ??= new IndexWatcher(this.#index);
    const queue = new EventQueue(() => {
      end();
      this.#queues.delete(queue);
      if (this.#queues.size === 0) this.#stopWatching();
    });
    this.#queues.add(queue);
    const deliver = (event: Omit<RefreshedEvent, "subscription">) => queue.push({ subscription: 0, ...event });
    const end = this.#reports.add({ views: names, sample, settles: settle, deliver });
    await this.#watcher.ready;
    return eventsUntil(queue, options.signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const queue of this.#queues) queue.close();
    await this.#stopping;
    await this.#reports.settled;
    await this.#service[Symbol.asyncDispose]();
    await this.#index[Symbol.asyncDispose]();
    this.#remote?.readers.remotes[Symbol.dispose]();
    this.#remote?.readers[Symbol.dispose]();
    await this.#remote?.scan[Symbol.asyncDispose]();
  }

  #stopWatching(): void {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    this.#stopping = Promise.all([this.#stopping, watcher?.[Symbol.asyncDispose]()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Returns a connection to the index of one game. Requires `--allow-read`.
 * @throws {GameError} if the game's directories or profile are invalid.
 */
export async function openLocal(options: LocalOptions, index: LiveIndexOptions = {}): Promise<Connection> {
  const {
    sources,
    profile,
    game,
    base,
    strict = false,
    followSymlinks = false,
    names,
    hash,
    mountTable,
    union = false,
  } = options;
  const gameOptions: GameOptions = {
    sources,
    strict,
    followSymlinks,
    ...(union ? { union } : {}),
    ...(profile === undefined ? {} : { profile }),
    ...(game === undefined ? {} : { name: game }),
    ...(base === undefined ? {} : { base }),
    ...(names === undefined ? {} : { names }),
    ...(hash === undefined ? {} : { hash }),
  };
  const remote = mountTable === undefined ? undefined : remoteParts(mountTable);
  const indexer = remote && { indexer: remote.scan.index.bind(remote.scan), isRemote: remote.isRemote };
  const live = await openLiveIndex([gameOptions], { ...index, ...indexer });
  if (options.onChoice) choiceSentences(live.catalog, false).forEach(options.onChoice);
  options.onProblems?.(live.catalog.problems);
  return new LocalConnection(live, { cache: index.cache, remote });
}

function remoteParts(mountTable: string): RemoteParts & Pick<Required<LiveIndexOptions>, "isRemote"> {
  const remotes = new RemoteSources({ readTable: () => mountTable });
  return {
    scan: new RemoteScan(remotes),
    readers: new RemoteReaders(remotes),
    isRemote: (path) => remotes.isRemote(path),
  };
}

/** Indexes a game, and returns the differences of other engines that play it, as clauses. */
export async function engineClausesOf(game: GameOptions): Promise<string[]> {
  await using live = await openLiveIndex([game]);
  return engineClauses(live.catalog);
}

/** Returns a connection to the index of several games. */
export async function openLocalGames(
  games: readonly GameOptions[],
  options: LiveIndexOptions = {},
): Promise<Connection> {
  return new LocalConnection(await openLiveIndex(games, options), { cache: options.cache });
}
