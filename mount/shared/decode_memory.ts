/**
 * Memory shared by the session thread and the decoders: members being decompressed ("slots"), the requests that wait
 * for them, a queue of work, and the ring of memory for decompressed bytes.
 *
 * Ownership: only the session thread allocates and evicts slots and ring space. A decoder owns a slot from dequeueing
 * it until it publishes the result. A waiting request belongs to the thread that takes it off its slot's list; the
 * whole list is emptied with one atomic exchange, so each request gets exactly one reply.
 * @module
 */
import { createReadAheadBuffer, ReadAheadQueue } from "./read_ahead_queue.ts";
import { elementAt } from "../../formats/parts.ts";

/** Purposes of a slot. */
export const slotKind = { memory: 0, file: 1, verify: 2 } as const;

/** Progress of a slot. */
export const slotStatus = { free: 0, working: 1, ready: 2, failed: 3 } as const;

/** Value instead of a segment: the whole member. */
export const wholeMember = -1;

/**
 * Maximum bytes of members that are decompressed on the session thread: queueing them would cost more than the work
 * (see tools/bench/README.md).
 */
export const inlineLimit = 64 * 1024;

/** Number of slots: members decompressed or being decompressed at one time. */
export const slotCount = 4096;
/** Time for the decoders to finish their work when the session ends; milliseconds. */
export const decoderTimeout = 30_000;
/** Maximum number of waiting requests. */
const waiterCount = 4096;
/** Result of {@linkcode DecodeMemory.dequeue} without a slot: stop. */
export const timeToStop = -1;
/** Result of `dequeue`: drop indexes older than {@linkcode DecodeMemory.oldestVersion}. */
export const timeToReleaseMemory = -2;
/** Result of `dequeue`: read ahead from {@linkcode DecodeMemory.ahead}, because there is no other work. */
export const timeToReadAhead = -3;
/** Result of `dequeue`: the timeout has passed. */
export const timeToWorkAlone = -4;
/** Maximum threads of a mount. */
const threadCount = 64;

/** The shared buffers; posted to every thread. */
export interface DecodeBuffers {
  readonly control: SharedArrayBuffer;
  readonly queue: SharedArrayBuffer;
  readonly held: SharedArrayBuffer;
  readonly slots: SharedArrayBuffer;
  readonly waiters: SharedArrayBuffer;
  readonly waiterOffsets: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
  readonly ahead: SharedArrayBuffer;
}

/** Makes the buffers for a ring of `ringBytes` bytes. */
export function createDecodeBuffers(ringBytes: number): DecodeBuffers {
  return {
    control: new SharedArrayBuffer(Object.keys(controlField).length * Int32Array.BYTES_PER_ELEMENT),
    queue: new SharedArrayBuffer(slotCount * 4),
    held: new SharedArrayBuffer(threadCount * 4),
    slots: new SharedArrayBuffer(slotCount * slotFields * 4),
    waiters: new SharedArrayBuffer((waiterCount + 1) * waiterFields * 4),
    waiterOffsets: new SharedArrayBuffer((waiterCount + 1) * 8),
    ring: new SharedArrayBuffer(ringBytes),
    ahead: createReadAheadBuffer(),
  };
}

/** A request that waits for a slot. */
export interface Waiter {
  readonly address: bigint;
  readonly offset: number;
  readonly size: number;
}

/** Initial values of a slot. */
export interface SlotWork {
  /** One of {@linkcode slotKind}. */
  readonly kind: number;
  /** Number of the index of `entry`. */
  readonly version: number;
  readonly entry: number;
  /** Number of a segment of a large member, or {@linkcode wholeMember}. */
  readonly segment: number;
  /** Descriptor of the archive; negative if a decoder must create its file first. */
  readonly fileDescriptor: number;
  /** Offset of the first byte in the ring. */
  readonly start: number;
}

const slotFields = 10;
const field = {
  status: 0,
  waiters: 1,
  users: 2,
  entry: 3,
  fileDescriptor: 4,
  kind: 5,
  start: 6,
  result: 7,
  version: 8,
  segment: 9,
} as const;
const waiterFields = 5;
const waiterField = { used: 0, next: 1, addressLow: 2, addressHigh: 3, size: 4 } as const;
const controlField = {
  stopping: 0,
  available: 1,
  head: 2,
  decoders: 3,
  notifying: 4,
  messages: 5,
  oldest: 6,
  quiet: 7,
} as const;

