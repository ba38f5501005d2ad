/**
 * Reading one member: whole or as a stream, with size and checksum verified. Damage is an error, never wrong bytes.
 * @module
 */
import { pipeline, Readable } from "node:stream";
import { crc32, createInflate, createInflateRaw } from "node:zlib";
import type { ByteSource } from "./byte_source.ts";
import { memberDamage } from "./damage.ts";
import { type EntryTable, type Method, methodNames } from "./entry_table.ts";
import { ArchiveError, DamagedMemberError, LimitError } from "./errors.ts";
import type { ArchiveFormat } from "./format.ts";
import { InflateError, inflateProblem, inflateRaw, inflateZlib, tooMuchOutput } from "./inflate.ts";
import { largestWholeRead } from "./limits.ts";

/** Bytes read from the archive at a time by {@linkcode memberStream}. */
const streamChunk = 256 * 1024;
/** Unpacked bytes that zlib hands out at a time: its usual 16 KiB would halve the speed. */
const chunkSize = 256 * 1024;
/** Packed bytes handed to zlib at a time: at most 1,032 times as many come out. */
const packedChunk = 64 * 1024;

/** Where a sound member's packed bytes are, and what must come of them. Sizes and offsets in bytes. */
export interface Located {
  /** Where the packed bytes begin, behind any header in front of them. */
  readonly offset: number;
  /** How many there are. */
  readonly packedSize: number;
  /** How many bytes they unpack to. */
  readonly size: number;
  /** How they are packed. */
  readonly method: Method;
  /** CRC-32 of the unpacked bytes, or `undefined` if the format keeps none. */
  readonly crc32: number | undefined;
  /** Display path of the member, for messages. */
  readonly member: string;
}

function damaged(source: ByteSource, located: Located, problem: string, options?: ErrorOptions): DamagedMemberError {
  return new DamagedMemberError(
    `${located.member} ${problem}`,
    { path: source.path, offset: located.offset, member: located.member },
    options,
  );
}

/**
 * Finds a member's packed bytes, for callers that read them by themselves, as a mount does. They must then verify size
 * and checksum as {@linkcode readMember} does.
 * @throws {DamagedMemberError} if the member is marked as damaged, or the header in front of its data is not its own.
 * @throws {ArchiveError} if it is a directory.
 * @throws {RangeError} if there is no such member.
 */
export function locateMember(source: ByteSource, format: ArchiveFormat, table: EntryTable, index: number): Located {
  if (!(index >= 0 && index < table.length)) {
    throw new RangeError(`there is no member ${index}; the archive has ${table.length}`);
  }
  const member = table.path(index);
  const offset = table.offsets[index] ?? 0;
  if (table.isDirectory(index)) {
    throw new ArchiveError(`${member} is a directory, which has no content`, { path: source.path, member });
  }
  const sentence = memberDamage(table, index);
  if (sentence !== undefined) throw new DamagedMemberError(sentence, { path: source.path, offset, member });
  return {
    offset: format.dataOffset?.(source, table, index) ?? offset,
    packedSize: table.packedSizes[index] ?? 0,
    size: table.sizes[index] ?? 0,
    method: methodNames[table.methods[index] ?? 0] ?? "unsupported",
    crc32: table.crc(index),
    member,
  };
}

function checksumProblem(expected: number, actual: number): string {
  const hex = (value: number): string => value.toString(16).padStart(8, "0");
  return `is damaged: its checksum is ${hex(actual)}, but the archive says ${hex(expected)}`;
}

function unpack(packed: Uint8Array, size: number, method: Method): Uint8Array {
  if (method === "deflate") return inflateRaw(packed, size);
  if (method === "zlib") return inflateZlib(packed, size);
  return packed;
}

/**
 * Reads a whole member and verifies its size and, where the format has one, its checksum.
 * @throws {DamagedMemberError} if the member cannot be read or is not what the archive says.
 * @throws {LimitError} if it is larger than 2 GiB; {@linkcode memberStream} reads such.
 */
export function readMember(source: ByteSource, format: ArchiveFormat, table: EntryTable, index: number): Uint8Array {
  const located = locateMember(source, format, table, index);
  if (located.size > largestWholeRead || located.packedSize > largestWholeRead) {
    throw new LimitError(`${located.member} is too large (${located.size} bytes) to be read at once`, {
      path: source.path,
      member: located.member,
      expected: largestWholeRead,
      actual: located.size,
    });
  }
  const packed = source.read(located.offset, located.packedSize);
  let content: Uint8Array;
  try {
    content = unpack(packed, located.size, located.method);
  } catch (error) {
    if (error instanceof InflateError) throw damaged(source, located, error.message, { cause: error });
    throw error;
  }
  if (located.crc32 !== undefined) {
    const actual = crc32(content);
    if (actual !== located.crc32) throw damaged(source, located, checksumProblem(located.crc32, actual));
  }
  return content;
}

function* packedChunks(source: ByteSource, located: Located, chunk: number): Generator<Uint8Array> {
  const end = located.offset + located.packedSize;
  for (let offset = located.offset; offset < end; offset += chunk) {
    yield source.read(offset, Math.min(chunk, end - offset));
  }
}

async function* unpackedChunks(source: ByteSource, located: Located): AsyncGenerator<Uint8Array> {
  if (located.method === "store") {
    yield* packedChunks(source, located, streamChunk);
    return;
  }
  const unpacker = located.method === "zlib" ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
  const input = Readable.from(packedChunks(source, located, packedChunk));
  // The callback is required; the error itself comes out of the loop below.
  pipeline(input, unpacker, () => {});
  try {
    for await (const chunk of unpacker) yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw damaged(source, located, inflateProblem(error, located.size), { cause: error });
  } finally {
    input.destroy();
    unpacker.destroy();
  }
}

async function* verifiedChunks(source: ByteSource, located: Located): AsyncGenerator<Uint8Array> {
  let size = 0;
  let checksum = 0;
  for await (const chunk of unpackedChunks(source, located)) {
    size += chunk.length;
    if (size > located.size) throw damaged(source, located, tooMuchOutput(located.size));
    if (located.crc32 !== undefined) checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (size < located.size) {
    throw damaged(source, located, `is damaged: it unpacks to ${size} bytes instead of ${located.size}`);
  }
  if (located.crc32 !== undefined && checksum !== located.crc32) {
    throw damaged(source, located, checksumProblem(located.crc32, checksum));
  }
}

/**
 * Reads a member of any size as a stream, as fast as it is consumed. Size and checksum are known only at the end: a
 * damaged member makes the stream fail with {@linkcode DamagedMemberError} instead of closing, so what was received
 * must not be trusted before the stream has closed. The source must stay open until then.
 * @throws {DamagedMemberError} at once, if the damage is known beforehand.
 */
export function memberStream(
  source: ByteSource,
  format: ArchiveFormat,
  table: EntryTable,
  index: number,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(verifiedChunks(source, locateMember(source, format, table, index)));
}
