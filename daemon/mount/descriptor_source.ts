/**
 * The format readers' view of a file that another thread has opened.
 * @module
 */
import { TruncatedError } from "../../formats/errors.ts";
import type { ByteSource } from "../../formats/byte_source.ts";
import type { Identity } from "../../index/source.ts";
import type { CLibrary } from "../native/c_library.ts";

/** What members are read from. */
export interface ReadableSource extends ByteSource {
  /**
   * Fills `bytes` from `offset`.
   * @throws {TruncatedError} if the file ends before that.
   */
  readInto(bytes: Uint8Array, offset: number): void;
  /** Where `length` bytes at an offset of this source are in the file that was opened for it; -1 if not all are there. */
  fileOffset(offset: number, length: number): number;
}

/** Reads through a descriptor that stays the property of whoever opened it. */
export class DescriptorSource implements ReadableSource {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly #library: CLibrary;
  readonly #fileDescriptor: number;

  /** @param identity The file as it was indexed. That it still is that file has been asked when the request came. */
  constructor(library: CLibrary, fileDescriptor: number, path: string, identity: Pick<Identity, "size" | "mtime">) {
    this.path = path;
    this.size = identity.size;
    this.mtime = identity.mtime;
    this.#library = library;
    this.#fileDescriptor = fileDescriptor;
  }

  read(offset: number, length: number): Uint8Array {
    if (offset < 0 || length < 0 || offset + length > this.size) throw this.#truncated(offset, length);
    const bytes = new Uint8Array(length);
    this.readInto(bytes, offset);
    return bytes;
  }

  readInto(bytes: Uint8Array, offset: number): void {
    let done = 0;
    while (done < bytes.length) {
      const count = this.#library.readAt(this.#fileDescriptor, bytes.subarray(done), offset + done);
      if (count <= 0) throw this.#truncated(offset + done, bytes.length - done);
      done += count;
    }
  }

  fileOffset(offset: number): number {
    return offset;
  }

  close(): void {}

  [Symbol.dispose](): void {}

  #truncated(offset: number, length: number): TruncatedError {
    return new TruncatedError(`needs ${length} bytes at byte ${offset}, but the file ends at byte ${this.size}`, {
      path: this.path,
      offset,
      expected: offset + length,
      actual: this.size,
    });
  }
}
