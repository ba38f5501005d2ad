/**
 * Reading the configuration anew while the daemon runs: it goes on with other games, and the mount stays.
 * @module
 */
import { resolve } from "node:path";
import type { Catalog } from "../../index/views/catalog.ts";
import { GameError, type GameOptions } from "../../index/profiles/game.ts";
import { UsageError } from "../../command_line/usage.ts";
import { ConfigError } from "../../config/config_file.ts";
import type { GameIndex } from "../../service/live_index.ts";
import type { Log } from "../../system/log.ts";
import { MountError } from "../../mount/mount.ts";
import type { DaemonOptions, OptionsReader } from "./daemon_options.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type { ReloadResult } from "../../protocol/rows.ts";
import type { ServiceManager } from "./service_manager.ts";
import type { IndexWatching } from "./index_watching.ts";

/** What a {@linkcode Reloader} works with. */
export interface ReloaderParts {
  /** What the daemon was started with. */
  readonly started: DaemonOptions;
  readonly read: OptionsReader;
  readonly index: GameIndex;
  readonly log: Log;
  readonly manager: ServiceManager;
  /**
   * Looks at games before anything is read of them.
   * @throws {MountError} if they cannot be served where this daemon mounts.
   */
  readonly checkGames: (games: readonly GameOptions[]) => void;
  /**
   * Looks at a new index before it is shown.
   * @throws {MountError} if the mount cannot show it.
   */
  readonly checkCatalog: (catalog: Catalog) => void;
  /** View that the mount shows at its root because it was the only one; null if it shows all. */
  readonly onlyView: string | null;
  readonly watching: IndexWatching;
}

/** Errors whose message is about what the user wrote. */
const mistakes = [UsageError, ConfigError, GameError, MountError];

/** Reads the configuration when it is told to, one time after the other. */
export class Reloader {
  readonly #parts: ReloaderParts;
  #problems: readonly string[] = [];
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: ReloaderParts) {
    this.#parts = parts;
  }

  /** What is wrong since the configuration was read last, a sentence each. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /**
   * Goes on with what the configuration says now. Resolved when queries and the mount show it.
   * @throws {RpcError} with code `misconfigured` if anything in it is wrong: then all stays as it was.
   */
  reload(): Promise<ReloadResult> {
    const begun = this.#running.then(() => this.#reload());
    this.#running = begun.catch(() => {});
    return begun;
  }

  async #reload(): Promise<ReloadResult> {
    const { manager, log, read, index, checkGames, checkCatalog, watching } = this.#parts;
    manager.reloading();
    try {
      const plan = read();
      checkGames(plan.games);
      const result = await index.exchange(plan.games, checkCatalog);
      await watching.setMode(plan.watchMode);
      const needsRestart = this.#fixedDifferences(plan);
      this.#problems = needsRestart;
      log.write("notice", `the configuration was read again; ${index.catalog.games.length} games are served`);
      for (const sentence of needsRestart) log.write("warning", sentence);
      return { ...result, config: plan.config, needsRestart: [...needsRestart] };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#problems = [`the configuration was not taken, and all stays as it was: ${message}`];
      for (const sentence of this.#problems) log.write("warning", sentence);
      if (!mistakes.some((kind) => error instanceof kind)) throw error;
      throw new RpcError({ code: errorCodes.misconfigured, message });
    } finally {
      manager.reloaded();
    }
  }

  /** What is written otherwise than when the daemon was started, and stays as it was then. */
  #fixedDifferences(plan: DaemonOptions): string[] {
    const { started, onlyView, index } = this.#parts;
    const pathOf = (path: string | null | undefined) => typeof path === "string" ? resolve(path) : path ?? null;
    const differences: string[] = [];
    const compare = (key: string, is: string | number | null, wanted: string | number | null) => {
      if (is === wanted) return;
      differences.push(`${key} is ${wanted ?? "not set"} now; that takes a new start of the daemon, which has ${is}`);
    };
    compare("mount", pathOf(started.mountPoint), pathOf(plan.mountPoint));
    compare("socket", pathOf(started.socket), pathOf(plan.socket));
    compare("cache", started.cacheBytes, plan.cacheBytes);
    const optionsOf = ({ mountOptions: { umask, libfuse } }: DaemonOptions) =>
      [`umask=${umask.toString(8).padStart(3, "0")}`, ...libfuse].join(",");
    compare("options", optionsOf(started), optionsOf(plan));
    compare("hung", started.hung.mode, plan.hung.mode);
    compare("hungAfter", started.hung.patience / 1000, plan.hung.patience / 1000);
    if (onlyView !== null && index.catalog.games.length > 1) {
      differences.push(
        `the mount still shows ${onlyView} alone; all games stand there after a new start of the daemon`,
      );
    }
    return differences;
  }
}
