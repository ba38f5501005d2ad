/**
 * File content for queries: chunks of members, in request order.
 * @module
 */
import {
  ArchiveError,
  type ArchiveFormat,
  type ByteReader,
  crc32,
  formatNamed,
  locateInFiles,
  memberStream,
  MemoryReader,
  type Method,
  readMember,
} from "../../formats/parts.ts";
import { at, none } from "../columns/columns.ts";
import { entryRow } from "../columns/entry_tables.ts";
import type { LookAtFile } from "../columns/identity.ts";
import { isDirectorySource } from "../columns/source.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { type FileProvider, openEntry } from "./open_entry.ts";
import { openByPath } from "./path_files.ts";

/** Maximum size of members that are decompressed whole, verified, and cached until another is requested. */
const maxKept = 64 * 1024 * 1024;

/** Maximum size for methods that take ten times as long. */
const maxKeptOfSlow = 2 * 1024 * 1024;
const slowMethods: ReadonlySet<Method> = new Set(["lzma", "bzip2"]);
/** Decompressed bytes after which to yield. */
const bytesPerTurn = 16 * 1024 * 1024;
const bytesPerTurnOfSlow = 512 * 1024;

/** A large member that is being decompressed from its start. */
interface OpenStream {
  readonly entry: number;
  readonly source: ByteReader;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Offset of `rest`. */
  position: number;
  rest: Uint8Array;
}

