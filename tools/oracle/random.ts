/**
 * Repeatable random numbers.
 * @module
 */

/** A sequence of choices that its seed decides. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number in `[0, end)`. */
  below(end: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % end;
  }

  /** Whether an event of this probability happens. */
  happens(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of `values`. */
  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }
}
