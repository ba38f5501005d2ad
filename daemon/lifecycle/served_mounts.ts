/**
 * The mounts of a daemon: its own, and those that join it while it runs. The games of all are one index; a mount that
 * joins or ends replaces the index as a reload does, and each mount shows its own games.
 *
 * A daemon ends with its last mount, unless it was started without one. It removes its socket while it still listens: a
 * moment later the socket may belong to the next daemon.
 * @module
 */
import { unmount } from "deno-fuse-ffi";
import { type GameOptions, isUnion, type ScanOptions } from "../../index/mod.ts";
import { gameRows } from "../../questions/mod.ts";
import { type Catalog, type View, ViewError } from "../../views/mod.ts";
import { type LayoutOptions, MountError, type MountOptions, PrestartedSession } from "../../mount/mod.ts";
import { errorCodes, RpcError } from "../../protocol/mod.ts";
import type { FailureRow, MountRow, RefreshResult } from "../../protocol/rows.ts";
import type { ExchangeOptions, GameIndex } from "../../service/mod.ts";
import type { Log } from "../../system/mod.ts";
import type { DaemonOptions } from "./daemon_options.ts";
import { DaemonMount } from "./daemon_mount.ts";
import type { EndGuard } from "./end_guard.ts";
import { checkSources, requireAnswers, usableMountPoint } from "./mount_point.ts";

/** Options of a mount that joins a running daemon. */
export interface JoinOptions extends Pick<DaemonOptions, "games" | "layout" | "mountOptions" | "hung"> {
  readonly mountPoint: string;
}

/** Maximum number of sources whose failed reads are reported. */
const maxFailures = 100;

/** Options that all mounts of a daemon share. */
type SharedOptions = Omit<MountOptions, "mountPoint" | "layout" | "games" | "mountOptions" | "hung" | "onStarting">;

/** Parts of the daemon that its mounts use. */
export interface ServedMountsParts {
  /** The mount that the daemon was started with. */
  readonly own: DaemonMount;
  /** Options of the daemon's own mount. */
  readonly started: DaemonOptions;
  readonly guard: EndGuard;
  readonly log: Log;
  /** Whether a path is on a file system that may hang. */
  readonly isRemote: (path: string) => boolean;
}

/** A mount and the options of the games that it shows. */
interface Group {
  readonly mount: DaemonMount;
  readonly games: readonly GameOptions[];
}

/** The mounts of one daemon. */
export class ServedMounts implements AsyncDisposable {
  readonly #parts: ServedMountsParts;
  readonly #ended = Promise.withResolvers<void>();
  /** Mounts in the order in which their games are indexed; the daemon's own first. */
  #groups: readonly Group[];
  /** A mount that is about to join. */
  #joining: DaemonMount | undefined;
  #running: Promise<unknown> = Promise.resolve();
  /** Resolves when a mount has ended and its games are no longer served. */
  readonly #removals = new Map<DaemonMount, Promise<void>>();
  #index: GameIndex | undefined;
  #shared: SharedOptions | undefined;
  #failure: unknown;
  #isEnding = false;

  constructor(parts: ServedMountsParts) {
    this.#parts = parts;
    this.#groups = [{ mount: parts.own, games: parts.started.games }];
    this.#ended.promise.catch(() => {});
  }

  /** Absolute paths where this daemon mounts, or is about to mount. */
  get paths(): string[] {
    return this.#all().flatMap(({ location, hasEnded }) => location && !hasEnded ? [location.path] : []);
  }

  /**
   * Resolves when the last mount of a daemon that was started with one is gone; rejected if its session broke. Never
   * resolves if the daemon was started without a mount.
   */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /**
   * Mounts the games that the daemon was started with. Returns once the mount is ready.
   * @param layout Layout of the daemon's own mount.
   * @param onStarting Called when the thread of the mount has begun to work, or if there is none.
   * @throws {MountError} if it cannot be mounted.
   */
  async start(
    index: GameIndex,
    layout: LayoutOptions,
    { shared, onStarting }: { readonly shared: SharedOptions; readonly onStarting: () => void },
  ): Promise<void> {
    const { own, started: { mountOptions, hung } } = this.#parts;
    this.#index = index;
    this.#shared = shared;
    if (own.location === null) return onStarting();
    const games = this.#namesOf(0, index.catalog);
    const options = { ...shared, layout, games, mountOptions, hung, onStarting };
    await own.start(index.catalog, options, () => this.#informGuard());
    this.#follow(own);
  }

  /**
   * Mounts more games. Returns once the mount is ready.
   * @param caller Its signal aborts when the caller has gone.
   * @throws {GameError} if a game cannot be indexed; nothing has changed then.
   * @throws {MountError} if it cannot be mounted; nothing has changed then.
   * @throws {RpcError} with code `cancelled` if the daemon is ending.
   */
  join(options: JoinOptions, caller: Pick<ScanOptions, "signal" | "onProgress">): Promise<MountRow> {
    return this.#inTurn(() => this.#join(options, caller));
  }

  /**
   * Unmounts one of the mounts. Resolves when its games are no longer served.
   * @param isLazy Whether it is detached even if programs use it.
   * @throws {MountError | FuseError} if there is no mount, or programs use it.
   */
  async unmount(path: string, isLazy: boolean): Promise<void> {
    const mount = this.#all().find(({ isMounted, location }) =>
      isMounted && location && [location.path, location.real].includes(path)
    );
    if (!mount?.location) throw new MountError(`${path} is not a mount of this daemon`);
    if (isLazy) mount.stop();
    else await unmount(mount.location.real);
    await this.#removals.get(mount);
  }

