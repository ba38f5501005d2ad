/**
 * Address space for C functions that need all of their input and output contiguously: only a few windows of it have
 * memory at a time. A thread that accesses a window without memory waits in the kernel, userfaultfd(2), until the
 * memory of an earlier window has been moved there. Such a function must access its memory in order.
 *
 * This decompresses large members with libdeflate into an anonymous file, through a few mebibytes of memory.
 * @module
 */
import { openCLibrary } from "./c_library.ts";

/** Bytes of a window. */
export const windowBytes: number = 1024 * 1024;
/**
 * Number of windows with memory: the current one, the previous one, which may still be accessed, the next one, and one
 * that is being filled or emptied.
 */
const windowCount = 4;
/** Number of windows that get memory before they are needed. */
const windowsAhead = 2;

const openLibrary = () =>
  openCLibrary("syscall", "ioctl", "mmap", "mremap", "munmap", "madvise", "poll", "read", "close");

/** Number of userfaultfd(2), which since Linux 5.11 needs no privileges for faults in user space. */
const userFaults = Deno.build.arch === "aarch64" ? 282n : 323n;
/** O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY */
const userFaultFlags = 0o2000000n | 0o4000n | 1n;
/** Requests of linux/userfaultfd.h. */
const faultRequest = { api: 0xc018_aa3fn, register: 0xc020_aa00n, wake: 0x8010_aa02n } as const;
const faultApi = 0xaan;
/** UFFDIO_REGISTER_MODE_MISSING */
const missingPages = 1n;
/** Words of a `struct uffd_msg`: the event is the lowest byte of the first, the address is the third. */
const messageBytes = 32;
const addressWord = 2;
/** UFFD_EVENT_PAGEFAULT */
const pageFault = 0x12;
const pollInput = 1;

/** PROT_READ | PROT_WRITE */
const readAndWrite = 0x1 | 0x2;
/** MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE */
const mapOwn = 0x2 | 0x20 | 0x4000;
const mapFailed = 2n ** 64n - 1n;
/** MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP: this process keeps the old addresses. */
const moveMemory = 1 | 2 | 4;
/** MADV_POPULATE_WRITE, since Linux 5.14; earlier versions reject it. */
const populateWrite = 23;

/** Time without a fault after which to check whether the work is over; milliseconds. */
const timeout = 20;

/** Callbacks for the windows of a memory, each called once per window, in order. */
export interface WindowUse {
  /** Fills the bytes at an offset before they are accessed. */
  fill?(bytes: Uint8Array<ArrayBuffer>, offset: number): void;
  /** Consumes the bytes at an offset, which are complete and no longer needed there. */
  empty?(bytes: Uint8Array<ArrayBuffer>, offset: number): void;
}

/** Memories that a function accesses in order. */
export class MemoryWindows implements Disposable {
  readonly #library = openLibrary();
  readonly #memories: WindowedMemory[] = [];
  readonly #mapped: Deno.PointerObject[] = [];
  readonly #lengths: number[] = [];
  readonly #message = new Uint8Array(messageBytes);
  readonly #messageWords = new BigUint64Array(this.#message.buffer);
  #descriptor = -1;

  /**
   * @param isLimited Whether only some windows have memory, if the kernel supports it; else all have.
   */
  constructor(isLimited: boolean) {
    if (isLimited) this.#openFaults();
  }

  /** Whether only some windows have memory at a time. */
  get isLimited(): boolean {
    return this.#descriptor >= 0;
  }

  /** Reserves memory of a number of bytes; undefined if the kernel refuses. */
  reserve(size: number, use: WindowUse): WindowedMemory | undefined {
    const length = Math.ceil(size / windowBytes) * windowBytes;
    const bytes = this.#map(length);
    if (!bytes) return undefined;
    const spare: Uint8Array<ArrayBuffer>[] = [];
    if (this.isLimited) {
      const memory = this.#map(windowCount * windowBytes);
      if (!memory) return undefined;
      const address = Deno.UnsafePointer.of(memory);
      this.#library.symbols.madvise(address, BigInt(memory.length), populateWrite);
      for (let start = 0; start < memory.length; start += windowBytes) {
        spare.push(memory.subarray(start, start + windowBytes));
      }
      this.#request(faultRequest.register, addressOf(bytes), BigInt(length), missingPages, 0n);
    }
    const move = (from: Uint8Array<ArrayBuffer>, to: Uint8Array<ArrayBuffer>) => this.#move(from, to);
    const memory = new WindowedMemory(bytes.subarray(0, size), use, this.isLimited ? { spare, move } : undefined);
    this.#memories.push(memory);
    return memory;
  }

