/**
 * The daemon's life: index, socket, mount, ready, work, end.
 * @module
 */
import { resolve } from "node:path";
import { isInUse } from "deno-fuse-ffi";
import type { Catalog } from "../../index/views/catalog.ts";
import { ViewError } from "../../index/views/view_error.ts";
import { healthLine } from "./health.ts";
import { EndGuard } from "./end_guard.ts";
import { holdDirectory } from "../../system/directory_lock.ts";
import { Tidier } from "../../system/memory.ts";
import { type LiveIndex, openLiveIndex } from "../../service/live_index.ts";
import { Log } from "../../system/log.ts";
import { hang, plannedFaults } from "../../mount/fault.ts";
import type { LayoutOptions } from "../../mount/layout.ts";
import { type Mount, mountCatalog, MountError } from "../../mount/mount.ts";
import type { MountThreads } from "../../mount/threads.ts";
import { checkSources, requireFree, usableMountPoint } from "./mount_point.ts";
import { refuseStrangers } from "../../system/peer_credentials.ts";
import type { PlanReader, Waiting } from "./daemon_options.ts";
import { ProblemLog } from "./problem_reporter.ts";
import { RefreshReports } from "../../service/refresh_reports.ts";
import { RemoteReaders } from "../../content/remote_readers.ts";
import { RemoteScan } from "../../service/remote_scan.ts";
import { RemoteSources } from "../../content/remote_sources.ts";
import { Reloader } from "./reloader.ts";
import { ReplacementLog } from "./refresh_log.ts";
import { ScanDisplay } from "./scan_display.ts";
import { listen, type Server, type ServerOptions, SocketError } from "../server/server.ts";
import { Service } from "../../service/service.ts";
import { socketPath } from "../../protocol/socket_path.ts";
import { ExchangeableWatcher } from "./index_watching.ts";
import { MountTableWatch } from "../../system/mount_table_watch.ts";
import { defaultIndexCache } from "../../config/paths.ts";

/** Decompressed files too large for memory may take this much disk. */
const spillBytes = 8 * 1024 ** 3;

/**
 * Runs a daemon until it is stopped, unmounted or interrupted. SIGHUP makes it read its plan anew, unless it was started
 * on a terminal, of which that signal says that it is gone; started with nohup it is to outlive that.
 * @param read Reads command line and configuration.
 * @param threads Those of the mount, which end here or with it.
 * @throws {GameError} if a game cannot be indexed.
 * @throws {MountError} if it cannot be mounted.
 * @throws {SocketError} if another daemon has the socket.
 */
