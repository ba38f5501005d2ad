/**
 * Finding and reading a zip's central directory, the only part of a zip that says what is in it. The byte layout
 * stands in `zip.ts`.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
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
import { maxEntryCount, maxTableBytes } from "../core/limits.ts";
import { type DecodedName, decodeZipName, MemberNames } from "../core/names.ts";
import { sizeDamage } from "./record_damage.ts";
import { zipMethodCodes } from "../core/zip_methods.ts";
import { markOverlaps } from "./zip_overlap.ts";

const endSignature = 0x06054b50;
const endSize = 22;
const maxComment = 0xffff;
const locatorSignature = 0x07064b50;
const locatorSize = 20;
const end64Signature = 0x06064b50;
const end64Size = 56;
/** Bytes of the extensible data behind the fields of a zip64 end record that are searched through. */
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
const extraUnicodePath = 0x7075;

/** Where the central directory is. */
export interface DirectoryLocation {
  /** Position of its first byte in the file. */
  readonly start: number;
  /** Its length in bytes. */
  readonly size: number;
  /** Number of members according to the end record. */
  readonly count: number;
  /** What must be added to every offset in the archive: the length of what was put in front of it. */
  readonly shift: number;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function getUint64(view: DataView, position: number): number {
  return view.getUint32(position + 4, true) * 2 ** 32 + view.getUint32(position, true);
}

function hasSignature(source: ByteReader, position: number, signature: number): boolean {
  if (position < 0 || position + 4 > source.size) return false;
  return viewOf(source.read(position, 4)).getUint32(0, true) === signature;
}

/**
 * Decides where the directory that an end record speaks of really starts: normally directly in front of the record,
 * whatever was put in front of the archive; else where the record says.
 */
function place(
  source: ByteReader,
  recordPosition: number,
  offset: number,
  size: number,
  count: number,
): DirectoryLocation | undefined {
  const start = recordPosition - size;
  if (count === 0 && size === 0) return { start, size, count, shift: start - offset };
  if (hasSignature(source, start, centralSignature)) return { start, size, count, shift: start - offset };
  if (offset + size <= recordPosition && hasSignature(source, offset, centralSignature)) {
    return { start: offset, size, count, shift: 0 };
  }
  return undefined;
}

/**
 * Positions of records that end where the locator begins: where something was put in front of the archive, the record
 * is not where the locator says, and data of unknown length may follow its fields.
 */
function* end64Positions(source: ByteReader, locatorPosition: number): Generator<number> {
  const start = Math.max(0, locatorPosition - end64Size - maxEnd64Extension);
  const view = viewOf(source.read(start, locatorPosition - start));
  for (let at = view.byteLength - end64Size; at >= 0; at--) {
    if (view.getUint8(at) !== 0x50 || view.getUint32(at, true) !== end64Signature) continue;
    if (at + 12 + getUint64(view, at + 4) === view.byteLength) yield start + at;
  }
}

function placeZip64(source: ByteReader, endPosition: number): DirectoryLocation | undefined {
  const locatorPosition = endPosition - locatorSize;
  if (!hasSignature(source, locatorPosition, locatorSignature)) return undefined;
  const stated = getUint64(viewOf(source.read(locatorPosition, locatorSize)), 8);
  for (const position of [stated, ...end64Positions(source, locatorPosition)]) {
    if (position + end64Size > locatorPosition || !hasSignature(source, position, end64Signature)) continue;
    const record = viewOf(source.read(position, end64Size));
    const location = place(source, position, getUint64(record, 48), getUint64(record, 40), getUint64(record, 32));
    if (location) return location;
  }
  return undefined;
}

function locateFrom(source: ByteReader, tail: DataView, at: number, tailStart: number): DirectoryLocation | undefined {
  const count = tail.getUint16(at + 10, true);
  const size = tail.getUint32(at + 12, true);
  const offset = tail.getUint32(at + 16, true);
  const position = tailStart + at;
  if (count === saturated16 || size === saturated32 || offset === saturated32) {
    const location = placeZip64(source, position);
    if (location) return location;
  }
  return place(source, position, offset, size, count) ?? placeZip64(source, position);
}

/**
 * Whether the first member is where the directory says, under its name: so it is in an archive that is whole although
 * its end names another disk, and hardly ever in the last part of a split one.
 */
function holdsFirstMember(source: ByteReader, { start, size, shift }: DirectoryLocation): boolean {
  if (size < centralSize) return false;
  const record = viewOf(source.read(start, centralSize));
  const nameLength = record.getUint16(28, true);
  const position = record.getUint32(42, true) + shift;
  if (centralSize + nameLength > size || !hasSignature(source, position, localSignature)) return false;
  if (position + localSize + nameLength > source.size) return false;
  const localName = source.read(position + localSize, nameLength);
  return source.read(start + centralSize, nameLength).every((byte, index) => byte === localName[index]);
}

/** Result of the search for the end record. */
interface Search {
  readonly location: DirectoryLocation | undefined;
  /** Position of the last end record, if there is any at all. */
  readonly endRecord: number | undefined;
  /** The archive is one part of several. */
  readonly split: boolean;
  /** No other record could be preferred to the one that was found. */
  readonly isBest: boolean;
}

/** Bytes at the end that are looked at first. */
const defaultTail = 1024;
/** Rank of a record that lists members and whose comment ends with the file. */
const bestRank = 4;

/**
 * Searches the end record backwards over the last 65,557 bytes. Its signature may also occur in the comment or in a
 * stored zip, so a record counts only if a directory is where it says. One whose comment ends with the file is
 * preferred to one whose comment is cut short or has something behind it, one that lists members to one that does not,
 * and of equals the last: a stored zip is in front of the directory that lists it.
 */
function search(source: ByteReader): Search {
  const known = searches.get(source);
  if (known) return known;
  // Hardly any archive has a long comment, and the search ends at the first record that could not be better.
  const short = searchTail(source, Math.min(source.size, defaultTail));
  const found = short.isBest || source.size <= defaultTail
    ? short
    : searchTail(source, Math.min(source.size, endSize + maxComment));
  searches.set(source, found);
  return found;
}

/** Detecting an archive and reading it search for the same. */
const searches = new WeakMap<ByteReader, Search>();

function searchTail(source: ByteReader, length: number): Search {
  const tailStart = source.size - length;
  const tail = viewOf(source.read(tailStart, source.size - tailStart));
  let endRecord: number | undefined;
  let split = false;
  let found: DirectoryLocation | undefined;
  let foundRank = 0;
  for (let at = tail.byteLength - endSize; at >= 0 && foundRank < bestRank; at--) {
    if (tail.getUint8(at) !== 0x50 || tail.getUint32(at, true) !== endSignature) continue;
    endRecord ??= tailStart + at;
    const commentEnd = at + endSize + tail.getUint16(at + 20, true);
    const disk = tail.getUint16(at + 4, true);
    const isNumbered = disk !== 0 && disk !== saturated16;
    const location = locateFrom(source, tail, at, tailStart);
    if (isNumbered && !(location && holdsFirstMember(source, location))) {
      split ||= commentEnd <= tail.byteLength;
      continue;
    }
    if (!location) continue;
    const rank = 1 + (location.count > 0 ? 1 : 0) + (commentEnd === tail.byteLength ? 2 : 0);
    if (rank > foundRank) {
      found = location;
      foundRank = rank;
    }
  }
  return { location: found, endRecord, split, isBest: foundRank === bestRank };
}

/** Whether `source` ends as a zip does. */
export function hasZipDirectory(source: ByteReader): boolean {
  const { location, endRecord, split } = search(source);
  return location !== undefined || (split && endRecord !== undefined);
}

function locate(source: ByteReader): DirectoryLocation {
  const { location, endRecord, split } = search(source);
  const path = source.path;
  if (location) {
    if (location.shift < 0) {
      throw new CorruptArchiveError(
        `the first ${-location.shift} bytes of the archive are missing, so its members cannot be found`,
        { path, offset: location.start, expected: location.start - location.shift, actual: location.start },
      );
    }
    const possibleCount = Math.min(location.count, Math.floor(location.size / centralSize));
    if (location.size > maxTableBytes || possibleCount > maxEntryCount) {
      throw new LimitError(
        `its zip directory lists ${location.count} files in ${location.size} bytes; more than ${maxEntryCount} ` +
          `files or ${maxTableBytes} bytes are not read`,
        { path, offset: location.start, expected: maxEntryCount, actual: location.count },
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
  if (hasSignature(source, 0, localSignature)) {
    throw new TruncatedError("no zip directory found; the download is incomplete or the file was cut short", {
      path,
      offset: source.size,
    });
  }
  throw new UnknownFormatError("not a zip archive (no zip directory found)", { path });
}

/** Milliseconds since the epoch of a DOS date and time, which name no time zone: taken as UTC, so that a listing is the
 * same on every machine. */
function dosTime(stamp: number): number {
  const month = Math.max(1, stamp >>> 21 & 15);
  const day = Math.max(1, stamp >>> 16 & 31);
  return Date.UTC(
    1980 + (stamp >>> 25),
    month - 1,
    day,
    stamp >>> 11 & 31,
    stamp >>> 5 & 63,
    (stamp & 31) * 2,
  );
}

/** Reads the central records of one directory, one after another, into a table. */
class DirectoryReader {
  readonly table: EntryTable = new EntryTable();
  /** Where the record and data of each member end, at the least, in the file. */
  readonly recordEnds: Float64Array;
  readonly #source: ByteReader;
  readonly #location: DirectoryLocation;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #names: MemberNames;
  readonly #fields: EntryFields = {
    offset: 0,
    packedSize: 0,
    size: 0,
    mtime: 0,
    crc32: 0,
    method: 0,
    flags: 0,
    damage: 0,
  };
  #unicodePath: Uint8Array | undefined;
  #exact: ExactSizes | undefined;
  #declaredUtf8 = false;
  #lastStamp = -1;
  #lastTime = 0;
  readonly #decode = (raw: Uint8Array): DecodedName => decodeZipName(raw, this.#declaredUtf8, this.#unicodePath);

  constructor(source: ByteReader, location: DirectoryLocation) {
    this.#source = source;
    this.#location = location;
    this.#bytes = source.read(location.start, location.size);
    this.#view = viewOf(this.#bytes);
    this.#names = new MemberNames(this.table);
    this.recordEnds = new Float64Array(Math.min(Math.floor(location.size / centralSize), maxEntryCount));
  }

  /** Reads every record. The directory's own length decides, not the count, which old tools wrote modulo 65,536. */
  run(): void {
    const { count, start, size } = this.#location;
    let position = 0;
    let seen = 0;
    while (position + centralSize <= size && this.#view.getUint32(position, true) === centralSignature) {
      if (++seen > maxEntryCount) {
        throw new LimitError(`its zip directory lists more than ${maxEntryCount} files`, {
          path: this.#source.path,
          offset: start + position,
        });
      }
      position = this.#record(position);
    }
    if (seen < count && position < size) {
      throw new CorruptArchiveError(
        `the zip directory should list ${count} files, but it is broken after ${seen}, at byte ${start + position}`,
        { path: this.#source.path, offset: start + position, expected: count, actual: seen },
      );
    }
    if (seen !== count) {
      this.table.warnings.push(`the zip directory lists ${seen} files although its end says ${count}; all are shown`);
    }
    this.#names.finish();
  }

  #record(position: number): number {
    const view = this.#view;
    const fields = this.#fields;
    const bitFlags = view.getUint16(position + 8, true);
    const method = view.getUint16(position + 10, true);
    const nameLength = view.getUint16(position + 28, true);
    const extraLength = view.getUint16(position + 30, true);
    const nameStart = position + centralSize;
    const extraStart = nameStart + nameLength;
    const next = extraStart + extraLength + view.getUint16(position + 32, true);
    if (next > this.#bytes.length) {
      throw new CorruptArchiveError(
        `the zip directory is broken at byte ${this.#location.start + position}: a record reaches past its end`,
        { path: this.#source.path, offset: this.#location.start + position },
      );
    }
    fields.crc32 = view.getUint32(position + 16, true);
    fields.packedSize = view.getUint32(position + 20, true);
    fields.size = view.getUint32(position + 24, true);
    fields.offset = view.getUint32(position + 42, true);
    fields.mtime = this.#time(view.getUint32(position + 12, true));
    fields.method = zipMethodCodes.get(method) ?? methodCode.unsupported;
    fields.flags = entryHasCrc;
    this.#declaredUtf8 = (bitFlags & flagUtf8) !== 0;
    this.#unicodePath = undefined;
    this.#exact = undefined;
    if (extraLength > 0) this.#extra(extraStart, extraStart + extraLength);
    fields.offset += this.#location.shift;

    let name = this.#bytes.subarray(nameStart, extraStart);
    const last = name[nameLength - 1];
    if (fields.size === 0 && (last === 0x2f || last === 0x5c)) {
      fields.flags |= entryIsDirectory;
      name = name.subarray(0, nameLength - 1);
      // The root needs no entry.
      if (name.length === 0) return next;
    }
    const recordEnd = fields.offset + localSize + nameLength + fields.packedSize;
    fields.damage = this.#damage(bitFlags, recordEnd);
    const index = this.#names.add(name, fields, this.#decode);
    this.recordEnds[index] = recordEnd;
    if (fields.method === methodCode.unsupported) this.table.foreignMethods.set(index, method);
    if (this.#exact) this.table.exactSizes.set(index, this.#exact);
    return next;
  }

  #time(stamp: number): number {
    if (stamp !== this.#lastStamp) {
      this.#lastStamp = stamp;
      this.#lastTime = dosTime(stamp);
    }
    return this.#lastTime;
  }

  /** Takes what is wanted from the extra fields. One that is cut short ends the walk: the fixed fields still hold. */
  #extra(start: number, end: number): void {
    const view = this.#view;
    for (let position = start; position + 4 <= end;) {
      const kind = view.getUint16(position, true);
      const data = position + 4;
      const dataEnd = data + view.getUint16(position + 2, true);
      if (dataEnd > end) return;
      if (kind === extraZip64) this.#zip64(data, dataEnd);
      else if (kind === extraUnicodePath) this.#unicodePath = this.#bytes.subarray(data, dataEnd);
      else if (kind === extraTimestamp && dataEnd - data >= 5 && (view.getUint8(data) & 1) !== 0) {
        this.#fields.mtime = view.getInt32(data + 1, true) * 1000;
      }
      position = dataEnd;
    }
  }

  /** The 64-bit values of exactly those fields that are saturated, in this order (APPNOTE.TXT 4.5.3). */
  #zip64(position: number, end: number): void {
    const fields = this.#fields;
    let next = position;
    let size = BigInt(fields.size);
    let packedSize = BigInt(fields.packedSize);
    if (fields.size === saturated32 && next + 8 <= end) {
      size = this.#view.getBigUint64(next, true);
      fields.size = Number(size);
      next += 8;
    }
    if (fields.packedSize === saturated32 && next + 8 <= end) {
      packedSize = this.#view.getBigUint64(next, true);
      fields.packedSize = Number(packedSize);
      next += 8;
    }
    const isRounded = Math.max(fields.size, fields.packedSize) > Number.MAX_SAFE_INTEGER;
    this.#exact = isRounded ? { size, packedSize } : undefined;
    if (fields.offset === saturated32 && next + 8 <= end) fields.offset = getUint64(this.#view, next);
  }

  #damage(bitFlags: number, recordEnd: number): number {
    if (recordEnd > this.#source.size) return damageCode["past-end"];
    if ((bitFlags & flagEncrypted) !== 0) return damageCode.encrypted;
    return sizeDamage(this.#fields);
  }
}

/**
 * Lists a zip's members from its central directory.
 * @throws {ArchiveError} if there is no central directory, or it is broken.
 */
export function readZipDirectory(source: ByteReader): EntryTable {
  const location = locate(source);
  const reader = new DirectoryReader(source, location);
  reader.run();
  markOverlaps(reader.table, reader.recordEnds, location.start, location.start + location.size);
  return reader.table;
}
