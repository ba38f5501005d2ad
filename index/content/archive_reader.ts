/**
 * Reads archives by system calls: the Node modules of {@linkcode FileByteReader} take longer to load than most
 * installations take to index.
 * @module
 */
import { type ByteReader, FileByteReader, ReadError, requireRange } from "../../formats/parts.ts";
import type { FileCalls } from "../../system/mod.ts";

/** Bytes at the start of a file that are read at once, since each format's detection reads some of them. */
const headSize = 512;

/**
 * Opens an archive whose size and time are known.
 * @throws {Error} like {@linkcode FileByteReader}.
 */
export function openArchive(calls: FileCalls, path: string, known: Pick<ByteReader, "size" | "mtime">): ByteReader {
  const descriptor = calls.openForReading(path);
  // FileByteReader reports why it cannot be opened.
  return descriptor < 0 ? new FileByteReader(path, known) : new ArchiveReader(calls, descriptor, { path, ...known });
}

class ArchiveReader implements ByteReader {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly #calls: FileCalls;
  #descriptor: number;
  #head: Uint8Array | undefined;

  constructor(
    calls: FileCalls,
    descriptor: number,
    { path, size, mtime }: Pick<ByteReader, "path" | "size" | "mtime">,
  ) {
    this.path = path;
    this.size = size;
    this.mtime = mtime;
    this.#calls = calls;
    this.#descriptor = descriptor;
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    if (offset + length > headSize) return this.#read(offset, length);
    this.#head ??= this.#read(0, Math.min(headSize, this.size));
    return this.#head.subarray(offset, offset + length);
  }

  beside(name: string): ByteReader | undefined {
    using own = new FileByteReader(this.path, this);
    return own.beside(name);
  }

  close(): void {
    if (this.#descriptor >= 0) this.#calls.close(this.#descriptor);
    this.#descriptor = -1;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    const count = this.#calls.readFully(this.#descriptor, bytes, offset);
    if (count === length) return bytes;
    if (count < 0) return this.#fail(offset, length, -count);
    throw new ReadError(`the file became shorter while it was read, at byte ${offset + count}`, {
      path: this.path,
      offset: offset + count,
    });
  }

  /** Throws the read error, which the other reader can describe. */
  #fail(offset: number, length: number, errorNumber: number): never {
    using other = new FileByteReader(this.path, this);
    other.read(offset, length);
    throw new ReadError(`cannot be read at byte ${offset}: error ${errorNumber}`, { path: this.path, offset });
  }
}
