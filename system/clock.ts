/**
 * Time and timers, which tests replace by a clock of their own.
 * @module
 */

/** Timers, and the time that they run by. */
export interface Clock {
  /** Milliseconds since some start; does not count the time that the machine sleeps. */
  now(): number;
  /** Milliseconds since the epoch, as people set their clocks. */
  wall(): number;
  /** Calls `callback` after a number of milliseconds; returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Calls `work` when this thread has answered what waits. Not by `setTimeout`: Deno loads modules at the first call, for
 * which a mount would wait.
 * @returns Cancels it.
 */
export function soon(work: () => void): () => void {
  const signal = AbortSignal.timeout(0);
  signal.addEventListener("abort", work);
  return () => signal.removeEventListener("abort", work);
}
