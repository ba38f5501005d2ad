/**
 * System calls about this process: its terminal, signals, clock, heap and pipes.
 * @module
 */
import { openCLibrary } from "./c_library.ts";
import { FileCalls } from "./file_calls.ts";

const openLibrary = () => openCLibrary("open", "close", "write", "poll", "clock_gettime", "malloc_trim", "madvise");

/** O_RDONLY | O_NONBLOCK | O_CLOEXEC */
const openToRead = 0o4000 | 0o2000000;

const pollPriority = 0x2;

/** PRIO_PROCESS */
const priorityOfProcess = 0;
/** A tenth of the time of threads with normal priority, when all processors are busy. */
const lowPriority = 10;

/** CLOCK_MONOTONIC */
const monotonicClock = 1;

/** MADV_DONTNEED */
const notNeeded = 4;
/** First line in proc_pid_smaps(5) of a file mapping for reading. */
const readOnlyMapping = /^([0-9a-f]+)-([0-9a-f]+) r-[x-][ps] .* \//;
/** Line in it for a mapping whose pages were never written to. */
const isLikeFile = /^Anonymous: +0 kB$/m;

/**
 * Lowers the priority of this thread, like nice(1): in Linux a priority belongs to a thread, and 0 means the calling
 * one.
 */
export function lowerPriority(): void {
  const library = openCLibrary("setpriority");
  library.symbols.setpriority(priorityOfProcess, 0, lowPriority);
  library.close();
}

/** System calls of one thread. */
export class ProcessCalls implements Disposable {
  readonly #library = openLibrary();

  /** Returns whether this process belongs to a terminal that is still open. */
  hasTerminal(): boolean {
    const { open, close } = this.#library.symbols;
    const fileDescriptor = open(new TextEncoder().encode("/dev/tty\0"), openToRead, 0);
    if (fileDescriptor < 0) return false;
    close(fileDescriptor);
    return true;
  }

  /**
   * Returns whether poll(2) reports POLLPRI for a descriptor, as it does once for `/proc/self/mountinfo` after each
   * change of the mounts, proc(5).
   */
  hasPriorityEvent(fileDescriptor: number): boolean {
    // struct pollfd: int fd, short events, short revents
    const request = new DataView(new ArrayBuffer(8));
    request.setInt32(0, fileDescriptor, true);
    request.setInt16(4, pollPriority, true);
    return this.#library.symbols.poll(request, 1n, 0) > 0;
  }

  /** Returns the clock that systemd uses for comparison: time since the machine was started, without sleep. */
  monotonicMicroseconds(): bigint {
    // struct timespec: two longs, of 64 bits on the processors that Deno runs on
    const time = new BigInt64Array(2);
    this.#library.symbols.clock_gettime(monotonicClock, time);
    const [seconds = 0n, nanoseconds = 0n] = time;
    return seconds * 1_000_000n + nanoseconds / 1000n;
  }

  /** Writes a short message to a pipe. */
  write(fileDescriptor: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#library.symbols.write(fileDescriptor, bytes, BigInt(bytes.length));
  }

  /** Closes an inherited descriptor, such as a pipe's. */
  close(fileDescriptor: number): void {
    this.#library.symbols.close(fileDescriptor);
  }

  /** Returns free memory of the C library's heap to the system, if supported. */
  trimHeap(): void {
    this.#library.symbols.malloc_trim?.(0n);
  }

  /**
   * Releases the pages of files mapped for reading: a program's code and constants. Most of them are only needed at the
   * start. Pages that are accessed again come from the page cache, 64 KiB at a time.
   */
  releaseFilePages(): void {
    using files = new FileCalls();
    for (const mapping of files.readText("/proc/self/smaps").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
      const [, start = "", end = ""] = readOnlyMapping.exec(mapping) ?? [];
      if (start === "" || !isLikeFile.test(mapping)) continue;
      const address = BigInt(`0x${start}`);
      this.#library.symbols.madvise(Deno.UnsafePointer.create(address), BigInt(`0x${end}`) - address, notNeeded);
    }
  }

  /** Unloads the library. */
  [Symbol.dispose](): void {
    this.#library.close();
  }
}
