/**
 * A daemon's life, from top to bottom: index, socket, mount, watching, service. The started parts end in reverse order,
 * within the time limit of the {@linkcode EndGuard}.
 * @module
 */
import { join, resolve } from "@std/path";
import {
  cacheDirectory,
  convertedDirectory,
  Log,
  MemoryReleaser,
  programRoot,
  readMountTable,
} from "../../system/mod.ts";
import { defaultIndexCache } from "../config/paths.ts";
import { openArchive, RemoteSources, unsharedBytes } from "../../index/mod.ts";
import type { Catalog } from "../../views/mod.ts";
import { type MemberCache, plannedFaults, type PrestartedSession } from "../../mount/mod.ts";
import { socketPath } from "../../protocol/mod.ts";
import { type GameIndex, openLiveIndex, RemoteScan } from "../../service/mod.ts";
import { listen, type Server, type ServerOptions, SocketError } from "../server/server.ts";
import { announceMount } from "./announcement.ts";
import type { DaemonHost } from "./daemon_host.ts";
import { DaemonMount } from "./daemon_mount.ts";
import type { DaemonOptions, OptionsReader, ProcessContext } from "./daemon_options.ts";
import { EndGuard } from "./end_guard.ts";
import { usableMountPoint } from "./mount_point.ts";
import { ProblemReporter, sourceFactsOf } from "./problem_reporter.ts";
import { RefreshLog } from "./refresh_log.ts";
import type { Reloader } from "./reloader.ts";
import { ScanDisplay } from "./scan_display.ts";
import { layoutFor, ServedMounts } from "./served_mounts.ts";

/** Directory in which the launcher makes Deno keep compiled code. */
const denoDirectory = join(programRoot, ".tools/cache");
/**
 * Milliseconds: after a start whose modules took longer, the cache of compiled code is checked as soon as there is
 * time.
 */
const slowLoading = 100;
/** Milliseconds after the start. */
const calmAfter = 500;
const idleAfter = 5000;

/** Maximum bytes on disk for decompressed files that are too large for memory. */
const spillBytes = 8 * 1024 ** 3;

/** A daemon that has not started yet, and the state that all its parts share. */
export class Daemon {
  readonly #read: OptionsReader;
  readonly #options: DaemonOptions;
  readonly #process: ProcessContext;
  readonly #log: Log;
  readonly #problems: ProblemReporter;
  readonly #remotes: RemoteSources;
  readonly #mounts: ServedMounts;
  /** Returns where this daemon mounts, or is about to. */
  #ownMounts: () => readonly string[];
  readonly #guard: EndGuard;
  readonly #threads: PrestartedSession;
  /** Milliseconds from the start of the process until its modules were loaded. */
  readonly #loading = performance.now();
  readonly #faults = plannedFaults(Deno.env.get("PAKFS_FAULT"));
  readonly #stopping = Promise.withResolvers<void>();
  /** Resolved when the mount was announced. */
  readonly #announced = Promise.withResolvers<void>();
  /** Resolved when the daemon can reload. */
  readonly #reloader = Promise.withResolvers<Reloader>();

