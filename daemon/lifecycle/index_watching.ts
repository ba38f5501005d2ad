/**
 * Watching that can be told to go on in another way.
 * @module
 */
import type { LiveIndex } from "../../service/live_index.ts";
import type { Log } from "../../system/log.ts";
import type { WatchRow } from "../../protocol/messages.ts";
import { IndexWatcher } from "../../service/watch/index_watcher.ts";
import type { MountTableWatch } from "../../system/mount_table_watch.ts";
import type { Watching } from "../../service/watch/watching.ts";

/** Watches an index, or does not, as it was told last. */
export class ExchangeableWatcher implements AsyncDisposable {
  readonly #index: LiveIndex;
  readonly #mounts: MountTableWatch;
  readonly #mountPoint: string | null;
  readonly #log: Log;
  #watching: Watching = "off";
  #watcher: IndexWatcher | undefined;

  constructor(
    index: LiveIndex,
    mounts: MountTableWatch,
    { mountPoint, log }: { readonly mountPoint: string | null; readonly log: Log },
  ) {
    this.#index = index;
    this.#mounts = mounts;
    this.#mountPoint = mountPoint;
    this.#log = log;
  }

  /** A row for each place that is watched. */
  rows(): WatchRow[] {
    return this.#watcher?.rows() ?? [];
  }

  /** Goes on in this way. */
  async watch(watching: Watching): Promise<void> {
    if (watching === this.#watching) return;
    await this[Symbol.asyncDispose]();
    this.#watching = watching;
    if (watching === "off") return;
    this.#watcher = new IndexWatcher(this.#index, {
      except: this.#mountPoint,
      changedMounts: () => this.#mounts.changes(),
      onlyPolling: watching === "poll",
      onExplained: (sentence) => this.#log.write(watching === "poll" ? "info" : "warning", sentence),
      onFailure: (sentence) => this.#log.write("warning", `the index ${sentence}`),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    await watcher?.[Symbol.asyncDispose]();
  }
}
