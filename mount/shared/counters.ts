/**
 * Counters of the mount: every thread adds to its own row, the main thread reads the sums.
 * @module
 */
import { at } from "../../index/mod.ts";

const names = [
  "requests",
  "reads",
  "bytes",
  "failedReads",
  "cacheHits",
  "decoded",
  "readAhead",
  "segments",
  "converted",
] as const;

/** Name of a counter. */
export type CounterName = (typeof names)[number];

/** Allocates the counters of `threads` threads. */
export function createCounterBuffer(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * names.length * 8);
}

/** One thread's row. */
export class Counters {
  readonly #row: Float64Array;

  /** @param thread Number of the thread: no two may share one. */
  constructor(buffer: SharedArrayBuffer, thread: number) {
    this.#row = new Float64Array(buffer, thread * names.length * 8, names.length);
  }

  /** Adds one to `requests`, the most frequent operation. */
  countRequest(): void {
    this.#row[0] = at(this.#row, 0) + 1;
  }

  /** Adds to a counter. */
  add(name: CounterName, amount: number): void {
    const index = names.indexOf(name);
    this.#row[index] = at(this.#row, index) + amount;
  }
}

/** Returns the sums over all threads; a concurrent addition may or may not be included. */
export function readCounters(buffer: SharedArrayBuffer): Record<CounterName, number> {
  const sums: Record<CounterName, number> = {
    requests: 0,
    reads: 0,
    bytes: 0,
    failedReads: 0,
    cacheHits: 0,
    decoded: 0,
    readAhead: 0,
    segments: 0,
    converted: 0,
  };
  for (const [index, value] of new Float64Array(buffer).entries()) {
    const name = names[index % names.length];
    if (name) sums[name] += value;
  }
  return sums;
}
