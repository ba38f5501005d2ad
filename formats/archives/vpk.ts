/**
 * Valve VPK, versions 1 and 2: games of the Source engine. All integers little-endian.
 *
 * | offset | size | header                            |   | in the tree, for each file                              |
 * |-------:|-----:|-----------------------------------|---|---------------------------------------------------------|
 * |      0 |    4 | 0x55AA1234                        |   | name, ends with NUL                                     |
 * |      4 |    4 | version                           |   | 4: CRC-32 of the whole file                             |
 * |      8 |    4 | length of the tree                |   | 2: number of preload bytes                              |
 * |     12 |    4 | version 2: length of the data     |   | 2: number of its part, 0x7FFF: in this file             |
 * |     16 |    4 | version 2: of the chunk checksums |   | 4: offset in the part, or after the tree               |
 * |     20 |    4 | version 2: of further checksums   |   | 4: length there                                         |
 * |     24 |    4 | version 2: of the signature       |   | 2: 0xFFFF                                               |
 * |        |      | then the tree                     |   | the preload bytes                                       |
 *
 * The tree is `extension\0 { path\0 { name\0 file } \0 } \0`; `" "` (a space) means no extension or no path. A file
 * consists of its preload bytes and its range of a part. Parts of `pak01_dir.vpk` are `pak01_000.vpk`, `pak01_001.vpk`
 * and so on, in the same directory; they have no header.
 *
 * The parts are joined after the directory file in the order of their numbers (see `formats/core/ranges.ts`); the two
 * ranges of a partly preloaded file follow all parts. A missing part only affects its files.
 *
 * Version 0x00030002 is Respawn's (Titanfall), compressed differently, and rejected. A tree with an unterminated
 * string, or with another length than in the header, is rejected too.
 *
 * Sources: Valve Developer Community, "VPK (file format)"; ValvePython/vpk; snake-biscuits/bsp_tool valve.py.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { Cursor, joined } from "../core/cursor.ts";
import { damageCode, type EntryFields, entryHasCrc, EntryTable } from "../core/entry_table.ts";
import { CorruptArchiveError, LimitError, UnknownFormatError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { maxEntryCount, maxTableBytes } from "../core/limits.ts";
import { MemberNames } from "../core/names.ts";
import { type ArchiveFile, RangesBuilder } from "../core/ranges.ts";
import { requireTable, storedFields } from "./records.ts";

const signature = 0x55aa1234;
const respawnVersion = 0x00030002;
const headerSizes: Readonly<Record<number, number>> = { 1: 12, 2: 28 };
/** Size of a record, after a file's name and without its preload bytes. */
const recordSize = 18;
const recordEnd = 0xffff;
/** Number of the part that is the directory file itself. */
const ownPart = 0x7fff;
/** Maximum length of an extension, a path or a name. */
const maxString = 1024;

interface Header {
  readonly version: number;
  readonly treeOffset: number;
  readonly treeLength: number;
}

/** File in the tree. */
interface TreeFile {
  readonly path: Uint8Array;
  readonly crc32: number;
  /** Offset of its preload bytes in the directory file. */
  readonly preloadOffset: number;
  readonly preloadLength: number;
  readonly part: number;
  /** Offset in the part, or after the tree. */
  readonly offset: number;
  readonly length: number;
}

function startsAsVpk(reader: ByteReader): boolean {
  return reader.size >= 12 && new Cursor(reader.read(0, 4)).uint32() === signature;
}

function readHeader(reader: ByteReader): Header {
  if (!startsAsVpk(reader)) {
    throw new UnknownFormatError("not a VPK: it does not start with 34 12 aa 55", { path: reader.path, offset: 0 });
  }
  const header = new Cursor(reader.read(0, 12)).skip(4);
  const version = header.uint32();
  const treeOffset = headerSizes[version];
  if (treeOffset === undefined) {
    const what = version === respawnVersion
      ? "a VPK of Respawn's (Titanfall, Apex Legends), which is compressed otherwise and is not read"
      : `a VPK of version ${version}; versions 1 and 2 are read`;
    throw new UnknownFormatError(what, { path: reader.path, offset: 4, expected: "1 or 2", actual: version });
  }
  const treeLength = header.uint32();
  requireTable(reader, "the tree", treeOffset, treeLength, 8);
  if (treeLength > maxTableBytes) {
    throw new LimitError(`the tree has ${treeLength} bytes; more than ${maxTableBytes} are not read`, {
      path: reader.path,
      offset: 8,
      expected: maxTableBytes,
      actual: treeLength,
    });
  }
  return { version, treeOffset, treeLength };
}

