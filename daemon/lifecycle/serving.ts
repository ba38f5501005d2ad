/**
 * Parts of a daemon that are loaded once its mount is ready: watching of its sources, and everything for clients.
 * @module
 */
import { cacheDirectory, type Log, MountTableWatch, ProgramFiles, programRoot } from "../../system/mod.ts";
import { HashStore, RemoteReaders, type RemoteSources } from "../../index/mod.ts";
import type { LayoutOptions } from "../../mount/mod.ts";
import { type GameIndex, RefreshReports, Service } from "../../service/mod.ts";
import type { Server } from "../server/server.ts";
import { DaemonHost } from "./daemon_host.ts";
import type { DaemonOptions, OptionsReader, ProcessContext } from "./daemon_options.ts";
import type { EndGuard } from "./end_guard.ts";
import { IndexWatching } from "./index_watching.ts";
import type { ProblemReporter } from "./problem_reporter.ts";
import { Reloader } from "./reloader.ts";
import { type ServedMounts, viewAmong } from "./served_mounts.ts";

/** Parts of a daemon whose mount is ready. */
export interface MountedDaemon {
  readonly index: GameIndex;
  readonly layout: LayoutOptions;
  readonly server: Server;
  readonly mounts: ServedMounts;
  readonly remotes: RemoteSources;
  readonly problems: ProblemReporter;
  readonly log: Log;
  readonly process: ProcessContext;
  /** Options that the daemon was started with. */
  readonly started: DaemonOptions;
  readonly read: OptionsReader;
  /** See {@linkcode DaemonHost}. */
  readonly hangAt: number;
  readonly guard: EndGuard;
  /** Ends the daemon. */
  readonly stop: () => void;
  /** Called with the function that reloads the configuration. */
  readonly onReloader: (reloader: Reloader) => void;
}

/**
 * Watches for changes on disk; the first check finds changes since the index was made. Then it serves clients,
 * including those that connected earlier.
 * @param parts Receives the parts that must end with the daemon.
 */
export async function serve(parts: AsyncDisposableStack, daemon: MountedDaemon): Promise<DaemonHost> {
  const { index, layout, server, mounts, remotes, problems, log, process, started, read } = daemon;
  const table = parts.use(new MountTableWatch(process.system));
  const watching = parts.use(new IndexWatching(index, table, { ownMounts: () => mounts.paths, log }));
  await watching.setMode(started.watchMode);
  const reports = new RefreshReports();
  index.onShown((replacement, result) => reports.publish(replacement, result));
  const reloader = new Reloader({
    started,
    read,
    mounts,
    log,
    manager: process.manager,
    onlyView: started.layout.view === null ? layout.view : null,
    checkCatalog: (next) => {
      if (layout.view !== null) viewAmong(next, next.games.map(({ name }) => name), layout.view);
    },
    watching,
  });
  const host = new DaemonHost({
    index,
    server,
    mounts,
    watching,
    reloader,
    remotes,
    remoteReaders: parts.use(new RemoteReaders(remotes)),
    hashStore: new HashStore(
      started.keepsIndex ? cacheDirectory() : undefined,
      (sentence) => log.write("info", sentence),
    ),
    lookAt: (path) => process.system.files.look(path),
    problems,
    reports,
    program: parts.use(new ProgramFiles(programRoot)),
    stop: daemon.stop,
    hangAt: daemon.hangAt,
  });
  const service = parts.use(new Service(host));
  index.onShown(() => service.refreshed());
  // Clients are disconnected before the parts that serve them end.
  parts.defer(async () => {
    await server.close();
    daemon.guard.setRemains({ socket: null });
  });
  server.serve(service);
  daemon.onReloader(reloader);
  return host;
}
