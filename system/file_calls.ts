/**
 * System calls on files. Their descriptors are valid in every thread, unlike descriptors of Deno and node:fs, which
 * belong to the thread that opened them.
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
    "statx",
    "unlink",
  );

const encoder = new TextEncoder();

const openReadOnly = 0o0;
const openReadWrite = 0o2;
const openNonBlocking = 0o4000;
const openCloseOnExec = 0o2000000;
/** O_CREAT | O_EXCL */
const openNew = 0o100 | 0o200;
const openToRead = openReadOnly | openNonBlocking | openCloseOnExec;
/** `O_TMPFILE` is `__O_TMPFILE | O_DIRECTORY`, and the latter differs between processors (fcntl.h). */
const openTemporaryFile = Deno.build.arch === "aarch64" ? 0o20000000 | 0o40000 : 0o20000000 | 0o200000;
const atEmptyPath = 0x1000;
const statxInode = 0x100;
/** STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME */
const statxMask = statxInode | 0x200 | 0x40 | 0x80;
/** STATX_MODE | STATX_UID */
const statxOwnerMask = 0x2 | 0x8;
/** STATX_BASIC_STATS */
const statxBasicMask = 0x7ff;
/** AT_FDCWD */
const atWorkingDirectory = -100;
const fileTypeMask = 0o170000;
const regularFile = 0o100000;
/** PATH_MAX, with the NUL at the end. */
const maxPathBytes = 4096;
const writableByOthers = 0o022;
const emptyPath = encoder.encode("\0");

/** EIO */
const inputOutputError = 5;

/** State of an open file from `statx`, to be compared with the indexed one. */
export interface FileInformation {
  size: number;
  inode: number;
  /** Milliseconds since the epoch, with the file system's fraction. */
  mtime: number;
  /** Milliseconds since the epoch, with the file system's fraction. */
  ctime: number;
}

/**
 * Attributes of a path like those of `Deno.stat`: times in milliseconds, but the `ctime` with the file system's
 * fraction, while Deno reports whole seconds.
 */
export interface PathInformation {
  device: number;
  inode: number;
  size: number;
  mtime: number;
  ctime: number;
  isFile: boolean;
}

/** System calls of one thread. */
export class FileCalls implements Disposable {
  readonly #library: ReturnType<typeof openLibrary>;
  // struct statx, the same on every processor: uid at 20, mode at 28 (16 bits), ino at 32, size at 40, ctime seconds at
  // 96, mtime seconds at 112, nanoseconds at 120, device at 136 and 140
  readonly #statx = new Uint8Array(256);
  readonly #statxWords = new Uint32Array(this.#statx.buffer);
  readonly #path = new Uint8Array(maxPathBytes);
  readonly #state: PathInformation = { device: 0, inode: 0, size: 0, mtime: 0, ctime: 0, isFile: false };

  /** @throws {Error} if the C library cannot be loaded. */
  constructor() {
    this.#library = openLibrary();
  }

  /**
   * Opens a file for reading, a named pipe without waiting for a writer; returns the negative error number on failure.
   */
  openForReading(path: string): number {
    const fileDescriptor = this.#library.symbols.open(encoder.encode(`${path}\0`), openToRead, 0);
    return fileDescriptor < 0 ? -this.errorNumber() : fileDescriptor;
  }

  /** Opens a path below an open directory likewise, regardless of the directory's current path. */
  openBelow(directory: number, path: string): number {
    const fileDescriptor = this.#library.symbols.openat(directory, encoder.encode(`${path}\0`), openToRead, 0);
    return fileDescriptor < 0 ? -this.errorNumber() : fileDescriptor;
  }

  /** Opens an anonymous file in `directory`, for reading and writing; negative on failure. */
  openUnnamed(directory: string): number {
    const { open, unlink } = this.#library.symbols;
    const flags = openReadWrite | openCloseOnExec;
    const unnamed = open(encoder.encode(`${directory}\0`), openTemporaryFile | flags, 0o600);
    if (unnamed >= 0) return unnamed;
    // FAT and network file systems have only files with names, and so have overlays before Linux 6.1.
    const path = encoder.encode(`${directory}/pakfs-${crypto.randomUUID()}\0`);
    const named = open(path, openNew | flags, 0o600);
    if (named >= 0) unlink(path);
    return named;
  }

