/**
 * Reads multi-file archives as if they were one file.
 * @module
 */
import { isAbsolute } from "@std/path";
import { type ByteReader, FileByteReader, MemoryReader, readInto, requireRange } from "./core/byte_reader.ts";
import type { EntryTable } from "./core/entry_table.ts";
import { ArchiveError } from "./core/errors.ts";
import type { ArchiveFormat } from "./core/format.ts";
import { maxDecompressedKept } from "./core/limits.ts";
import { readMember } from "./member.ts";
import { type ArchiveLayout, locateInFiles, type Ranges } from "./core/ranges.ts";

/** Address space of ranges of files, which the caller opens and closes. */
export class RangesReader implements ByteReader {
  readonly path: string;
  readonly mtime: number;
  readonly #ranges: Ranges;
  readonly #fileOf: (number: number) => ByteReader;

  /**
   * Joins ranges of files.
   * @param fileOf Returns the file with a number; called for every read.
   */
  constructor(path: string, mtime: number, ranges: Ranges, fileOf: (number: number) => ByteReader) {
    this.path = path;
    this.mtime = mtime;
    this.#ranges = ranges;
    this.#fileOf = fileOf;
  }

  /** Length of the address space; grows with its ranges. */
  get size(): number {
    return this.#ranges.size;
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    if (length === 0) return new Uint8Array(0);
    const first = locateInFiles(this.#ranges, offset);
    if (first.length >= length) return this.#fileOf(first.file).read(first.offset, length);
    const bytes = new Uint8Array(length);
    this.readInto(bytes, offset);
    return bytes;
  }

  readInto(bytes: Uint8Array, offset: number): void {
    requireRange(this, offset, bytes.length);
    for (let done = 0; done < bytes.length;) {
      const location = locateInFiles(this.#ranges, offset + done);
      const part = bytes.subarray(done, done + location.length);
      readInto(this.#fileOf(location.file), part, location.offset);
      done += part.length;
    }
  }

  close(): void {}

  /** Does nothing, for `using`. */
  [Symbol.dispose](): void {}
}

/** Maximum part files kept open; large games have hundreds. */
const maxOpenParts = 64;

/** Files of one archive, opened when they are first read. */
class ArchiveFileSet {
  readonly #archive: ByteReader;
  readonly #layout: ArchiveLayout;
  readonly #decompress: (member: number) => Uint8Array;
  readonly #parts = new Map<number, ByteReader>();
  readonly #decompressed = new Map<number, ByteReader>();
  #decompressedBytes = 0;

  constructor(archive: ByteReader, layout: ArchiveLayout, decompress: (member: number) => Uint8Array) {
    this.#archive = archive;
    this.#layout = layout;
    this.#decompress = decompress;
  }

  fileOf(number: number): ByteReader {
    const file = this.#layout.files[number];
    if (file?.kind === "part") return this.#part(number, file.name);
    return file?.kind === "decompressed" ? this.#member(file.member) : this.#archive;
  }

  close(): void {
    for (const part of this.#parts.values()) part.close();
    this.#parts.clear();
  }

  #part(number: number, name: string): ByteReader {
    const known = this.#parts.get(number);
    if (known) return known;
    const [oldest] = this.#parts;
    if (this.#parts.size >= maxOpenParts && oldest) {
      this.#parts.delete(oldest[0]);
      oldest[1].close();
    }
    const part = isAbsolute(name) ? new FileByteReader(name) : this.#archive.beside?.(name);
    if (!part) throw new ArchiveError(`its part ${name} is missing`, { path: this.#archive.path });
    this.#parts.set(number, part);
    return part;
  }

  #member(member: number): ByteReader {
    const known = this.#decompressed.get(member);
    if (known) return known;
    const source = new MemoryReader(this.#decompress(member), this.#archive.path, this.#archive.mtime);
    for (const [other, { size }] of this.#decompressed) {
      if (this.#decompressedBytes + source.size <= maxDecompressedKept) break;
      this.#decompressed.delete(other);
      this.#decompressedBytes -= size;
    }
    this.#decompressed.set(member, source);
    this.#decompressedBytes += source.size;
    return source;
  }
}

/** Archive with the other files that hold its bytes. */
class JoinedReader extends RangesReader {
  readonly #archive: ByteReader;
  readonly #files: ArchiveFileSet;

  constructor(archive: ByteReader, ranges: Ranges, files: ArchiveFileSet) {
    super(archive.path, archive.mtime, ranges, (number) => files.fileOf(number));
    this.#archive = archive;
    this.#files = files;
  }

  override close(): void {
    this.#files.close();
    this.#archive.close();
  }

  override [Symbol.dispose](): void {
    this.close();
  }
}

/**
 * Returns a reader of the address space of `table`: `archive`, or all files of its layout. The result owns `archive`.
 */
export function joinFiles(
  archive: ByteReader,
  format: ArchiveFormat,
  table: EntryTable,
  layout: ArchiveLayout | undefined = table.layout,
): ByteReader {
  if (!layout) return archive;
  const decompress = (member: number): Uint8Array => readMember(joined, format, table, member);
  const files = new ArchiveFileSet(archive, layout, decompress);
  const joined: ByteReader = new JoinedReader(archive, layout.ranges, files);
  return joined;
}