  /**
   * Runs a function on another thread, and provides memory where it is accessed. In any case the function has ended
   * afterwards.
   * @param check Called periodically; if it throws, the function gets zeros for the rest.
   */
  async during<Result>(work: () => Promise<Result>, check: () => void): Promise<Result> {
    check();
    for (const memory of this.#memories) memory.advance(0);
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    try {
      while (!isOver && !this.#memories.every(({ isGiven }) => isGiven)) {
        check();
        const address = this.#nextFault();
        if (address !== undefined) this.#memories.find((memory) => memory.has(address))?.reached(address);
        // deno-lint-ignore no-await-in-loop -- the work may be over
        else await new Promise((resolve) => setTimeout(resolve, 0));
      }
    } finally {
      // Waiting threads continue.
      if (this.#descriptor >= 0) this.#library.symbols.close(this.#descriptor);
      this.#descriptor = -1;
      await working.catch(() => {});
    }
    return await working;
  }

  /** Frees all memory, whose bytes must not be accessed afterwards. */
  [Symbol.dispose](): void {
    const { munmap, close } = this.#library.symbols;
    if (this.#descriptor >= 0) close(this.#descriptor);
    for (const [index, address] of this.#mapped.entries()) munmap(address, BigInt(this.#lengths[index] ?? 0));
    this.#library.close();
  }

  #openFaults(): void {
    this.#descriptor = Number(this.#library.symbols.syscall(userFaults, userFaultFlags));
    if (this.#descriptor < 0 || this.#tryRequest(faultRequest.api, faultApi, 0n, 0n)) return;
    this.#library.symbols.close(this.#descriptor);
    this.#descriptor = -1;
  }

  #map(length: number): Uint8Array<ArrayBuffer> | undefined {
    const address = this.#library.symbols.mmap(null, BigInt(length), readAndWrite, mapOwn, -1, 0n);
    if (address === null || Deno.UnsafePointer.value(address) === mapFailed) return undefined;
    this.#mapped.push(address);
    this.#lengths.push(length);
    return new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(address, length));
  }

  #move(from: Uint8Array<ArrayBuffer>, to: Uint8Array<ArrayBuffer>): void {
    const [source, target] = [Deno.UnsafePointer.of(from), Deno.UnsafePointer.of(to)];
    const length = BigInt(windowBytes);
    const moved = this.#library.symbols.mremap(source, length, length, moveMemory, target);
    if (Deno.UnsafePointer.value(moved) !== Deno.UnsafePointer.value(target)) throw new Error("Cannot move memory");
    this.#request(faultRequest.wake, addressOf(to), length);
  }

  /** Returns the address that a thread waits for, or undefined. */
  #nextFault(): bigint | undefined {
    const { poll, read } = this.#library.symbols;
    const file = new Int32Array([this.#descriptor, pollInput]);
    if (poll(new Uint8Array(file.buffer), 1n, timeout) <= 0) return undefined;
    if (read(this.#descriptor, this.#message, BigInt(messageBytes)) !== BigInt(messageBytes)) return undefined;
    return this.#message[0] === pageFault ? this.#messageWords[addressWord] : undefined;
  }

  #request(request: bigint, ...words: readonly bigint[]): void {
    if (!this.#tryRequest(request, ...words)) throw new Error("Cannot wait for page faults");
  }

  #tryRequest(request: bigint, ...words: readonly bigint[]): boolean {
    const argument = new Uint8Array(new BigUint64Array(words).buffer);
    return this.#library.symbols.ioctl(this.#descriptor, request, argument) === 0;
  }
}

/** A memory that a function accesses in order. */
class WindowedMemory {
  /** The whole memory; this thread may only access the ranges passed to `fill` and `empty`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #use: WindowUse;
  readonly #start: bigint;
  readonly #limit: WindowLimit | undefined;
  /** Number of windows that have, or had, memory; and number of emptied windows. */
  #given = 0;
  #emptied = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>, use: WindowUse, limit: WindowLimit | undefined) {
    this.bytes = bytes;
    this.#use = use;
    this.#start = addressOf(bytes);
    this.#limit = limit;
  }

  /** Whether all windows have, or had, memory. */
  get isGiven(): boolean {
    return this.#given * windowBytes >= this.bytes.length;
  }

  /** Returns whether an address is in this memory. */
  has(address: bigint): boolean {
    return address >= this.#start && address < this.#start + BigInt(this.bytes.length);
  }

  /** Records that the function has accessed an address. */
  reached(address: bigint): void {
    this.advance(Math.floor(Number(address - this.#start) / windowBytes));
  }

  /** Provides memory for the accessed window, and for the next ones as far as available. */
  advance(window: number): void {
    const end = this.#limit ? window + windowsAhead : Infinity;
    this.#give(end);
    // The end of the window before the current one may still be needed.
    while (this.#emptied < window - 1) {
      const emptied = this.#empty();
      this.#limit?.spare.push(this.#addresses(emptied));
      this.#give(end);
    }
  }

  /** Empties all remaining windows. Called after the function has ended. */
  finish(): void {
    while (this.#emptied < this.#given) this.#empty();
  }

  #give(end: number): void {
    while (!this.isGiven && this.#given < end) {
      const target = this.#addresses(this.#given);
      const memory = this.#limit ? this.#limit.spare.pop() : target;
      if (!memory) return;
      const offset = this.#given * windowBytes;
      this.#use.fill?.(memory.subarray(0, Math.min(windowBytes, this.bytes.length - offset)), offset);
      this.#limit?.move(memory, target);
      this.#given++;
    }
  }

  #empty(): number {
    const offset = this.#emptied * windowBytes;
    this.#use.empty?.(this.bytes.subarray(offset, offset + windowBytes), offset);
    return this.#emptied++;
  }

  /** Returns the addresses of a window, up to its end even if the memory ends before. */
  #addresses(window: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + window * windowBytes, windowBytes);
  }
}

/** The shared memory of a few windows. */
interface WindowLimit {
  /** Free windows. */
  readonly spare: Uint8Array<ArrayBuffer>[];
  /** Moves the memory of one window to the addresses of another. */
  readonly move: (from: Uint8Array<ArrayBuffer>, to: Uint8Array<ArrayBuffer>) => void;
}

function addressOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));
}
