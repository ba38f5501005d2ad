/**
 * A queue of archives for several reader threads: each takes the next few when it has finished the last ones.
 * @module
 */

/** Maximum number of archives in a part: large enough that dispatching is cheap. */
const maxPartSize = 32;
/** Minimum number of parts, so that all threads end at about the same time. */
const minParts = 64;

/** Numbers from 0, each issued once. Other threads can share the queue through its memory. */
export class ArchiveQueue {
  /** Shared memory: the next number. */
  readonly memory: SharedArrayBuffer;
  readonly #next: Int32Array;
  readonly #count: number;
  readonly #partSize: number;

  /**
   * @param count Number of archives.
   * @param memory Memory of the queue to share; default: a new queue.
   */
  constructor(count: number, memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.memory = memory;
    this.#next = new Int32Array(memory);
    this.#count = count;
    this.#partSize = Math.max(1, Math.min(maxPartSize, Math.floor(count / minParts)));
  }

  /** Returns the next numbers, `[start, end)`; `undefined` if none are left. */
  take(): { readonly start: number; readonly end: number } | undefined {
    const start = Atomics.add(this.#next, 0, this.#partSize);
    return start < this.#count ? { start, end: Math.min(start + this.#partSize, this.#count) } : undefined;
  }

  /** Takes all remaining numbers, so that threads get no more. */
  close(): void {
    Atomics.store(this.#next, 0, this.#count);
  }
}
