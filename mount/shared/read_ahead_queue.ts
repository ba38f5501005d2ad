/**
 * Files to store in the kernel's page cache before they are requested: the next files of a program that reads a
 * directory in order. The session thread queues them, and the decoders take them when they are idle. No request depends
 * on an item: one that comes too late is dropped.
 * @module
 */

/** Maximum directories that are read in order at one time. */
export const streamCount = 8;
/** Maximum queued files. */
const capacity = 1024;
/** Number of skipped files after the reader's position: the reader requests them before they could be ready. */
const lead = 6;
/** Maximum threads of a mount. */
const threadCount = 64;

const field = { stream: 0, epoch: 1, index: 2, version: 3, entry: 4, descriptor: 5, high: 6, low: 7 } as const;
const fields = 8;
const streamField = { epoch: 0, past: 1, unknown: 2 } as const;
const streamFields = 3;
const controlField = { head: 0, tail: 1 } as const;
const controlFields = 2;

const streamsStart = controlFields;
const heldStart = streamsStart + streamCount * streamFields;
const notesStart = heldStart + threadCount;

/** One file to be read ahead. */
export interface ReadAheadItem {
  /** Number of the stream, and its epoch when the item was queued. */
  readonly stream: number;
  readonly epoch: number;
  /** Index in the directory's tree: the stream advances in this order. */
  readonly index: number;
  /** Number of the index of `entry`. */
  readonly version: number;
  readonly entry: number;
  /** Descriptor of the archive. */
  readonly descriptor: number;
  /** Halves of the node's id. */
  readonly high: number;
  readonly low: number;
}

/** Allocates the queue; posted to every thread. */
export function createReadAheadBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer((notesStart + capacity * fields) * 4);
}

/** One thread's access to the queue. */
export class ReadAheadQueue {
  readonly #words: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
  }

  /** Restarts a stream and returns its epoch: earlier items become void. Session thread only. */
  begin(stream: number): number {
    const base = streamsStart + stream * streamFields;
    Atomics.store(this.#words, base + streamField.past, 0);
    Atomics.store(this.#words, base + streamField.unknown, 0);
    return Atomics.add(this.#words, base + streamField.epoch, 1) + 1;
  }

  /** Sets the position of a stream: items before it become void. Session thread only. */
  pass(stream: number, index: number): void {
    Atomics.store(this.#words, streamsStart + stream * streamFields + streamField.past, index);
  }

  /** Returns whether the kernel did not know a node of the stream, and resets this. Session thread only. */
  takeUnknown(stream: number): boolean {
    return Atomics.exchange(this.#words, streamsStart + stream * streamFields + streamField.unknown, 0) !== 0;
  }

  /** Queues a file; false if the queue is full. Session thread only. */
  put(note: ReadAheadItem): boolean {
    const tail = Atomics.load(this.#words, controlField.tail);
    if (((tail - Atomics.load(this.#words, controlField.head)) | 0) >= capacity) return false;
    const base = baseOf(tail);
    for (const name of fieldNames) Atomics.store(this.#words, base + field[name], note[name] | 0);
    Atomics.store(this.#words, controlField.tail, tail + 1);
    return true;
  }

  /** Whether items are queued. */
  get isWaiting(): boolean {
    return Atomics.load(this.#words, controlField.head) !== Atomics.load(this.#words, controlField.tail);
  }

  /**
   * Takes the oldest item that is not void; undefined if there is none. Its descriptor stays open until the thread
   * takes the next one or calls {@linkcode releaseHeld}. Decoders only.
   */
  take(thread: number): ReadAheadItem | undefined {
    for (;;) {
      const head = Atomics.load(this.#words, controlField.head);
      if (head === Atomics.load(this.#words, controlField.tail)) {
        this.releaseHeld(thread);
        return undefined;
      }
      const note = this.#noteAt(head);
      Atomics.store(this.#words, heldStart + thread, note.descriptor + 1);
      if (
        Atomics.compareExchange(this.#words, controlField.head, head, (head + 1) | 0) === head && !this.#isVoid(note)
      ) {
        return note;
      }
    }
  }

  /** Releases the descriptor of the item that a thread took. */
  releaseHeld(thread: number): void {
    Atomics.store(this.#words, heldStart + thread, 0);
  }

  /** Records that the kernel does not know a node: the reader has not listed the directory. Decoders only. */
  refuse({ stream, epoch }: ReadAheadItem): void {
    const base = streamsStart + stream * streamFields;
    if (Atomics.load(this.#words, base + streamField.epoch) !== epoch) return;
    Atomics.store(this.#words, base + streamField.unknown, 1);
    Atomics.store(this.#words, base + streamField.past, 0x7fff_ffff - lead);
  }

  /** Returns whether a descriptor is still needed for an item. Session thread only. */
  isBusy(descriptor: number): boolean {
    const tail = Atomics.load(this.#words, controlField.tail);
    // Positions wrap around at 32 bits.
    for (
      let position = Atomics.load(this.#words, controlField.head);
      position !== tail;
      position = (position + 1) | 0
    ) {
      if (Atomics.load(this.#words, baseOf(position) + field.descriptor) === descriptor) return true;
    }
    for (let thread = 0; thread < threadCount; thread++) {
      if (Atomics.load(this.#words, heldStart + thread) === descriptor + 1) return true;
    }
    return false;
  }

  #isVoid({ stream, epoch, index }: ReadAheadItem): boolean {
    const base = streamsStart + stream * streamFields;
    return Atomics.load(this.#words, base + streamField.epoch) !== epoch ||
      index <= Atomics.load(this.#words, base + streamField.past) + lead;
  }

  #noteAt(position: number): ReadAheadItem {
    const base = baseOf(position);
    const word = (name: keyof typeof field): number => Atomics.load(this.#words, base + field[name]);
    return {
      stream: word("stream"),
      epoch: word("epoch"),
      index: word("index"),
      version: word("version"),
      entry: word("entry"),
      descriptor: word("descriptor"),
      high: word("high") >>> 0,
      low: word("low") >>> 0,
    };
  }
}

const fieldNames = Object.keys(field) as (keyof typeof field)[];

function baseOf(position: number): number {
  return notesStart + ((position % capacity) + capacity) % capacity * fields;
}
