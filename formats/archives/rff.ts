/**
 * RFF of Blood. All integers little-endian.
 *
 * | offset | size | header                      |   | offset | size | entry                                     |
 * |-------:|-----:|-----------------------------|---|-------:|-----:|-------------------------------------------|
 * |      0 |    4 | `RFF` and 0x1A              |   |      0 |   16 | the game's own, in memory                 |
 * |      4 |    2 | version                     |   |     16 |    4 | data offset from the start of the file    |
 * |      6 |    2 | filler                      |   |     20 |    4 | data length                               |
 * |      8 |    4 | directory offset            |   |     24 |    4 | packed length: 0                          |
 * |     12 |    4 | number of entries           |   |     28 |    4 | time, seconds since 1970                  |
 * |     16 |   16 | filler                      |   |     32 |    1 | flags: 0x10 encrypted                     |
 * |        |      |                             |   |     33 |    3 | extension, NUL-padded                     |
 * |        |      |                             |   |     36 |    8 | name, NUL-padded                          |
 * |        |      |                             |   |     44 |    4 | number of the file                        |
 *
 * The directory as a whole is XORed with a key that grows by one every two bytes: `(start + i) / 2`. Version 0x200 has
 * none. Version 0x301 starts at twice the directory's offset, version 0x300 at the offset itself, but sources do not
 * agree on 0x300: all three are tried on every archive, and the one is taken under which the entries make sense. Of
 * encrypted members the first 256 bytes are XORed likewise, from 0 (`formats/codecs/rff.ts`). There are no directories;
 * names are upper-case 8.3. The game takes the last of two entries of one name.
 *
 * Sources: sectorCut's Spec_BloodRFF.txt, ModdingWiki "RFF Format", SLADE RffArchive.cpp, NBlood resource.cpp.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { EntryTable, methodCode } from "../core/entry_table.ts";
import { CorruptArchiveError } from "../core/errors.ts";
import {
  headerOf,
  type HeaderShape,
  isPrintableName,
  nameField,
  readTable,
  requireHeader,
  storedFields,
  viewOf,
} from "./fixed_records.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { MemberNames } from "../core/names.ts";
import { recordDamage } from "./record_damage.ts";

const shape: HeaderShape = { title: "a Blood RFF", magic: "RFF\x1a", size: 16 };
const entrySize = 48;
const extensionStart = 33;
const extensionSize = 3;
const nameStart = 36;
const nameSize = 8;
const encryptedFlag = 0x10;
const dot = 0x2e;

/** What the key starts with; `undefined` is no encryption. */
type KeyStart = (directoryOffset: number) => number | undefined;

const noKey: KeyStart = () => undefined;
const offsetKey: KeyStart = (directoryOffset) => directoryOffset;
const doubledKey: KeyStart = (directoryOffset) => directoryOffset * 2;

/** The keys in the order of their likelihood, by version. */
const keysByVersion: Readonly<Record<number, readonly KeyStart[]>> = {
  0x200: [noKey, doubledKey, offsetKey],
  0x300: [offsetKey, noKey, doubledKey],
  0x301: [doubledKey, offsetKey, noKey],
};
const keysOfOthers: readonly KeyStart[] = [doubledKey, offsetKey, noKey];

function decrypted(table: Uint8Array, keyStart: number | undefined): Uint8Array {
  if (keyStart === undefined) return table;
  const plain = new Uint8Array(table.length);
  for (let index = 0; index < table.length; index++) {
    plain[index] = (table[index] ?? 0) ^ (Math.floor((keyStart + index) / 2) % 256);
  }
  return plain;
}

/** How many entries have a name and lie within the file. */
function plausibleEntries(table: Uint8Array, archiveSize: number): number {
  const view = viewOf(table);
  let count = 0;
  for (let start = 0; start < table.length; start += entrySize) {
    const end = view.getUint32(start + 16, true) + view.getUint32(start + 20, true);
    if (end <= archiveSize && isPrintableName(nameField(table, start + nameStart, nameSize))) count++;
  }
  return count;
}

/** The directory under the first key with which all entries make sense, or else the one with which most do. */
function decryptTable(source: ByteReader, table: Uint8Array, version: number, directoryOffset: number): Uint8Array {
  const count = table.length / entrySize;
  let best = table;
  let bestCount = 0;
  for (const key of keysByVersion[version] ?? keysOfOthers) {
    const attempt = decrypted(table, key(directoryOffset));
    const plausible = plausibleEntries(attempt, source.size);
    if (plausible === count) return attempt;
    if (plausible > bestCount) {
      best = attempt;
      bestCount = plausible;
    }
  }
  if (bestCount > 0) return best;
  throw new CorruptArchiveError(
    `its file table (${count} files at byte ${directoryOffset}) makes no sense under any of the known keys`,
    { path: source.path, offset: directoryOffset },
  );
}

/** `NAME.EXT` of an entry's two fields. */
function fileName(table: Uint8Array, start: number): Uint8Array {
  const name = nameField(table, start + nameStart, nameSize);
  const extension = nameField(table, start + extensionStart, extensionSize);
  if (extension.length === 0) return name;
  const joined = new Uint8Array(name.length + 1 + extension.length);
  joined.set(name);
  joined[name.length] = dot;
  joined.set(extension, name.length + 1);
  return joined;
}

function read(source: ByteReader): EntryTable {
  const header = requireHeader(source, shape);
  const version = header.getUint16(4, true);
  const directoryOffset = header.getUint32(8, true);
  const encrypted = readTable(source, {
    offset: directoryOffset,
    length: header.getUint32(12, true) * entrySize,
    recordSize: entrySize,
    headerSize: shape.size,
  });
  const entries = new EntryTable();
  if (!(version in keysByVersion)) {
    entries.warnings.push(`its version 0x${version.toString(16)} is not known; read as well as it goes`);
  }
  const table = decryptTable(source, encrypted, version, directoryOffset);
  const names = new MemberNames(entries);
  const view = viewOf(table);
  const fields = storedFields(source);
  for (let start = 0; start < table.length; start += entrySize) {
    fields.offset = view.getUint32(start + 16, true);
    fields.size = fields.packedSize = view.getUint32(start + 20, true);
    fields.mtime = view.getUint32(start + 28, true) * 1000;
    fields.method = (view.getUint8(start + 32) & encryptedFlag) !== 0 ? methodCode.rff : methodCode.store;
    fields.damage = recordDamage(fields, source.size);
    names.add(fileName(table, start), fields);
  }
  names.finish();
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
  detect: (source) => headerOf(source, shape) !== undefined,
  read,
};
