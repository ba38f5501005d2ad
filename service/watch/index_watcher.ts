/**
 * Keeps an index up to date: watches the directories of its games, and refreshes it after changes.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";
import type { Catalog } from "../../views/mod.ts";
import { type Clock, DirectoryWatches, systemClock } from "../../system/mod.ts";
import type { WatchRow } from "../../protocol/rows.ts";
import { Coalescer } from "./coalescer.ts";
import { sameTargets, targetKey, watchTargets } from "./targets.ts";
import { type TargetHost, TargetWatcher } from "./target_watcher.ts";

/** The part of a `LiveIndex` that watching needs. */
export interface WatchedIndex {
  readonly catalog: Catalog;
  /** Device and inode that the last refresh found at a path; null if it found nothing. */
  seen(path: string): string | null | undefined;
  refresh(): Promise<unknown>;
  /** Calls `listener` after each replacement; returns a function that removes it. */
  onShown(listener: () => void): () => void;
}

/** Options of an {@linkcode IndexWatcher}. */
export interface WatchOptions {
  /** Returns directories that are never watched: the daemon's mounts. */
  readonly except?: () => readonly string[];
  /** Whether to poll, as if the kernel reported no changes. */
  readonly onlyPolling?: boolean;
  /** Called once for each path that the kernel does not watch. */
  readonly onExplained?: (sentence: string) => void;
  /** Called when a refresh fails, once for each reason. */
  readonly onFailure?: (sentence: string) => void;
  /**
   * Returns the paths at which something was mounted or unmounted since the last call, which the kernel does not report
   * for a watched directory.
   */
  readonly changedMounts?: () => readonly string[];
  /** Default: the clock of this machine. */
  readonly clock?: Clock;
}

/** Interval of checks whether directories have moved; milliseconds. */
const betweenChecks = 1000;
/** Interval of refreshes if the kernel reports no changes; milliseconds. */
const betweenPolls = 2000;
/** Interval of refreshes for changes that are never reported: linked files, disks mounted below; milliseconds. */
const betweenInspections = 60_000;
/** Maximum shares of the time for polling and for inspections. */
const pollShare = 1 / 20;
const inspectionShare = 1 / 200;
/** Duration of a timer of one second above which the machine has slept or its clock was set; milliseconds. */
const maxSecond = 10_000;
/** Pause before a failed refresh is retried; milliseconds, doubled each time. */
const firstPause = 1000;
const maxPause = 60_000;