  /** Returns the text of a small file that Deno cannot open, such as files below `/proc`; empty if unreadable. */
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

  /** Reads up to the length of `bytes` at `offset`; returns the number of bytes, or the negative error number. */
  readAt(fileDescriptor: number, bytes: Uint8Array, offset: number): number {
    const { pread } = this.#library.symbols;
    // FFI accepts views of shared memory unchanged; only its type does not allow them.
    const count = pread(fileDescriptor, bytes as Uint8Array<ArrayBuffer>, BigInt(bytes.length), BigInt(offset));
    return count < 0n ? -this.errorNumber() : Number(count);
  }

  /**
   * Fills `bytes` from `offset` up to the end of the file; returns the number of bytes, or the negative error number if
   * any read failed.
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

  /** Writes all of `bytes` at `offset`; returns false on failure. */
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

  /** Returns the state of an open file; undefined if unknown. */
  information(fileDescriptor: number): FileInformation | undefined {
    const { statx } = this.#library.symbols;
    if (statx(fileDescriptor, emptyPath, atEmptyPath, statxMask, this.#statx) !== 0) return undefined;
    return {
      inode: this.#inode(),
      size: this.#word(10) + this.#word(11) * 2 ** 32,
      mtime: this.#seconds(28) * 1000 + this.#word(30) / 1e6,
      ctime: this.#ctime(),
    };
  }

  /**
   * Returns the attributes of a path, following links; undefined if unknown. The next call overwrites the result, since
   * thousands of files are checked.
   */
  look(path: string): PathInformation | undefined {
    const { read, written } = encoder.encodeInto(path, this.#path);
    if (read < path.length || written === maxPathBytes) return undefined;
    this.#path[written] = 0;
    const { statx } = this.#library.symbols;
    if (statx(atWorkingDirectory, this.#path, 0, statxBasicMask, this.#statx) !== 0) return undefined;
    const [major, minor] = [this.#word(34), this.#word(35)];
    const state = this.#state;
    // Like makedev of the C library.
    state.device = ((major >>> 12) * 2 ** 12 * 2 ** 32) + ((minor >>> 8) * 2 ** 20) + (major & 0xfff) * 2 ** 8 +
      (minor & 0xff);
    state.inode = this.#inode();
    state.size = this.#word(10) + this.#word(11) * 2 ** 32;
    const seconds = this.#seconds(28);
    // Rounded down: the whole time cannot hold the fraction.
    state.mtime = seconds * 1000 + (seconds < 0 ? Math.ceil : Math.floor)(this.#word(30) / 1e6);
    state.ctime = this.#ctime();
    state.isFile = (this.#word(7) & fileTypeMask) === regularFile;
    return state;
  }

  /** Returns the time of the last change of the last `statx`. */
  #ctime(): number {
    return this.#seconds(24) * 1000 + this.#word(26) / 1e6;
  }

  /** Returns seconds since the epoch in the last `statx`, which are a signed number. */
  #seconds(index: number): number {
    return this.#word(index) + (this.#word(index + 1) | 0) * 2 ** 32;
  }

  /** Returns the inode of a path below an open directory; null if unknown. */
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

  /** Returns a word of the last `statx`, without the bigints of 64-bit reads. */
  #word(index: number): number {
    return this.#statxWords[index] ?? 0;
  }

  /** Returns the error number of the last failed call of this thread; EIO if unknown. */
  errorNumber(): number {
    const address = this.#library.symbols.__errno_location();
    return (address && new Deno.UnsafePointerView(address).getInt32()) || inputOutputError;
  }

  /** Unloads the library. */
  [Symbol.dispose](): void {
    this.#library.close();
  }
}
