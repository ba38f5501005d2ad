/**
 * Reads one member, whole or as a stream, and verifies size and checksum. Damage is an error, never wrong bytes.
 *
 * Passwords are accepted only by the `archive` commands and the library; for index and mount an encrypted member counts
 * as damaged.
 * @module
 */
import { elementAt } from "./core/cursor.ts";
import { crc32 } from "./core/crc32.ts";
import type { ByteReader } from "./core/byte_reader.ts";
import { DecompressError, type DecompressOptions, tooLittleOutput, tooMuchOutput } from "./codecs/codec.ts";
import { codecs } from "./codecs/codecs.ts";
import { memberDamage } from "./core/damage.ts";
import { damageCode, type EntryTable, type Method, methodNames } from "./core/entry_table.ts";
import { ArchiveError, DamagedMemberError, LimitError } from "./core/errors.ts";
import type { ArchiveFormat } from "./core/format.ts";
import { maxWholeRead } from "./core/limits.ts";
import { memberFormat } from "./table.ts";
import { wholeOf } from "./codecs/compressed_bytes.ts";

/** Stored bytes read from the archive at a time by {@linkcode memberStream}. */
const storedPiece = 256 * 1024;
/** Compressed bytes passed to a codec at a time: deflate expands them at most 1,032 times. */
const compressedPiece = 64 * 1024;

/** Location of a valid member's compressed bytes, and size and checksum of the result. Sizes and offsets in bytes. */
export interface Located {
  /** Offset of the compressed bytes, after any header before them. */
  readonly offset: number;
  /** Number of compressed bytes. */
  readonly packedSize: number;
  /** Number of decompressed bytes. */
  readonly size: number;
  /** Compression. */
  readonly method: Method;
  /** CRC-32 of the decompressed bytes, or `undefined` if the format stores none. */
  readonly crc32: number | undefined;
  /** Display path of the member, for messages. */
  readonly member: string;
}

function damaged(source: ByteReader, located: Located, problem: string, options?: ErrorOptions): DamagedMemberError {
  return new DamagedMemberError(
    `${located.member} ${problem}`,
    { path: source.path, offset: located.offset, member: located.member },
    options,
  );
}

/**
 * Locates a member's compressed bytes, for callers that read them on their own, such as a mount. They must then verify
 * size and checksum like {@linkcode readMember}.
 * @param source Reader of the address space of the table: see `joinFiles`.
 * @param format Format of the archive; {@linkcode EntryTable.nested} have the inner formats.
 * @throws {DamagedMemberError} if the member is marked as damaged, or the header before its data belongs to another
 * member.
 * @throws {ArchiveError} if it is a directory.
 * @throws {RangeError} if the table has no such member.
 */
export function locateMember(source: ByteReader, format: ArchiveFormat, table: EntryTable, index: number): Located {
  if (!(index >= 0 && index < table.length)) {
    throw new RangeError(`Cannot find member ${index} of ${table.length}`);
  }
  const member = table.path(index);
  const offset = elementAt(table.offsets, index);
  if (table.isDirectory(index)) {
    throw new ArchiveError(`${member} is a directory, which has no content`, { path: source.path, member });
  }
  const reader = memberFormat(format, table, index);
  const sentence = memberDamage(table, index);
  if (sentence !== undefined) throw new DamagedMemberError(sentence, { path: source.path, offset, member });
  // Some tools write empty members without compressed data; every reader accepts this.
  const isEmpty = table.sizes[index] === 0 && table.compressedSizes[index] === 0;
  return {
    offset: reader.dataOffset?.(source, table, index) ?? offset,
    packedSize: elementAt(table.compressedSizes, index),
    size: elementAt(table.sizes, index),
    method: isEmpty ? "store" : elementAt(methodNames, elementAt(table.methods, index)),
    crc32: table.crc(index),
    member,
  };
}

/** Options of reading a member. */
export interface ReadMemberOptions {
  /** Whether compressed data without their end mark are damaged even if size and checksum are right; default false. */
  readonly requireEndMark?: boolean;
  /** Password of encrypted members; without it they count as damaged. */
  readonly password?: string;
}

/** Located member with its compressed bytes. */
interface Opened {
  readonly located: Located;
  readonly compressed: () => Iterable<Uint8Array>;
  /** Whether the compressed bytes are authenticated when all are read. */
  readonly isEncrypted: boolean;
}

/** Opens a member, decrypting it if it is encrypted and there is a password. */
function openMember(
  source: ByteReader,
  format: ArchiveFormat,
  table: EntryTable,
  index: number,
  { password }: ReadMemberOptions,
): Opened {
  const reader = memberFormat(format, table, index);
  if (password !== undefined && table.damage[index] === damageCode.encrypted && reader.decrypt) {
    const { compressed, ...location } = reader.decrypt(source, table, index, password);
    return {
      located: { ...location, size: elementAt(table.sizes, index), member: table.path(index) },
      compressed,
      isEncrypted: true,
    };
  }
  const located = locateMember(source, format, table, index);
  return { located, compressed: () => compressedPieces(source, located), isEncrypted: false };
}

