/**
 * Requests that the session thread forwards to another thread: reads of files on remote file systems, and all requests
 * about converted files. The session thread queues them, and the thread of the queue replies, so that a hung file
 * system, or a long conversion, only delays its own readers.
 *
 * A request belongs to the thread that claims it with a compare-and-exchange: the thread of the queue when it has the
 * reply, the session thread when the reader is interrupted or the mount ends, the main thread when hung reads must
 * fail. The word that is compared holds a serial number, so a request is never mistaken for a later one in its slot.
 * @module
 */
import { elementAt } from "../../formats/parts.ts";

/** Maximum remote file systems with their own thread; further ones share these. */
export const maxRemoteThreads = 4;
/** Maximum waiting requests per thread; further ones fail with EIO. */
export const slotCount = 256;

const control = { signal: 0, stopping: 1, oldest: 2, refusing: 3, serial: 4 } as const;
const controlFields = 8;
const field = {
  state: 0,
  version: 1,
  entry: 2,
  size: 3,
  high: 4,
  low: 5,
  view: 6,
  node: 7,
  process: 8,
  interrupted: 9,
} as const;
const slotFields = 10;
/** Fields of each slot in 64-bit words: address and unique number. The offsets of all slots follow. */
const longFields = 2;
const controlBytes = controlFields * 4;
const longsStart = controlBytes + slotCount * slotFields * 4;
const doublesStart = longsStart + slotCount * longFields * 8;

/** State of a slot's request, in the lowest two bits. */
const free = 0;
const waiting = 1;
const answering = 2;
const serialShift = 2;

/** The converted file of a request. */
export interface ConvertedNode {
  /** Upper and lower half of its id. */
  readonly high: number;
  readonly low: number;
  /** Number of the view in the catalog. */
  readonly view: number;
  /** Node of the snapshot that names the original. */
  readonly node: number;
}

/** Request that is forwarded to another thread. */
export interface RequestOrder extends ConvertedNode {
  /** Number of the index of `entry`. */
  readonly version: number;
  readonly entry: number;
  readonly offset: number;
  /** Bytes to read; for a converted file also one of {@linkcode attributesWanted}. */
  readonly size: number;
}

/** Values instead of the bytes to read: the request is for the attributes of a node, or of a name in a directory. */
export const attributesWanted = { ofNode: -1, ofName: -2, ofForgottenName: -3 } as const;

/** Value instead of a node: the read is not about a converted file. */
export const noConvertedNode: ConvertedNode = { high: 0, low: 0, view: 0, node: 0 };

/** A waiting request. */
export interface HandedRequest extends RequestOrder {
  /** Address of the request. */
  readonly address: bigint;
  /** Number of the request, which the kernel uses to interrupt it. */
  readonly unique: bigint;
  /** Number of the calling thread; 0 if unknown. */
  readonly process: number;
}

/** A request in its queue, with the state needed to claim it. */
export interface QueuedRequest extends HandedRequest {
  readonly slot: number;
  readonly state: number;
  /** Whether its process got a signal that it has survived so far. */
  readonly isInterrupted: boolean;
}

/** Allocates one queue; posted to every thread. */
export function createRequestQueueBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(doublesStart + slotCount * 8);
}

/** Bytes for recorded inputs of conversions: some ten thousand pictures with a palette. */
const inputNoteBytes = 1024 * 1024;

/** Allocates the `InputNotes` of one converter; posted to every thread. */
export function createInputNotes(): SharedArrayBuffer {
  return new SharedArrayBuffer(inputNoteBytes);
}