/** Reads chunks of entries. One read at a time; further reads wait. */
export class ContentReader implements AsyncDisposable {
  readonly #snapshot: Snapshot;
  readonly #files: FileProvider;
  #kept: { entry: number; content: Uint8Array } | undefined;
  #decompressedArchive: { entry: number; source: ByteReader } | undefined;
  #stream: OpenStream | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /**
   * @param look Reads file attributes more precisely than Node.
   */
  constructor(snapshot: Snapshot, look?: LookAtFile) {
    this.#snapshot = snapshot;
    this.#files = {
      open: (file) => file.archive === none ? openByPath(file, look) : this.#decompressed(file.archive),
    };
  }

  /**
   * Reads up to `length` bytes of an entry at `offset`; fewer only at its end.
   * @throws {ArchiveError} if the entry is damaged, or its file was changed or deleted since it was indexed.
   */
  read(entry: number, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    const size = at(this.#snapshot.columns.entrySizes, entry);
    const count = Math.max(0, Math.min(length, size - offset));
    const result = this.#turn.then(() => {
      signal?.throwIfAborted();
      return this.#read(entry, offset, count, signal);
    });
    // A call that began before a refresh may continue after the reader is closed: it must leave nothing open.
    this.#turn = result.catch(() => {}).then(() => this.#isClosed ? this.#forget() : undefined);
    return result;
  }

  /**
   * Returns the whole content of a small entry, synchronously. Does not change caches of other reads.
   * @throws {ArchiveError} as {@linkcode ContentReader.read} does.
   */
  readWhole(entry: number): Uint8Array {
    const source = this.#snapshot.sourceOf(entry);
    using file = this.#open(entry);
    if (isDirectorySource(source)) return file.read(0, file.size);
    return readMember(file, this.#formatOf(entry), entryRow(this.#snapshot, entry), 0);
  }

  /** Returns a string that stays the same across indexes while the bytes of an entry do. */
  versionOf(entry: number): string {
    const source = this.#snapshot.sourceOf(entry);
    const { entrySizes, entryCompressedSizes, entryTimes, entryOffsets, entryCrcs } = this.#snapshot.columns;
    const { inode, size, mtime, ctime } = source.identity;
    const numbers = isDirectorySource(source)
      ? [inode, at(entryCrcs, entry), at(entrySizes, entry), at(entryTimes, entry), at(entryCompressedSizes, entry)]
      : [inode, size, mtime, ctime, at(entryOffsets, entry)];
    const files = source.byteLayout ? JSON.stringify(source.byteLayout.files) : source.path;
    return crc32(files).toString(36) + numbers.map((number) => `-${number.toString(36)}`).join("");
  }

  /** Returns the offset of an entry's compressed bytes, or null if it is unknown. */
  dataOffset(entry: number): number | null | Promise<number | null> {
    const source = this.#snapshot.sourceOf(entry);
    const format = formatNamed(this.#snapshot.formatOf(entry));
    if (!format?.dataOffset) return this.#snapshot.locationOf(entry).offset;
    try {
      using file = this.#open(entry);
      const address = format.dataOffset(file, entryRow(this.#snapshot, entry), 0);
      return source.byteLayout ? locateInFiles(source.byteLayout.ranges, address).offset : address;
    } catch {
      return null; // damaged or deleted: the row itself shows it
    }
  }

  /** Returns whether an entry is on a file system that this thread must not wait for. */
  isRemote(_entry: number): boolean {
    return false;
  }

  /**
   * Returns the whole content of a small entry on a remote file system (see {@linkcode ContentReader.isRemote}).
   * @throws {ArchiveError} like {@linkcode ContentReader.read}.
   */
  readRemote(entry: number): Promise<Uint8Array> {
    return Promise.try(() => this.readWhole(entry));
  }

  /** Closes what is open. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#forget();
  }

  async #forget(): Promise<void> {
    this.#kept = undefined;
    this.#decompressedArchive = undefined;
    await this.#closeStream();
  }

  async #read(entry: number, offset: number, count: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (this.#snapshot.isDoubtfullyEmpty(entry)) return this.readWhole(entry);
    if (count === 0) return new Uint8Array(0);
    const source = this.#snapshot.sourceOf(entry);
    if (isDirectorySource(source)) {
      using loose = this.#open(entry);
      return loose.read(offset, count);
    }
    if (this.#kept?.entry === entry) return this.#kept.content.subarray(offset, offset + count);
    const most = slowMethods.has(this.#snapshot.methodOf(entry)) ? maxKeptOfSlow : maxKept;
    if (at(this.#snapshot.columns.entrySizes, entry) > most) {
      return await this.#readStream(entry, offset, count, signal);
    }
    using file = this.#open(entry);
    this.#kept = { entry, content: readMember(file, this.#formatOf(entry), entryRow(this.#snapshot, entry), 0) };
    return this.#kept.content.subarray(offset, offset + count);
  }

  async #readStream(
    entry: number,
    offset: number,
    count: number,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const stream = await this.#streamAt(entry, offset);
    const bytes = new Uint8Array(count);
    let done = 0;
    let passed = 0;
    const most = slowMethods.has(this.#snapshot.methodOf(entry)) ? bytesPerTurnOfSlow : bytesPerTurn;
    try {
      while (done < count) {
        const skip = Math.min(stream.rest.length, offset + done - stream.position);
        const part = stream.rest.subarray(skip, skip + count - done);
        bytes.set(part, done);
        done += part.length;
        stream.position += skip + part.length;
        stream.rest = stream.rest.subarray(skip + part.length);
        if (stream.rest.length > 0) continue;
        // deno-lint-ignore no-await-in-loop -- a stream is read in order
        const next = await stream.reader.read();
        if (next.done) break;
        stream.rest = next.value;
        passed += next.value.length;
        if (passed < most) continue;
        passed = 0;
        // Decompressing happens in this thread, and awaiting a stream lets no other event be handled.
        // deno-lint-ignore no-await-in-loop -- as above
        await new Promise((resolve) => setTimeout(resolve));
        signal?.throwIfAborted();
      }
      return bytes.subarray(0, done);
    } catch (error) {
      await this.#closeStream();
      throw error;
    }
  }

  /** Returns the open stream if it has not passed `offset`, else a new one. */
  async #streamAt(entry: number, offset: number): Promise<OpenStream> {
    if (this.#stream?.entry === entry && this.#stream.position <= offset) return this.#stream;
    await this.#closeStream();
    const source = this.#open(entry);
    const reader = memberStream(source, this.#formatOf(entry), entryRow(this.#snapshot, entry), 0).getReader();
    this.#stream = { entry, source, reader, position: 0, rest: new Uint8Array(0) };
    return this.#stream;
  }

  async #closeStream(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    if (!stream) return;
    await stream.reader.cancel().catch(() => {});
    stream.source.close();
  }

  #formatOf(entry: number): ArchiveFormat {
    const format = formatNamed(this.#snapshot.formatOf(entry));
    if (format) return format;
    throw new ArchiveError("its format is not known", { path: this.#snapshot.sourceOf(entry).path });
  }

  #open(entry: number): ByteReader {
    return openEntry(this.#snapshot, entry, this.#files);
  }

  /** Returns the content of a compressed inner archive, and caches it until another is needed. */
  #decompressed(entry: number): ByteReader {
    if (this.#decompressedArchive?.entry !== entry) {
      const { path, identity } = this.#snapshot.sourceOf(entry);
      this.#decompressedArchive = { entry, source: new MemoryReader(this.readWhole(entry), path, identity.mtime) };
    }
    return this.#decompressedArchive.source;
  }
}