  /**
   * @param read Reads command line and configuration again, at each reload.
   * @param threads Threads of the mount.
   * @throws {MountError} if the mount point cannot be used.
   */
  constructor(options: DaemonOptions, read: OptionsReader, context: ProcessContext, threads: PrestartedSession) {
    const { games, mountPoint, quiet, logFormat, hung } = options;
    const { launcher, system } = context;
    this.#ownMounts = () => mountPoint === null ? [] : [resolve(mountPoint)];
    this.#read = read;
    this.#options = options;
    this.#process = context;
    this.#threads = threads;
    this.#log = new Log({ quiet, format: logFormat, alsoTo: (line) => launcher.message(line) });
    this.#problems = new ProblemReporter(this.#log);
    this.#remotes = new RemoteSources({
      readTable: () => readMountTable(system.files),
      timeout: hung.timeout,
      report: (sentence, isProblem) => this.#log.write(isProblem ? "warning" : "notice", sentence),
      ownMounts: () => this.#ownMounts(),
    });
    const roots = games.flatMap((game) => game.sources);
    const isRemote = (path: string) => this.#remotes.isRemote(path);
    const location = mountPoint === null ? null : usableMountPoint(mountPoint, roots, isRemote);
    this.#guard = new EndGuard(logFormat);
    const own = new DaemonMount(location, threads, this.#log);
    const mounts = new ServedMounts({ own, started: options, guard: this.#guard, log: this.#log, isRemote });
    this.#mounts = mounts;
    this.#ownMounts = () => mounts.paths;
  }

  /**
   * Serves until the daemon is stopped, unmounted or interrupted.
   * @throws {GameError} if a game cannot be indexed.
   * @throws {MountError} if it cannot be mounted.
   * @throws {SocketError} if another daemon has the socket.
   */
  async run(): Promise<void> {
    {
      await using parts = new AsyncDisposableStack();
      const listenToHangUp = this.#handleHangUp(parts);
      this.#surviveFaults(parts);
      parts.use(this.#mounts);
      const index = await this.#openIndex(parts);
      const { catalog } = index;
      const layout = layoutFor(catalog, catalog.games.map(({ name }) => name), this.#options.layout);
      const releaser = this.#followRefreshes(parts, index);
      // Until here a signal ends the process at once: indexing may take long, and no cleanup is needed.
      this.#guard.listen(this.#stopping.resolve);
      listenToHangUp();
      const server = parts.use(await this.#openSocket());
      this.#guard.setRemains({ socket: server.path });
      // Engines are compared while the thread of the mount starts.
      const starting = Promise.withResolvers<void>();
      const [choices] = await Promise.all([
        starting.promise.then(() => this.#choices(catalog)),
        this.#mounts.start(index, layout, { shared: this.#mountOptions(), onStarting: starting.resolve }),
      ]);
      this.#announce(server.path, catalog, choices);
      const { serve } = await import("./serving.ts");
      const host = await serve(parts, {
        index,
        layout,
        server,
        mounts: this.#mounts,
        remotes: this.#remotes,
        problems: this.#problems,
        log: this.#log,
        process: this.#process,
        started: this.#options,
        read: this.#read,
        hangAt: this.#faults.main,
        guard: this.#guard,
        stop: this.#stopping.resolve,
        onReloader: this.#reloader.resolve,
      });
      this.#process.manager.ready(() => host.statusLine());
      releaser.start();
      this.#prepareWhenCalm(parts, host);
      parts.defer(() => this.#beginEnd());
      await Promise.race([this.#stopping.promise, this.#mounts.ended]);
    }
    this.#log.write("info", "stopped");
  }

  /**
   * Makes SIGHUP reload the configuration. If the daemon was started on a terminal, SIGHUP means that the terminal was
   * closed, and ends the daemon; under nohup it does not.
   * @returns A function that starts listening if the signal ends the daemon; if it reloads, listening has started
   * already.
   */
  #handleHangUp(parts: AsyncDisposableStack): () => void {
    const { system: { process }, ignoresHangUp } = this.#process;
    // A listener to any signal makes Deno handle this one too, so it cannot be left to the default.
    const isEnd = process.hasTerminal() && !ignoresHangUp;
    const reload = async () => {
      const reloader = await this.#reloader.promise;
      // The reason of a failure is in the log.
      await reloader.reload().catch(() => {});
    };
    const listener = isEnd ? this.#stopping.resolve : () => void reload();
    const listenToHangUp = () => Deno.addSignalListener("SIGHUP", listener);
    parts.defer(() => Deno.removeSignalListener("SIGHUP", listener));
    if (isEnd) return listenToHangUp;
    listenToHangUp();
    return () => {};
  }

  /** Does the work that can wait until programs have begun to use the mount. */
  #prepareWhenCalm(parts: AsyncDisposableStack, host: DaemonHost): void {
    const timers = [
      // Otherwise the first client would wait for it; a failure is reported to each client.
      setTimeout(() => void host.look().catch(() => {}), calmAfter),
      ...this.#loading < slowLoading ? [] : [setTimeout(() => void this.#checkCodeCache(), idleAfter)],
    ];
    parts.defer(() => timers.forEach(clearTimeout));
  }

  /**
   * Removes the cache of compiled code if it is damaged or has grown: otherwise each start would compile the program,
   * or use more memory. The first start of a version is slow too, so a new cache is checked as well.
   */
  async #checkCodeCache(): Promise<void> {
    const { removeUnusableCodeCaches } = await import("../../system/code_cache.ts");
    for (const { path, reason } of await removeUnusableCodeCaches(denoDirectory)) {
      this.#log.write("notice", `${path} ${reason}; removed it, and Deno rebuilds it`);
    }
  }

  /**
   * Reports rejections that no caller awaits, and exceptions of timers: a bug of pakfs, but no reason to leave a dead
   * mount behind.
   */
  #surviveFaults(parts: AsyncDisposableStack): void {
    const survive = (event: PromiseRejectionEvent | ErrorEvent) => {
      event.preventDefault();
      const reason: unknown = "reason" in event ? event.reason : event.error;
      const text = reason instanceof Error ? reason.stack ?? reason.message : String(reason);
      this.#problems.report(`internal error, please report it: ${text}`);
    };
    for (const kind of ["unhandledrejection", "error"] as const) {
      addEventListener(kind, survive);
      parts.defer(() => removeEventListener(kind, survive));
    }
  }

  async #openIndex(parts: AsyncDisposableStack): Promise<GameIndex> {
    const { games, quiet, awaitsSources, keepsIndex } = this.#options;
    const { system } = this.#process;
    const display = new ScanDisplay(this.#process.launcher, quiet);
    const look = (path: string) => system.files.look(path);
    const scan = parts.use(new RemoteScan(this.#remotes));
    const index = parts.use(
      await openLiveIndex(games, {
        indexer: (games, options = {}) =>
          scan.index(games, { ...options, open: (path, known) => openArchive(system.files, path, known), look }),
        isRemote: (path) => this.#isRemote(path),
        onProgress: (done, known, name) => display.update(done, known, name),
        awaitsSources,
        onCached: (catalog) => this.#expect(catalog),
        started: this.#announced.promise,
        cache: keepsIndex ? defaultIndexCache((sentence) => this.#log.write("info", sentence)) : undefined,
      }),
    );
    display.end();
    this.#remotes.onBack(() => void index.refresh().catch(() => {}));
    this.#problems.follow(sourceFactsOf(index));
    return index;
  }

  /** Starts resolving the first view in the mount's thread, while this thread compares engines. */
  #expect(catalog: Catalog): void {
    const { mountPoint, layout } = this.#options;
    const view = layout.view ?? (catalog.games.length === 1 ? catalog.games[0]?.name : undefined);
    if (mountPoint !== null && view !== undefined) this.#threads.expect(catalog, view);
  }

  /** Logs problems and refreshes of an index, shows the refreshes in the mount, and frees replaced indexes. */
  #followRefreshes(parts: AsyncDisposableStack, index: GameIndex): MemoryReleaser {
    const { system, manager } = this.#process;
    for (const problem of index.catalog.problems) this.#log.write("warning", problem);
    const refreshLog = parts.use(new RefreshLog(this.#log, index));
    index.onReplaced((replacement) => refreshLog.replaced(replacement));
    index.onReplaced(({ after }) => this.#mounts.show(after));
    const releaser = parts.use(new MemoryReleaser(system.process, () => this.#mounts.tidy()));
    index.onShown(({ before, after }) => {
      // The thread of the mount has built its own trees.
      const trees = 2 * before.treeBytes;
      releaser.unneeded(unsharedBytes(before.snapshot.columns, after.snapshot.columns) + trees);
    });
    index.onShown(() => manager.changed());
    index.onShown(() => this.#problems.refreshed());
    return releaser;
  }

  /**
   * Opens the requested socket; if another daemon has the default one, the demo opens a socket named after its process.
   */
  async #openSocket(): Promise<Server> {
    const wanted = this.#options.socket;
    const path = resolve(socketPath(wanted));
    const options: ServerOptions = { refuseStrangers: (socket) => this.#refuseStrangers(socket) };
    try {
      return await listen(path, options);
    } catch (error) {
      if (!(error instanceof SocketError) || !error.isTaken || !this.#options.hasOwnSocket) throw error;
      const own = path.replace(/(\.sock)?$/, `-${Deno.pid}.sock`);
      this.#log.write("warning", `${path}: another daemon answers there; this one answers at ${own}`);
      return await listen(own, options);
    }
  }

  #refuseStrangers(socket: string): number {
    // Serving a client is the first thing that may hang.
    this.#guard.start();
    const refused = this.#process.system.sockets.refuseStrangers(socket);
    if (refused > 0) {
      this.#problems.report(`${socket}: refused a connection from another user's program`, socket);
    }
    return refused;
  }

  /** Returns the options that all mounts share. */
  #mountOptions() {
    const { cacheBytes, debugsFuse, keepsIndex } = this.#options;
    return {
      cacheBytes,
      spillBytes,
      spillDirectory: Deno.env.get("PAKFS_SPILL_DIRECTORY") ?? "/var/tmp",
      convertedDirectory: keepsIndex ? convertedDirectory() : undefined,
      memberCache: this.#memberCache(),
      remotes: this.#remotes,
      faults: this.#faults,
      onRequest: debugsFuse ? (line: string) => this.#log.write("debug", line) : undefined,
      onProblem: (message: string, source?: string) => this.#problems.report(message, source),
    };
  }

  /** Facts about members are kept next to the index caches. */
  #memberCache(): MemberCache | undefined {
    const directory = this.#options.keepsIndex ? cacheDirectory() : undefined;
    if (directory === undefined) return undefined;
    return { directory, onProblem: (sentence) => this.#log.write("info", sentence) };
  }

  /** Reports to the user that the mount and the socket are ready: clients that connect now wait for a moment. */
  #announce(socket: string, catalog: Catalog, choices: readonly string[]): void {
    const { launcher } = this.#process;
    const [row] = this.#mounts.rows(catalog);
    for (const sentence of choices) this.#log.write("info", sentence);
    if (row) announceMount(launcher, this.#options.announcement, row, choices, { socket, pid: Deno.pid });
    this.#log.write("info", `${row ? `mounted at ${row.mount}` : "ready"}; socket ${socket}`);
    launcher.succeed(socket);
    this.#guard.startSoon();
    this.#announced.resolve();
  }

  /** Starts the time limit of the end, and begins to unmount while the other parts end, which wait for no file system. */
  #beginEnd(): void {
    this.#guard.begin();
    this.#remotes[Symbol.dispose]();
    this.#process.manager.stopping();
    this.#mounts.stop();
  }

  /** Returns notes about the choice of engines, if they are to be shown. */
  async #choices(catalog: Catalog): Promise<string[]> {
    const { quiet, announcement } = this.#options;
    if (quiet && announcement !== "sentence") return [];
    const { choiceSentences } = await import("../../questions/engine_choice.ts");
    return choiceSentences(catalog, true);
  }

  #isRemote(path: string): boolean {
    return this.#remotes.isRemote(path);
  }
}
