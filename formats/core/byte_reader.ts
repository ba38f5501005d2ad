/**
 * Positional reading of bytes, from a file or from memory. Readers ask for ranges and never hold a whole archive.
 * @module
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ReadError, TruncatedError, UnknownFormatError } from "./errors.ts";

/** Bytes that can be read at any position. Positions and lengths are bytes; `size` may exceed 32 bits. */
export interface ByteReader extends Disposable {
  /** Path used in messages. */
  readonly path: string;
  /** Length in bytes at the time of opening. */
  readonly size: number;
  /** Modification time, milliseconds since the epoch. */
  readonly mtime: number;
  /**
   * Reads exactly `length` bytes at `offset`.
   * @throws {TruncatedError} if the range is not wholly inside the source.
   * @throws {ReadError} if the bytes cannot be read at the moment.
   */
  read(offset: number, length: number): Uint8Array;
  /** Fills `bytes` from `offset`, as {@linkcode ByteReader.read} reads; absent where that is as fast. */
  readInto?(bytes: Uint8Array, offset: number): void;
  /**
   * Opens the file of that name in the same directory, for archives in several files; `undefined` if there is none.
   * Absent where there is no directory.
   */
  beside?(name: string): ByteReader | undefined;
  /** Releases the underlying file. Reading afterwards is an error. */
  close(): void;
}

/**
 * Makes sure that a source has a range of bytes.
 * @throws {TruncatedError} if the range is not wholly inside it.
 */
export function requireRange(source: ByteReader, offset: number, length: number): void {
  if (offset >= 0 && length >= 0 && offset + length <= source.size) return;
  throw new TruncatedError(
    `needs ${length} bytes at byte ${offset}, but the file ends at byte ${source.size}; it may be cut short`,
    { path: source.path, offset, expected: offset + length, actual: source.size },
  );
}

/** Fills `bytes` from `offset` of a reader, as {@linkcode ByteReader.read} reads. */
export function readInto(reader: ByteReader, bytes: Uint8Array, offset: number): void {
  if (reader.readInto) reader.readInto(bytes, offset);
  else bytes.set(reader.read(offset, bytes.length));
}

/** The error for a file that the operating system does not read, with what it says. */
export function readError(path: string, error: unknown, offset?: number): ReadError {
  const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const where = offset === undefined ? "" : ` at byte ${offset}`;
  return new ReadError(`cannot be read${where}: ${reason}`, { path, ...(offset !== undefined && { offset }) }, {
    cause: error,
  });
}

/** Bytes at the start of a file that are read together: every format looks at some of them to tell its own. */
const headSize = 512;

function notRegular(path: string, cause?: unknown): UnknownFormatError {
  return new UnknownFormatError("not a regular file", { path }, { cause });
}

/** Opens a file; a named pipe without waiting for who writes to it. */
function openForReading(path: string): number {
  try {
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
  readonly #fileDescriptor: number;
  #head: Uint8Array | undefined;
  #open = true;

  /**
   * Opens the file.
   * @param known Size and time, for whoever has just asked for them: asking again costs as much as opening.
   * @throws {UnknownFormatError} if it is a named pipe, a device or the like.
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
      const information = fstatSync(this.#fileDescriptor);
      if (!information.isFile()) throw notRegular(path);
      this.size = information.size;
      this.mtime = information.mtimeMs;
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
      return readSync(this.#fileDescriptor, bytes, 0, bytes.length, offset);
    } catch (error) {
      throw readError(this.path, error, offset);
    }
  }

  beside(name: string): ByteReader | undefined {
    if (name !== basename(name)) return undefined;
    const path = join(dirname(this.path), name);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? new FileByteReader(path) : undefined;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#head = undefined;
    closeSync(this.#fileDescriptor);
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

  /** Takes `bytes` as they are, without copying; `path` and `mtime` (milliseconds since the epoch) are for listings. */
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