export async function runDaemon(
  read: PlanReader,
  { readiness, manager, library }: Waiting,
  threads: MountThreads,
): Promise<void> {
  const plan = read();
  const log = new Log({
    quiet: plan.quiet,
    format: plan.logFormat,
    alsoTo: (line) => readiness.message(line),
  });
  const remotes = new RemoteSources(
    () => library.readText("/proc/self/mountinfo"),
    (sentence, isProblem) => log.write(isProblem ? "warning" : "notice", sentence),
    plan.mountPoint === null ? null : resolve(plan.mountPoint),
  );
  const isRemote = (path: string) => remotes.isRemote(path);
  const sources = plan.games.flatMap((game) => game.sources);
  const place = plan.mountPoint === null ? null : usableMountPoint(plan.mountPoint, sources, isRemote);
  const mountPoint = place && place.path;
  const stopping = Promise.withResolvers<void>();
  const stop = () => stopping.resolve();
  // Listening to any signal, Deno takes this one too.
  const isTerminals = library.hasTerminal() && !library.ignoresHangUp();
  const started = Promise.withResolvers<Reloader>();
  const hangUp = isTerminals ? stop : () => reloadWith(started.promise);
  if (!isTerminals) Deno.addSignalListener("SIGHUP", hangUp);
  const problems = new ProblemLog(log, {
    gameOf: (source) => gameOf(served?.catalog, source),
    versionOf: (source) => packVersion(served?.catalog, source),
  });
  const report = (message: string, source?: string) => problems.report(message, source);
  let served: LiveIndex | undefined;
  const faults = plannedFaults(Deno.env.get("PAKFS_FAULT"));
  let refreshCalls = 0;
  let server: Server | undefined;
  let mount: Mount | undefined;
  let guard: EndGuard | undefined;
  let isReleased = false;
  const release = () => {
    guard?.begin();
    manager.stopping();
    if (!mount || isReleased) return;
    isReleased = true;
    if (isInUse(mount.mountPoint)) {
      log.write("notice", `files at ${mount.mountPoint} are in use; it is taken away all the same, and they end`);
    }
    mount.stop();
  };
  // What nobody waited for has failed: a mistake of ours, and no reason to leave a dead mount behind.
  const survive = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    report(`an internal error, which should be reported: ${stackOf(event.reason)}`);
  };
  addEventListener("unhandledrejection", survive);
  try {
    if (mountPoint === null) threads[Symbol.dispose]();
    const display = new ScanDisplay(readiness, plan.quiet);
    using scan = new RemoteScan(remotes, plan.hung.patience, () => void served?.refresh().catch(() => {}));
    await using index = await openLiveIndex(plan.games, {
      indexer: (games, options = {}) => scan.index(games, options),
      isRemote,
      onProgress: (done, known, name) => display.update(done, known, name),
      awaitsSources: plan.awaitsSources,
      cache: plan.keepsIndex ? defaultIndexCache((sentence) => log.write("info", sentence)) : undefined,
    });
    display.end();
    served = index;
    const { catalog } = index;
    const layout = layoutFor(catalog, plan.layout);
    for (const problem of catalog.problems) log.write("warning", problem);
    using replacementLog = new ReplacementLog(log, index);
    index.onReplaced((replacement) => replacementLog.replaced(replacement));
    index.onReplaced(({ after }) => mount?.show(after));
    using tidier = new Tidier(library, () => mount?.tidy());
    index.onShown(({ before }) => tidier.unneeded(before.snapshot.byteLength));
    // Until here, signals end the process at once: indexing may take long, and leaves nothing to put away.
    guard = new EndGuard({ mountPoint: null, socket: null, logFormat: plan.logFormat }, stop);
    if (isTerminals) Deno.addSignalListener("SIGHUP", hangUp);
    server = await openSocket(plan.socket, log, {
      refuseStrangers: (path) => {
        const refused = refuseStrangers(library, path);
        if (refused > 0) report(`another user's program connected to ${path}, and was not answered`, path);
        return refused;
      },
    });
    if (mountPoint !== null) {
      // While this one indexed, another may have mounted there: a second mount would hide the first.
      using _alone = await holdDirectory(mountPoint);
      requireFree(mountPoint);
      guard.remains = { mountPoint, socket: server.path, logFormat: plan.logFormat };
      mount = await mountCatalog(catalog, threads, {
        mountPoint,
        layout,
        mountOptions: plan.mountOptions,
        cacheBytes: plan.cacheBytes,
        spillBytes,
        spillDirectory: Deno.env.get("PAKFS_SPILL_DIRECTORY") ?? "/var/tmp",
        remotes,
        hung: plan.hung,
        faults,
        onRequest: plan.debugsFuse ? (line) => log.write("debug", line) : undefined,
        onProblem: report,
      });
    }
    const { path: socket } = server;
    const reports = new RefreshReports();
    index.onShown((replacement, result) => reports.publish(replacement, result));
    index.onShown(() => manager.changed());
    index.onShown(() => problems.refreshed());
    // What changes from here on is noticed; what has changed since the index was made is found by its first look.
    using mounts = new MountTableWatch(library);
    await using watcher = new ExchangeableWatcher(index, mounts, { mountPoint, log });
    await watcher.watch(plan.watching);
    const reloader = new Reloader({
      started: plan,
      read,
      index,
      log,
      manager,
      alone: layout.view === plan.layout.view ? null : layout.view,
      checkGames: (games) => place && checkSources(place, games.flatMap((game) => game.sources), isRemote),
      checkCatalog: (next) => layout.view === null || requireView(next, layout.view),
      watch: (watching) => watcher.watch(watching),
    });
    using remoteReaders = new RemoteReaders(remotes, plan.hung.patience);
    await using service = new Service({
      remoteReaders,
      get catalog() {
        return index.catalog;
      },
      refresh: async () => {
        if (++refreshCalls === faults.main) hang();
        const result = await index.refresh();
        problems.refreshed();
        return result;
      },
      reload: () => reloader.reload(),
      mountPoint,
      rootView: layout.view,
      socket,
      clients: () => server?.clients() ?? 0,
      problems: () => ({
        sentences: [...reloader.problems, ...remotes.problems(), ...problems.sentences],
        omitted: problems.omitted,
      }),
      errors: () => mount?.failures() ?? [],
      counters: () => ({ ...mount?.counters(), refreshes: index.refreshes, calls: server?.calls() ?? 0 }),
      watch: () => watcher.rows(),
      refreshed: () => index.refreshedAt,
      reports,
      stop: () => setTimeout(stop, 0),
    });
    server.serve(service);
    log.write("info", `${mountPoint === null ? "ready" : `mounted at ${mountPoint}`}; socket ${socket}`);
    readiness.succeed(socket);
    // Of indexing too, some remains that nobody needs.
    tidier.unneeded(0);
    manager.ready(() =>
      healthLine({
        catalog: index.catalog,
        mountPoint,
        clients: server?.clients() ?? 0,
        problems: reloader.problems.length + remotes.problems().length + problems.sentences.length + problems.omitted,
        failedReads: mount?.counters()["failedReads"] ?? 0,
      })
    );
    started.resolve(reloader);
    guard.start({ mountPoint: place && place.real, socket, logFormat: plan.logFormat });
    await Promise.race([stopping.promise, ...(mount ? [mount.ended] : [])]);
    release();
    await server.close();
    server = undefined;
  } finally {
    release();
    await mount?.ended.catch((error) => report(String(error)));
    await server?.close();
    Deno.removeSignalListener("SIGHUP", hangUp);
    removeEventListener("unhandledrejection", survive);
  }
  log.write("info", "stopped");
}

