/**
 * Reads bytes at any offset of a file or of memory. Formats read ranges and never hold a whole archive.
 * @module
 */
import { fs } from "./builtins.ts";
import { basename, dirname, join } from "@std/path";
import { ReadError, TruncatedError, UnknownFormatError } from "./errors.ts";

/** Bytes that can be read at any offset. Offsets and lengths are bytes; `size` may exceed 32 bits. */
export interface ByteReader extends Disposable {
  /** Path used in messages. */
  readonly path: string;
  /** Length in bytes at the time of opening. */
  readonly size: number;
  /** Modification time, milliseconds since the epoch. */
  readonly mtime: number;
  /**
   * Reads exactly `length` bytes at `offset`.
   * @throws {TruncatedError} if the range exceeds the file.
   * @throws {ReadError} if the bytes cannot be read at the moment.
   */
  read(offset: number, length: number): Uint8Array;
  /** Fills `bytes` from `offset`, like {@linkcode ByteReader.read}; absent if it would not be faster. */
  readInto?(bytes: Uint8Array, offset: number): void;
  /**
   * Opens a file with this name in the same directory, for multi-file archives; `undefined` if it is missing. Absent
   * for bytes that are not in a directory.
   */
  beside?(name: string): ByteReader | undefined;
  /** Releases the underlying file. Reading afterwards is an error. */
  close(): void;
}

/**
 * Requires that a range of bytes is in a reader.
 * @throws {TruncatedError} if it exceeds the reader.
 */
export function requireRange(reader: ByteReader, offset: number, length: number): void {
  if (offset >= 0 && length >= 0 && offset + length <= reader.size) return;
  throw new TruncatedError(
    `needs ${length} bytes at byte ${offset}, but the file ends at byte ${reader.size}; it may be cut short`,
    { path: reader.path, offset, expected: offset + length, actual: reader.size },
  );
}

/** Fills `bytes` from `offset` of a reader, like {@linkcode ByteReader.read}. */
export function readInto(reader: ByteReader, bytes: Uint8Array, offset: number): void {
  if (reader.readInto) reader.readInto(bytes, offset);
  else bytes.set(reader.read(offset, bytes.length));
}

/** Returns the error for a file that the operating system cannot read, with its reason. */
export function readError(path: string, error: unknown, offset?: number): ReadError {
  const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const where = offset === undefined ? "" : ` at byte ${offset}`;
  return new ReadError(`cannot be read${where}: ${reason}`, { path, ...(offset !== undefined && { offset }) }, {
    cause: error,
  });
}

/** Bytes at the start of a file that are read at once, since each format's detection reads some of them. */
const headSize = 512;

function notRegular(path: string, cause?: unknown): UnknownFormatError {
  return new UnknownFormatError("not a regular file", { path }, { cause });
}

/** Opens a file, without waiting for a writer if it is a named pipe. */
function openForReading(path: string): number {
  try {
    const { constants, openSync } = fs();
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const isSocket = error instanceof Error && "code" in error && error.code === "ENXIO";
    throw isSocket ? notRegular(path, error) : error;
  }
}

/** A file opened for positional reads. Requires `--allow-read`. */
export class FileByteReader implements ByteReader {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  /** Inode number; `undefined` if size and time were known before opening. */
  readonly inode: number | undefined;
  /**
   * Time of its last change (ctime) in milliseconds since the epoch; `undefined` if size and time were known before
   * opening.
   */
  readonly ctime: number | undefined;
  readonly #fileDescriptor: number;
  #head: Uint8Array | undefined;
  #open = true;

  /**
   * Opens the file.
   * @param known Size and time, if the caller has just read them: reading them again costs as much as opening.
   * @throws {UnknownFormatError} if it is not a regular file.
   * @throws {Error} the operating system's error if it cannot be opened.
   */
  constructor(path: string, known?: Pick<ByteReader, "size" | "mtime">) {
    this.path = path;
    this.#fileDescriptor = openForReading(path);
    if (known) {
      this.size = known.size;
      this.mtime = known.mtime;
      return;
    }
    try {
      const information = fs().fstatSync(this.#fileDescriptor);
      if (!information.isFile()) throw notRegular(path);
      this.size = information.size;
      this.mtime = information.mtimeMs;
      this.inode = information.ino;
      this.ctime = information.ctimeMs;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    if (offset + length > headSize) return this.#read(offset, length);
    this.#head ??= this.#read(0, Math.min(headSize, this.size));
    return this.#head.subarray(offset, offset + length);
  }

  #read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const count = this.#readSome(bytes.subarray(done), offset + done);
      if (count === 0) {
        throw new ReadError(`the file became shorter while it was read, at byte ${offset + done}`, {
          path: this.path,
          offset: offset + done,
        });
      }
      done += count;
    }
    return bytes;
  }

  #readSome(bytes: Uint8Array, offset: number): number {
    try {
      return fs().readSync(this.#fileDescriptor, bytes, 0, bytes.length, offset);
    } catch (error) {
      throw readError(this.path, error, offset);
    }
  }

  beside(name: string): ByteReader | undefined {
    if (name !== basename(name)) return undefined;
    const path = join(dirname(this.path), name);
    return fs().statSync(path, { throwIfNoEntry: false })?.isFile() ? new FileByteReader(path) : undefined;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#head = undefined;
    fs().closeSync(this.#fileDescriptor);
  }

  /** Closes the file, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}

/** Bytes already in memory: a nested archive or a test. Reads are views, not copies. */
export class MemoryReader implements ByteReader {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly #bytes: Uint8Array;

  /** Keeps `bytes` without copying them; `path` and `mtime` (milliseconds since the epoch) are for listings. */
  constructor(bytes: Uint8Array, path = "(memory)", mtime = 0) {
    this.#bytes = bytes;
    this.path = path;
    this.size = bytes.length;
    this.mtime = mtime;
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    return this.#bytes.subarray(offset, offset + length);
  }

  close(): void {}

  /** Does nothing, for `using`. */
  [Symbol.dispose](): void {}
}
