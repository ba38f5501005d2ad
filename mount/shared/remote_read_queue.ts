/**
 * Reads of files on remote file systems: the session thread puts them here, and one thread per file system answers
 * them, so that a file system that hangs holds up nothing but its own readers.
 *
 * A request belongs to the thread that has claimed it, which one compare-and-exchange decides: the remote thread when
 * it has the bytes, the session thread when the reader is interrupted or the mount ends, the main thread when hung
 * reads are to fail. The word that is compared holds a serial number, so a request is never mistaken for a later one in
 * its slot.
 * @module
 */
import { at } from "../../formats/core/cursor.ts";

/** Remote file systems with a thread of their own; further ones share these. */
export const maxRemoteThreads = 4;
/** Reads that can wait for one thread; further ones fail with EIO. */
const slotCount = 256;

/** Reads that can wait for all remote file systems. */
export const maxWaitingReads: number = maxRemoteThreads * slotCount;

const control = { signal: 0, stopping: 1, oldest: 2, refusing: 3, serial: 4 } as const;
const controlFields = 8;
const field = { state: 0, version: 1, entry: 2, size: 3 } as const;
const slotFields = 4;
/** By slot: address and unique number, as 64-bit words; behind those of all slots the time at which work began. */
const longFields = 2;
const controlBytes = controlFields * 4;
const longsStart = controlBytes + slotCount * slotFields * 4;
const doublesStart = longsStart + slotCount * longFields * 8;

/** Lowest two bits of a slot's state: what becomes of its request. */
const free = 0;
const waiting = 1;
const answering = 2;
const serialShift = 2;

/** A read that waits. */
export interface RemoteRead {
  /** Address of the request. */
  readonly address: bigint;
  /** Number by which the kernel interrupts it. */
  readonly unique: bigint;
  /** Number of the index that `entry` belongs to. */
  readonly version: number;
  readonly entry: number;
  readonly offset: number;
  readonly size: number;
}

/** A read in its queue, with what claiming it needs. */
export interface QueuedRead extends RemoteRead {
  readonly slot: number;
  readonly state: number;
}

/** Makes the memory of one queue; posted to every thread as it is. */
export function createRemoteQueueBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(doublesStart + (slotCount + 1) * 8);
}

