/**
 * Finds and reads a zip's central directory, which lists the members. The byte layout is in `zip.ts`.
 *
 * `offset` of a zip member is the offset of its local header: finding the data would cost a read per member; `stat`
 * shows it as `dataOffset`.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor, viewOf } from "../core/cursor.ts";
import {
  damageCode,
  type EntryFields,
  entryHasCrc,
  entryIsDirectory,
  EntryTable,
  type ExactSizes,
  methodCode,
} from "../core/entry_table.ts";
import { CorruptArchiveError, LimitError, TruncatedError, UnknownFormatError } from "../core/errors.ts";
import { maxWholeRead, maxZipEntries } from "../core/limits.ts";
import { type DecodedName, decodeZipName, MemberNames } from "../core/names.ts";
import { sizeDamage, storedFields } from "./records.ts";
import { zipMethodCodes } from "../core/zip_methods.ts";
import { markOverlaps } from "./zip_overlap.ts";
import { surroundingWarnings } from "./zip_surroundings.ts";

const endSignature = 0x06054b50;
const endSize = 22;
const maxComment = 0xffff;
const locatorSignature = 0x07064b50;
const locatorSize = 20;
const end64Signature = 0x06064b50;
const end64Size = 56;
/** Maximum bytes of extensible data after the fields of a zip64 end record. */
const maxEnd64Extension = 4096;
const centralSignature = 0x02014b50;
const centralSize = 46;
const localSignature = 0x04034b50;
const localSize = 30;
const saturated16 = 0xffff;
const saturated32 = 0xffffffff;

const flagEncrypted = 1;
const flagUtf8 = 1 << 11;
const extraZip64 = 0x0001;
const extraTimestamp = 0x5455;
const extraUnix = 0x5855;
const extraNtfs = 0x000a;
/** Extra fields with times. The last one counts most. */
const timeFields: readonly number[] = [extraNtfs, extraUnix, extraTimestamp];
/** Milliseconds from 1601, where times of NTFS begin, to 1970. */
const ntfsEpoch = Date.UTC(1601, 0, 1);
const extraUnicodePath = 0x7075;

/** Location of the central directory. */
interface DirectoryLocation {
  /** Offset of the directory's first byte in the file. */
  readonly start: number;
  /** Length of the directory in bytes. */
  readonly size: number;
  /** Number of members according to the end record. */
  readonly count: number;
  /** Number to add to every offset in the archive: the length of the data before the archive. */
  readonly shift: number;
}

/** Location of an archive in its file. */
interface ArchiveLocation extends DirectoryLocation {
  /** Offset of the first byte after the archive, which is the end of its comment. */
  readonly end: number;
}

function hasSignature(reader: ByteReader, position: number, signature: number): boolean {
  if (position < 0 || position + 4 > reader.size) return false;
  return new Cursor(reader.read(position, 4)).uint32() === signature;
}

