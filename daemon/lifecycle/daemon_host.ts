/**
 * A running daemon as the service and the service manager see it: its parts supply `status` and execute the orders of
 * clients.
 * @module
 */
import type {
  GameOptions,
  HashStore,
  LookAtFile,
  RemoteReaders,
  RemoteSources,
  ScanProgress,
} from "../../index/mod.ts";
import { choiceSentences } from "../../questions/mod.ts";
import { nameOfRoots } from "../../games/mod.ts";
import type { Catalog } from "../../views/mod.ts";
import { hang } from "../../mount/mod.ts";
import type { ParamsOf, ResultOf } from "../../protocol/mod.ts";
import type { FailureRow, MountRow, RefreshResult, ReloadResult, WatchRow } from "../../protocol/rows.ts";
import type { LiveIndex, RefreshReports, ServiceHost } from "../../service/mod.ts";
import type { ProgramFiles } from "../../system/mod.ts";
import type { Server } from "../server/server.ts";
import type { IndexWatching } from "./index_watching.ts";
import type { ProblemReporter } from "./problem_reporter.ts";
import type { Reloader } from "./reloader.ts";
import type { ServedMounts } from "./served_mounts.ts";

/** Parts of a running daemon. */
export interface DaemonParts {
  readonly index: LiveIndex;
  readonly server: Server;
  readonly mounts: ServedMounts;
  readonly watching: IndexWatching;
  readonly reloader: Reloader;
  readonly remotes: RemoteSources;
  readonly remoteReaders: RemoteReaders;
  readonly hashStore: HashStore;
  readonly lookAt: LookAtFile;
  readonly problems: ProblemReporter;
  readonly reports: RefreshReports;
  readonly program: ProgramFiles;
  /** Stops the daemon. */
  readonly stop: () => void;
  /** Number of the call of `refresh` at which this thread hangs, for tests; 0 means never. */
  readonly hangAt: number;
}

/** Returns the message for a game whose name is already taken. */
function renamedSentence({ name, sources }: GameOptions, given: string | undefined): string[] {
  const wanted = name ?? nameOfRoots(sources);
  if (given === undefined || given === wanted || !given.startsWith(`${wanted}-`)) return [];
  return [`${sources[0]}: another game is called ${wanted}, so this one is ${given}; --game NAME chooses a name`];
}

/** Represents the parts of a daemon. */
export class DaemonHost implements ServiceHost {
  readonly #parts: DaemonParts;
  #refreshCalls = 0;

  constructor(parts: DaemonParts) {
    this.#parts = parts;
  }

  get catalog(): Catalog {
    return this.#parts.index.catalog;
  }

  mounts(): MountRow[] {
    return this.#parts.mounts.rows(this.catalog);
  }

  get socket(): string {
    return this.#parts.server.path;
  }

  get reports(): RefreshReports {
    return this.#parts.reports;
  }

  get lookAt(): LookAtFile {
    return this.#parts.lookAt;
  }

  get hashStore(): HashStore {
    return this.#parts.hashStore;
  }

  get remoteReaders(): RemoteReaders {
    return this.#parts.remoteReaders;
  }

  clients(): number {
    return this.#parts.server.clients();
  }

  look(): Promise<unknown> {
    return this.#parts.program.haveChanged();
  }

  problems(): { readonly sentences: readonly string[]; readonly omitted: number } {
    const { reloader, remotes, problems, program } = this.#parts;
    return {
      sentences: [
        ...program.isOld ? [outdated(program.root)] : [],
        ...reloader.problems,
        ...remotes.problems(),
        ...problems.sentences,
      ],
      omitted: problems.omitted,
    };
  }

  counters(): Record<string, number> {
    const { mounts, index, server } = this.#parts;
    return { ...mounts.counters(), refreshes: index.refreshes, calls: server.calls() };
  }

  errors(): FailureRow[] {
    return this.#parts.mounts.failures();
  }

  watch(): WatchRow[] {
    return this.#parts.watching.rows();
  }

  refreshed(): number | null {
    return this.#parts.index.refreshedAt;
  }

  async refresh(): Promise<RefreshResult> {
    const { index, problems, hangAt } = this.#parts;
    if (++this.#refreshCalls === hangAt) hang();
    const result = await index.refresh();
    problems.refreshed();
    return result;
  }

  async mount(
    request: ParamsOf<"mount">,
    signal: AbortSignal | undefined,
    onProgress: ScanProgress,
  ): Promise<ResultOf<"mount">> {
    const { mounts, index } = this.#parts;
    const { joinOptions, mountProblem } = await import("./mount_request.ts");
    try {
      const options = joinOptions(request);
      const row = await mounts.join(options, { ...signal && { signal }, onProgress });
      const games = index.catalog.games.filter(({ name }) => row.games.includes(name));
      const renamed = options.games.flatMap((game, number) => renamedSentence(game, row.games[number]));
      const problems = index.catalog.problems.filter((sentence) =>
        games.some(({ roots }) => roots.some((root) => sentence.includes(root)))
      );
      return { ...row, choices: [...renamed, ...choiceSentences(index.catalog, true, games)], problems };
    } catch (error) {
      throw mountProblem(error);
    }
  }

  async unmount({ mount, lazy = false }: ParamsOf<"unmount">): Promise<ResultOf<"unmount">> {
    const { mountProblem } = await import("./mount_request.ts");
    try {
      await this.#parts.mounts.unmount(mount, lazy);
      return { unmounted: mount };
    } catch (error) {
      throw mountProblem(error);
    }
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
    const failedReads = this.#parts.mounts.counters()["failedReads"] ?? 0;
    const paths = this.mounts().map(({ mount }) => mount);
    return [
      `${games.length} ${games.length === 1 ? "game" : "games"}, ${packs.length} ${
        packs.length === 1 ? "pack" : "packs"
      }`,
      paths.length === 0 ? "not mounted" : `mounted at ${paths.join(", ")}`,
      `${this.clients()} clients`,
      ...problemCount > 0 ? [`${problemCount} problems: see pakfs status`] : [],
      ...failedReads > 0 ? [`${failedReads} reads failed`] : [],
    ].join(", ");
  }
}

function outdated(root: string): string {
  return `this daemon runs an older pakfs: files in ${root} have changed since it started; run "pakfs stop" and start ` +
    "it again";
}
