/**
 * Keeps an index up to date: watches where its games lie, and refreshes it when something there has changed.
 * @module
 */
import type { Catalog } from "../../index/views/catalog.ts";
import { DirectoryWatches } from "../../system/directory_watches.ts";
import type { WatchRow } from "../../protocol/rows.ts";
import { type Clock, systemClock } from "../../system/clock.ts";
import { Coalescer } from "./coalescer.ts";
import { sameTargets, targetKey, watchTargets } from "./targets.ts";
import { identityOfPath, type TargetHost, TargetWatcher } from "./target_watcher.ts";

/** The part of a `LiveIndex` that watching needs. */
export interface WatchedIndex {
  readonly catalog: Catalog;
  /** Number of the device and inode that the last refresh saw at a path; null if it saw nothing there. */
  seen(path: string): string | null | undefined;
  refresh(): Promise<unknown>;
  /** Calls `listener` after each replacement; returns a function that ends that. */
  onShown(listener: () => void): () => void;
}

/** Options of an {@linkcode IndexWatcher}. */
export interface WatchOptions {
  /** A directory that is never watched: one's own mount; null: there is none. */
  readonly except?: string | null;
  /** Look every two seconds, as if the kernel could not tell of changes. */
  readonly onlyPolling?: boolean;
  /** Told once of each place that the kernel does not watch. */
  readonly onExplained?: (sentence: string) => void;
  /** Told when a refresh fails, once for each reason. */
  readonly onFailure?: (sentence: string) => void;
  /**
   * Returns the paths at which something was mounted or unmounted since this was called last. The kernel reports no
   * change of what was mounted below a watched directory meanwhile.
   */
  readonly changedMounts?: () => readonly string[];
  /** Default: that of this machine. */
  readonly clock?: Clock;
}

/** Between two looks at whether source directories are still where they were; milliseconds. */
const betweenChecks = 1000;
/** Between two looks where the kernel does not tell; milliseconds. */
const betweenPolls = 2000;
/** Between two looks for what the kernel does tell nobody: files that links lead to, disks mounted below; milliseconds. */
const betweenInspections = 60_000;
/** Polling takes this part of the time at most, inspections less still. */
const pollShare = 1 / 20;
const inspectionShare = 1 / 200;
/** A second that takes longer than this: the machine has slept, or somebody has set its clock; milliseconds. */
const longestSecond = 10_000;
/** Before a refresh that failed is tried again; milliseconds, doubled each time. */
const firstPause = 1000;
const longestPause = 60_000;

/** Watches for one index, from its making until it is disposed of. */
export class IndexWatcher implements AsyncDisposable {
  readonly #index: WatchedIndex;
  readonly #options: WatchOptions;
  readonly #coalescer: Coalescer;
  readonly #explained = new Set<string>();
  readonly #clock: Clock;
  #cancelTimer: () => void;
  readonly #forget: () => void;
  readonly #watches: DirectoryWatches | string;
  #places: readonly TargetWatcher[] = [];
  /** Looks at places that have not ended: one that hangs delays no other. */
  readonly #looking = new Map<TargetWatcher, Promise<void>>();
  #aiming: Promise<void> = Promise.resolve();
  #lastLook: number;
  #lastTick: number;
  #failures = 0;
  #failure: string | undefined;
  #retryAt: number | undefined;
  #isRefreshing = false;
  #isClosed = false;

  constructor(index: WatchedIndex, options: WatchOptions = {}) {
    this.#index = index;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#lastLook = this.#clock.now();
    this.#lastTick = this.#clock.wall();
    this.#watches = options.onlyPolling ? "PAKFS_WATCH=poll asks for it" : openWatches();
    this.#coalescer = new Coalescer(() => this.#refresh(), this.#clock);
    this.#forget = index.onShown(() => this.#scheduleAim());
    this.#cancelTimer = this.#clock.after(betweenChecks, () => this.#tick());
    this.#scheduleAim();
  }

  /** A row for each place that is watched. */
  rows(): WatchRow[] {
    return this.#places.map((place) => place.row);
  }

  /** Resolved when everything is watched that was to be watched when this was called. */
  get ready(): Promise<void> {
    return this.#settled();
  }

