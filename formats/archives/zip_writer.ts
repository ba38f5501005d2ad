/**
 * Writes zips. The byte layout is in `zip.ts`. Same input, same bytes: no clock is read, sizes are before the data, and
 * zip64 fields are written only if needed. Large contents are streamed.
 *
 * Contents are deflated by fflate, with the same output on every machine and every version of Deno: pictures 1 % smaller,
 * programs 2 % larger than by `zip -6`, in its time. Decompression uses zlib, since fflate takes up to six times as long.
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import { elementAt, FieldWriter, joined } from "../core/cursor.ts";
import type { GivenBytes, WriteEntry, WriteOptions } from "../core/format.ts";
import { maxDecompressedSize, maxDeflateRatio } from "../core/limits.ts";
import { requireRoom } from "./write_limits.ts";
import { contentPieces, isLarge, type LargeEntry, requireWritablePaths, wholeContent } from "./written_content.ts";

const encoder = new TextEncoder();
const saturated16 = 0xffff;
const saturated32 = 0xffffffff;
const flagUtf8 = 0x800;
const versionStore = 10;
const versionDeflate = 20;
const versionZip64 = 45;
/** Host Unix (3), version 3.0 of the specification: the upper half of the attributes is a mode. */
const madeBy = 3 << 8 | 30;
/** A regular file, rw-r--r--. */
const externalAttributes = 0o100644 * 2 ** 16;
const earliest = Date.UTC(1980, 0, 1);
const latest = Date.UTC(2107, 11, 31, 23, 59, 58);

/** Written member, for the central directory. */
interface Written {
  readonly name: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly dosTime: number;
  /** Extra field with the time; empty if the entry has no suitable time. */
  readonly timestamp: Uint8Array;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

function dosTime(milliseconds: number): number {
  const date = new Date(Math.min(Math.max(milliseconds, earliest), latest));
  const day = (date.getUTCFullYear() - 1980) * 512 + (date.getUTCMonth() + 1) * 32 + date.getUTCDate();
  const time = date.getUTCHours() * 2048 + date.getUTCMinutes() * 32 + Math.floor(date.getUTCSeconds() / 2);
  return day * 2 ** 16 + time;
}

const noExtra = new Uint8Array();

function timestampExtra(milliseconds: number | undefined): Uint8Array {
  const seconds = Math.floor((milliseconds ?? -1) / 1000);
  if (seconds < 0 || seconds >= 2 ** 31) return noExtra;
  return new FieldWriter(9).u16(0x5455, 5).raw(Uint8Array.of(1)).u32(seconds).bytes;
}

function version(member: Written, needsZip64: boolean): number {
  return needsZip64 ? versionZip64 : member.method === 8 ? versionDeflate : versionStore;
}

function capped(value: number): number {
  return Math.min(value, saturated32);
}

function zip64Extra(values: readonly number[]): Uint8Array {
  if (values.length === 0) return noExtra;
  return new FieldWriter(4 + values.length * 8).u16(1, values.length * 8).u64(...values).bytes;
}

function localHeader(member: Written): Uint8Array {
  const { name, flags, method, size, packedSize, timestamp } = member;
  const large = size >= saturated32 || packedSize >= saturated32;
  // The local header must have both sizes or none (APPNOTE.TXT 4.5.3).
  const zip64 = zip64Extra(large ? [size, packedSize] : []);
  return new FieldWriter(30 + name.length + zip64.length + timestamp.length)
    .u32(0x04034b50)
    .u16(version(member, large), flags, method)
    .u32(member.dosTime, member.crc32, large ? saturated32 : packedSize, large ? saturated32 : size)
    .u16(name.length, zip64.length + timestamp.length)
    .raw(name).raw(zip64).raw(timestamp).bytes;
}

function centralRecord(member: Written): Uint8Array {
  const { name, flags, method, size, packedSize, offset, timestamp } = member;
  const zip64 = zip64Extra([size, packedSize, offset].filter((value) => value >= saturated32));
  return new FieldWriter(46 + name.length + zip64.length + timestamp.length)
    .u32(0x02014b50)
    .u16(madeBy, version(member, zip64.length > 0), flags, method)
    .u32(member.dosTime, member.crc32, capped(packedSize), capped(size))
    .u16(name.length, zip64.length + timestamp.length, 0, 0, 0)
    .u32(externalAttributes, capped(offset))
    .raw(name).raw(zip64).raw(timestamp).bytes;
}

/** Bytes of a block of the central directory. */
const blockSize = 1024 * 1024;

/** Growing central directory: a million records in few blocks of bytes. */
class CentralDirectory {
  /** Number of members. */
  count = 0;
  /** Number of bytes. */
  size = 0;
  readonly #blocks: Uint8Array[] = [];
  #last = new Uint8Array(blockSize);
  #used = 0;

