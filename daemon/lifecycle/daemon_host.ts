/**
 * A running daemon as the service and the service manager see it: its parts, asked for what `status` shows and for
 * what clients may order.
 * @module
 */
import type { Catalog } from "../../index/views/catalog.ts";
import type { RemoteReaders } from "../../content/remote/remote_readers.ts";
import type { RemoteSources } from "../../content/remote/remote_sources.ts";
import { hang } from "../../mount/shared/planned_faults.ts";
import type { ParamsOf, ResultOf } from "../../protocol/methods.ts";
import type { FailureRow, RefreshResult, ReloadResult, WatchRow } from "../../protocol/rows.ts";
import type { LiveIndex } from "../../service/live_index.ts";
import type { RefreshReports } from "../../service/refresh_reports.ts";
import type { Call, ServiceHost } from "../../service/methods/method.ts";
import type { Server } from "../server/server.ts";
import type { DaemonMount } from "./daemon_mount.ts";
import type { IndexWatching } from "./index_watching.ts";
import type { ProblemReporter } from "./problem_reporter.ts";
import type { Reloader } from "./reloader.ts";

/** Loads the commands; `as string` has Deno read them only then (`repl/command/modules.ts`). */
function loadCommands(): Promise<typeof import("../../repl/run_for_client.ts")> {
  return import("../../repl/run_for_client.ts" as string);
}

/** Parts of a running daemon. */
export interface DaemonParts {
  readonly index: LiveIndex;
  readonly server: Server;
  readonly mount: DaemonMount;
  readonly watching: IndexWatching;
  readonly reloader: Reloader;
  readonly remotes: RemoteSources;
  readonly remoteReaders: RemoteReaders;
  readonly problems: ProblemReporter;
  readonly reports: RefreshReports;
  /** View at the mount point itself, or null. */
  readonly rootView: string | null;
  /** Ends the daemon. */
  readonly stop: () => void;
  /** Number of the call of `refresh` at which this thread hangs, for tests; 0 for never. */
  readonly hangAt: number;
}

/** Answers for the parts of a daemon. */
export class DaemonHost implements ServiceHost {
  readonly #parts: DaemonParts;
  #refreshCalls = 0;

  constructor(parts: DaemonParts) {
    this.#parts = parts;
  }

  get catalog(): Catalog {
    return this.#parts.index.catalog;
  }

  get mountPoint(): string | null {
    return this.#parts.mount.path;
  }

  get rootView(): string | null {
    return this.#parts.rootView;
  }

  get socket(): string {
    return this.#parts.server.path;
  }

  get reports(): RefreshReports {
    return this.#parts.reports;
  }

  get remoteReaders(): RemoteReaders {
    return this.#parts.remoteReaders;
  }

  clients(): number {
    return this.#parts.server.clients();
  }

  problems(): { readonly sentences: readonly string[]; readonly omitted: number } {
    const { reloader, remotes, problems } = this.#parts;
    return {
      sentences: [...reloader.problems, ...remotes.problems(), ...problems.sentences],
      omitted: problems.omitted,
    };
  }

  counters(): Record<string, number> {
    const { mount, index, server } = this.#parts;
    return { ...mount.counters(), refreshes: index.refreshes, calls: server.calls() };
  }

  errors(): FailureRow[] {
    return this.#parts.mount.failures();
  }

  watch(): WatchRow[] {
    return this.#parts.watching.rows();
  }

  refreshed(): number | null {
    return this.#parts.index.refreshedAt;
  }

  /** Loads the commands at the first call: without clients the daemon needs no memory for them. */
  async runCommand(request: ParamsOf<"run">, call: Call, signal: AbortSignal | undefined): Promise<ResultOf<"run">> {
    const { runForClient } = await loadCommands();
    return await runForClient(request, call, signal);
  }

  async refresh(): Promise<RefreshResult> {
    const { index, problems, hangAt } = this.#parts;
    if (++this.#refreshCalls === hangAt) hang();
    const result = await index.refresh();
    problems.refreshed();
    return result;
  }

  reload(): Promise<ReloadResult> {
    return this.#parts.reloader.reload();
  }

  stop(): void {
    setTimeout(this.#parts.stop, 0);
  }

  /** Returns the state of the daemon in one line, for `systemctl status`. */
  statusLine(): string {
    const { games, packs, problems } = this.catalog;
    const { sentences, omitted } = this.problems();
    const problemCount = problems.length + sentences.length + omitted;
    const failedReads = this.#parts.mount.counters()["failedReads"] ?? 0;
    return [
      `${games.length} games, ${packs.length} packs`,
      this.mountPoint === null ? "not mounted" : `mounted at ${this.mountPoint}`,
      `${this.clients()} clients`,
      ...problemCount > 0 ? [`${problemCount} problems: see pakfs status`] : [],
      ...failedReads > 0 ? [`${failedReads} reads failed`] : [],
    ].join(", ");
  }
}
