/**
 * Time and timers, which tests can replace.
 * @module
 */

/** Timers, and their time. */
export interface Clock {
  /** Milliseconds since an arbitrary start; excludes the time that the machine sleeps. */
  now(): number;
  /** Milliseconds since the epoch, which users can set. */
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
 * Calls `work` after pending events of this thread. It avoids `setTimeout`, since Deno loads modules at the first call,
 * for which a mount would wait. @returns A function that cancels it.
 */
export function soon(work: () => void): () => void {
  const signal = AbortSignal.timeout(0);
  signal.addEventListener("abort", work);
  return () => signal.removeEventListener("abort", work);
}