/** Watches one index until it is disposed of. */
export class IndexWatcher implements AsyncDisposable {
  readonly #index: WatchedIndex;
  readonly #options: WatchOptions;
  readonly #coalescer: Coalescer;
  readonly #explained = new Set<string>();
  readonly #clock: Clock;
  #cancelTimer: () => void;
  readonly #forget: () => void;
  readonly #watches: DirectoryWatches | string;
  #targets: readonly TargetWatcher[] = [];
  /** Checks in progress: a hung check delays no other. */
  readonly #checking = new Map<TargetWatcher, Promise<void>>();
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
    this.#watches = options.onlyPolling ? "PAKFS_WATCH=poll is set" : openWatches();
    this.#coalescer = new Coalescer(() => this.#refresh(), this.#clock);
    this.#forget = index.onShown(() => this.#scheduleAim());
    this.#cancelTimer = this.#clock.after(betweenChecks, () => this.#tick());
    this.#scheduleAim();
  }

  /** Returns a row for each watched path. */
  rows(): WatchRow[] {
    return this.#targets.map((target) => target.row);
  }

  /** Resolves when everything is watched that was known at the call. */
  get ready(): Promise<void> {
    return this.#settled();
  }

  /** Resolves when no check and no refresh is in progress. */
  get idle(): Promise<void> {
    return this.#coalescer.idle.then(() => this.#settled());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#forget();
    this.#cancelTimer();
    for (const target of this.#targets) target.close();
    await this.#coalescer[Symbol.asyncDispose]();
    await this.#settled();
    if (typeof this.#watches !== "string") await this.#watches[Symbol.asyncDispose]();
  }

  async #settled(): Promise<void> {
    await this.#aiming;
    await Promise.all(this.#checking.values());
  }

  #tick(): void {
    this.#cancelTimer = this.#clock.after(betweenChecks, () => this.#tick());
    // While the machine slept, files on the network may have changed, or a disk may have been replaced.
    const time = this.#clock.wall();
    if (Math.abs(time - this.#lastTick) > maxSecond) this.#coalescer.touch();
    this.#lastTick = time;
    const mounts = this.#options.changedMounts?.() ?? [];
    for (const target of this.#targets) {
      if (mounts.some((path) => target.isAffectedBy(path))) {
        target.renew();
        this.#coalescer.touch();
      }
      this.#check(target);
    }
    this.#touchIfDue();
  }

  #scheduleAim(): void {
    this.#aiming = this.#aiming.then(() => this.#isClosed ? undefined : this.#aim());
  }

  /** Finds the targets, and keeps existing watches. */
  #aim(): void {
    const targets = watchTargets(this.#index.catalog, this.#options.except?.());
    if (this.#isClosed || sameTargets(targets, this.#targets.map(({ target }) => target))) return;
    const known = new Map(this.#targets.map((watcher) => [targetKey(watcher.target), watcher]));
    const host = this.#host();
    this.#targets = targets.map((target) => known.get(targetKey(target)) ?? new TargetWatcher(target, host));
    const kept = new Set(this.#targets);
    for (const target of known.values()) if (!kept.has(target)) target.close();
    for (const target of this.#targets) this.#check(target);
  }

  #host(): TargetHost {
    return {
      watches: this.#watches,
      touch: () => this.#coalescer.touch(),
      explain: (path, because) => {
        if (this.#explained.has(path)) return;
        this.#explained.add(path);
        this.#options.onExplained?.(
          `${path}: polled every ${betweenPolls / 1000} seconds or less often: ${because}`,
        );
      },
    };
  }

  #check(target: TargetWatcher): void {
    // The last check hangs, probably because a server does not reply.
    if (this.#checking.has(target)) return;
    const checked = target.check().then((identity) => this.#findMoved(target, identity))
      .finally(() => this.#checking.delete(target));
    this.#checking.set(target, checked);
  }

  #touchIfDue(): void {
    if (this.#isRefreshing) return;
    const since = this.#clock.now() - this.#lastLook;
    const { cost } = this.#coalescer;
    const isPolled = this.#targets.some((target) => target.isPolled);
    const pause = isPolled
      ? Math.max(betweenPolls, cost / pollShare)
      : Math.max(betweenInspections, cost / inspectionShare);
    // Timers are not exact: one that fires a little early must not cost a whole pause.
    const isDue = since > pause - betweenChecks / 2;
    const isRetry = this.#retryAt !== undefined && this.#clock.now() >= this.#retryAt;
    if (isDue || isRetry) this.#coalescer.touch();
  }

  /**
   * Refreshes if a path holds another file than the last refresh found, which may have run while a disk was missing.
   */
  #findMoved({ target: { path } }: TargetWatcher, identity: string | null | undefined): void {
    const seen = this.#index.seen(path);
    if (seen !== undefined && identity !== undefined && identity !== seen) this.#coalescer.touch();
  }

  async #refresh(): Promise<void> {
    this.#retryAt = undefined;
    this.#isRefreshing = true;
    try {
      await this.#index.refresh();
      this.#failures = 0;
      this.#failure = undefined;
    } catch (error) {
      const sentence = messageOf(error);
      if (sentence !== this.#failure) this.#options.onFailure?.(`index not refreshed: ${sentence}`);
      this.#failure = sentence;
      this.#retryAt = this.#clock.now() + Math.min(maxPause, firstPause * 2 ** this.#failures++);
    }
    this.#isRefreshing = false;
    this.#lastLook = this.#clock.now();
  }
}

/** Returns the kernel's watches, or the reason why they cannot be used. */
function openWatches(): DirectoryWatches | string {
  try {
    return new DirectoryWatches();
  } catch (error) {
    return messageOf(error);
  }
}