/** Name of the game that a pack or game directory belongs to. */
/** A word that changes when a pack does. */
function packVersion(catalog: Catalog | undefined, path: string): string | undefined {
  const pack = catalog?.packs.find((candidate) => candidate.path === path);
  return pack && JSON.stringify(pack.identity);
}

function gameOf(catalog: Catalog | undefined, path: string): string | undefined {
  const source = catalog?.snapshot.sources.find((candidate) => candidate.path === path);
  return source && catalog?.games[source.game]?.name;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** Reloads as soon as that can be done. Why it could not is in the log. */
async function reloadWith(started: Promise<Reloader>): Promise<void> {
  const reloader = await started;
  await reloader.reload().catch(() => {});
}

/**
 * One archive alone stands at the root.
 * @throws {MountError} if there is no view of the wanted name.
 */
function layoutFor(catalog: Catalog, wanted: LayoutOptions): LayoutOptions {
  const { games, views } = catalog;
  if (wanted.view !== null) requireView(catalog, wanted.view);
  const isAlone = games.length === 1 && games[0]?.isArchive === true;
  return isAlone && wanted.view === null ? { ...wanted, view: views[0]?.name ?? null } : wanted;
}

function requireView(catalog: Catalog, name: string): void {
  try {
    catalog.view(name);
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    throw new MountError(`${error.message}; there are ${error.suggestions.join(", ")}`, { cause: error });
  }
}

/**
 * Takes the usual socket, or, where another daemon has it and nothing else was asked for, one of this process's own:
 * two archives can be mounted at a time.
 */
async function openSocket(wanted: string | undefined, log: Log, options: ServerOptions): Promise<Server> {
  const path = socketPath(wanted);
  try {
    return await listen(path, options);
  } catch (error) {
    if (!(error instanceof SocketError) || !error.isTaken || wanted !== undefined) throw error;
    const own = path.replace(/(\.sock)?$/, `-${Deno.pid}.sock`);
    log.write("warning", `another daemon answers at ${path}; this one answers at ${own}`);
    return await listen(own, options);
  }
}
