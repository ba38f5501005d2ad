/**
 * Reloads the configuration of a running daemon: the games change, and the mount stays.
 *
 * SIGHUP reloads, but ends a daemon that was started on a terminal, since it means that the terminal was closed.
 * @module
 */
import { resolve } from "@std/path";
import type { Catalog } from "../../views/mod.ts";
import { GameError } from "../../games/mod.ts";
import { type Log, UsageError } from "../../system/mod.ts";
import { messageOf } from "../../formats/parts.ts";
import { ConfigError } from "../config/config_file.ts";
import { MountError } from "../../mount/mod.ts";
import type { DaemonOptions, OptionsReader } from "./daemon_options.ts";
import { errorCodes, RpcError } from "../../protocol/mod.ts";
import type { ReloadResult } from "../../protocol/rows.ts";
import type { ServiceManager } from "./service_manager.ts";
import type { IndexWatching } from "./index_watching.ts";
import type { ServedMounts } from "./served_mounts.ts";

/** Parts of the daemon that a {@linkcode Reloader} uses. */
export interface ReloaderParts {
  /** Options that the daemon was started with. */
  readonly started: DaemonOptions;
  readonly read: OptionsReader;
  readonly mounts: ServedMounts;
  readonly log: Log;
  readonly manager: ServiceManager;
  /**
   * Checks a new index before it is shown.
   * @throws {MountError} if the mount cannot show it.
   */
  readonly checkCatalog: (catalog: Catalog) => void;
  /** View that the mount shows at its root because it was the only one; null if it shows all. */
  readonly onlyView: string | null;
  readonly watching: IndexWatching;
}

/** Errors in the user's input. */
const mistakes = [UsageError, ConfigError, GameError, MountError];

/** Reloads the configuration, one reload at a time. */
export class Reloader {
  readonly #parts: ReloaderParts;
  #problems: readonly string[] = [];
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: ReloaderParts) {
    this.#parts = parts;
  }

  /** Problems of the last reload, one message each. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /**
   * Applies the configuration as it is now. Resolved when queries and the mount show it.
   * @throws {RpcError} with code `misconfigured` if it has an error; nothing has changed then.
   */
  reload(): Promise<ReloadResult> {
    const begun = this.#running.then(() => this.#reload());
    this.#running = begun.catch(() => {});
    return begun;
  }

  async #reload(): Promise<ReloadResult> {
    const { manager, log, read, mounts, checkCatalog, watching } = this.#parts;
    manager.reloading();
    try {
      const options = await read();
      mounts.checkGames(options.games);
      const result = await mounts.exchangeOwn(options.games, checkCatalog);
      await watching.setMode(options.watchMode);
      const needsRestart = this.#fixedDifferences(options);
      this.#problems = needsRestart;
      log.write("notice", `configuration reloaded; games: ${options.games.length}`);
      for (const sentence of needsRestart) log.write("warning", sentence);
      return { ...result, config: options.config, needsRestart: [...needsRestart] };
    } catch (error) {
      const message = messageOf(error);
      this.#problems = [`configuration not reloaded: ${message}`];
      for (const sentence of this.#problems) log.write("warning", sentence);
      if (!mistakes.some((kind) => error instanceof kind)) throw error;
      throw new RpcError({ code: errorCodes.misconfigured, message });
    } finally {
      manager.reloaded();
    }
  }

  /** Returns a message for each option that has changed since the start, but only takes effect in a new daemon. */
  #fixedDifferences(wanted: DaemonOptions): string[] {
    const { started, onlyView } = this.#parts;
    const pathOf = (path: string | null | undefined) => typeof path === "string" ? resolve(path) : path ?? null;
    const differences: string[] = [];
    const compare = (key: string, used: string | number | null, value: string | number | null) => {
      if (used === value) return;
      differences.push(
        `${key}: changed to ${value ?? "not set"}, but ${used} stays in use; restart the daemon to apply it`,
      );
    };
    compare("mount", pathOf(started.mountPoint), pathOf(wanted.mountPoint));
    compare("socket", pathOf(started.socket), pathOf(wanted.socket));
    compare("cache", started.cacheBytes, wanted.cacheBytes);
    const optionsOf = ({ mountOptions: { umask, libfuse } }: DaemonOptions) =>
      [`umask=${umask.toString(8).padStart(3, "0")}`, ...libfuse].join(",");
    compare("options", optionsOf(started), optionsOf(wanted));
    for (const key of ["showPacks", "showAs"] as const) {
      compare(key, String(started.layout[key]), String(wanted.layout[key]));
    }
    compare("hung", started.hung.mode, wanted.hung.mode);
    compare("hungAfter", started.hung.timeout / 1000, wanted.hung.timeout / 1000);
    if (onlyView !== null && wanted.games.length > 1) {
      differences.push(
        `the mount still shows ${onlyView} only; restart the daemon to show all games`,
      );
    }
    return differences;
  }
}
