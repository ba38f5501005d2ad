/**
 * How often something may be done: now and then at once, but not for ever.
 * @module
 */
import { type Clock, systemClock } from "../../service/watch/coalescer.ts";

/** So many at once, and so many more each second. */
export class Allowance {
  readonly #most: number;
  readonly #perMillisecond: number;
  readonly #clock: Clock;
  #left: number;
  #since: number;

  /**
   * @param most How many may be taken at once.
   * @param perSecond How many there are more each second.
   */
  constructor(most: number, perSecond: number, clock: Clock = systemClock) {
    this.#most = most;
    this.#perMillisecond = perSecond / 1000;
    this.#clock = clock;
    this.#left = most;
    this.#since = clock.now();
  }

  /** Takes one, if there is one. */
  tryTake(): boolean {
    this.#fill();
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }

  /** Takes one as soon as there is one. */
  async take(): Promise<void> {
    while (!this.tryTake()) {
      const pause = Math.ceil((1 - this.#left) / this.#perMillisecond);
      // deno-lint-ignore no-await-in-loop -- somebody else may have taken the next
      await new Promise<void>((resolve) => this.#clock.after(pause, resolve));
    }
  }

  #fill(): void {
    const now = this.#clock.now();
    this.#left = Math.min(this.#most, this.#left + (now - this.#since) * this.#perMillisecond);
    this.#since = now;
  }
}
