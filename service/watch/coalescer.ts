/**
 * Combines many changes into few runs: a run begins soon after a change, but not separately for each of the ten
 * thousand files of a mod.
 * @module
 */

import { type Clock, systemClock } from "../../system/mod.ts";

/** Time without a change after which the changes have probably ended; milliseconds. */
const quiet = 200;
/** Time between two runs while changes continue; milliseconds. */
const timeout = 1000;
/** Maximum share of the time that runs take while changes continue. */
const maxShare = 1 / 4;

/** Calls `run` soon after changes, once for many, and never twice at a time. */
export class Coalescer implements AsyncDisposable {
  readonly #run: () => Promise<void>;
  readonly #clock: Clock;
  /** Time of the first change since the last run began; undefined if there was none. */
  #first: number | undefined;
  #last = 0;
  #cancelTimer: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #cost = 0;
  #isClosed = false;

  /** @param run Must not reject. */
  constructor(run: () => Promise<void>, clock: Clock = systemClock) {
    this.#run = run;
    this.#clock = clock;
  }

  /** Duration of the last run; milliseconds. */
  get cost(): number {
    return this.#cost;
  }

  /** Resolves when no run is in progress. */
  get idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Records a change. */
  touch(): void {
    this.#last = this.#clock.now();
    this.#first ??= this.#last;
    this.#arm();
  }

  /** Waits for a run in progress, and starts no other. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    await this.#running;
  }

  #arm(): void {
    if (this.#first === undefined || this.#cancelTimer || this.#running || this.#isClosed) return;
    const maxWait = Math.max(timeout, this.#cost / maxShare);
    const due = Math.min(this.#last + quiet, this.#first + maxWait);
    this.#cancelTimer = this.#clock.after(Math.max(0, due - this.#clock.now()), () => this.#fire());
  }

  #fire(): void {
    this.#cancelTimer = undefined;
    if (this.#first === undefined) return;
    const maxWait = Math.max(timeout, this.#cost / maxShare);
    const isDue = this.#clock.now() >= Math.min(this.#last + quiet, this.#first + maxWait);
    if (isDue) this.#running = this.#runOnce();
    else this.#arm();
  }

  async #runOnce(): Promise<void> {
    this.#first = undefined;
    const start = this.#clock.now();
    await this.#run();
    this.#cost = this.#clock.now() - start;
    this.#running = undefined;
    this.#arm();
  }
}
