/**
 * Limits how often something may happen: a burst at once, then a steady rate.
 * @module
 */
import { type Clock, systemClock } from "../../system/mod.ts";

/** A token bucket. */
export class RateLimiter {
  readonly #burst: number;
  readonly #perMillisecond: number;
  readonly #clock: Clock;
  #available: number;
  #updated: number;

  /**
   * @param burst Maximum number of events at once.
   * @param perSecond Number of events that become available each second.
   */
  constructor(burst: number, perSecond: number, clock: Clock = systemClock) {
    this.#burst = burst;
    this.#perMillisecond = perSecond / 1000;
    this.#clock = clock;
    this.#available = burst;
    this.#updated = clock.now();
  }

  /** Counts one event if it is allowed now; returns whether it is. */
  tryAcquire(): boolean {
    this.#refill();
    if (this.#available < 1) return false;
    this.#available--;
    return true;
  }

  /** Counts one event as soon as it is allowed. */
  async acquire(): Promise<void> {
    while (!this.tryAcquire()) {
      const pause = Math.ceil((1 - this.#available) / this.#perMillisecond);
      // deno-lint-ignore no-await-in-loop -- another caller may have taken the event meanwhile
      await new Promise<void>((resolve) => this.#clock.after(pause, resolve));
    }
  }

  #refill(): void {
    const now = this.#clock.now();
    this.#available = Math.min(this.#burst, this.#available + (now - this.#updated) * this.#perMillisecond);
    this.#updated = now;
  }
}
