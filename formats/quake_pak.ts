/**
 * Quake PAK: Quake, Hexen II, Quake 2, Heretic II, Half-Life, Kingpin and others. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `PACK`                      |   |      0 |   56 | name, NUL-padded; may fill all 56 bytes,  |
 * |      4 |    4 | directory offset            |   |        |      | bytes after a NUL are garbage             |
 * |      8 |    4 | directory length in bytes   |   |     56 |    4 | data offset from the start of the file    |
 * |        |      |                             |   |     60 |    4 | data length                               |
 *
 * The directory may stand anywhere; data may be in any order, overlap or leave holes. Nothing is compressed and there
 * are no checksums or times. Engines read the integers as signed, so 2 GiB is the limit of what they can use; the
 * reader takes them as unsigned. Names are `/`-separated. Which of two entries of one name counts is the engine's
 * business: Quake and Quake 2 take the first.
 *
 * Sources: id-Software/Quake WinQuake/common.c (`dpackheader_t`, `dpackfile_t`), id-Software/Quake-2 qcommon/qfiles.h.
 * Daikatana's archives begin with `PACK` too but have 72-byte entries with two more integers; they are recognised, so
 * that they are not misread, and refused.
 * @module
 */
import type { ByteSource } from "./byte_source.ts";
import { damageCode, type EntryFields, EntryTable, methodCode } from "./entry_table.ts";
import { CorruptArchiveError, LimitError, TruncatedError, UnknownFormatError } from "./errors.ts";
import type { ArchiveFormat } from "./format.ts";
import { largestEntryCount } from "./limits.ts";
import { MemberNames } from "./names.ts";
import { writeQuakePak } from "./quake_pak_writer.ts";

const headerSize = 12;
const entrySize = 64;
const nameSize = 56;
const daikatanaEntrySize = 72;
/** `PACK`, read as a little-endian integer. */
const magic = 0x4b434150;

