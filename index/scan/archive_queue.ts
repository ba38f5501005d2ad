/**
 * Archives that several threads read: each takes the next few when it has finished with its last.
 * @module
 */

/** Most archives that are taken at a time: enough that handing over is cheap. */
const maxPartSize = 32;
/** All are taken in at least so many parts, if there are as many: all threads end together. */
const minParts = 64;

/** Numbers from 0, handed out once each to whoever asks first. Can be shared with other threads by its memory. */
export class ArchiveQueue {
  /** Shared memory: the next number. */
  readonly memory: SharedArrayBuffer;
  readonly #next: Int32Array;
  readonly #count: number;
  readonly #partSize: number;

  /**
   * @param count Number of archives.
   * @param memory That of the queue that is shared; default: a new queue.
   */
  constructor(count: number, memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.memory = memory;
    this.#next = new Int32Array(memory);
    this.#count = count;
    this.#partSize = Math.max(1, Math.min(maxPartSize, Math.floor(count / minParts)));
  }

  /** The next numbers, `[start, end)`; `undefined` if none are left. */
  take(): { readonly start: number; readonly end: number } | undefined {
    const start = Atomics.add(this.#next, 0, this.#partSize);
    return start < this.#count ? { start, end: Math.min(start + this.#partSize, this.#count) } : undefined;
  }

  /** Takes all that is left: nobody gets any more. */
  close(): void {
    Atomics.store(this.#next, 0, this.#count);
  }
}
