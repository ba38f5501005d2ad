/**
 * Decompresses and verifies members, in memory or in a file. One decoder per thread.
 *
 * libdeflate is tried first if it supports the method; small members are decompressed on the session thread, as
 * queueing them costs more.
 * @module
 */
import {
  at,
  ChangedError,
  entryRow,
  locateEntry,
  namelessRow,
  offsetInFile,
  openEntry,
  type Snapshot,
} from "../../index/mod.ts";
import {
  type ArchiveFormat,
  type ByteReader,
  crc32,
  decompressMember,
  EntryTable,
  formatNamed,
  type Located,
  locateMember,
  memberStream,
  provesDamage,
  readInto,
  requireChecksum,
} from "../../formats/parts.ts";
import { type FileCalls, MemoryWindows } from "../../system/mod.ts";
import { Libdeflate } from "./libdeflate.ts";
import { DescriptorReader, HandedFiles, isStillIndexed } from "./descriptor_files.ts";

/** Bytes read at a time when a stored member is only verified: few enough to stay in the processor's cache. */
const verifyChunk = 256 * 1024;
/**
 * Bytes of the buffer that is reused between members: allocating memory for every member would cost more than
 * decompressing many of them.
 */
const keptCompressedBytes = 16 * 1024 * 1024;

/** Maximum compressed bytes that are read together with the header before them. */
const maxLookedAhead = 64 * 1024;
/** Bytes reserved for that header: most have only a name and a time. */
const defaultHeader = 512;

/**
 * Maximum bytes, compressed and decompressed, of a member that libdeflate decompresses into a file; larger ones are
 * decompressed in chunks.
 */
const maxMapped = 1024 * 1024 * 1024;
/** Minimum bytes of such a member for which only a part is in memory at a time. */
const minWindowed = 8 * 1024 * 1024;
/** Maximum bytes if all of it must be in memory: many containers forbid userfaultfd(2). */
const maxWhole = 64 * 1024 * 1024;

/** An anonymous file with a decompressed member. */
interface SpillFile {
  readonly target: number;
  readonly directory: string;
}

/** Reads members of archives by entry number. */
export class MemberDecoder implements Disposable {
  readonly #snapshot: Snapshot;
  readonly #library: FileCalls;
  readonly #isStopping: () => boolean;
  readonly #deflate: Libdeflate | undefined;
  readonly #table = new EntryTable();
  readonly #ahead = new Uint8Array(maxLookedAhead + defaultHeader);
  /** Chunk of a member that is verified. */
  #piece = new Uint8Array(0);
  /** Whether members are located with their names, for a message. */
  #isNamed = false;
  #compressed: Uint8Array = new Uint8Array(64 * 1024);

  /**
   * @param isStopping Called periodically during long work, which stops if it returns true.
   */
  constructor(snapshot: Snapshot, library: FileCalls, isStopping: () => boolean = () => false) {
    this.#snapshot = snapshot;
    this.#library = library;
    this.#isStopping = isStopping;
    this.#deflate = Libdeflate.open();
  }

  /**
   * Decompresses an entry into `target`, which is as long as the entry, and verifies it. Returns the offset of its
   * compressed bytes in the opened file; -1 if not all of them are there.
   * @param fileDescriptor The file with its first bytes.
   * @throws {ArchiveError} if the entry is damaged; the content of `target` is then undefined.
   */
  decode(entry: number, fileDescriptor: number, target: Uint8Array): number {
    return this.#namedIfDamaged(entry, fileDescriptor, () => this.#decode(entry, fileDescriptor, target));
  }

  #decode(entry: number, fileDescriptor: number, target: Uint8Array): number {
    using source = this.#open(entry, fileDescriptor);
    this.#lookAhead(entry, source);
    const located = this.#locate(entry, source);
    if (located.method === "store") readInto(source, target, located.offset);
    else this.#decompress(source, located, target);
    if (located.crc32 !== undefined) requireChecksum(source, located, this.#checksum(target));
    else this.#requireSame(entry, fileDescriptor);
    return this.#offsetInFile(entry, located);
  }

