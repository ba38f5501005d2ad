/**
 * The few functions of the C library that the mount's threads need: descriptors that mean the same in every thread,
 * unlike those of Deno and node:fs, which belong to the thread that opened them.
 * @module
 */

const symbols = {
  open: {
    parameters: [
      "buffer", // const char *path
      "i32", // int flags
      "u32", // mode_t mode
    ],
    result: "i32",
  },
  openat: {
    parameters: [
      "i32", // int dirfd
      "buffer", // const char *path
      "i32", // int flags
      "u32", // mode_t mode
    ],
    result: "i32",
  },
  __errno_location: {
    parameters: [],
    result: "pointer", // int *
  },
  close: {
    parameters: ["i32"], // int fd
    result: "i32",
  },
  pread: {
    parameters: [
      "i32", // int fd
      "buffer", // void *buf
      "usize", // size_t count
      "i64", // off_t offset
    ],
    result: "isize",
  },
  pwrite: {
    parameters: [
      "i32", // int fd
      "buffer", // const void *buf
      "usize", // size_t count
      "i64", // off_t offset
    ],
    result: "isize",
  },
  write: {
    parameters: [
      "i32", // int fd
      "buffer", // const void *buf
      "usize", // size_t count
    ],
    result: "isize",
  },
  posix_fallocate: {
    parameters: [
      "i32", // int fd
      "i64", // off_t offset
      "i64", // off_t len
    ],
    result: "i32",
  },
  mmap: {
    parameters: [
      "pointer", // void *addr
      "usize", // size_t length
      "i32", // int prot
      "i32", // int flags
      "i32", // int fd
      "i64", // off_t offset
    ],
    result: "pointer",
  },
  madvise: {
    parameters: [
      "pointer", // void *addr
      "usize", // size_t length
      "i32", // int advice
    ],
    result: "i32",
    nonblocking: true,
  },
  malloc_trim: {
    parameters: ["usize"], // size_t pad
    result: "i32",
    optional: true, // glibc alone has it
  },
  munmap: {
    parameters: [
      "pointer", // void *addr
      "usize", // size_t length
    ],
    result: "i32",
  },
  socket: {
    parameters: [
      "i32", // int domain
      "i32", // int type
      "i32", // int protocol
    ],
    result: "i32",
  },
  getsockopt: {
    parameters: [
      "i32", // int sockfd
      "i32", // int level
      "i32", // int optname
      "buffer", // void *optval
      "buffer", // socklen_t *optlen
    ],
    result: "i32",
  },
  getsockname: {
    parameters: [
      "i32", // int sockfd
      "buffer", // struct sockaddr *addr
      "buffer", // socklen_t *addrlen
    ],
    result: "i32",
  },
  shutdown: {
    parameters: [
      "i32", // int sockfd
      "i32", // int how
    ],
    result: "i32",
  },
  sendto: {
    parameters: [
      "i32", // int sockfd
      "buffer", // const void *buf
      "usize", // size_t len
      "i32", // int flags
      "buffer", // const struct sockaddr *dest_addr
      "u32", // socklen_t addrlen
    ],
    result: "isize",
  },
  fcntl: {
    parameters: [
      "i32", // int fd
      "i32", // int op
    ],
    result: "i32",
  },
  poll: {
    parameters: [
      "buffer", // struct pollfd *fds
      "usize", // nfds_t nfds
      "i32", // int timeout
    ],
    result: "i32",
  },
  sigaction: {
    parameters: [
      "i32", // int signum
      "pointer", // const struct sigaction *act
      "buffer", // struct sigaction *oldact
    ],
    result: "i32",
  },
  clock_gettime: {
    parameters: [
      "i32", // clockid_t clockid
      "buffer", // struct timespec *tp
    ],
    result: "i32",
  },
  statx: {
    parameters: [
      "i32", // int dirfd
      "buffer", // const char *pathname
      "i32", // int flags
      "u32", // unsigned int mask
      "buffer", // struct statx *statxbuf
    ],
    result: "i32",
  },
} as const satisfies Deno.ForeignLibraryInterface;