/** One thread's access to the shared buffers. */
export class DecodeMemory {
  /** The ring of decompressed bytes. */
  readonly ring: Uint8Array;
  /** Files to be read ahead. */
  readonly ahead: ReadAheadQueue;
  readonly #control: Int32Array;
  readonly #queue: Int32Array;
  /** For each thread: the slot in progress plus 1; 0: none. */
  readonly #held: Int32Array;
  readonly #slots: Int32Array;
  readonly #waiters: Int32Array;
  readonly #waiterOffsets: Float64Array;
  #tail = 0;
  #nextWaiter = 0;
  #onFirstWork: (() => void) | undefined;
  /** {@linkcode oldestVersion} at this thread's last check. */
  #knownOldest = 0;

  constructor(buffers: DecodeBuffers) {
    this.ring = new Uint8Array(buffers.ring);
    this.ahead = new ReadAheadQueue(buffers.ahead);
    this.#control = new Int32Array(buffers.control);
    this.#queue = new Int32Array(buffers.queue);
    this.#held = new Int32Array(buffers.held);
    this.#slots = new Int32Array(buffers.slots);
    this.#waiters = new Int32Array(buffers.waiters);
    this.#waiterOffsets = new Float64Array(buffers.waiterOffsets);
  }

  /** Returns the status of a slot. */
  status(slot: number): number {
    return Atomics.load(this.#slots, slot * slotFields + field.status);
  }

  /** Returns the entry a slot holds. */
  entry(slot: number): number {
    return Atomics.load(this.#slots, slot * slotFields + field.entry) >>> 0;
  }

  /** Returns the segment of the entry that a slot holds, or {@linkcode wholeMember}. */
  segment(slot: number): number {
    return Atomics.load(this.#slots, slot * slotFields + field.segment);
  }

  /** Returns the number of the index of a slot's entry. */
  version(slot: number): number {
    return Atomics.load(this.#slots, slot * slotFields + field.version);
  }

  /** Returns the purpose of a slot, one of {@linkcode slotKind}. */
  kind(slot: number): number {
    return Atomics.load(this.#slots, slot * slotFields + field.kind);
  }

  /** Returns the descriptor of the archive. */
  fileDescriptor(slot: number): number {
    return Atomics.load(this.#slots, slot * slotFields + field.fileDescriptor);
  }

  /** Sets the descriptor, if it was unknown when the slot was prepared. For the thread that works on the slot. */
  setFileDescriptor(slot: number, fileDescriptor: number): void {
    Atomics.store(this.#slots, slot * slotFields + field.fileDescriptor, fileDescriptor);
  }

  /** Returns the offset of a slot in the ring. */
  start(slot: number): number {
    return Atomics.load(this.#slots, slot * slotFields + field.start);
  }

  /** Returns the bytes of a slot in the ring. */
  bytes(slot: number, length: number): Uint8Array {
    return this.ring.subarray(this.start(slot), this.start(slot) + length);
  }

  /** Returns the descriptor of the decompressed file, for a ready slot of kind `file`. */
  result(slot: number): number {
    return Atomics.load(this.#slots, slot * slotFields + field.result);
  }

  /** Returns whether no thread works on a slot or replies from it. Session thread only. */
  isIdle(slot: number): boolean {
    return this.status(slot) !== slotStatus.working &&
      Atomics.load(this.#slots, slot * slotFields + field.users) === 0;
  }

  /** Prepares a slot for work. Session thread only. */
  begin(slot: number, { kind, version, entry, segment, fileDescriptor, start }: SlotWork): void {
    const base = slot * slotFields;
    Atomics.store(this.#slots, base + field.waiters, 0);
    Atomics.store(this.#slots, base + field.users, 0);
    Atomics.store(this.#slots, base + field.version, version);
    Atomics.store(this.#slots, base + field.entry, entry);
    Atomics.store(this.#slots, base + field.segment, segment);
    Atomics.store(this.#slots, base + field.kind, kind);
    Atomics.store(this.#slots, base + field.fileDescriptor, fileDescriptor);
    Atomics.store(this.#slots, base + field.start, start);
    Atomics.store(this.#slots, base + field.result, -1);
    Atomics.store(this.#slots, base + field.status, slotStatus.working);
  }

  /** Publishes the result of a slot in progress. Its memory remains valid until {@linkcode release}. */
  publish(slot: number, status: number, result = -1): void {
    const base = slot * slotFields;
    Atomics.store(this.#slots, base + field.result, result);
    Atomics.add(this.#slots, base + field.users, 1);
    Atomics.store(this.#slots, base + field.status, status);
  }

  /** Ends one use of a slot's memory. */
  release(slot: number): void {
    Atomics.sub(this.#slots, slot * slotFields + field.users, 1);
  }

  /** Queues a slot. Session thread only. The queue has space for every slot. */
  enqueue(slot: number): void {
    this.#queue[this.#tail] = slot;
    this.#tail = (this.#tail + 1) % slotCount;
    Atomics.add(this.#control, controlField.available, 1);
    this.wakeDecoder();
  }

  /** Wakes a decoder that sleeps, if there is one. Session thread only. */
  wakeDecoder(): void {
    Atomics.notify(this.#control, controlField.available, 1);
    const report = this.#onFirstWork;
    this.#onFirstWork = undefined;
    report?.();
  }

  /** Calls `listener` once, when there is work for a decoder. Session thread only. */
  onFirstWork(listener: () => void): void {
    this.#onFirstWork = listener;
  }

  /**
   * Waits for and dequeues the next slot; or returns one of the reasons why there is none. Decoders only.
   * @param timeout Maximum milliseconds to wait.
   */
  dequeue(timeout = Infinity): number {
    for (;;) {
      const slot = this.takeQueued();
      if (slot >= 0) return slot;
      if (this.isStopping) return timeToStop;
      if (this.ahead.isWaiting) return timeToReadAhead;
      if (this.#knownOldest !== this.oldestVersion) {
        this.#knownOldest = this.oldestVersion;
        return timeToReleaseMemory;
      }
      if (Atomics.wait(this.#control, controlField.available, 0, timeout) === "timed-out") return timeToWorkAlone;
    }
  }

  /** Whether slots wait for a decoder. */
  get hasQueued(): boolean {
    return Atomics.load(this.#control, controlField.available) > 0;
  }

  /** Dequeues the next slot; -1 if the queue is empty. The caller must publish a result. */
  takeQueued(): number {
    for (;;) {
      const available = Atomics.load(this.#control, controlField.available);
      if (available <= 0) return -1;
      const before = Atomics.compareExchange(this.#control, controlField.available, available, available - 1);
      if (before !== available) continue;
      const position = Atomics.add(this.#control, controlField.head, 1) % slotCount;
      return Atomics.load(this.#queue, (position + slotCount) % slotCount);
    }
  }

  /** Number of the oldest index that decoders must keep. */
  get oldestVersion(): number {
    return Atomics.load(this.#control, controlField.oldest);
  }

  /** Tells sleeping decoders to release older indexes. A decoder that is just falling asleep misses it: call again. */
  askToReleaseMemory(oldest: number): void {
    Atomics.store(this.#control, controlField.oldest, oldest);
    Atomics.notify(this.#control, controlField.available);
  }

  /** Number of messages sent to the session thread. */
  get messages(): number {
    return Atomics.load(this.#control, controlField.messages);
  }

  /** Counts a message for the session thread before it is sent: the thread may notice only one of several wake-ups. */
  countMessage(): void {
    Atomics.add(this.#control, controlField.messages, 1);
  }

  /** Records the slot that a thread works on, so that it can be failed if the thread fails. */
  hold(thread: number, slot: number): void {
    Atomics.store(this.#held, thread, slot + 1);
  }

  /**
   * Records that a thread is done with its slot. Called before {@linkcode release}, so that no slot is released twice.
   */
  releaseHeld(thread: number): void {
    Atomics.store(this.#held, thread, 0);
  }

  /** Returns the slot that a thread works on, or worked on when it failed; -1: none. */
  held(thread: number): number {
    return Atomics.load(this.#held, thread) - 1;
  }

  /**
   * Queues a detached request for a slot. Session thread only.
   * @returns False if too many wait already; the caller then keeps the request.
   */
  wait(slot: number, address: bigint, offset: number, size: number): boolean {
    const waiter = this.#freeWaiter();
    if (waiter === 0) return false;
    const base = waiter * waiterFields;
    this.#waiters[base + waiterField.addressLow] = Number(address & 0xffffffffn) | 0;
    this.#waiters[base + waiterField.addressHigh] = Number(address >> 32n) | 0;
    this.#waiters[base + waiterField.size] = size;
    this.#waiterOffsets[waiter] = offset;
    const list = slot * slotFields + field.waiters;
    let first: number;
    do {
      first = Atomics.load(this.#slots, list);
      this.#waiters[base + waiterField.next] = first;
    } while (Atomics.compareExchange(this.#slots, list, first, waiter) !== first);
    return true;
  }

  /** Takes all waiting requests of a slot; the caller must reply to them. */
  takeWaiters(slot: number): Waiter[] {
    const waiters: Waiter[] = [];
    let waiter = Atomics.exchange(this.#slots, slot * slotFields + field.waiters, 0);
    while (waiter !== 0) {
      const base = waiter * waiterFields;
      const low = BigInt(elementAt(this.#waiters, base + waiterField.addressLow) >>> 0);
      const high = BigInt(elementAt(this.#waiters, base + waiterField.addressHigh) >>> 0);
      waiters.push({
        address: (high << 32n) | low,
        offset: elementAt(this.#waiterOffsets, waiter),
        size: elementAt(this.#waiters, base + waiterField.size),
      });
      const next = elementAt(this.#waiters, base + waiterField.next);
      Atomics.store(this.#waiters, base + waiterField.used, 0);
      waiter = next;
    }
    return waiters;
  }

  /** Records that a decoder has started. */
  join(): void {
    Atomics.add(this.#control, controlField.decoders, 1);
  }

  /** Records that a decoder has ended. */
  leave(): void {
    Atomics.sub(this.#control, controlField.decoders, 1);
    Atomics.notify(this.#control, controlField.decoders);
  }

  /** Whether the session is ending, so that long work is no longer useful. */
  get isStopping(): boolean {
    return Atomics.load(this.#control, controlField.stopping) !== 0;
  }

  /** Whether notifications of the kernel may begin. */
  get mayNotify(): boolean {
    return Atomics.load(this.#control, controlField.quiet) === 0 && !this.isStopping;
  }

  /** Blocks new notifications. */
  refuseNotifications(): void {
    Atomics.store(this.#control, controlField.quiet, 1);
  }

  /**
   * Whether notifications are in progress: the kernel may only finish them after replies to requests about their files.
   */
  get isNotifying(): boolean {
    return Atomics.load(this.#control, controlField.notifying) !== 0;
  }

  /**
   * Records the start of notifications of the kernel, which require the session: check {@linkcode mayNotify}
   * afterwards.
   */
  beginNotifying(): void {
    Atomics.add(this.#control, controlField.notifying, 1);
  }

  /** Records the end of notifications. */
  endNotifying(): void {
    Atomics.sub(this.#control, controlField.notifying, 1);
    Atomics.notify(this.#control, controlField.notifying);
  }

  /** Calls `work`, which requires the session, unless the session is ending. */
  beforeEnd(work: () => void): void {
    this.beginNotifying();
    try {
      if (!this.isStopping) work();
    } finally {
      this.endNotifying();
    }
  }

  /** Tells the decoders to end when the queue is empty. A decoder that is just falling asleep misses it: call again. */
  askToStop(): void {
    Atomics.store(this.#control, controlField.stopping, 1);
    Atomics.notify(this.#control, controlField.available);
  }

  /**
   * Tells the decoders to end when the queue is empty, and waits until they have ended and no notification is in
   * progress, at most `milliseconds`.
   * @returns Whether no decoder is working any more.
   */
  stop(milliseconds: number): boolean {
    this.askToStop();
    this.#waitForNone(controlField.notifying, milliseconds);
    return this.#waitForNone(controlField.decoders, milliseconds);
  }

  /** Waits until a count is 0, and returns whether it is. */
  #waitForNone(field: number, milliseconds: number): boolean {
    const end = Date.now() + milliseconds;
    for (;;) {
      const count = Atomics.load(this.#control, field);
      if (count === 0 || Date.now() >= end) return count === 0;
      // A decoder that finds the queue empty sleeps on this value: changing it would mean work, so it is only notified.
      Atomics.notify(this.#control, controlField.available);
      Atomics.wait(this.#control, field, count, 50);
    }
  }

  /** Returns the index of a free waiter; 0 means none, so the first one is never used. */
  #freeWaiter(): number {
    for (let tried = 0; tried < waiterCount; tried++) {
      this.#nextWaiter = this.#nextWaiter % waiterCount + 1;
      const used = this.#nextWaiter * waiterFields + waiterField.used;
      if (Atomics.compareExchange(this.#waiters, used, 0, 1) === 0) return this.#nextWaiter;
    }
    return 0;
  }
}