  /** Resolved when no look at a place and no refresh is under way. */
  get idle(): Promise<void> {
    return this.#coalescer.idle.then(() => this.#settled());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#forget();
    this.#cancelTimer();
    for (const place of this.#places) place.close();
    await this.#coalescer[Symbol.asyncDispose]();
    await this.#settled();
    if (typeof this.#watches !== "string") await this.#watches[Symbol.asyncDispose]();
  }

  async #settled(): Promise<void> {
    await this.#aiming;
    await Promise.all(this.#looking.values());
  }

  #tick(): void {
    this.#cancelTimer = this.#clock.after(betweenChecks, () => this.#tick());
    // While the machine slept others may have written to what it sees over the network, or put another disk in.
    const time = this.#clock.wall();
    if (Math.abs(time - this.#lastTick) > longestSecond) this.#coalescer.touch();
    this.#lastTick = time;
    const mounts = this.#options.changedMounts?.() ?? [];
    for (const place of this.#places) {
      if (mounts.some((path) => place.isAffectedBy(path))) {
        place.renew();
        this.#coalescer.touch();
      }
      this.#look(place);
    }
    this.#touchIfDue();
  }

  #scheduleAim(): void {
    this.#aiming = this.#aiming.then(() => this.#isClosed ? undefined : this.#aim());
  }

  /** Finds out what is to be watched; what was watched before goes on being so. */
  async #aim(): Promise<void> {
    const targets = await watchTargets(this.#index.catalog, this.#options.except ?? null);
    if (this.#isClosed || sameTargets(targets, this.#places.map((place) => place.target))) return;
    const known = new Map(this.#places.map((place) => [targetKey(place.target), place]));
    const host = this.#host();
    this.#places = targets.map((target) => known.get(targetKey(target)) ?? new TargetWatcher(target, host));
    const kept = new Set(this.#places);
    for (const place of known.values()) if (!kept.has(place)) place.close();
    for (const place of this.#places) this.#look(place);
  }

  #host(): TargetHost {
    return {
      watches: this.#watches,
      touch: () => this.#coalescer.touch(),
      explain: (path, because) => {
        if (this.#explained.has(path)) return;
        this.#explained.add(path);
        this.#options.onExplained?.(
          `${path} is looked at every ${betweenPolls / 1000} seconds or less often: ${because}`,
        );
      },
    };
  }

  #look(place: TargetWatcher): void {
    // A server that does not answer, most likely.
    if (this.#looking.has(place)) return;
    const looked = place.check().then(() => this.#findMoved(place)).finally(() => this.#looking.delete(place));
    this.#looking.set(place, looked);
  }

  #touchIfDue(): void {
    if (this.#isRefreshing) return;
    const since = this.#clock.now() - this.#lastLook;
    const { cost } = this.#coalescer;
    const isPolled = this.#places.some((place) => place.isPolled);
    const pause = isPolled
      ? Math.max(betweenPolls, cost / pollShare)
      : Math.max(betweenInspections, cost / inspectionShare);
    // Timers are not exact; a check too early would make every second one count.
    const isDue = since > pause - betweenChecks / 2;
    const isRetry = this.#retryAt !== undefined && this.#clock.now() >= this.#retryAt;
    if (isDue || isRetry) this.#coalescer.touch();
  }

  /**
   * Looks whether something else is at the path of a source than the last refresh saw there: that may have looked just
   * while a disk was away.
   */
  async #findMoved(place: TargetWatcher): Promise<void> {
    const { path } = place.target;
    const seen = this.#index.seen(path);
    if (seen === undefined || await identityOfPath(path) === seen || this.#index.seen(path) !== seen) return;
    this.#coalescer.touch();
  }

  async #refresh(): Promise<void> {
    this.#retryAt = undefined;
    this.#isRefreshing = true;
    try {
      await this.#index.refresh();
      this.#failures = 0;
      this.#failure = undefined;
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      if (sentence !== this.#failure) this.#options.onFailure?.(`could not be refreshed: ${sentence}`);
      this.#failure = sentence;
      this.#retryAt = this.#clock.now() + Math.min(longestPause, firstPause * 2 ** this.#failures++);
    }
    this.#isRefreshing = false;
    this.#lastLook = this.#clock.now();
  }
}

/** The kernel's watches, or why it cannot be asked. */
function openWatches(): DirectoryWatches | string {
  try {
    return new DirectoryWatches();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