/** One thread's access to a queue. */
export class RemoteReadQueue {
  readonly #control: Int32Array;
  readonly #slots: Int32Array;
  readonly #longs: BigUint64Array;
  readonly #doubles: Float64Array;
  #lastSignal = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#control = new Int32Array(buffer, 0, controlFields);
    this.#slots = new Int32Array(buffer, controlBytes, slotCount * slotFields);
    this.#longs = new BigUint64Array(buffer, longsStart, slotCount * longFields);
    this.#doubles = new Float64Array(buffer, doublesStart, slotCount + 1);
  }

  /** Puts a read; false if too many wait. Session thread only. */
  put({ address, unique, version, entry, offset, size }: RemoteRead): boolean {
    for (let slot = 0; slot < slotCount; slot++) {
      const base = slot * slotFields;
      if (Atomics.load(this.#slots, base + field.state) !== free) continue;
      this.#slots[base + field.version] = version;
      this.#slots[base + field.entry] = entry;
      this.#slots[base + field.size] = size;
      this.#longs[slot * longFields] = address;
      this.#longs[slot * longFields + 1] = unique;
      this.#doubles[slot] = offset;
      const serial = Atomics.add(this.#control, control.serial, 1) + 1;
      Atomics.store(this.#slots, base + field.state, serial << serialShift | waiting);
      this.wake();
      return true;
    }
    return false;
  }

  /**
   * Takes the read that has waited for longest, which stays in its slot until it is claimed; waits for one. Remote
   * thread only.
   * @returns `undefined` for a wake-up without a read.
   */
  take(): QueuedRead | undefined {
    const signal = Atomics.load(this.#control, control.signal);
    const oldest = this.#oldestWaiting();
    if (oldest) return oldest;
    if (signal === this.#lastSignal) Atomics.wait(this.#control, control.signal, signal);
    this.#lastSignal = Atomics.load(this.#control, control.signal);
    return undefined;
  }

  /** Wakes the remote thread. */
  wake(): void {
    Atomics.add(this.#control, control.signal, 1);
    Atomics.notify(this.#control, control.signal);
  }

  /**
   * Claims a read for the caller, who answers it and calls {@linkcode RemoteReadQueue.release}; false if it is
   * another's.
   */
  claim({ slot, state }: Pick<QueuedRead, "slot" | "state">): boolean {
    const stateIndex = slot * slotFields + field.state;
    return Atomics.compareExchange(this.#slots, stateIndex, state, state & ~waiting | answering) === state;
  }

  /** Frees the slot of a claimed read that has been answered. */
  release({ slot }: Pick<QueuedRead, "slot">): void {
    Atomics.store(this.#slots, slot * slotFields + field.state, free);
  }

  /** Returns the reads that wait, the one that is being worked on too. */
  waiting(): QueuedRead[] {
    return Array.from({ length: slotCount }, (_, slot) => this.#read(slot)).filter((read) => read !== undefined);
  }

  /** Whether a thread is about to answer a read that it has claimed. */
  get isAnswering(): boolean {
    for (let slot = 0; slot < slotCount; slot++) {
      if ((Atomics.load(this.#slots, slot * slotFields + field.state) & answering) !== 0) return true;
    }
    return false;
  }

  /** When the remote thread began what it is working on, in milliseconds since the epoch; 0: nothing. */
  get busySince(): number {
    return at(this.#doubles, slotCount);
  }

  set busySince(time: number) {
    this.#doubles[slotCount] = time;
  }

  /** Whether reads fail at once, as the file system does not answer. */
  get isRefusing(): boolean {
    return Atomics.load(this.#control, control.refusing) !== 0;
  }

  set isRefusing(isRefusing: boolean) {
    Atomics.store(this.#control, control.refusing, isRefusing ? 1 : 0);
  }

  /** Whether the remote thread is to end. */
  get isStopping(): boolean {
    return Atomics.load(this.#control, control.stopping) !== 0;
  }

  /** Has the remote thread end when it answers. */
  stop(): void {
    Atomics.store(this.#control, control.stopping, 1);
    this.wake();
  }

  /** Number of the oldest index that the remote thread need keep. */
  get oldestVersion(): number {
    return Atomics.load(this.#control, control.oldest);
  }

  /** Has the remote thread let go of older indexes. */
  tidy(oldest: number): void {
    Atomics.store(this.#control, control.oldest, oldest);
    this.wake();
  }

  #oldestWaiting(): QueuedRead | undefined {
    let oldest = -1;
    let oldestSerial = 0;
    for (let slot = 0; slot < slotCount; slot++) {
      const state = Atomics.load(this.#slots, slot * slotFields + field.state);
      if ((state & waiting) === 0) continue;
      const serial = state >> serialShift;
      // Serial numbers begin again after 2^30, where the difference still says which is older.
      if (oldest >= 0 && ((serial - oldestSerial) << serialShift) > 0) continue;
      oldest = slot;
      oldestSerial = serial;
    }
    return oldest < 0 ? undefined : this.#read(oldest);
  }

  #read(slot: number): QueuedRead | undefined {
    const base = slot * slotFields;
    const state = Atomics.load(this.#slots, base + field.state);
    if ((state & waiting) === 0) return undefined;
    const read = {
      slot,
      state,
      address: at(this.#longs, slot * longFields),
      unique: at(this.#longs, slot * longFields + 1),
      version: at(this.#slots, base + field.version),
      entry: at(this.#slots, base + field.entry) >>> 0,
      size: at(this.#slots, base + field.size),
      offset: at(this.#doubles, slot),
    };
    // Answered and used again meanwhile: what was read may be of two requests.
    return Atomics.load(this.#slots, base + field.state) === state ? read : undefined;
  }
}
