/**
 * System calls on files, and on memory mapped to them. Their descriptors mean the same in every thread, unlike those of
 * Deno and node:fs, which belong to the thread that opened them.
 * @module
 */
import { openCLibrary } from "./c_library.ts";

const openLibrary = () =>
  openCLibrary(
    "open",
    "openat",
    "__errno_location",
    "close",
    "pread",
    "pwrite",
    "posix_fallocate",
    "mmap",
    "madvise",
    "madvise_here",
    "munmap",
    "statx",
  );

const encoder = new TextEncoder();

const openReadOnly = 0o0;
const openReadWrite = 0o2;
const openNonBlocking = 0o4000;
const openCloseOnExec = 0o2000000;
const openToRead = openReadOnly | openNonBlocking | openCloseOnExec;
/** `O_TMPFILE` is `__O_TMPFILE | O_DIRECTORY`, and the latter differs between processors (fcntl.h). */
const openTemporaryFile = Deno.build.arch === "aarch64" ? 0o20000000 | 0o40000 : 0o20000000 | 0o200000;
const atEmptyPath = 0x1000;
const statxInode = 0x100;
/** STATX_INO | STATX_SIZE | STATX_MTIME */
const statxMask = statxInode | 0x200 | 0x40;
/** STATX_MODE | STATX_UID */
const statxOwnerMask = 0x2 | 0x8;
const writableByOthers = 0o022;
const emptyPath = encoder.encode("\0");

/** EIO */
const inputOutputError = 5;

/** PROT_READ | PROT_WRITE */
const readAndWrite = 0x1 | 0x2;
const mapShared = 0x1;
/** MAP_PRIVATE | MAP_ANONYMOUS */
const mapOwn = 0x2 | 0x20;
const mapFailed = 2n ** 64n - 1n;
/** MADV_HUGEPAGE */
const hugePages = 14;
/** Bytes of a page, and the number of pages of a huge one as a power of two, on the processors that have such. */
const pageBytes = 4096;
const hugeOrder = 9;
/** MADV_POPULATE_WRITE, since Linux 5.14; older ones refuse it. */
const populateWrite = 23;

/** Memory outside JavaScript's heap, which only its disposal frees; `bytes` must not be used afterwards. */
export interface Mapping extends Disposable {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Memory whose pages can be made before they are needed. */
export interface PageableMapping extends Mapping {
  /**
   * Makes the pages in another thread: made one by one as they are written to, they slow inflating by a fifth. Resolved
   * when that is done; not to be disposed of before.
   */
  populate(): Promise<void>;
}

/** State of an open file as `statx` reports it, to be compared with the indexed one. */
export interface FileInformation {
  size: number;
  inode: number;
  /** Milliseconds since the epoch, with the fraction that the file system keeps. */
  mtime: number;
}

/** System calls of one thread. */
export class FileCalls implements Disposable {
  readonly #library: ReturnType<typeof openLibrary>;
  // struct statx, the same on every processor: uid at 20, mode at 28 (16 bits), ino at 32, size at 40, mtime seconds at
  // 112, nanoseconds at 120
  readonly #statx = new Uint8Array(256);
  readonly #statxWords = new Uint32Array(this.#statx.buffer);

  /** @throws {Error} if the C library cannot be loaded. */
  constructor() {
    this.#library = openLibrary();
  }

  /** Opens a file for reading, a named pipe without waiting for a writer; negative the error number if it cannot. */
  openForReading(path: string): number {
    const fileDescriptor = this.#library.symbols.open(encoder.encode(`${path}\0`), openToRead, 0);
    return fileDescriptor < 0 ? -this.errorNumber() : fileDescriptor;
  }

  /** Opens a path below an open directory likewise, wherever the directory is now. */
  openBelow(directory: number, path: string): number {
    const fileDescriptor = this.#library.symbols.openat(directory, encoder.encode(`${path}\0`), openToRead, 0);
    return fileDescriptor < 0 ? -this.errorNumber() : fileDescriptor;
  }

  /** Opens a file without a name in `directory`, for reading and writing; negative if that is impossible there. */
  openUnnamed(directory: string): number {
    const flags = openTemporaryFile | openReadWrite | openCloseOnExec;
    return this.#library.symbols.open(encoder.encode(`${directory}\0`), flags, 0o600);
  }

  /**
   * Returns the text of a small file that Deno itself does not open, as those below `/proc`; empty if it cannot be
   * read.
   */
  readText(path: string): string {
    const fileDescriptor = this.openForReading(path);
    if (fileDescriptor < 0) return "";
    const decoder = new TextDecoder();
    const chunk = new Uint8Array(64 * 1024);
    let text = "";
    let done = 0;
    for (;;) {
      const count = this.readAt(fileDescriptor, chunk, done);
      if (count <= 0) break;
      text += decoder.decode(chunk.subarray(0, count), { stream: true });
      done += count;
    }
    this.close(fileDescriptor);
    return text + decoder.decode();
  }

  /** Closes a descriptor. */
  close(fileDescriptor: number): void {
    this.#library.symbols.close(fileDescriptor);
  }

