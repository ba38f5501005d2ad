/**
 * Decompressed inner archives: one anonymous file each, created by the decoder that first needs it and shared by all
 * threads until the mount ends.
 * @module
 */
import type { Snapshot, Source } from "../../index/mod.ts";

/** States of a file; a greater number is its descriptor plus {@linkcode firstDescriptor}. */
const absent = 0;
const underWay = 1;
const firstDescriptor = 2;
/** Interval of checks for the end of the mount while waiting for another thread; milliseconds. */
const timeout = 200;

function keysOf(snapshot: Pick<Snapshot, "sources">): string[] {
  return snapshot.sources.flatMap(({ id, byteLayout }) =>
    byteLayout?.files.flatMap((file, number) => file.kind === "decompressed" ? [`${id} ${number}`] : []) ?? []
  );
}

/** Allocates the states of all files of a snapshot, in shared memory. */
export function createArchiveStates(snapshot: Pick<Snapshot, "sources">): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * keysOf(snapshot).length);
}

/** One thread's view of the files. */
export class DecompressedArchives {
  readonly #states: Int32Array;
  readonly #indexes: ReadonlyMap<string, number>;

  /** @param states From {@linkcode createArchiveStates} for the same snapshot. */
  constructor(snapshot: Snapshot, states: SharedArrayBuffer) {
    this.#states = new Int32Array(states);
    this.#indexes = new Map(keysOf(snapshot).map((key, index) => [key, index]));
  }

  /** Returns the descriptor of a file of a source's layout; negative if it was not created yet. */
  descriptorOf(source: Source, file: number): number {
    const state = Atomics.load(this.#states, this.#indexOf(source, file));
    return state >= firstDescriptor ? state - firstDescriptor : -1;
  }

  /**
   * Returns this descriptor, after creating the file if needed; waits while another thread creates it. Not for the
   * session thread.
   * @param make Creates the file; its descriptor then belongs to this object.
   * @param isStopping Called periodically while waiting, which stops if it returns true.
   * @throws {Error} what `make` throws. The next call tries again.
   */
  async obtain(source: Source, file: number, make: () => Promise<number>, isStopping: () => boolean): Promise<number> {
    const index = this.#indexOf(source, file);
    for (;;) {
      const state = Atomics.compareExchange(this.#states, index, absent, underWay);
      if (state >= firstDescriptor) return state - firstDescriptor;
      // deno-lint-ignore no-await-in-loop -- it is made once, by the first thread
      if (state === absent) return await this.#make(index, make);
      if (isStopping()) throw new Error("Cannot continue: the mount is ending");
      Atomics.wait(this.#states, index, underWay, timeout);
    }
  }

  /** Closes all files. No thread may need them any more. */
  closeAll(close: (fileDescriptor: number) => void): void {
    for (let index = 0; index < this.#states.length; index++) {
      const state = Atomics.exchange(this.#states, index, absent);
      if (state >= firstDescriptor) close(state - firstDescriptor);
    }
  }

  async #make(index: number, make: () => Promise<number>): Promise<number> {
    let state = absent;
    try {
      const descriptor = await make();
      state = descriptor + firstDescriptor;
      return descriptor;
    } finally {
      Atomics.store(this.#states, index, state);
      Atomics.notify(this.#states, index);
    }
  }

  #indexOf(source: Source, file: number): number {
    const index = this.#indexes.get(`${source.id} ${file}`);
    if (index === undefined) {
      throw new RangeError(`Cannot find file ${file} of ${source.path}: nothing is decompressed there`);
    }
    return index;
  }
}
