/**
 * Watching of the daemon's index, in a mode that a reload may change.
 * @module
 */
import type { WatchMode } from "../config/defaults.ts";
import type { WatchRow } from "../../protocol/rows.ts";
import { IndexWatcher, type LiveIndex } from "../../service/mod.ts";
import type { Log, MountTableWatch } from "../../system/mod.ts";

/** Watches an index in the mode that was set last; initially not at all. */
export class IndexWatching implements AsyncDisposable {
  readonly #index: LiveIndex;
  readonly #mounts: MountTableWatch;
  readonly #ownMounts: () => readonly string[];
  readonly #log: Log;
  #mode: WatchMode = "off";
  #watcher: IndexWatcher | undefined;

  constructor(
    index: LiveIndex,
    mounts: MountTableWatch,
    { ownMounts, log }: { readonly ownMounts: () => readonly string[]; readonly log: Log },
  ) {
    this.#index = index;
    this.#mounts = mounts;
    this.#ownMounts = ownMounts;
    this.#log = log;
  }

  /** Returns a row for each watched path. */
  rows(): WatchRow[] {
    return this.#watcher?.rows() ?? [];
  }

  /** Changes the mode. */
  async setMode(mode: WatchMode): Promise<void> {
    if (mode === this.#mode) return;
    await this[Symbol.asyncDispose]();
    this.#mode = mode;
    if (mode === "off") return;
    this.#watcher = new IndexWatcher(this.#index, {
      except: this.#ownMounts,
      changedMounts: () => this.#mounts.changes(),
      onlyPolling: mode === "poll",
      onExplained: (sentence) => this.#log.write(mode === "poll" ? "info" : "warning", sentence),
      onFailure: (sentence) => this.#log.write("warning", sentence),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    await watcher?.[Symbol.asyncDispose]();
  }
}