const names = ["libc.so.6", `libc.musl-${Deno.build.arch}.so.1`];
const encoder = new TextEncoder();

const openReadOnly = 0o0;
const openReadWrite = 0o2;
const openNonBlocking = 0o4000;
const openCloseOnExec = 0o2000000;
const openToRead = openReadOnly | openNonBlocking | openCloseOnExec;
/** `O_TMPFILE` is `__O_TMPFILE | O_DIRECTORY`, and the latter differs between processors (fcntl.h). */
const openTemporaryFile = Deno.build.arch === "aarch64" ? 0o20000000 | 0o40000 : 0o20000000 | 0o200000;
const atEmptyPath = 0x1000;
/** STATX_INO | STATX_SIZE | STATX_MTIME */
const statxMask = 0x100 | 0x200 | 0x40;
const emptyPath = encoder.encode("\0");

const unixFamily = 1;
/** SOCK_DGRAM | SOCK_CLOEXEC */
const datagramSocket = 2 | 0o2000000;
const noSignal = 0x4000;
/** SOL_SOCKET and its SO_PEERCRED and SO_ACCEPTCONN, as on all processors that Deno runs on. */
const socketLevel = 1;
const peerCredentials = 17;
const isListening = 30;
const shutBoth = 2;
/** Bytes of `sun_path` in `struct sockaddr_un`, which follow two bytes of family. */
const longestSocketPath = 108;

/** EIO */
const inputOutputError = 5;

const hangUpSignal = 1;
/** SIG_IGN */
const ignored = 1n;

const pollPriority = 0x2;
/** F_GETFD */
const getDescriptorFlags = 1;

/** CLOCK_MONOTONIC */
const monotonicClock = 1;

/** A connection that somebody has made to a Unix socket of this process. */
export interface AcceptedConnection {
  readonly fileDescriptor: number;
  /** User id of the program at the other end when it connected. */
  readonly userId: number;
}

/** PROT_READ | PROT_WRITE */
const readAndWrite = 0x1 | 0x2;
const mapShared = 0x1;
/** MAP_PRIVATE | MAP_ANONYMOUS */
const mapOwn = 0x2 | 0x20;
const mapFailed = 2n ** 64n - 1n;
/** MADV_POPULATE_WRITE, since Linux 5.14; older ones refuse it. */
const populateWrite = 23;

/** Memory outside JavaScript's, to be disposed of: nothing else frees it, and nothing may use `bytes` after that. */
export interface Mapping extends Disposable {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Memory whose pages can be made before they are needed. */
export interface PageableMapping extends Mapping {
  /**
   * Has another thread make the pages: made one by one as they are written to, they make inflating a fifth slower.
   * Resolved when that is over; not to be disposed of before.
   */
  populate(): Promise<void>;
}

/** What `statx` tells of an open file: enough to see that it is still the one that was indexed. */
export interface FileInformation {
  size: number;
  inode: number;
  /** Milliseconds since the epoch, with the fraction that the file system keeps. */
  mtime: number;
}

/** The C library of this thread. */
export class CLibrary implements Disposable {
  readonly #library: Deno.DynamicLibrary<typeof symbols>;
  // struct statx, the same on every processor: ino at 32, size at 40, mtime seconds at 112, nanoseconds at 120
  readonly #statx = new Uint8Array(256);
  readonly #statxView = new DataView(this.#statx.buffer);

  /** @throws {Error} if the C library cannot be loaded. */
  constructor() {
    this.#library = openCLibrary(symbols);
  }

  /** Opens a file for reading, a named pipe without waiting for a writer; negative the error number if it cannot. */
  openForReading(path: string): number {
    const fileDescriptor = this.#library.symbols.open(encoder.encode(`${path}\0`), openToRead, 0);
    return fileDescriptor < 0 ? -this.errorNumber() : fileDescriptor;
  }