/** One thread's access to a queue. */
export class RequestQueue {
  readonly #control: Int32Array;
  readonly #slots: Int32Array;
  readonly #longs: BigUint64Array;
  readonly #doubles: Float64Array;
  #lastSignal = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#control = new Int32Array(buffer, 0, controlFields);
    this.#slots = new Int32Array(buffer, controlBytes, slotCount * slotFields);
    this.#longs = new BigUint64Array(buffer, longsStart, slotCount * longFields);
    this.#doubles = new Float64Array(buffer, doublesStart, slotCount);
  }

  /** Queues a request; false if too many wait. Session thread only. */
  put({ address, unique, process, version, entry, offset, size, high, low, view, node }: HandedRequest): boolean {
    for (let slot = 0; slot < slotCount; slot++) {
      const base = slot * slotFields;
      if (Atomics.load(this.#slots, base + field.state) !== free) continue;
      this.#slots[base + field.version] = version;
      this.#slots[base + field.entry] = entry;
      this.#slots[base + field.size] = size;
      this.#slots[base + field.high] = high;
      this.#slots[base + field.low] = low;
      this.#slots[base + field.view] = view;
      this.#slots[base + field.node] = node;
      this.#slots[base + field.process] = process;
      this.#slots[base + field.interrupted] = 0;
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
   * Waits for and takes the oldest request, which stays in its slot until it is claimed. Thread of the queue only.
   * @returns `undefined` for a wake-up without a request.
   */
  take(): QueuedRequest | undefined {
    const signal = Atomics.load(this.#control, control.signal);
    const oldest = this.#oldestWaiting();
    if (oldest) return oldest;
    if (signal === this.#lastSignal) Atomics.wait(this.#control, control.signal, signal);
    this.#lastSignal = Atomics.load(this.#control, control.signal);
    return undefined;
  }

  /** Wakes the thread of the queue. */
  wake(): void {
    Atomics.add(this.#control, control.signal, 1);
    Atomics.notify(this.#control, control.signal);
  }

  /**
   * Claims a request for the caller, who replies and calls {@linkcode RequestQueue.release}; false if another thread
   * has claimed it.
   */
  claim({ slot, state }: Pick<QueuedRequest, "slot" | "state">): boolean {
    const stateIndex = slot * slotFields + field.state;
    return Atomics.compareExchange(this.#slots, stateIndex, state, state & ~waiting | answering) === state;
  }

  /** Frees the slot of a claimed request after its reply. */
  release({ slot }: Pick<QueuedRequest, "slot">): void {
    Atomics.store(this.#slots, slot * slotFields + field.state, free);
  }

  /** Records that the process of a waiting request got a signal. Session thread only. */
  noteInterruption({ slot }: Pick<QueuedRequest, "slot">): void {
    Atomics.store(this.#slots, slot * slotFields + field.interrupted, 1);
  }

  /** Returns the waiting requests, including the one in progress. */
  waiting(): QueuedRequest[] {
    return Array.from({ length: slotCount }, (_, slot) => this.#read(slot)).filter((read) => read !== undefined);
  }

  /** Whether a thread is about to reply to a read that it has claimed. */
  get isAnswering(): boolean {
    for (let slot = 0; slot < slotCount; slot++) {
      if ((Atomics.load(this.#slots, slot * slotFields + field.state) & answering) !== 0) return true;
    }
    return false;
  }

  /** Whether reads fail at once, as the file system does not answer. */
  get isRefusing(): boolean {
    return Atomics.load(this.#control, control.refusing) !== 0;
  }

  set isRefusing(isRefusing: boolean) {
    Atomics.store(this.#control, control.refusing, isRefusing ? 1 : 0);
  }

  /** Whether the thread must end. */
  get isStopping(): boolean {
    return Atomics.load(this.#control, control.stopping) !== 0;
  }

  /** Tells the thread to end after its reply. */
  stop(): void {
    Atomics.store(this.#control, control.stopping, 1);
    this.wake();
  }

  /** Number of the oldest index that the thread must keep. */
  get oldestVersion(): number {
    return Atomics.load(this.#control, control.oldest);
  }

  /** Tells the thread to release older indexes. */
  tidy(oldest: number): void {
    Atomics.store(this.#control, control.oldest, oldest);
    this.wake();
  }

  #oldestWaiting(): QueuedRequest | undefined {
    let oldest = -1;
    let oldestSerial = 0;
    for (let slot = 0; slot < slotCount; slot++) {
      const state = Atomics.load(this.#slots, slot * slotFields + field.state);
      if ((state & waiting) === 0) continue;
      const serial = state >> serialShift;
      // Serial numbers wrap around at 2^30; their difference still shows which is older.
      if (oldest >= 0 && ((serial - oldestSerial) << serialShift) > 0) continue;
      oldest = slot;
      oldestSerial = serial;
    }
    return oldest < 0 ? undefined : this.#read(oldest);
  }

  #read(slot: number): QueuedRequest | undefined {
    const base = slot * slotFields;
    const state = Atomics.load(this.#slots, base + field.state);
    if ((state & waiting) === 0) return undefined;
    const read = {
      slot,
      state,
      address: elementAt(this.#longs, slot * longFields),
      unique: elementAt(this.#longs, slot * longFields + 1),
      version: elementAt(this.#slots, base + field.version),
      entry: elementAt(this.#slots, base + field.entry) >>> 0,
      size: elementAt(this.#slots, base + field.size),
      offset: elementAt(this.#doubles, slot),
      high: elementAt(this.#slots, base + field.high) >>> 0,
      low: elementAt(this.#slots, base + field.low) >>> 0,
      view: elementAt(this.#slots, base + field.view),
      node: elementAt(this.#slots, base + field.node) >>> 0,
      process: elementAt(this.#slots, base + field.process),
      isInterrupted: Atomics.load(this.#slots, base + field.interrupted) !== 0,
    };
    // Replied and reused meanwhile: the fields may be from two requests.
    return Atomics.load(this.#slots, base + field.state) === state ? read : undefined;
  }
}