  /**
   * Verifies a stored entry without keeping it. Returns the same as {@linkcode MemberDecoder.decode}.
   * @throws {ArchiveError} if it is damaged.
   */
  verify(entry: number, fileDescriptor: number): number {
    return this.#namedIfDamaged(entry, fileDescriptor, () => this.#verify(entry, fileDescriptor));
  }

  #verify(entry: number, fileDescriptor: number): number {
    using source = this.#open(entry, fileDescriptor);
    const located = this.#locate(entry, source);
    if (this.#piece.length === 0) this.#piece = new Uint8Array(verifyChunk);
    const buffer = this.#piece;
    let checksum = 0;
    for (let done = 0; done < located.size; done += buffer.length) {
      this.#continue();
      const part = buffer.subarray(0, Math.min(buffer.length, located.size - done));
      readInto(source, part, located.offset + done);
      checksum = this.#checksum(part, checksum);
    }
    if (located.crc32 !== undefined) requireChecksum(source, located, checksum);
    else this.#requireSame(entry, fileDescriptor);
    return this.#offsetInFile(entry, located);
  }

  /**
   * Decompresses an entry that is too large for memory into an anonymous file in `directory`; returns its descriptor.
   * @throws {ArchiveError} if the entry is damaged.
   * @throws {Error} if the file cannot be created or the disk is full.
   */
  async spill(entry: number, fileDescriptor: number, directory: string): Promise<number> {
    this.#isNamed = true;
    using source = this.#open(entry, fileDescriptor);
    const format = formatNamed(this.#snapshot.formatOf(entry));
    if (!format) throw new Error(`Cannot decompress ${source.path}: its format is not known`);
    const target = this.#library.openUnnamed(directory);
    if (target < 0) throw new Error(`Cannot make a temporary file in ${directory}`);
    const file = { target, directory };
    try {
      const located = this.#locate(entry, source);
      const isDone = located.packedSize <= maxMapped && located.size <= maxMapped &&
        await this.#decompressIntoFile(source, located, file);
      if (!isDone) await this.#streamIntoFile(source, format, entry, file);
      if (located.crc32 === undefined) this.#requireSame(entry, fileDescriptor);
      return target;
    } catch (error) {
      this.#library.close(target);
      if (provesDamage(error)) this.#requireSame(entry, fileDescriptor);
      throw error;
    }
  }

  /**
   * Returns the offset of the compressed bytes of an entry in its source.
   * @throws {ArchiveError} if it is damaged.
   */
  dataOffset(entry: number, fileDescriptor: number): number {
    using source = this.#open(entry, fileDescriptor);
    return this.#locate(entry, source).offset;
  }

  /** Frees loaded libraries. */
  [Symbol.dispose](): void {
    this.#deflate?.[Symbol.dispose]();
  }

  #continue(): void {
    if (this.#isStopping()) throw new Error("Cannot continue: the mount is ending");
  }

  /**
   * Fails if the file with an entry's first bytes was changed while they were read. This decides if there is no
   * checksum, or if it is wrong.
   */
  #requireSame(entry: number, fileDescriptor: number): void {
    if (isStillIndexed(this.#library, this.#snapshot, entry, fileDescriptor)) return;
    throw new ChangedError(this.#snapshot.sourceOf(entry).path);
  }

  /** Runs `work` without building the member's name, and again with it after a failure, for the message. */
  #namedIfDamaged(entry: number, fileDescriptor: number, work: () => number): number {
    this.#isNamed = false;
    try {
      return work();
    } catch (error) {
      if (!provesDamage(error)) throw error;
    }
    this.#isNamed = true;
    try {
      return work();
    } catch (error) {
      if (provesDamage(error)) this.#requireSame(entry, fileDescriptor);
      throw error;
    }
  }

  #open(entry: number, fileDescriptor: number): ByteReader {
    const { file } = locateEntry(this.#snapshot, entry);
    return openEntry(this.#snapshot, entry, new HandedFiles(this.#library, file.number, fileDescriptor));
  }

  #offsetInFile(entry: number, { offset, packedSize }: Located): number {
    const { file } = locateEntry(this.#snapshot, entry);
    return offsetInFile(this.#snapshot.sourceOf(entry), file.number, offset, packedSize);
  }

  #lookAhead(entry: number, source: ByteReader): void {
    const { entryOffsets, entryCompressedSizes } = this.#snapshot.columns;
    const packedSize = at(entryCompressedSizes, entry);
    const hasHeader = formatNamed(this.#snapshot.formatOf(entry))?.dataOffset !== undefined;
    if (!hasHeader || packedSize > maxLookedAhead || !(source instanceof DescriptorReader)) return;
    source.lookAhead(this.#ahead.subarray(0, packedSize + defaultHeader), at(entryOffsets, entry));
  }

  #locate(entry: number, source: ByteReader): Located {
    const format = formatNamed(this.#snapshot.formatOf(entry));
    if (!format) throw new Error(`Cannot decompress ${source.path}: its format is not known`);
    const row = this.#isNamed ? entryRow : namelessRow;
    return locateMember(source, format, row(this.#snapshot, entry, this.#table), 0);
  }

  #decompress(source: ByteReader, located: Located, target: Uint8Array): void {
    if (located.packedSize > this.#compressed.length) {
      this.#compressed = new Uint8Array(Math.ceil(located.packedSize * 1.25));
    }
    const compressed = this.#compressed.subarray(0, located.packedSize);
    readInto(source, compressed, located.offset);
    // If libdeflate is missing, does not support the method or fails, the codec decompresses, and its error describes
    // the problem.
    const done = this.#deflate?.decompress(located.method, compressed, target) ?? false;
    if (!done) target.set(decompressMember(source, located, compressed));
    if (this.#compressed.length > keptCompressedBytes) this.#compressed = new Uint8Array(64 * 1024);
  }

  /**
   * Decompresses a member into a file with libdeflate, which is twice as fast as in chunks. False if libdeflate or
   * memory is missing, or if it fails: then the codec determines the error.
   * @throws {ArchiveError} if the checksum is wrong.
   * @throws {Error} if the disk is full.
   */
  async #decompressIntoFile(source: ByteReader, located: Located, file: SpillFile): Promise<boolean> {
    const deflate = this.#deflate;
    const { method, size, packedSize } = located;
    if (!deflate?.knows(method) || size === 0 || packedSize === 0) return false;
    // The checksum of zlib data is computed at the end, from all of the output.
    using windows = new MemoryWindows(method === "deflate" && size >= minWindowed);
    if (!windows.isLimited && packedSize + size > maxWhole) return false;
    let checksum = 0;
    const compressed = windows.reserve(packedSize, {
      fill: (bytes, offset) => readInto(source, bytes, located.offset + offset),
    });
    const content = windows.reserve(size, {
      empty: (bytes, offset) => {
        checksum = this.#checksum(bytes, checksum);
        this.#write(source, file, bytes, offset);
      },
    });
    if (!compressed || !content) return false;
    const decompress = () => deflate.decompressElsewhere(method, compressed.bytes, content.bytes);
    if (!await windows.during(decompress, () => this.#continue())) return false;
    content.finish();
    if (located.crc32 !== undefined) requireChecksum(source, located, checksum);
    return true;
  }

  async #streamIntoFile(
    source: ByteReader,
    format: ArchiveFormat,
    entry: number,
    file: SpillFile,
  ): Promise<void> {
    let done = 0;
    for await (const chunk of memberStream(source, format, entryRow(this.#snapshot, entry), 0)) {
      this.#continue();
      this.#write(source, file, chunk, done);
      done += chunk.length;
    }
  }

  #write(source: ByteReader, { target, directory }: SpillFile, bytes: Uint8Array, offset: number): void {
    if (this.#library.writeAt(target, bytes, offset)) return;
    throw new Error(`Cannot write ${source.path}'s member to ${directory}: is the disk full?`);
  }

  #checksum(bytes: Uint8Array, previous = 0): number {
    return this.#deflate?.crc32(bytes, previous) ?? crc32(bytes, previous);
  }
}