  /** The same for a path below an open directory, wherever that is now. */
  openBelow(directory: number, path: string): number {
    const fileDescriptor = this.#library.symbols.openat(directory, encoder.encode(`${path}\0`), openToRead, 0);
    return fileDescriptor < 0 ? -this.errorNumber() : fileDescriptor;
  }

  /** Text of a small file that Deno itself does not open, as those below `/proc`; empty if it cannot be read. */
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

  /** Whether this process belongs to a terminal, which is its until it is closed. */
  hasTerminal(): boolean {
    const fileDescriptor = this.openForReading("/dev/tty");
    if (fileDescriptor < 0) return false;
    this.close(fileDescriptor);
    return true;
  }

  /** Whether SIGHUP is ignored, as nohup(1) has it. To be asked before anything listens to it. */
  ignoresHangUp(): boolean {
    // struct sigaction begins with the handler, and is no longer than this in any C library.
    const action = new BigUint64Array(32);
    return this.#library.symbols.sigaction(hangUpSignal, null, action) === 0 && action[0] === ignored;
  }

  /**
   * Whether a descriptor tells of something out of the ordinary; that of `/proc/self/mountinfo` does once after each
   * change of what is mounted, proc(5).
   */
  hasNews(fileDescriptor: number): boolean {
    // struct pollfd: int fd, short events, short revents
    const request = new DataView(new ArrayBuffer(8));
    request.setInt32(0, fileDescriptor, true);
    request.setInt16(4, pollPriority, true);
    return this.#library.symbols.poll(request, 1n, 0) > 0;
  }

  /** The clock that systemd compares with: time since the machine was started, without that of its sleep. */
  monotonicMicroseconds(): bigint {
    // struct timespec: two longs, of 64 bits on the processors that Deno runs on
    const time = new BigInt64Array(2);
    this.#library.symbols.clock_gettime(monotonicClock, time);
    const [seconds = 0n, nanoseconds = 0n] = time;
    return seconds * 1_000_000n + nanoseconds / 1000n;
  }

