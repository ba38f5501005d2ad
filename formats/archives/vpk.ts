/**
 * Valve VPK, versions 1 and 2: games of the Source engine. All integers little-endian.
 *
 * | offset | size | header                            |   | in the tree, for each file                              |
 * |-------:|-----:|-----------------------------------|---|---------------------------------------------------------|
 * |      0 |    4 | 0x55AA1234                        |   | name, ends with NUL                                     |
 * |      4 |    4 | version                           |   | 4: CRC-32 of the whole file                             |
 * |      8 |    4 | length of the tree                |   | 2: number of preload bytes                              |
 * |     12 |    4 | version 2: length of the data     |   | 2: number of its part, 0x7FFF: in this file             |
 * |     16 |    4 | version 2: of the chunk checksums |   | 4: offset in the part, or behind the tree               |
 * |     20 |    4 | version 2: of further checksums   |   | 4: length there                                         |
 * |     24 |    4 | version 2: of the signature       |   | 2: 0xFFFF                                               |
 * |        |      | then the tree                     |   | the preload bytes                                       |
 *
 * The tree is `extension\0 { path\0 { name\0 file } \0 } \0`; `" "` (a space) stands for no extension or no path. A file
 * is its preload bytes and then what its part has of it. Parts of `pak01_dir.vpk` are `pak01_000.vpk`, `pak01_001.vpk`
 * and so on, in the same directory; they have no header of their own.
 *
 * The parts are joined behind the directory file in the order of their numbers (see `formats/core/ranges.ts`); a file that
 * is partly preloaded has its two pieces behind all of them. A part that is missing costs its files, no others.
 *
 * Version 0x00030002 is Respawn's (Titanfall), packed otherwise, and refused. So is a tree whose strings do not end in
 * it, or that does not end where the header says.
 *
 * Sources: Valve Developer Community, "VPK (file format)"; ValvePython/vpk; snake-biscuits/bsp_tool valve.py.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { damageCode, type EntryFields, entryHasCrc, EntryTable } from "../core/entry_table.ts";
import { CorruptArchiveError, LimitError, TruncatedError, UnknownFormatError } from "../core/errors.ts";
import { storedFields, viewOf } from "./fixed_records.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { maxEntryCount, maxTableBytes } from "../core/limits.ts";
import { MemberNames } from "../core/names.ts";
import { type ArchiveFile, RangesBuilder } from "../core/ranges.ts";

const signature = 0x55aa1234;
const respawnVersion = 0x00030002;
const headerSizes: Readonly<Record<number, number>> = { 1: 12, 2: 28 };
/** Behind a file's name, without its preload bytes. */
const recordSize = 18;
const recordEnd = 0xffff;
/** Number of the part that is the directory file itself. */
const ownPart = 0x7fff;
/** Longest extension, path or name that is taken for one. */
const longestString = 1024;

interface Header {
  readonly version: number;
  readonly treeOffset: number;
  readonly treeLength: number;
}

/** A file as the tree has it. */
interface TreeFile {
  readonly path: Uint8Array;
  readonly crc32: number;
  /** Where its preload bytes are in the directory file. */
  readonly preloadOffset: number;
  readonly preloadLength: number;
  readonly part: number;
  /** In its part, or behind the tree. */
  readonly offset: number;
  readonly length: number;
}

function startsAsVpk(source: ByteReader): boolean {
  return source.size >= 12 && viewOf(source.read(0, 4)).getUint32(0, true) === signature;
}

function readHeader(source: ByteReader): Header {
  if (!startsAsVpk(source)) {
    throw new UnknownFormatError("not a VPK: it does not start with 34 12 aa 55", { path: source.path, offset: 0 });
  }
  const view = viewOf(source.read(0, 12));
  const version = view.getUint32(4, true);
  const treeOffset = headerSizes[version];
  if (treeOffset === undefined) {
    const what = version === respawnVersion
      ? "a VPK of Respawn's (Titanfall, Apex Legends), which is packed otherwise and is not read"
      : `a VPK of version ${version}; versions 1 and 2 are read`;
    throw new UnknownFormatError(what, { path: source.path, offset: 4, expected: "1 or 2", actual: version });
  }
  const treeLength = view.getUint32(8, true);
  if (treeOffset + treeLength > source.size) {
    throw new TruncatedError(
      `the tree (${treeLength} bytes at byte ${treeOffset}) lies outside the file (${source.size} bytes); ` +
        "the file is cut short",
      { path: source.path, offset: 8, expected: treeOffset + treeLength, actual: source.size },
    );
  }
  if (treeLength > maxTableBytes) {
    throw new LimitError(`the tree has ${treeLength} bytes; more than ${maxTableBytes} are not read`, {
      path: source.path,
      offset: 8,
      expected: maxTableBytes,
      actual: treeLength,
    });
  }
  return { version, treeOffset, treeLength };
}