interface Header {
  /** The first four bytes, as a little-endian integer. */
  magic: number;
  directoryOffset: number;
  /** In bytes. */
  directoryLength: number;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readHeader(source: ByteSource): Header | undefined {
  if (source.size < headerSize) return undefined;
  const view = viewOf(source.read(0, headerSize));
  return {
    magic: view.getUint32(0, true),
    directoryOffset: view.getUint32(4, true),
    directoryLength: view.getUint32(8, true),
  };
}

function nameLength(table: Uint8Array, start: number): number {
  for (let length = 0; length < nameSize; length++) if (table[start + length] === 0) return length;
  return nameSize;
}

/** Whether the bytes at `start` look like an entry, under either layout: a printable name and data inside the file. */
function isPlausibleEntry(table: Uint8Array, view: DataView, start: number, archiveSize: number): boolean {
  const length = nameLength(table, start);
  if (length === 0) return false;
  for (let index = 0; index < length; index++) if ((table[start + index] ?? 0) < 0x20) return false;
  const offset = view.getUint32(start + 56, true);
  return offset >= headerSize && offset <= archiveSize;
}

function countPlausible(table: Uint8Array, stride: number, archiveSize: number): number {
  const view = viewOf(table);
  let plausible = 0;
  for (let start = 0; start + stride <= table.length; start += stride) {
    if (isPlausibleEntry(table, view, start, archiveSize)) plausible++;
  }
  return plausible;
}

/** Whether the table fits Daikatana's 72-byte entries in every one, and Quake's 64-byte entries in not every one. */
function looksLikeDaikatana(table: Uint8Array, archiveSize: number): boolean {
  if (table.length === 0 || table.length % daikatanaEntrySize !== 0) return false;
  if (table.length % entrySize === 0 && countPlausible(table, entrySize, archiveSize) === table.length / entrySize) {
    return false;
  }
  return countPlausible(table, daikatanaEntrySize, archiveSize) === table.length / daikatanaEntrySize;
}

/** How many entries detection looks at. */
const sampledEntries = 16;

function detect(source: ByteSource): boolean {
  const header = readHeader(source);
  if (header?.magic !== magic || header.directoryOffset < headerSize) return false;
  const { directoryOffset, directoryLength } = header;
  if (directoryLength === 0) return directoryOffset <= source.size;
  // A table past the end is a download that was cut short, if its length at least makes sense.
  if (directoryOffset + directoryLength > source.size) return directoryLength % entrySize === 0;
  // Other games use the same four letters, so some entry must look like one. A table of 72-byte entries passes too:
  // reading it explains what it is.
  const sample = source.read(directoryOffset, Math.min(directoryLength, sampledEntries * entrySize));
  return countPlausible(sample, entrySize, source.size) > 0;
}

function startingWith(source: ByteSource): string {
  const bytes = source.read(0, Math.min(4, source.size));
  return JSON.stringify(String.fromCharCode(...bytes));
}

function readTable(source: ByteSource): { table: Uint8Array; directoryOffset: number } {
  const header = readHeader(source);
  if (!header) {
    throw new TruncatedError(`not a Quake PAK: ${source.size} bytes are less than its header`, {
      path: source.path,
      offset: 0,
      expected: headerSize,
      actual: source.size,
    });
  }
  if (header.magic !== magic) {
    throw new UnknownFormatError(`not a Quake PAK (starts with ${startingWith(source)})`, {
      path: source.path,
      offset: 0,
      expected: "PACK",
    });
  }
  const { directoryOffset, directoryLength } = header;
  if (directoryOffset < headerSize && directoryLength > 0) {
    throw new CorruptArchiveError(
      `the header says that the file table is at byte ${directoryOffset}, inside the header itself`,
      { path: source.path, offset: 4, expected: headerSize, actual: directoryOffset },
    );
  }
  if (directoryOffset + directoryLength > source.size) {
    throw new TruncatedError(
      `the file table (at byte ${directoryOffset}, ${directoryLength} bytes) lies outside the file ` +
        `(${source.size} bytes); the file is cut short`,
      {
        path: source.path,
        offset: directoryOffset,
        expected: directoryOffset + directoryLength,
        actual: source.size,
      },
    );
  }
  const count = Math.floor(directoryLength / entrySize);
  if (count > largestEntryCount) {
    throw new LimitError(`the file table lists ${count} files; more than ${largestEntryCount} are not read`, {
      path: source.path,
      offset: 8,
      expected: largestEntryCount,
      actual: count,
    });
  }
  return { table: source.read(directoryOffset, directoryLength), directoryOffset };
}

function read(source: ByteSource): EntryTable {
  const { table, directoryOffset } = readTable(source);
  if (looksLikeDaikatana(table, source.size)) {
    throw new UnknownFormatError(
      `its file table is ${table.length} bytes and does not fit Quake's entries of ${entrySize}: ` +
        "maybe a Daikatana PAK, which is not supported",
      { path: source.path, offset: directoryOffset, expected: entrySize, actual: daikatanaEntrySize },
    );
  }
  const entries = new EntryTable();
  const names = new MemberNames(entries);
  const view = viewOf(table);
  const end = table.length - table.length % entrySize;
  const fields: EntryFields = {
    offset: 0,
    packedSize: 0,
    size: 0,
    mtime: source.mtime,
    crc32: 0,
    method: methodCode.store,
    flags: 0,
    damage: damageCode.none,
  };
  for (let start = 0; start < end; start += entrySize) {
    const offset = view.getUint32(start + 56, true);
    const size = view.getUint32(start + 60, true);
    fields.offset = offset;
    fields.packedSize = size;
    fields.size = size;
    fields.damage = offset + size > source.size ? damageCode["past-end"] : damageCode.none;
    names.add(table.subarray(start, start + nameLength(table, start)), fields);
  }
  if (end !== table.length) {
    entries.warnings.push(
      `the file table is ${table.length} bytes, not a multiple of ${entrySize}; its last ${table.length - end} bytes ` +
        "are ignored",
    );
  }
  names.finish();
  return entries;
}

/** The Quake PAK format. */
export const quakePak: ArchiveFormat = {
  name: "quake-pak",
  title: "Quake PAK (Quake, Hexen II, Quake 2, Half-Life)",
  extensions: [".pak"],
  duplicates: "first",
  detect,
  read,
  write: writeQuakePak,
};