  /**
   * Serves other games instead of the ones that the daemon was started with.
   * @param accept As for {@linkcode GameIndex.exchange}.
   */
  exchangeOwn(games: readonly GameOptions[], accept: (catalog: Catalog) => void): Promise<RefreshResult> {
    const { own } = this.#parts;
    return this.#inTurn(() => {
      const groups = this.#groups.map((group) => group.mount === own ? { ...group, games } : group);
      return this.#exchange(groups, { accept });
    });
  }

  /**
   * Checks new games.
   * @throws {MountError} if one contains a mount point or is inside it.
   */
  checkGames(games: readonly GameOptions[]): void {
    const sources = games.flatMap((game) => game.sources);
    for (const { location, hasEnded } of this.#all()) {
      if (location && !hasEnded) checkSources(location, sources, this.#parts.isRemote);
    }
  }

  /** Shows another index. Resolves when every program sees it. */
  async show(catalog: Catalog): Promise<void> {
    await Promise.all(this.#groups.map(({ mount }, group) => mount.show(catalog, this.#namesOf(group, catalog))));
  }

  /** Returns a row for each mount. */
  rows(catalog: Catalog): MountRow[] {
    return this.#groups.flatMap(({ mount }, group) =>
      mount.isMounted ? [rowOf(catalog, mount, this.#namesOf(group, catalog))] : []
    );
  }

  /** Tells the threads to release memory of earlier indexes. */
  tidy(): void {
    for (const mount of this.#all()) mount.tidy();
  }

  /** Returns counters since the start, summed over the mounts. */
  counters(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const mount of this.#all()) {
      for (const [name, count] of Object.entries(mount.counters())) sums[name] = (sums[name] ?? 0) + count;
    }
    return sums;
  }

  /** Returns the packs and game directories with the most failed reads since the start. */
  failures(): FailureRow[] {
    const rows = this.#all().flatMap((mount) =>
      Array.from(mount.failedReads(), ([source, reads]) => ({ source, reads }))
    );
    return rows.sort((a, b) => b.reads - a.reads).slice(0, maxFailures);
  }

  /** Begins to unmount everything. */
  stop(): void {
    this.#isEnding = true;
    for (const mount of this.#all()) mount.stop();
  }

  /** Unmounts everything, and waits until the mounts are gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#running;
    await Promise.all(this.#all().map((mount) => mount[Symbol.asyncDispose]()));
  }

  #all(): DaemonMount[] {
    return [...this.#groups.map(({ mount }) => mount), ...this.#joining ? [this.#joining] : []];
  }

  /** Returns the names of the games of a group: an index has the games in the order of the groups. */
  #namesOf(group: number, { games }: Catalog): string[] {
    const before = this.#groups.slice(0, group).reduce((sum, { games }) => sum + games.length, 0);
    const count = this.#groups[group]?.games.length ?? 0;
    return games.slice(before, before + count).map(({ name }) => name);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const begun = this.#running.then(work);
    this.#running = begun.catch(() => {});
    return begun;
  }

  async #exchange(groups: readonly Group[], { accept, ...options }: ExchangeOptions = {}): Promise<RefreshResult> {
    if (!this.#index) throw new Error("the daemon has no index yet");
    return await this.#index.exchange(groups.flatMap(({ games }) => games), {
      ...options,
      accept: async (catalog) => {
        await accept?.(catalog);
        this.#groups = this.#withNames(groups, catalog);
      },
    });
  }

  async #join(
    options: JoinOptions,
    caller: Pick<ScanOptions, "signal" | "onProgress">,
  ): Promise<MountRow> {
    if (this.#isEnding || !this.#index || !this.#shared) {
      throw new RpcError({ code: errorCodes.cancelled, message: "the daemon is ending" });
    }
    const { log, isRemote } = this.#parts;
    const { games, layout, mountOptions, hung } = options;
    this.checkGames(games);
    const sources = [...games, ...this.#groups.flatMap((group) => group.games)].flatMap((game) => game.sources);
    await requireAnswers([options.mountPoint], isRemote, "choose another mount point");
    const location = usableMountPoint(options.mountPoint, sources, isRemote);
    const mount = new DaemonMount(location, new PrestartedSession(), log);
    const shared = this.#shared;
    this.#joining = mount;
    try {
      await this.#exchange([...this.#groups, { mount, games }], {
        ...caller,
        accept: async (catalog) => {
          const names = catalog.games.slice(-games.length).map(({ name }) => name);
          const start = { ...shared, mountOptions, hung, games: names, layout: layoutFor(catalog, names, layout) };
          await mount.start(catalog, start, () => this.#informGuard());
          caller.signal?.throwIfAborted();
          if (this.#isEnding) throw new RpcError({ code: errorCodes.cancelled, message: "the daemon is ending" });
        },
      });
    } catch (error) {
      await mount[Symbol.asyncDispose]();
      throw error;
    } finally {
      this.#joining = undefined;
      this.#informGuard();
    }
    this.#follow(mount);
    const { catalog } = this.#index;
    log.write("info", `mounted at ${location.path}`);
    return rowOf(catalog, mount, this.#namesOf(this.#groups.length - 1, catalog));
  }

  /** Removes a mount once it has ended, and ends the daemon after the last. */
  #follow(mount: DaemonMount): void {
    this.#informGuard();
    const ended = mount.ended.then(() => undefined, (error: unknown) => error);
    const removed = ended.then(async (error) => {
      this.#failure = error;
      if (this.#isEnding) return;
      this.#informGuard();
      if (error !== undefined) this.#parts.log.write("warning", String(error));
      // A mount that is joining keeps the daemon.
      await this.#inTurn(() => this.#remove(mount));
    });
    const reported = removed.catch((failure) => this.#parts.log.write("warning", String(failure)));
    this.#removals.set(mount, reported.finally(() => this.#removals.delete(mount)));
  }

  async #remove(mount: DaemonMount): Promise<void> {
    const { own, started, log } = this.#parts;
    if (this.#isEnding) return;
    if (own.location !== null && this.paths.length === 0) {
      this.#isEnding = true;
      if (this.#failure === undefined) this.#ended.resolve();
      else this.#ended.reject(this.#failure);
      return;
    }
    log.write("info", `unmounted ${mount.path}`);
    // The games of a configuration can be queried without a mount.
    if (mount === own && started.awaitsSources) return;
    await this.#exchange(this.#groups.filter((group) => group.mount !== mount));
  }

  /** Returns the groups; each game of a joined mount keeps the name that the index gave it. */
  #withNames(groups: readonly Group[], { games }: Catalog): Group[] {
    const names = games.map(({ name }) => name);
    return groups.map(({ mount, games: options }) => {
      const own = names.splice(0, options.length);
      if (mount === this.#parts.own) return { mount, games: options };
      return { mount, games: options.map((game, index) => ({ ...game, name: own[index] ?? "" })) };
    });
  }

  /** Informs the guard which resources must be removed at the end, and of the time limit. */
  #informGuard(): void {
    const { guard, own } = this.#parts;
    const mountPoints = this.#all().flatMap(({ location, hasEnded }) => location && !hasEnded ? [location.real] : []);
    const endsWithMounts = own.location !== null && this.#joining === undefined;
    guard.setRemains({ mountPoints }, endsWithMounts);
  }
}

function rowOf(catalog: Catalog, { path, rootView }: DaemonMount, names: readonly string[]): MountRow {
  const games = gameRows(catalog).filter(({ game }) => names.includes(game));
  const sum = (key: "views" | "packs" | "files") => games.reduce((total, game) => total + game[key], 0);
  return {
    mount: path ?? "",
    rootView,
    games: games.map(({ game }) => game),
    views: sum("views"),
    packs: sum("packs"),
    files: sum("files"),
  };
}

/**
 * Returns the layout of a mount with the full name of its view; a single mounted archive is shown at the root.
 * @param names Names of the games that it shows.
 * @throws {MountError} if the wanted view is unknown.
 */
export function layoutFor(catalog: Catalog, names: readonly string[], wanted: LayoutOptions): LayoutOptions {
  if (wanted.view !== null) return { ...wanted, view: viewAmong(catalog, names, wanted.view).name };
  const [game, ...others] = catalog.games.filter(({ name }) => names.includes(name));
  if (!game || !(game.isArchive || isUnion(game)) || others.length > 0) return wanted;
  return { ...wanted, view: catalog.views.find((view) => view.game === game)?.name ?? null };
}

/**
 * Returns the view of a name among some games; the name may omit the game.
 * @throws {MountError} if it is unknown.
 */
export function viewAmong(catalog: Catalog, names: readonly string[], wanted: string): View {
  let failure: unknown;
  for (const name of [wanted, ...names.map((game) => `${game}/${wanted}`)]) {
    try {
      const view = catalog.view(name);
      if (names.includes(view.game.name)) return view;
    } catch (error) {
      if (!(error instanceof ViewError)) throw error;
      failure ??= error;
    }
  }
  const known = catalog.views.filter(({ game }) => names.includes(game.name)).map(({ name }) => name);
  throw new MountError(`unknown view ${wanted}; views: ${known.join(", ")}`, { cause: failure });
}
