/**
 * RFF of Blood. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `RFF` and 0x1A              |   |      0 |   16 | the game's own, in memory                 |
 * |      4 |    2 | version                     |   |     16 |    4 | data offset from the start of the file    |
 * |      6 |    2 | filler                      |   |     20 |    4 | data length                               |
 * |      8 |    4 | directory offset            |   |     24 |    4 | compressed size: 0                        |
 * |     12 |    4 | number of entries           |   |     28 |    4 | time, seconds since 1970                  |
 * |     16 |   16 | filler                      |   |     32 |    1 | flags: 0x10 encrypted                     |
 * |        |      |                             |   |     33 |    3 | extension, NUL-padded                     |
 * |        |      |                             |   |     36 |    8 | name, NUL-padded                          |
 * |        |      |                             |   |     44 |    4 | number of the file                        |
 *
 * The directory as a whole is XORed with a key that grows by one every two bytes: `(start + i) / 2`. Version 0x200 is
 * not encrypted. Version 0x301 starts at twice the directory's offset, version 0x300 at the offset itself, but sources
 * do not agree on 0x300: all three keys are tried on every archive, and the one with valid entries is used. The first
 * 256 bytes of encrypted members are XORed likewise, from 0 (`formats/codecs/rff.ts`). Names are upper-case 8.3,
 * without directories. The game uses the last of two entries with the same name.
 *
 * Sources: sectorCut's Spec_BloodRFF.txt, ModdingWiki "RFF Format", SLADE RffArchive.cpp, NBlood resource.cpp.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor, joined } from "../core/cursor.ts";
import { type EntryTable, methodCode } from "../core/entry_table.ts";
import { CorruptArchiveError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { headerOf, type HeaderShape, isPrintableName, listRecords, readTable, requireHeader } from "./records.ts";

const shape: HeaderShape = { title: "a Blood RFF", magic: "RFF\x1a", size: 16 };
const recordSize = 48;
const extensionSize = 3;
const nameSize = 8;
const encryptedFlag = 0x10;
const dot = Uint8Array.of(0x2e);

/** Start of the key; `undefined` without encryption. */
type KeyStart = (directoryOffset: number) => number | undefined;

const noKey: KeyStart = () => undefined;
const offsetKey: KeyStart = (directoryOffset) => directoryOffset;
const doubledKey: KeyStart = (directoryOffset) => directoryOffset * 2;

/** Keys by version, the most likely first. */
const keysByVersion: Readonly<Record<number, readonly KeyStart[]>> = {
  0x200: [noKey, doubledKey, offsetKey],
  0x300: [offsetKey, noKey, doubledKey],
  0x301: [doubledKey, offsetKey, noKey],
};
const keysOfOthers: readonly KeyStart[] = [doubledKey, offsetKey, noKey];

function decrypted(table: Uint8Array, keyStart: number | undefined): Uint8Array {
  if (keyStart === undefined) return table;
  return table.map((byte, index) => byte ^ (Math.floor((keyStart + index) / 2) % 256));
}

/** Returns the number of entries that have a name and lie within the file. */
function plausibleCount(table: Uint8Array, archiveSize: number): number {
  const record = new Cursor(table);
  let count = 0;
  for (let start = 0; start < table.length; start += recordSize) {
    record.offset = start + 16;
    const end = record.uint32() + record.uint32();
    if (end <= archiveSize && isPrintableName(record.skip(12).name(nameSize))) count++;
  }
  return count;
}

/** Decrypts the directory with the first key that makes all entries valid, else with the one that makes most valid. */
function decryptTable(reader: ByteReader, table: Uint8Array, version: number, directoryOffset: number): Uint8Array {
  const count = table.length / recordSize;
  let best = table;
  let bestCount = 0;
  for (const key of keysByVersion[version] ?? keysOfOthers) {
    const attempt = decrypted(table, key(directoryOffset));
    const plausible = plausibleCount(attempt, reader.size);
    if (plausible === count) return attempt;
    if (plausible > bestCount) {
      best = attempt;
      bestCount = plausible;
    }
  }
  if (bestCount > 0) return best;
  throw new CorruptArchiveError(
    `its file table (${count} files at byte ${directoryOffset}) makes no sense under any of the known keys`,
    { path: reader.path, offset: directoryOffset },
  );
}

function read(reader: ByteReader): EntryTable {
  const header = requireHeader(reader, shape);
  const version = header.uint16();
  const offset = header.skip(2).uint32();
  const length = header.uint32() * recordSize;
  const encrypted = readTable(reader, { offset, length, recordSize, headerSize: shape.size });
  const table = decryptTable(reader, encrypted, version, offset);
  const entries = listRecords(reader, table, recordSize, (record, fields) => {
    fields.offset = record.skip(16).uint32();
    fields.size = fields.packedSize = record.uint32();
    fields.mtime = record.skip(4).uint32() * 1000;
    fields.method = (record.uint8() & encryptedFlag) !== 0 ? methodCode.rff : methodCode.store;
    const extension = record.name(extensionSize);
    const name = record.name(nameSize);
    return extension.length === 0 ? name : joined(name, dot, extension);
  });
  if (!(version in keysByVersion)) {
    entries.warnings.unshift(`unknown version 0x${version.toString(16)}; read as far as it makes sense`);
  }
  return entries;
}

/** The RFF format. */
export const rff: ArchiveFormat = {
  name: "rff",
  title: "Blood RFF",
  games: "Blood",
  signature: "RFF, 0x1A",
  methods: ["store", "rff"],
  extensions: [".rff"],
  duplicates: "last",
  detect: (reader) => headerOf(reader, shape) !== undefined,
  read,
};