function decompressOptions({ crc32 }: Located, { requireEndMark = false }: ReadMemberOptions): DecompressOptions {
  return { isChecked: crc32 !== undefined && !requireEndMark };
}

/**
 * Decompresses a member from its compressed bytes, and verifies its size. The caller verifies the checksum.
 * @param compressed All compressed bytes of the member. The result may be the same array.
 * @param options If the archive stores a checksum, data without their end mark are accepted unless this option rejects
 * them.
 * @throws {DamagedMemberError} if the data or the size are wrong.
 */
export function decompressMember(
  source: ByteReader,
  located: Located,
  compressed: Uint8Array,
  options: ReadMemberOptions = {},
): Uint8Array {
  try {
    return codecs[located.method].decompress(compressed, located.size, decompressOptions(located, options));
  } catch (error) {
    throw memberError(source, located, error);
  }
}

/** Converts a codec's error to the member's error; other errors are unchanged. */
function memberError(source: ByteReader, located: Located, error: unknown): unknown {
  return error instanceof DecompressError ? damaged(source, located, error.message, { cause: error }) : error;
}

/**
 * Compares a member's checksum with the one in the archive, if any.
 * @param actual CRC-32 of the decompressed bytes.
 * @throws {DamagedMemberError} if they differ.
 */
export function requireChecksum(source: ByteReader, located: Located, actual: number): void {
  const { crc32: wanted, member, offset } = located;
  if (wanted === undefined || actual === wanted) return;
  const hex = (value: number): string => value.toString(16).padStart(8, "0");
  throw new DamagedMemberError(
    `${member} is damaged: its checksum is ${hex(actual)}, but the archive says ${hex(wanted)}`,
    { path: source.path, offset, member, expected: hex(wanted), actual: hex(actual) },
  );
}

/**
 * Reads a whole member and verifies its size and, if the format has one, its checksum.
 * @throws {DamagedMemberError} if the member cannot be read, or size or checksum are wrong.
 * @throws {LimitError} if it is larger than 2 GiB; use {@linkcode memberStream} then.
 */
export function readMember(
  source: ByteReader,
  format: ArchiveFormat,
  table: EntryTable,
  index: number,
  options: ReadMemberOptions = {},
): Uint8Array {
  const { located, compressed, isEncrypted } = openMember(source, format, table, index, options);
  if (located.size > maxWholeRead || located.packedSize > maxWholeRead) {
    throw new LimitError(`${located.member} is too large (${located.size} bytes) to be read at once`, {
      path: source.path,
      member: located.member,
      expected: maxWholeRead,
      actual: located.size,
    });
  }
  const bytes = isEncrypted ? decrypted(source, located, compressed) : source.read(located.offset, located.packedSize);
  const content = decompressMember(source, located, bytes, options);
  if (located.crc32 !== undefined) requireChecksum(source, located, crc32(content));
  return content;
}

/** Reads all compressed bytes of an encrypted member. */
function decrypted(source: ByteReader, located: Located, compressed: Opened["compressed"]): Uint8Array {
  try {
    return wholeOf(compressed(), located.packedSize);
  } catch (error) {
    throw memberError(source, located, error);
  }
}

function* compressedPieces(source: ByteReader, located: Located): Generator<Uint8Array> {
  const piece = located.method === "store" ? storedPiece : compressedPiece;
  const end = located.offset + located.packedSize;
  for (let offset = located.offset; offset < end; offset += piece) {
    yield source.read(offset, Math.min(piece, end - offset));
  }
}

async function* verifiedPieces(
  source: ByteReader,
  { located, compressed, isEncrypted }: Opened,
  options: ReadMemberOptions,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let checksum = 0;
  const { decompressPieces } = codecs[located.method];
  const remaining = compressed()[Symbol.iterator]();
  // Codecs may finish before all compressed bytes are read, and must not close their iterator then.
  const unclosed = { [Symbol.iterator]: () => ({ next: () => remaining.next() }) };
  try {
    const pieces = decompressPieces(unclosed, located.size, decompressOptions(located, options));
    for await (const piece of pieces) {
      size += piece.length;
      if (size > located.size) throw new DecompressError(tooMuchOutput(located.size));
      if (located.crc32 !== undefined) checksum = crc32(piece, checksum);
      yield piece;
    }
    if (size < located.size) throw new DecompressError(tooLittleOutput(size, located.size));
    while (isEncrypted && !remaining.next().done);
  } catch (error) {
    throw memberError(source, located, error);
  } finally {
    remaining.return?.();
  }
  requireChecksum(source, located, checksum);
}

/**
 * Reads a member of any size as a stream, as fast as it is consumed. Size and checksum are known only at the end: a
 * damaged member makes the stream fail with {@linkcode DamagedMemberError} instead of closing, so received bytes must
 * not be trusted before the stream has closed. The source must stay open until then.
 * @throws {DamagedMemberError} at once, if the damage is known beforehand.
 */
export function memberStream(
  source: ByteReader,
  format: ArchiveFormat,
  table: EntryTable,
  index: number,
  options: ReadMemberOptions = {},
): ReadableStream<Uint8Array> {
  return ReadableStream.from(verifiedPieces(source, openMember(source, format, table, index, options), options));
}