/** Parses the tree in one pass; every step moves forward. */
class TreeReader {
  readonly #reader: ByteReader;
  readonly #start: number;
  readonly #tree: Cursor;

  constructor(reader: ByteReader, { treeOffset }: Header, tree: Uint8Array) {
    this.#reader = reader;
    this.#start = treeOffset;
    this.#tree = new Cursor(tree);
  }

  *files(): Generator<TreeFile> {
    let count = 0;
    let pathBytes = 0;
    for (const extension of this.#strings("an extension")) {
      for (const directory of this.#strings("a path")) {
        for (const name of this.#strings("a file name")) {
          const path = joinPath(directory, name, extension);
          pathBytes += path.length;
          if (++count > maxEntryCount || pathBytes > maxTableBytes) throw this.#tooMany();
          yield this.#record(path);
        }
      }
    }
    const rest = this.#tree.remaining;
    if (rest > 0) throw this.#corrupt(`the tree ends ${rest} bytes before its stated end`);
  }

  /** Yields strings up to the empty string that ends a list. */
  *#strings(what: string): Generator<Uint8Array> {
    for (;;) {
      const { offset } = this.#tree;
      const string = this.#tree.terminated();
      if (string && string.length > 0 && string.length <= maxString) {
        yield string;
        continue;
      }
      if (string?.length === 0) return;
      this.#tree.offset = offset;
      throw this.#corrupt(
        string
          ? `${what} is ${string.length} bytes long; more than ${maxString} make no sense`
          : `${what} does not end before the tree does`,
      );
    }
  }

  #record(path: Uint8Array): TreeFile {
    const record = this.#tree;
    const start = record.offset;
    if (record.remaining < recordSize) throw this.#corrupt("the tree ends within the record of a file");
    const crc32 = record.uint32();
    const preloadLength = record.uint16();
    const part = record.uint16();
    const offset = record.uint32();
    const length = record.uint32();
    if (record.uint16() !== recordEnd) {
      record.offset = start;
      throw this.#corrupt("the record of a file does not end with ff ff");
    }
    const preloadOffset = this.#start + record.offset;
    if (record.skip(preloadLength).remaining < 0) {
      throw this.#corrupt("the tree ends within the preload bytes of a file");
    }
    return { path, crc32, preloadOffset, preloadLength, part, offset, length };
  }

  #corrupt(problem: string): CorruptArchiveError {
    const offset = this.#start + this.#tree.offset;
    return new CorruptArchiveError(`${problem} (byte ${offset})`, { path: this.#reader.path, offset });
  }

  #tooMany(): LimitError {
    return new LimitError(`the tree lists more than ${maxEntryCount} files, or too long ones; that is not read`, {
      path: this.#reader.path,
      expected: maxEntryCount,
    });
  }
}

const slash = Uint8Array.of(0x2f);
const dot = Uint8Array.of(0x2e);

function isNone(string: Uint8Array): boolean {
  return string.length === 1 && string[0] === 0x20;
}

function joinPath(directory: Uint8Array, name: Uint8Array, extension: Uint8Array): Uint8Array {
  return joined(
    ...(isNone(directory) ? [] : [directory, slash]),
    name,
    ...(isNone(extension) ? [] : [dot, extension]),
  );
}

const directoryName = /^(.+)_dir(\.vpk)$/i;
const partName = /^(.+)_\d{3,5}(\.vpk)$/i;

/** Returns the name of a part of an archive, or `undefined` if the archive's name does not allow parts. */
function nameOfPart(archiveName: string, part: number): string | undefined {
  const match = directoryName.exec(archiveName);
  return match ? `${match[1]}_${String(part).padStart(3, "0")}${match[2]}` : undefined;
}

/** Maximum number of missing parts that each cause a warning. */
const maxNamed = 8;

function counted(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}

/** Joins parts after a directory file, and locates files in the joined data. */
class PartJoiner {
  readonly #reader: ByteReader;
  readonly #dataStart: number;
  readonly #archiveName: string;
  readonly #ranges = new RangesBuilder();
  readonly #files: ArchiveFile[] = [{ kind: "archive" }];
  /** Number of files by missing part. */
  readonly #missing = new Map<number, number>();
  /** Number of found parts. */
  readonly #parts = new Map<number, { readonly file: number; readonly address: number; readonly size: number }>();