  /** Reads up to the length of `bytes` at `offset`; the number read, or negative the error number. */
  readAt(fileDescriptor: number, bytes: Uint8Array, offset: number): number {
    const { pread } = this.#library.symbols;
    // FFI takes views of shared memory as they are; only its type does not say so.
    const count = pread(fileDescriptor, bytes as Uint8Array<ArrayBuffer>, BigInt(bytes.length), BigInt(offset));
    return count < 0n ? -this.errorNumber() : Number(count);
  }

  /**
   * Fills `bytes` from `offset`, as far as the file goes; the number read, or negative the error number if there was an
   * error anywhere.
   */
  readFully(fileDescriptor: number, bytes: Uint8Array, offset: number): number {
    let done = 0;
    while (done < bytes.length) {
      const count = this.readAt(fileDescriptor, done === 0 ? bytes : bytes.subarray(done), offset + done);
      if (count < 0) return count;
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  /** Writes all of `bytes` at `offset`; false if it cannot. */
  writeAt(fileDescriptor: number, bytes: Uint8Array, offset: number): boolean {
    let done = 0;
    while (done < bytes.length) {
      const rest = bytes.subarray(done) as Uint8Array<ArrayBuffer>;
      const count = this.#library.symbols.pwrite(fileDescriptor, rest, BigInt(rest.length), BigInt(offset + done));
      if (count <= 0n) return false;
      done += Number(count);
    }
    return true;
  }

  /** Returns the state of an open file; undefined if that is unknown. */
  information(fileDescriptor: number): FileInformation | undefined {
    const { statx } = this.#library.symbols;
    if (statx(fileDescriptor, emptyPath, atEmptyPath, statxMask, this.#statx) !== 0) return undefined;
    const seconds = this.#word(28) + (this.#word(29) | 0) * 2 ** 32;
    return {
      inode: this.#inode(),
      size: this.#word(10) + this.#word(11) * 2 ** 32,
      mtime: seconds * 1000 + this.#word(30) / 1e6,
    };
  }

  /** Returns the inode of what is at a path below an open directory; null if that is unknown. */
  inodeBelow(directory: number, path: string): number | null {
    const { statx } = this.#library.symbols;
    if (statx(directory, encoder.encode(`${path}\0`), 0, statxInode, this.#statx) !== 0) return null;
    return this.#inode();
  }

  /** Returns the inode of the last `statx`. */
  #inode(): number {
    return this.#word(8) + this.#word(9) * 2 ** 32;
  }

  /** Returns whether an open file belongs to this process's user and can be written by no other. */
  isOwn(fileDescriptor: number): boolean {
    const { statx } = this.#library.symbols;
    if (statx(fileDescriptor, emptyPath, atEmptyPath, statxOwnerMask, this.#statx) !== 0) return false;
    return this.#word(5) === Deno.uid() && (this.#word(7) & writableByOthers) === 0;
  }

  /** Returns a word of the last `statx`; without the bigints that 64-bit reads would make for each request. */
  #word(index: number): number {
    return this.#statxWords[index] ?? 0;
  }

  /** Returns why the last call of this thread failed; EIO if the C library does not say. */
  errorNumber(): number {
    const address = this.#library.symbols.__errno_location();
    return (address && new Deno.UnsafePointerView(address).getInt32()) || inputOutputError;
  }

  /**
   * Makes an empty file `size` bytes long and maps it, so that what is written to the memory is in the file. Its room
   * is taken first: a disk found to be full at a write to mapped memory would end the process. Undefined without room.
   */
  mapNewFile(fileDescriptor: number, size: number): PageableMapping | undefined {
    if (this.#library.symbols.posix_fallocate(fileDescriptor, 0n, BigInt(size)) !== 0) return undefined;
    return this.#map(size, mapShared, fileDescriptor);
  }

  /**
   * Maps memory of its own, which unlike JavaScript's is given back at once; undefined if there is none. In huge pages,
   * where enough are free: making them could take longer than they save.
   */
  mapMemory(size: number): Mapping | undefined {
    return this.#map(size, mapOwn, -1, this.#freeInHugePages() >= 2 * size);
  }

  /** Returns how many bytes of memory are free in huge pages. */
  #freeInHugePages(): number {
    let free = 0;
    for (const line of this.readText("/proc/buddyinfo").split("\n")) {
      // Node 0, zone Normal 12 34 …: free blocks of one page, of two, of four and so on
      const counts = line.trim().split(/\s+/).slice(4);
      for (const [order, count] of counts.entries()) {
        if (order >= hugeOrder) free += Number(count) * pageBytes * 2 ** order;
      }
    }
    return free;
  }

  /** Unloads the library. */
  [Symbol.dispose](): void {
    this.#library.close();
  }

  #map(size: number, flags: number, fileDescriptor: number, isHuge = false): PageableMapping | undefined {
    const { mmap, munmap, madvise, madvise_here } = this.#library.symbols;
    const address = mmap(null, BigInt(size), readAndWrite, flags, fileDescriptor, 0n);
    if (address === null || Deno.UnsafePointer.value(address) === mapFailed) return undefined;
    if (isHuge) madvise_here(address, BigInt(size), hugePages);
    return {
      bytes: new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(address, size)),
      async populate(): Promise<void> {
        await madvise(address, BigInt(size), populateWrite);
      },
      [Symbol.dispose](): void {
        munmap(address, BigInt(size));
      },
    };
  }
}
