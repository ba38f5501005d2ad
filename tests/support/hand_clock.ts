/**
 * Time for tests.
 * @module
 */
import type { Clock } from "../../system/clock.ts";

/** A clock that a test moves by hand. It waits for real work to end before time passes. */
export class HandClock implements Clock {
  /** Resolved when the work of the last callback is done, file system calls included. */
  settle: () => Promise<unknown>;
  #now = 0;
  #slept = 0;
  #timers: { at: number; callback: () => void }[] = [];

  /** @param settle Default: waits only for what needs no file system call. */
  constructor(settle: () => Promise<unknown> = () => Promise.resolve()) {
    this.settle = settle;
  }

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#now + this.#slept;
  }

  /** Advances the wall clock only. */
  sleep(milliseconds: number): void {
    this.#slept += milliseconds;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.push(timer);
    return () => this.#timers.splice(this.#timers.indexOf(timer), 1);
  }

  /** Advances the time. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await this.settle();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#now = next.at;
      this.#timers.splice(this.#timers.indexOf(next), 1);
      next.callback();
      // deno-lint-ignore no-await-in-loop -- what was called may wait for something and then ask for another timer
      await new Promise((resolve) => setTimeout(resolve));
      // deno-lint-ignore no-await-in-loop -- as above
      await this.settle();
    }
    this.#now = end;
  }

  #next(end: number): { at: number; callback: () => void } | undefined {
    return this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