  add(member: Written): void {
    const record = centralRecord(member);
    if (this.#used + record.length > blockSize) {
      this.#blocks.push(this.#last.subarray(0, this.#used));
      this.#last = new Uint8Array(blockSize);
      this.#used = 0;
    }
    this.#last.set(record, this.#used);
    this.#used += record.length;
    this.size += record.length;
    this.count++;
  }

  blocks(): readonly Uint8Array[] {
    return [...this.#blocks, this.#last.subarray(0, this.#used)];
  }
}

function endRecords(count: number, directorySize: number, directoryOffset: number): Uint8Array {
  const needsZip64 = count >= saturated16 || directorySize >= saturated32 || directoryOffset >= saturated32;
  const record = new FieldWriter(22 + (needsZip64 ? 56 + 20 : 0));
  if (needsZip64) {
    record.u32(0x06064b50).u64(44).u16(madeBy, versionZip64).u32(0, 0)
      .u64(count, count, directorySize, directoryOffset)
      .u32(0x07064b50, 0).u64(directoryOffset + directorySize).u32(1);
  }
  const count16 = Math.min(count, saturated16);
  return record.u32(0x06054b50).u16(0, 0, count16, count16).u32(capped(directorySize), capped(directoryOffset)).u16(0)
    .bytes;
}

const level = 6;
/** Content in bytes from which fflate gets tables that fit into the cache of a processor; they are smaller below. */
const largeTables = 32 * 1024;
const mem = 4;
/** Bytes deflated at a time. It must not change, because the output depends on where contents are split. */
const deflatedAtOnce = 1024 * 1024;

/** Yields the same bytes in chunks of equal size, except for the last. */
async function* evenPieces(pieces: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(size);
  let used = 0;
  for await (const bytes of pieces) {
    for (let start = 0; start < bytes.length;) {
      const count = Math.min(size - used, bytes.length - start);
      piece.set(bytes.subarray(start, start + count), used);
      start += count;
      used += count;
      if (used < size) break;
      yield piece;
      used = 0;
    }
  }
  if (used > 0) yield piece.subarray(0, used);
}

let fflate: Promise<typeof import("fflate")> | undefined;

/** Loads fflate when it is needed: every thread of a mount loads this module, and none of them writes. */
function loadDeflater(): Promise<typeof import("fflate")> {
  return fflate ??= import("fflate");
}

/** Deflates a content that arrives in chunks. */
async function* deflatedPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Deflate } = await loadDeflater();
  const output: Uint8Array[] = [];
  const deflater = new Deflate({ level, mem }, (piece) => output.push(piece));
  for await (const piece of evenPieces(content, deflatedAtOnce)) {
    deflater.push(piece);
    yield* output.splice(0);
  }
  deflater.push(new Uint8Array(0), true);
  yield* output.splice(0);
}

/** Returns whether deflating shrinks a content, but not beyond the ratio that readers accept. */
function isWorthwhile(packedSize: number, size: number): boolean {
  return packedSize < size && size <= packedSize * maxDeflateRatio;
}

/** Deflates contents: the same bytes on every machine and in every thread. */
export async function deflateContents(contents: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const { deflateSync } = await loadDeflater();
  return contents.map((content) => deflateSync(content, content.length < largeTables ? { level } : { level, mem }));
}

/** A content in its written form, or a content that is too large for memory. */
type Packed = PackedWhole | LargeContent;
type PackedWhole = Pick<Written, "method" | "crc32" | "size"> & { readonly bytes: Uint8Array };
interface LargeContent {
  readonly entry: LargeEntry;
  readonly given: GivenBytes;
}

/** Maximum contents and bytes that are deflated together, and maximum batches at a time. */
const batchContents = 64;
const batchBytes = 512 * 1024;
const maxBatches = 8;

