/**
 * Indexed files as open descriptors, which are valid in every thread of the process.
 * @module
 */
import { Errno, errnoName } from "deno-fuse-ffi";
import {
  ChangedError,
  type FileProvider,
  type IndexedFile,
  locateEntry,
  none,
  type Snapshot,
} from "../../index/mod.ts";
import { type ArchiveError, type ByteReader, ReadError, requireRange } from "../../formats/parts.ts";
import type { FileCalls } from "../../system/mod.ts";

const nothing = new Uint8Array(0);

/** Returns the error for a file that could not be opened. */
export function openingError(path: string, errno: number): ArchiveError {
  if (errno === Errno.ENOENT || errno === Errno.ENOTDIR) return new ChangedError(path);
  return new ReadError(`cannot be opened: ${errnoName(errno)}`, { path });
}

/**
 * Returns the error for bytes at `offset` of a file when only `count` bytes could be read.
 * @param count Negative: the error number.
 */
export function readingError(path: string, offset: number, count: number): ReadError {
  const reason = count < 0
    ? `cannot be read at byte ${offset}: ${errnoName(-count)}`
    : `ends at byte ${offset + count} now`;
  return new ReadError(reason, { path, offset });
}

/**
 * Opens an indexed file on disk.
 * @throws {ChangedError} if it was changed or deleted since it was indexed.
 * @throws {ReadError} if it cannot be opened.
 */
export function openDescriptor(library: FileCalls, file: IndexedFile): number {
  const { path } = file;
  const descriptor = library.openForReading(path);
  if (descriptor < 0) throw openingError(path, -descriptor);
  const now = library.information(descriptor);
  if (now && file.isSame(now)) return descriptor;
  const error = now
    ? new ChangedError(path)
    : new ReadError(`cannot be read: ${errnoName(library.errorNumber())}`, { path });
  library.close(descriptor);
  throw error;
}

/**
 * Returns whether the open file with an entry's first bytes is still the indexed one: then bytes that were read from it
 * before are valid.
 */
export function isStillIndexed(library: FileCalls, snapshot: Snapshot, entry: number, descriptor: number): boolean {
  const { file } = locateEntry(snapshot, entry);
  // Files of decompressed archives have no name, so nothing else can change them.
  if (file.archive !== none) return true;
  const now = library.information(descriptor);
  return now !== undefined && file.isSame(now);
}

/** Files of one entry; another thread has opened the first and compared it with the index. */
export class HandedFiles implements FileProvider {
  readonly #library: FileCalls;
  readonly #number: number;
  readonly #descriptor: number;

  /**
   * @param number Number of the open file. The thread that opened it remains the owner of the descriptor.
   */
  constructor(library: FileCalls, number: number, descriptor: number) {
    this.#library = library;
    this.#number = number;
    this.#descriptor = descriptor;
  }

  open(file: IndexedFile): DescriptorReader {
    if (file.number === this.#number) return new DescriptorReader(this.#library, this.#descriptor, file);
    if (file.archive !== none) {
      throw new RangeError(`Cannot open file ${file.number} of ${file.path}: not decompressed`);
    }
    const descriptor = openDescriptor(this.#library, file);
    return new DescriptorReader(this.#library, descriptor, file, () => this.#library.close(descriptor));
  }
}

/** Reads an indexed file through a descriptor. */
export class DescriptorReader implements ByteReader {
  readonly size: number;
  readonly #file: Pick<IndexedFile, "path" | "mtime">;
  readonly #library: FileCalls;
  readonly #descriptor: number;
  readonly #release: (() => void) | undefined;
  #ahead: Uint8Array = nothing;
  #aheadOffset = 0;

  /** @param release Called when the reader is closed. */
  constructor(
    library: FileCalls,
    descriptor: number,
    file: Pick<IndexedFile, "path" | "size" | "mtime">,
    release?: () => void,
  ) {
    this.#file = file;
    this.size = file.size;
    this.#library = library;
    this.#descriptor = descriptor;
    this.#release = release;
  }

  /** Path of the file, built on demand, for messages. */
  get path(): string {
    return this.#file.path;
  }

  get mtime(): number {
    return this.#file.mtime;
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    const ahead = this.#readAhead(offset, length);
    if (ahead) return ahead;
    const bytes = new Uint8Array(length);
    this.readInto(bytes, offset);
    return bytes;
  }

  readInto(bytes: Uint8Array, offset: number): void {
    requireRange(this, offset, bytes.length);
    const ahead = this.#readAhead(offset, bytes.length);
    if (ahead) return bytes.set(ahead);
    const count = this.#library.readFully(this.#descriptor, bytes, offset);
    if (count < bytes.length) throw readingError(this.path, offset, count);
  }

  /**
   * Fills `memory` from `offset` up to the end of the file, and serves reads within that range from it, so that a
   * header and the bytes after it take one call.
   */
  lookAhead(memory: Uint8Array, offset: number): void {
    const count = this.#library.readAt(this.#descriptor, memory, offset);
    this.#ahead = count > 0 ? memory.subarray(0, count) : nothing;
    this.#aheadOffset = offset;
  }

  close(): void {
    this.#release?.();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #readAhead(offset: number, length: number): Uint8Array | undefined {
    const start = offset - this.#aheadOffset;
    if (start < 0 || start + length > this.#ahead.length) return undefined;
    return this.#ahead.subarray(start, start + length);
  }
}