/** Directory according to an end record. */
interface StatedDirectory {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Locates the directory of an end record: normally directly before the record, even if the archive follows other data;
 * otherwise at the offset in the record.
 */
function locateDirectory(
  reader: ByteReader,
  recordPosition: number,
  { count, size, offset }: StatedDirectory,
): DirectoryLocation | undefined {
  const start = recordPosition - size;
  if (count === 0 && size === 0) return { start, size, count, shift: start - offset };
  if (hasSignature(reader, start, centralSignature)) return { start, size, count, shift: start - offset };
  if (offset + size <= recordPosition && hasSignature(reader, offset, centralSignature)) {
    return { start: offset, size, count, shift: 0 };
  }
  return undefined;
}

/**
 * Yields offsets of records that end at the locator: if the archive follows other data, the locator's offset is wrong,
 * and data of unknown length may follow the record's fields.
 */
function* end64Positions(reader: ByteReader, locatorPosition: number): Generator<number> {
  const start = Math.max(0, locatorPosition - end64Size - maxEnd64Extension);
  const view = viewOf(reader.read(start, locatorPosition - start));
  for (let at = view.byteLength - end64Size; at >= 0; at--) {
    if (view.getUint8(at) !== 0x50 || view.getUint32(at, true) !== end64Signature) continue;
    if (BigInt(at + 12) + view.getBigUint64(at + 4, true) === BigInt(view.byteLength)) yield start + at;
  }
}

function locateZip64(reader: ByteReader, endPosition: number): DirectoryLocation | undefined {
  const locatorPosition = endPosition - locatorSize;
  if (!hasSignature(reader, locatorPosition, locatorSignature)) return undefined;
  const stated = new Cursor(reader.read(locatorPosition, locatorSize)).skip(8).uint64();
  for (const position of [stated, ...end64Positions(reader, locatorPosition)]) {
    if (position + end64Size > locatorPosition || !hasSignature(reader, position, end64Signature)) continue;
    const record = new Cursor(reader.read(position, end64Size)).skip(32);
    const location = locateDirectory(reader, position, {
      count: record.uint64(),
      size: record.uint64(),
      offset: record.uint64(),
    });
    if (location) return location;
  }
  return undefined;
}

function locateFrom(reader: ByteReader, record: Cursor, position: number): DirectoryLocation | undefined {
  const stated = { count: record.skip(10).uint16(), size: record.uint32(), offset: record.uint32() };
  const { count, size, offset } = stated;
  if (count === saturated16 || size === saturated32 || offset === saturated32) {
    const location = locateZip64(reader, position);
    if (location) return location;
  }
  return locateDirectory(reader, position, stated) ?? locateZip64(reader, position);
}

/**
 * Returns whether the first member with its name is at the offset in the directory. This is true for a complete archive
 * whose end names another disk, but hardly ever for the last part of a split archive.
 */
function holdsFirstMember(reader: ByteReader, { start, size, shift }: DirectoryLocation): boolean {
  if (size < centralSize) return false;
  const record = new Cursor(reader.read(start, centralSize)).skip(28);
  const nameLength = record.uint16();
  const position = record.skip(12).uint32() + shift;
  if (centralSize + nameLength > size || !hasSignature(reader, position, localSignature)) return false;
  if (position + localSize + nameLength > reader.size) return false;
  const localName = reader.read(position + localSize, nameLength);
  return reader.read(start + centralSize, nameLength).every((byte, index) => byte === localName[index]);
}

/** Result of the search for the end record. */
interface Search {
  readonly location: ArchiveLocation | undefined;
  /** Offset of the last end record, if one was found. */
  readonly endRecord: number | undefined;
  /** Whether the archive is one part of a split archive. */
  readonly split: boolean;
  /** Whether no other record could have a higher rank. */
  readonly isBest: boolean;
}

/** Number of bytes at the end that are searched first. */
const defaultTail = 1024;
/** Rank of a record that lists members and whose comment ends at the end of the file. */
const bestRank = 4;

/**
 * Searches the end record backwards over the last 65,557 bytes. Its signature may also occur in the comment or in a
 * stored zip, so a record counts only if its directory is found. A record is preferred if its comment ends at the end
 * of the file, then if it lists members; among equals the last record wins, since a stored zip comes before the
 * directory that lists it.
 */
function search(reader: ByteReader): Search {
  const known = searches.get(reader);
  if (known) return known;
  // Long comments are rare, and the search ends at the first record with the highest rank.
  const short = searchTail(reader, Math.min(reader.size, defaultTail));
  const found = short.isBest || reader.size <= defaultTail
    ? short
    : searchTail(reader, Math.min(reader.size, endSize + maxComment));
  searches.set(reader, found);
  return found;
}

/** Cached results of searches: detecting and reading an archive need the same search. */
const searches = new WeakMap<ByteReader, Search>();

function searchTail(reader: ByteReader, length: number): Search {
  const tailStart = reader.size - length;
  const bytes = reader.read(tailStart, length);
  const tail = viewOf(bytes);
  let endRecord: number | undefined;
  let split = false;
  let found: ArchiveLocation | undefined;
  let foundRank = 0;
  for (let at = tail.byteLength - endSize; at >= 0 && foundRank < bestRank; at--) {
    if (tail.getUint8(at) !== 0x50 || tail.getUint32(at, true) !== endSignature) continue;
    endRecord ??= tailStart + at;
    const commentEnd = at + endSize + tail.getUint16(at + 20, true);
    const disk = tail.getUint16(at + 4, true);
    const isNumbered = disk !== 0 && disk !== saturated16;
    const location = locateFrom(reader, new Cursor(bytes).skip(at), tailStart + at);
    if (isNumbered && !(location && holdsFirstMember(reader, location))) {
      split ||= commentEnd <= tail.byteLength;
      continue;
    }
    if (!location) continue;
    const rank = 1 + (location.count > 0 ? 1 : 0) + (commentEnd === tail.byteLength ? 2 : 0);
    if (rank > foundRank) {
      found = { ...location, end: tailStart + Math.min(commentEnd, tail.byteLength) };
      foundRank = rank;
    }
  }
  return { location: found, endRecord, split, isBest: foundRank === bestRank };
}

/** Returns whether an archive ends like a zip, regardless of its first bytes. */
export function hasZipDirectory(reader: ByteReader): boolean {
  const { location, endRecord, split } = search(reader);
  return location !== undefined || (split && endRecord !== undefined);
}

function locate(reader: ByteReader): ArchiveLocation {
  const { location, endRecord, split } = search(reader);
  const path = reader.path;
  if (location) {
    if (location.shift < 0) {
      throw new CorruptArchiveError(
        `the first ${-location.shift} bytes of the archive are missing, so its members cannot be found`,
        { path, offset: location.start, expected: location.start - location.shift, actual: location.start },
      );
    }
    const possibleCount = Math.min(location.count, Math.floor(location.size / centralSize));
    if (location.size > maxWholeRead || possibleCount > maxZipEntries) {
      throw new LimitError(
        `its zip directory lists ${location.count} files in ${location.size} bytes; more than ${maxZipEntries} ` +
          `files or ${maxWholeRead} bytes are not read`,
        { path, offset: location.start, expected: maxZipEntries, actual: location.count },
      );
    }
    return location;
  }
  if (split && endRecord !== undefined) {
    throw new CorruptArchiveError("this is the last part of a split zip; join the parts first", {
      path,
      offset: endRecord,
    });
  }
  if (endRecord !== undefined) {
    throw new CorruptArchiveError("the zip directory is not where the end of the file says; the file is damaged", {
      path,
      offset: endRecord,
    });
  }
  if (hasSignature(reader, 0, localSignature)) {
    throw new TruncatedError("no zip directory found; the download is incomplete or the file was cut short", {
      path,
      offset: reader.size,
    });
  }
  throw new UnknownFormatError("not a zip archive (no zip directory found)", { path });
}

/** Converts DOS dates and times, which are local, to milliseconds since the epoch. */
class DosClock {
  #hour = -1;
  #hourStart = 0;