  /** Opens a file without a name in `directory`, for reading and writing; negative if that is impossible there. */
  openUnnamed(directory: string): number {
    const flags = openTemporaryFile | openReadWrite | openCloseOnExec;
    return this.#library.symbols.open(encoder.encode(`${directory}\0`), flags, 0o600);
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

  /** Writes `bytes`; for short messages to pipes. */
  write(fileDescriptor: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#library.symbols.write(fileDescriptor, bytes, BigInt(bytes.length));
  }

  /**
   * Sends one datagram to a Unix socket; false if nobody takes it. A path that begins with `@` is a name without a file,
   * as in unix(7). Deno's own datagrams need `--unstable-net`.
   */
  sendDatagram(path: string, text: string): boolean {
    const name = encoder.encode(path.startsWith("@") ? `\0${path.slice(1)}` : path);
    if (name.length > longestSocketPath) return false;
    const address = new Uint8Array(2 + name.length);
    new Uint16Array(address.buffer, 0, 1)[0] = unixFamily;
    address.set(name, 2);
    const { socket, sendto } = this.#library.symbols;
    const fileDescriptor = socket(unixFamily, datagramSocket, 0);
    if (fileDescriptor < 0) return false;
    const bytes = encoder.encode(text);
    const sent = sendto(fileDescriptor, bytes, BigInt(bytes.length), noSignal, address, address.length);
    this.close(fileDescriptor);
    return Number(sent) === bytes.length;
  }

  /** Those of `count` descriptors from `first` on that are open. (poll(2) would take the news from those that have some.) */
  openDescriptors(first: number, count: number): number[] {
    const { fcntl } = this.#library.symbols;
    return Array.from({ length: count }, (_, index) => first + index)
      .filter((fileDescriptor) => fcntl(fileDescriptor, getDescriptorFlags) >= 0);
  }

  /** The connection that this descriptor stands for, if it is one that was accepted at the socket `path`. */
  acceptedConnection(fileDescriptor: number, path: string): AcceptedConnection | undefined {
    const { getsockopt, getsockname } = this.#library.symbols;
    // struct ucred: pid, uid, gid, of 32 bits each
    const credentials = new Uint32Array(3);
    const option = (name: number, value: Uint32Array<ArrayBuffer>) =>
      getsockopt(fileDescriptor, socketLevel, name, value, new Uint32Array([value.byteLength])) === 0;
    if (!option(peerCredentials, credentials)) return undefined;
    const listening = new Uint32Array(1);
    if (!option(isListening, listening) || listening[0] !== 0) return undefined;
    const address = new Uint8Array(2 + longestSocketPath);
    const length = new Uint32Array([address.length]);
    if (getsockname(fileDescriptor, address, length) !== 0) return undefined;
    const name = new TextDecoder().decode(address.subarray(2, Math.min(length[0] ?? 0, address.length)));
    const userId = credentials[1] ?? 0;
    return name.replace(/\0.*$/s, "") === path ? { fileDescriptor, userId } : undefined;
  }

  /** Ends a connection, whoever holds its descriptor. */
  shutDown({ fileDescriptor }: AcceptedConnection): void {
    this.#library.symbols.shutdown(fileDescriptor, shutBoth);
  }

  /** Why the last call of this thread failed; EIO if the C library does not say. */
  errorNumber(): number {
    const address = this.#library.symbols.__errno_location();
    return (address && new Deno.UnsafePointerView(address).getInt32()) || inputOutputError;
  }

  /** What an open file is now; undefined if that cannot be told. */
  information(fileDescriptor: number): FileInformation | undefined {
    const { statx } = this.#library.symbols;
    if (statx(fileDescriptor, emptyPath, atEmptyPath, statxMask, this.#statx) !== 0) return undefined;
    const view = this.#statxView;
    return {
      inode: Number(view.getBigUint64(32, true)),
      size: Number(view.getBigUint64(40, true)),
      mtime: Number(view.getBigInt64(112, true)) * 1000 + view.getUint32(120, true) / 1e6,
    };
  }

  /**
   * Makes an empty file `size` bytes long and maps it, so that what is written to the memory is in the file. Its room is
   * taken first: a disk found to be full at a write to mapped memory would end the process. Undefined without room.
   */
  mapNewFile(fileDescriptor: number, size: number): PageableMapping | undefined {
    if (this.#library.symbols.posix_fallocate(fileDescriptor, 0n, BigInt(size)) !== 0) return undefined;
    return this.#map(size, mapShared, fileDescriptor);
  }

  /** Maps memory of its own, which unlike JavaScript's is given back at once; undefined if there is none. */
  mapMemory(size: number): Mapping | undefined {
    return this.#map(size, mapOwn, -1);
  }

  /** Gives free memory of the C library's heap back to the system, where it can do that. */
  trimHeap(): void {
    this.#library.symbols.malloc_trim?.(0n);
  }

  /** Unloads the library. */
  [Symbol.dispose](): void {
    this.#library.close();
  }

  #map(size: number, flags: number, fileDescriptor: number): PageableMapping | undefined {
    const { mmap, munmap, madvise } = this.#library.symbols;
    const address = mmap(null, BigInt(size), readAndWrite, flags, fileDescriptor, 0n);
    if (address === null || Deno.UnsafePointer.value(address) === mapFailed) return undefined;
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

/**
 * Loads functions of the C library.
 * @throws {Error} if it cannot be loaded.
 */
export function openCLibrary<const Symbols extends Deno.ForeignLibraryInterface>(
  wanted: Symbols,
): Deno.DynamicLibrary<Symbols> {
  let failure: unknown;
  for (const name of names) {
    try {
      return Deno.dlopen(name, wanted);
    } catch (error) {
      failure ??= error;
    }
  }
  throw new Error(`Cannot load the C library (${names.join(" or ")})`, { cause: failure });
}