  constructor(reader: ByteReader, { treeOffset, treeLength }: Header, files: Iterable<TreeFile>) {
    this.#reader = reader;
    this.#dataStart = treeOffset + treeLength;
    this.#archiveName = reader.path.slice(reader.path.lastIndexOf("/") + 1);
    this.#ranges.add(0, 0, reader.size);
    const used = new Set<number>();
    for (const { part, length } of files) if (length > 0 && part !== ownPart) used.add(part);
    for (const part of Array.from(used).sort((a, b) => a - b)) this.#addPart(part);
  }

  /** Sets offset and damage of a file. */
  locate(file: TreeFile, fields: EntryFields): void {
    const { part, offset, length, preloadOffset, preloadLength } = file;
    fields.damage = damageCode.none;
    if (length === 0) {
      fields.offset = preloadOffset;
      return;
    }
    const data = part === ownPart
      ? { file: 0, address: 0, size: this.#reader.size, start: this.#dataStart + offset }
      : { ...this.#parts.get(part), start: offset };
    // The offset of a damaged file is the one in the tree, for display only.
    fields.offset = data.start;
    if (data.file === undefined || data.address === undefined || data.size === undefined) {
      fields.damage = damageCode["missing-part"];
      this.#missing.set(part, (this.#missing.get(part) ?? 0) + 1);
    } else if (data.start + length > data.size) fields.damage = damageCode["past-end"];
    else if (preloadLength === 0) fields.offset = data.address + data.start;
    else {
      fields.offset = this.#ranges.add(0, preloadOffset, preloadLength);
      this.#ranges.add(data.file, data.start, length);
    }
  }

  /** Adds the parts to the table, and warnings about missing ones. */
  finish(table: EntryTable): void {
    const ranges = this.#ranges.finish();
    if (this.#files.length > 1 || ranges.size > this.#reader.size) table.layout = { files: this.#files, ranges };
    const missing = Array.from(this.#missing);
    for (const [part, files] of missing.slice(0, maxNamed)) {
      const name = nameOfPart(this.#archiveName, part) ?? `part ${part}`;
      table.warnings.push(`${name} is missing; ${counted(files)} cannot be read`);
    }
    const others = missing.slice(maxNamed);
    if (others.length === 0) return;
    const files = others.reduce((sum, [, count]) => sum + count, 0);
    table.warnings.push(`${others.length} more parts are missing; ${counted(files)} of them cannot be read`);
  }

  #addPart(part: number): void {
    const name = nameOfPart(this.#archiveName, part);
    if (name === undefined) return;
    using opened = this.#reader.beside?.(name);
    // A missing part is listed too, so that its later appearance is noticed.
    const file = this.#files.push({ kind: "part", name }) - 1;
    if (!opened) return;
    this.#parts.set(part, { file, address: this.#ranges.add(file, 0, opened.size), size: opened.size });
  }
}

function read(reader: ByteReader): EntryTable {
  const header = readHeader(reader);
  const tree = reader.read(header.treeOffset, header.treeLength);
  // Two passes: the parts must be located before the files, and keeping a million files would take too much memory.
  const joiner = new PartJoiner(reader, header, new TreeReader(reader, header, tree).files());
  const table = new EntryTable();
  const names = new MemberNames(table);
  const fields = storedFields(reader);
  fields.flags = entryHasCrc;
  for (const file of new TreeReader(reader, header, tree).files()) {
    joiner.locate(file, fields);
    fields.size = file.preloadLength + file.length;
    fields.packedSize = fields.size;
    fields.crc32 = file.crc32;
    names.add(file.path, fields);
  }
  names.finish();
  joiner.finish(table);
  return table;
}

/** The Valve VPK format. */
export const vpk: ArchiveFormat = {
  name: "vpk",
  title: "Valve VPK",
  games: "Half-Life 2, Portal, Team Fortress 2, Dota 2 and others, versions 1 and 2",
  signature: "34 12 aa 55",
  methods: ["store"],
  extensions: [".vpk"],
  duplicates: "first",
  detect: startsAsVpk,
  read,
  archiveOfPart(fileName) {
    const match = partName.exec(fileName);
    return match ? `${match[1]}_dir${match[2]}` : undefined;
  },
};
