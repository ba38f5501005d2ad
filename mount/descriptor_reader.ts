/**
 * The format readers' view of a file that another thread has opened.
 * @module
 */
import { errnoName } from "deno-fuse-ffi";
import { type ByteReader, requireRange } from "../formats/core/byte_reader.ts";
import { ReadError } from "../formats/core/errors.ts";
import type { Identity } from "../index/columns/source.ts";
import type { CLibrary } from "../system/c_library.ts";

/** What members are read from. */
export interface DescribedReader extends ByteReader {
  /**
   * Fills `bytes` from `offset`.
   * @throws {TruncatedError} if the range is not wholly inside the source.
   * @throws {ReadError} if the bytes cannot be read at the moment.
   */
  readInto(bytes: Uint8Array, offset: number): void;
  /**
   * Fills `memory` from `offset`, as far as the file goes; what is asked for within that is then taken from there. So a
   * header and the little behind it cost one call. Sources of several pieces need not do it.
   */
  lookAhead?(memory: Uint8Array, offset: number): void;
  /** Where `length` bytes at an offset of this source are in the file that was opened for it; -1 if not all are there. */
  fileOffset(offset: number, length: number): number;
}

const nothing = new Uint8Array(0);

/** Reads through a descriptor that stays the property of whoever opened it. */
export class DescriptorReader implements DescribedReader {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly #library: CLibrary;
  readonly #fileDescriptor: number;
  #ahead: Uint8Array = nothing;
  #aheadOffset = 0;

  /** @param identity The file as it was indexed. That it still is that file has been asked when the request came. */
  constructor(library: CLibrary, fileDescriptor: number, path: string, identity: Pick<Identity, "size" | "mtime">) {
    this.path = path;
    this.size = identity.size;
    this.mtime = identity.mtime;
    this.#library = library;
    this.#fileDescriptor = fileDescriptor;
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    const ahead = this.#lookedAt(offset, length);
    if (ahead) return ahead;
    const bytes = new Uint8Array(length);
    this.readInto(bytes, offset);
    return bytes;
  }

  readInto(bytes: Uint8Array, offset: number): void {
    requireRange(this, offset, bytes.length);
    const ahead = this.#lookedAt(offset, bytes.length);
    if (ahead) return bytes.set(ahead);
    const count = this.#library.readFully(this.#fileDescriptor, bytes, offset);
    if (count < bytes.length) throw unread(this.path, offset, count);
  }

  lookAhead(memory: Uint8Array, offset: number): void {
    const count = this.#library.readAt(this.#fileDescriptor, memory, offset);
    this.#ahead = count > 0 ? memory.subarray(0, count) : nothing;
    this.#aheadOffset = offset;
  }

  fileOffset(offset: number): number {
    return offset;
  }

  close(): void {}

  [Symbol.dispose](): void {}

  /** What was looked at already, if that is all of it. */
  #lookedAt(offset: number, length: number): Uint8Array | undefined {
    const start = offset - this.#aheadOffset;
    if (length === 0 || start < 0 || start + length > this.#ahead.length) return undefined;
    return this.#ahead.subarray(start, start + length);
  }
}

/** The error for bytes at `offset` of a file of which only `count` could be read, or none and `count` says why. */
export function unread(path: string, offset: number, count: number): ReadError {
  const reason = count < 0
    ? `cannot be read at byte ${offset}: ${errnoName(-count)}`
    : `ends at byte ${offset + count} now`;
  return new ReadError(reason, { path, offset });
}
