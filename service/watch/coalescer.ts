/**
 * When to look again, after something has changed: soon, but not once for each of the ten thousand files of a mod.
 * @module
 */

import { type Clock, systemClock } from "../../system/clock.ts";

/** After this long without a change, whoever made the changes has most likely come to an end; milliseconds. */
const quiet = 200;
/** While changes go on, something is shown of them so often; milliseconds. */
const patience = 1000;
/** Looking takes this part of the time at most, while changes go on. */
const greatestShare = 1 / 4;

/** Calls `run` some time after each change, once for many, and never twice at a time. */
export class Coalescer implements AsyncDisposable {
  readonly #run: () => Promise<void>;
  readonly #clock: Clock;
  /** When the first change came that no run has begun after; undefined: there is none. */
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

  /** How long the last run took; milliseconds. */
  get cost(): number {
    return this.#cost;
  }

  /** Resolved when no run is under way. */
  get idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Something has changed. */
  touch(): void {
    this.#last = this.#clock.now();
    this.#first ??= this.#last;
    this.#arm();
  }

  /** Lets a run under way end, and begins no other. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    await this.#running;
  }

  #arm(): void {
    if (this.#first === undefined || this.#cancelTimer || this.#running || this.#isClosed) return;
    const longest = Math.max(patience, this.#cost / greatestShare);
    const due = Math.min(this.#last + quiet, this.#first + longest);
    this.#cancelTimer = this.#clock.after(Math.max(0, due - this.#clock.now()), () => this.#fire());
  }

  #fire(): void {
    this.#cancelTimer = undefined;
    const longest = Math.max(patience, this.#cost / greatestShare);
    const isDue = this.#clock.now() >= Math.min(this.#last + quiet, (this.#first ?? 0) + longest);
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