  /** @param stamp Date in the upper 16 bits, time in the lower. */
  time(stamp: number): number {
    const hour = stamp >>> 11;
    if (hour !== this.#hour) {
      // The time zone offset is looked up once per hour of a zip, since a lookup takes 3 microseconds.
      const [year, month, day] = [1980 + (stamp >>> 25), stamp >>> 21 & 15, stamp >>> 16 & 31];
      this.#hour = hour;
      this.#hourStart = new Date(year, Math.max(1, month) - 1, Math.max(1, day), hour & 31).getTime();
    }
    return this.#hourStart + (stamp >>> 5 & 63) * 60_000 + (stamp & 31) * 2000;
  }
}

/** Reads the modification time of an extra field, in milliseconds since the epoch; `undefined` if it has none. */
function readTime(kind: number, field: Cursor): number | undefined {
  if (kind === extraTimestamp) {
    return field.remaining >= 5 && (field.uint8() & 1) !== 0 ? field.int32() * 1000 : undefined;
  }
  if (kind === extraUnix) return field.remaining >= 8 ? field.skip(4).int32() * 1000 : undefined;
  // NTFS: four unused bytes, then attributes; number 1 begins with the time in units of 100 nanoseconds.
  field.skip(4);
  while (field.remaining >= 12) {
    const [attribute, size] = [field.uint16(), field.uint16()];
    if (attribute === 1) return ntfsEpoch + Number(field.bigUint64() / 10_000n);
    field.skip(size);
  }
  return undefined;
}

/** Reads the records of one directory into a table. */
class DirectoryReader {
  readonly table: EntryTable = new EntryTable();
  /** Minimum offset of the end of each member's record and data. */
  readonly recordEnds: Float64Array;
  /** Offset of the first member's record, or of the directory of an archive without members. */
  firstOffset: number;
  readonly #reader: ByteReader;
  readonly #location: DirectoryLocation;
  readonly #directory: Cursor;
  readonly #names: MemberNames;
  readonly #fields: EntryFields;
  #unicodePath: Uint8Array | undefined;
  #exact: ExactSizes | undefined;
  #declaredUtf8 = false;
  #storedName: Uint8Array = new Uint8Array(0);
  readonly #clock = new DosClock();
  readonly #decode = (raw: Uint8Array): DecodedName =>
    decodeZipName(raw, this.#declaredUtf8, this.#unicodePath, this.#storedName);

  constructor(reader: ByteReader, location: DirectoryLocation) {
    this.#reader = reader;
    this.#location = location;
    this.firstOffset = location.start;
    this.#directory = new Cursor(reader.read(location.start, location.size));
    this.#fields = storedFields(reader);
    this.#names = new MemberNames(this.table);
    this.recordEnds = new Float64Array(Math.min(Math.floor(location.size / centralSize), maxZipEntries));
  }

  /** Reads every record. The directory's length is used instead of the count, which old tools wrote modulo 65,536. */
  run(): void {
    const { count, start } = this.#location;
    const directory = this.#directory;
    let position = 0;
    let seen = 0;
    while (directory.remaining >= centralSize && directory.uint32() === centralSignature) {
      if (++seen > maxZipEntries) {
        throw new LimitError(`its zip directory lists more than ${maxZipEntries} files`, {
          path: this.#reader.path,
          offset: start + position,
        });
      }
      this.#record();
      position = directory.offset;
    }
    if (seen < count && (seen === 0 || position < this.#location.size)) {
      throw new CorruptArchiveError(
        `the zip directory should list ${count} files, but it is broken after ${seen}, at byte ${start + position}`,
        { path: this.#reader.path, offset: start + position, expected: count, actual: seen },
      );
    }
    if (seen !== count) {
      this.table.warnings.push(`the zip directory lists ${seen} files although its end says ${count}; all are shown`);
    }
    this.#names.finish();
  }

  /** Reads one record after its signature. */
  #record(): void {
    const record = this.#directory;
    const start = record.offset - 4;
    const fields = this.#fields;
    const bitFlags = record.skip(4).uint16();
    const method = record.uint16();
    fields.mtime = this.#clock.time(record.uint32());
    fields.crc32 = record.uint32();
    fields.packedSize = record.uint32();
    fields.size = record.uint32();
    const nameLength = record.uint16();
    const extraLength = record.uint16();
    const commentLength = record.uint16();
    fields.offset = record.skip(8).uint32();
    if (nameLength + extraLength + commentLength > record.remaining) {
      throw new CorruptArchiveError(
        `the zip directory is broken at byte ${this.#location.start + start}: a record reaches past its end`,
        { path: this.#reader.path, offset: this.#location.start + start },
      );
    }
    let name = this.#storedName = record.bytes(nameLength);
    fields.method = zipMethodCodes.get(method) ?? methodCode.unsupported;
    fields.flags = entryHasCrc;
    this.#declaredUtf8 = (bitFlags & flagUtf8) !== 0;
    this.#unicodePath = undefined;
    this.#exact = undefined;
    if (extraLength > 0) this.#extra(record.offset + extraLength);
    record.skip(commentLength);
    fields.offset += this.#location.shift;
    if (fields.offset < this.firstOffset) this.firstOffset = fields.offset;

    const last = name[nameLength - 1];
    if (fields.size === 0 && (last === 0x2f || last === 0x5c)) {
      fields.flags |= entryIsDirectory;
      name = name.subarray(0, nameLength - 1);
      // The root directory needs no entry.
      if (name.length === 0) return;
    }
    const recordEnd = fields.offset + localSize + nameLength + fields.packedSize;
    fields.damage = this.#damage(bitFlags, recordEnd);
    const index = this.#names.add(name, fields, this.#decode, this.#unicodePath !== undefined);
    this.recordEnds[index] = recordEnd;
    if (fields.method === methodCode.unsupported) this.table.foreignMethods.set(index, method);
    if (this.#exact) this.table.exactSizes.set(index, this.#exact);
  }

  /** Reads the known extra fields up to `end`. A truncated field ends the loop: the fixed fields remain valid. */
  #extra(end: number): void {
    const extra = this.#directory;
    let timeRank = -1;
    while (extra.offset + 4 <= end) {
      const kind = extra.uint16();
      const length = extra.uint16();
      if (extra.offset + length > end) break;
      const data = extra.bytes(length);
      if (kind === extraZip64) this.#zip64(new Cursor(data));
      else if (kind === extraUnicodePath) this.#unicodePath = data;
      else if (timeFields.indexOf(kind) > timeRank) {
        const time = readTime(kind, new Cursor(data));
        if (time === undefined) continue;
        this.#fields.mtime = time;
        timeRank = timeFields.indexOf(kind);
      }
    }
    extra.offset = end;
  }

  /** Reads the 64-bit values of exactly the saturated fields, in this order (APPNOTE.TXT 4.5.3). */
  #zip64(values: Cursor): void {
    const fields = this.#fields;
    const isSaturated = (value: number) => value === saturated32 && values.remaining >= 8;
    const size = isSaturated(fields.size) ? values.bigUint64() : BigInt(fields.size);
    const packedSize = isSaturated(fields.packedSize) ? values.bigUint64() : BigInt(fields.packedSize);
    fields.size = Number(size);
    fields.packedSize = Number(packedSize);
    const isRounded = Math.max(fields.size, fields.packedSize) > Number.MAX_SAFE_INTEGER;
    this.#exact = isRounded ? { size, packedSize } : undefined;
    if (isSaturated(fields.offset)) fields.offset = values.uint64();
  }

  #damage(bitFlags: number, recordEnd: number): number {
    if (recordEnd > this.#reader.size) return damageCode["past-end"];
    if ((bitFlags & flagEncrypted) !== 0) return damageCode.encrypted;
    return sizeDamage(this.#fields);
  }
}

/**
 * Lists a zip's members from its central directory.
 * @throws {ArchiveError} if the central directory is missing or broken.
 */
export function readZipDirectory(reader: ByteReader): EntryTable {
  const location = locate(reader);
  const directory = new DirectoryReader(reader, location);
  directory.run();
  const bounds = { start: directory.firstOffset, end: location.end, isShifted: location.shift > 0 };
  directory.table.warnings.push(...surroundingWarnings(reader, bounds));
  markOverlaps(directory.table, directory.recordEnds, location.start, location.start + location.size);
  return directory.table;
}