/** Reads and compresses the contents of entries in batches, several at a time, except large ones. */
async function* packedBatches(
  entries: readonly WriteEntry[],
  options: WriteOptions,
): AsyncGenerator<readonly Packed[]> {
  const { deflate = deflateContents, given } = options;
  const largeOf = (entry: WriteEntry) => given && isLarge(entry) ? { entry, given } : undefined;
  const pack = async (batch: readonly WriteEntry[]): Promise<Packed[]> => {
    const contents = await Promise.all(batch.map((entry) => largeOf(entry) ?? wholeContent(entry, options)));
    const wanted = contents.filter((content) => content instanceof Uint8Array && content.length > 0) as Uint8Array[];
    const deflated = options.method === "store" ? [] : await deflate(wanted);
    const packed = new Map(wanted.map((content, index) => [content, deflated[index] ?? content]));
    return contents.map((content) => {
      if (!(content instanceof Uint8Array)) return content;
      const bytes = packed.get(content) ?? content;
      const isSmaller = bytes !== content && isWorthwhile(bytes.length, content.length);
      return {
        method: isSmaller ? 8 : 0,
        bytes: isSmaller ? bytes : content,
        crc32: crc32(content),
        size: content.length,
      };
    });
  };
  const batches: Promise<Packed[]>[] = [];
  try {
    for (let next = 0; next < entries.length || batches.length > 0;) {
      options.signal?.throwIfAborted();
      while (next < entries.length && batches.length < (options.deflate ? maxBatches : 1)) {
        const start = next;
        for (let bytes = 0; next < entries.length && next < start + batchContents && bytes < batchBytes; next++) {
          const entry = elementAt(entries, next);
          bytes += largeOf(entry) ? 0 : entry.size ?? batchBytes;
        }
        const batch = pack(entries.slice(start, next));
        // Its error is thrown when its turn comes.
        batch.catch(() => {});
        batches.push(batch);
      }
      // deno-lint-ignore no-await-in-loop -- members are written in their order
      yield await batches.shift() ?? [];
    }
  } finally {
    // After an error nothing more is read or deflated; an interrupt does not wait for a file that hangs.
    if (!options.signal?.aborted) await Promise.allSettled(batches);
  }
}

/** Properties of a member that are known before its content is read. */
type Beginning = Pick<Written, "name" | "flags" | "dosTime" | "timestamp" | "offset">;

function beginningOf({ path, mtime }: WriteEntry, offset: number): Beginning {
  const name = encoder.encode(path);
  return {
    name,
    flags: name.length > path.length ? flagUtf8 : 0,
    dosTime: dosTime(mtime ?? earliest),
    timestamp: timestampExtra(mtime),
    offset,
  };
}

/** Writes a member while its content is read, and finally replaces its header with one that has size and checksum. */
async function* writePieces(
  entry: LargeEntry,
  beginning: Beginning,
  options: WriteOptions,
  given: GivenBytes,
): AsyncGenerator<Uint8Array, Written> {
  const { size } = entry;
  const method = options.method === "store" || size > maxDecompressedSize ? 0 : 8;
  let checksum = 0;
  let packedSize = 0;
  const content = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of contentPieces(entry, options)) {
      checksum = crc32(piece, checksum);
      yield piece;
    }
  };
  // The final compressed size is never larger, so the final header has the same length.
  yield localHeader({ ...beginning, method, crc32: 0, packedSize: size, size });
  for await (const piece of method === 8 ? deflatedPieces(content()) : content()) {
    packedSize += piece.length;
    yield piece;
  }
  if (method === 8 && !isWorthwhile(packedSize, size)) {
    await given.takeBack(beginning.offset);
    return yield* writePieces(entry, beginning, { ...options, method: "store" }, given);
  }
  const member = { ...beginning, method, crc32: checksum, packedSize, size };
  await given.replace(beginning.offset, localHeader(member));
  return member;
}

/**
 * Writes a zip. Times are stored in seconds; a member without a time dates from 1980-01-01, the first day that zip
 * supports.
 * @throws {UnwritableError} if a path occurs twice or would be read back as another path.
 */
export async function* writeZip(entries: readonly WriteEntry[], options: WriteOptions): AsyncGenerator<Uint8Array> {
  requireWritablePaths(entries, options.path);
  requireRoom("zip", entries, options.path, false);
  const directory = new CentralDirectory();
  let offset = 0;
  let index = 0;
  let done = 0;
  for await (const batch of packedBatches(entries, options)) {
    let pieces: Uint8Array[] = [];
    for (const packed of batch) {
      const entry = elementAt(entries, index++);
      options.signal?.throwIfAborted();
      const beginning = beginningOf(entry, offset);
      let member: Written;
      if ("bytes" in packed) {
        const { bytes, method, crc32, size } = packed;
        member = { ...beginning, method, crc32, size, packedSize: bytes.length };
        const header = localHeader(member);
        pieces.push(header, bytes);
        offset += header.length + bytes.length;
      } else {
        yield joined(...pieces);
        pieces = [];
        member = yield* writePieces(packed.entry, beginning, options, packed.given);
        offset += localHeader(member).length + member.packedSize;
      }
      directory.add(member);
    }
    yield joined(...pieces);
    for (; done < index; done++) options.onProgress?.(done + 1, entries.length);
  }
  yield* directory.blocks();
  yield endRecords(directory.count, directory.size, offset);
}