/** Walks the tree once from its start to its end; every step moves forward. */
class TreeReader {
  readonly #source: ByteReader;
  readonly #start: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(source: ByteReader, { treeOffset }: Header, tree: Uint8Array) {
    this.#source = source;
    this.#start = treeOffset;
    this.#bytes = tree;
    this.#view = viewOf(tree);
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
    if (this.#position !== this.#bytes.length) {
      throw this.#corrupt(`the tree ends ${this.#bytes.length - this.#position} bytes before its stated end`);
    }
  }

  /** Strings up to the empty one that ends a list of them. */
  *#strings(what: string): Generator<Uint8Array> {
    for (;;) {
      const start = this.#position;
      const end = this.#bytes.indexOf(0, start);
      if (end < 0) throw this.#corrupt(`${what} does not end before the tree does`);
      if (end - start > longestString) {
        throw this.#corrupt(`${what} is ${end - start} bytes long; more than ${longestString} make no sense`);
      }
      this.#position = end + 1;
      if (end === start) return;
      yield this.#bytes.subarray(start, end);
    }
  }

  #record(path: Uint8Array): TreeFile {
    const start = this.#position;
    if (start + recordSize > this.#bytes.length) throw this.#corrupt("the tree ends within the record of a file");
    const preloadLength = this.#view.getUint16(start + 4, true);
    if (this.#view.getUint16(start + 16, true) !== recordEnd) {
      throw this.#corrupt("the record of a file does not end with ff ff");
    }
    this.#position = start + recordSize + preloadLength;
    if (this.#position > this.#bytes.length) throw this.#corrupt("the tree ends within the preload bytes of a file");
    return {
      path,
      crc32: this.#view.getUint32(start, true),
      preloadOffset: this.#start + start + recordSize,
      preloadLength,
      part: this.#view.getUint16(start + 6, true),
      offset: this.#view.getUint32(start + 8, true),
      length: this.#view.getUint32(start + 12, true),
    };
  }

  #corrupt(problem: string): CorruptArchiveError {
    const offset = this.#start + this.#position;
    return new CorruptArchiveError(`${problem} (byte ${offset})`, { path: this.#source.path, offset });
  }

  #tooMany(): LimitError {
    return new LimitError(`the tree lists more than ${maxEntryCount} files, or too long ones; that is not read`, {
      path: this.#source.path,
      expected: maxEntryCount,
    });
  }
}

const slash = 0x2f;
const dot = 0x2e;

function isNone(string: Uint8Array): boolean {
  return string.length === 1 && string[0] === 0x20;
}

function joinPath(directory: Uint8Array, name: Uint8Array, extension: Uint8Array): Uint8Array {
  const before = isNone(directory) ? 0 : directory.length + 1;
  const after = isNone(extension) ? 0 : extension.length + 1;
  const path = new Uint8Array(before + name.length + after);
  if (before > 0) {
    path.set(directory);
    path[before - 1] = slash;
  }
  path.set(name, before);
  if (after > 0) {
    path[before + name.length] = dot;
    path.set(extension, before + name.length + 1);
  }
  return path;
}

const directoryName = /^(.+)_dir(\.vpk)$/i;
const partName = /^(.+)_\d{3,5}(\.vpk)$/i;

/** Name of a part of the archive called `archiveName`; `undefined` where that name is not one that has parts. */
function nameOfPart(archiveName: string, part: number): string | undefined {
  const match = directoryName.exec(archiveName);
  return match ? `${match[1]}_${String(part).padStart(3, "0")}${match[2]}` : undefined;
}

/** Missing parts that get a warning each. */
const maxNamed = 8;

function counted(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}

/** Joins parts behind a directory file, and says where in that the files are. */
class PartJoiner {
  readonly #source: ByteReader;
  readonly #dataStart: number;
  readonly #archiveName: string;
  readonly #ranges = new RangesBuilder();
  readonly #files: ArchiveFile[] = [{ kind: "archive" }];
  /** Number of files by the part that is missing. */
  readonly #missing = new Map<number, number>();
  /** Parts that are there. */
  readonly #parts = new Map<number, { readonly file: number; readonly address: number; readonly size: number }>();

  constructor(source: ByteReader, { treeOffset, treeLength }: Header, files: Iterable<TreeFile>) {
    this.#source = source;
    this.#dataStart = treeOffset + treeLength;
    this.#archiveName = source.path.slice(source.path.lastIndexOf("/") + 1);
    this.#ranges.add(0, 0, source.size);
    const used = new Set<number>();
    for (const { part, length } of files) if (length > 0 && part !== ownPart) used.add(part);
    for (const part of Array.from(used).sort((a, b) => a - b)) this.#addPart(part);
  }

  /** Sets offset and damage of a file. */
  place(file: TreeFile, fields: EntryFields): void {
    const { part, offset, length, preloadOffset, preloadLength } = file;
    fields.damage = damageCode.none;
    if (length === 0) {
      fields.offset = preloadOffset;
      return;
    }
    const data = part === ownPart
      ? { file: 0, address: 0, size: this.#source.size, start: this.#dataStart + offset }
      : { ...this.#parts.get(part), start: offset };
    // A damaged file's offset is only shown: the one that the tree gives.
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

  /** Writes the parts and what is missing of them to the table. */
  finish(table: EntryTable): void {
    const ranges = this.#ranges.finish();
    if (this.#files.length > 1 || ranges.size > this.#source.size) table.layout = { files: this.#files, ranges };
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
    using opened = this.#source.beside?.(name);
    // A missing part is kept among the files too, so that it is noticed when it comes.
    const file = this.#files.push({ kind: "part", name }) - 1;
    if (!opened) return;
    this.#parts.set(part, { file, address: this.#ranges.add(file, 0, opened.size), size: opened.size });
  }
}

function read(source: ByteReader): EntryTable {
  const header = readHeader(source);
  const tree = source.read(header.treeOffset, header.treeLength);
  // Twice, because the places of the parts must be known before those of the files: there may be a million of them.
  const joiner = new PartJoiner(source, header, new TreeReader(source, header, tree).files());
  const table = new EntryTable();
  const names = new MemberNames(table);
  const fields = storedFields(source);
  fields.flags = entryHasCrc;
  for (const file of new TreeReader(source, header, tree).files()) {
    joiner.place(file, fields);
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
