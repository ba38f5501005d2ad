/**
 * One immutable index: columns in shared memory, and the list of their sources.
 * @module
 */
import {
  damageNames,
  type EntryFields,
  entryHasCrc,
  entryIsDirectory,
  formatNamed,
  locateInFiles,
  type Method,
  methodCode,
  methodNames,
  nestedAt,
  spelledName,
} from "../../formats/parts.ts";
import { at, beyond, columnBytes, none, type SnapshotColumns } from "./columns.ts";
import { childHash, compareBytes, compareFolded, equalBytes, equalFolded, foldedHash } from "./fold.ts";
import { isIndexedFile, type OpenState } from "./identity.ts";
import { isDirectorySource, type Source } from "./source.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const slash = 0x2f;
/** Deflate data of at most this size holds no byte of content: a literal and the end of a block take more. */
const emptyDeflateBytes = 2;

/** Encodes text. Nearly all paths are short and ASCII: for these a TextEncoder would cost more than the lookup. */
function utf8Of(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return encoder.encode(text);
    bytes[index] = unit;
  }
  return bytes;
}

/** Parts of a snapshot for another thread: they can be posted as they are, and the columns stay shared. */
export interface SnapshotParts {
  readonly columns: SnapshotColumns;
  readonly sources: readonly Source[];
  readonly clashes: ReadonlyMap<number, number>;
  /** See {@linkcode Snapshot.numbering}. */
  readonly numbering: number;
}

/** Starts at random: snapshots come from other processes, too. */
let lastNumbering = Math.floor(Math.random() * 2 ** 48);

function newNumbering(): number {
  return ++lastNumbering;
}

/** Reading access to the columns. Never changes after it is made. */
export class Snapshot implements SnapshotParts {
  readonly columns: SnapshotColumns;
  readonly sources: readonly Source[];
  /** By node that is a file in one source and a directory in another: the alias node that names the file. */
  readonly clashes: ReadonlyMap<number, number>;
  /** Equal in snapshots whose nodes have the same numbers for the same paths. */
  readonly numbering: number;
  readonly #unclashed: ReadonlyMap<number, number>;

  constructor(
    columns: SnapshotColumns,
    sources: readonly Source[],
    clashes: ReadonlyMap<number, number>,
    numbering: number = newNumbering(),
  ) {
    this.columns = columns;
    this.sources = sources;
    this.clashes = clashes;
    this.numbering = numbering;
    this.#unclashed = new Map(Array.from(clashes, ([node, alias]) => [alias, node]));
  }

  /** Returns the snapshot whose parts came from another thread. */
  static from(parts: SnapshotParts): Snapshot {
    return new Snapshot(parts.columns, parts.sources, parts.clashes, parts.numbering);
  }

  /** Number of distinct paths, the root included. */
  get nodeCount(): number {
    return this.columns.nodeParents.length;
  }

  /** Number of files and listed directories of all sources. */
  get entryCount(): number {
    return this.columns.entryNodes.length;
  }

  /** Bytes of shared memory. */
  get byteLength(): number {
    return columnBytes(this.columns);
  }

  /** Returns the source of an entry. */
  sourceOf(entry: number): Source {
    const source = this.sources[at(this.columns.entrySources, entry)];
    if (!source) throw new RangeError(`Cannot find the source of entry ${entry}: the index has ${this.entryCount}`);
    return source;
  }

  /** Returns whether an entry is a directory that its archive lists. */
  isDirectory(entry: number): boolean {
    return (at(this.columns.entryFlags, entry) & entryIsDirectory) !== 0;
  }

  /** CRC-32 of an entry's bytes, or null where its format keeps none. */
  crcOf(entry: number): number | null {
    return (at(this.columns.entryFlags, entry) & entryHasCrc) !== 0 ? at(this.columns.entryCrcs, entry) : null;
  }

  /** Returns the number of the directory that a loose file is in, or that an entry is (`directoryNumber`). */
  directoryOf(entry: number): number {
    return at(this.columns.entryCrcs, entry);
  }

  /** Returns the number of bytes that an entry takes in its source; a loose file's size. */
  packedSizeOf(entry: number): number {
    const { entrySizes, entryCompressedSizes } = this.columns;
    return at(isDirectorySource(this.sourceOf(entry)) ? entrySizes : entryCompressedSizes, entry);
  }

  /** Returns the compression method of an entry. */
  methodOf(entry: number): Method {
    return methodNames[at(this.columns.entryMethods, entry)] ?? "unsupported";
  }

  /** Returns the fields of an entry as its reader listed them. */
  fieldsOf(entry: number): EntryFields {
    const { columns } = this;
    return {
      offset: at(columns.entryOffsets, entry),
      packedSize: at(columns.entryCompressedSizes, entry),
      size: at(columns.entrySizes, entry),
      mtime: at(columns.entryTimes, entry),
      crc32: at(columns.entryCrcs, entry),
      method: at(columns.entryMethods, entry),
      flags: at(columns.entryFlags, entry),
      damage: at(columns.entryDamage, entry),
    };
  }

  /** Returns the name of the format that an entry is read by: its source's, or the inner archive's. */
  formatOf(entry: number): string {
    const { byteLayout, firstEntry, format } = this.sourceOf(entry);
    return byteLayout ? nestedAt(byteLayout.nested, entry - firstEntry)?.format ?? format : format;
  }

  /** Returns the entry of the archive that an entry lies in; `none` for those that lie directly in their source. */
  archiveOf(entry: number): number {
    const { byteLayout, firstEntry } = this.sourceOf(entry);
    const nested = byteLayout ? nestedAt(byteLayout.nested, entry - firstEntry) : undefined;
    return nested ? firstEntry + nested.member : none;
  }

  /** Returns the pack in a source that an entry lies in, if the engine searches it: its rank, and its path there. */
  nestedPackOf(entry: number): { readonly rank: number; readonly path: string } | undefined {
    const { byteLayout, firstEntry } = this.sourceOf(entry);
    const nested = byteLayout ? nestedAt(byteLayout.nested, entry - firstEntry) : undefined;
    return nested?.rank === undefined
      ? undefined
      : { rank: nested.rank, path: this.memberOf(firstEntry + nested.member) };
  }

  /** Offset of an entry's record for people, and the part of the archive if that has several files. */
  locationOf(entry: number): { offset: number; part?: string } {
    const { byteLayout } = this.sourceOf(entry);
    const offset = at(this.columns.entryOffsets, entry);
    if (!byteLayout || at(this.columns.entryDamage, entry) !== 0 || at(this.columns.entrySizes, entry) === 0) {
      return { offset };
    }
    const location = locateInFiles(byteLayout.ranges, offset);
    const file = byteLayout.files[location.file];
    return { offset: location.offset, ...(location.file > 0 && file?.kind === "disk" ? { part: file.path } : {}) };
  }

  /**
   * Returns whether a file is listed as empty although its record says otherwise: it is damaged, has the checksum of
   * some bytes, or compressed data that may hold some. The kernel never reads empty files, so such a file is checked
   * beforehand.
   */
  isDoubtfullyEmpty(entry: number): boolean {
    const { entrySizes, entryCompressedSizes, entryDamage, entryMethods } = this.columns;
    if (at(entrySizes, entry) !== 0 || isDirectorySource(this.sourceOf(entry))) return false;
    if (at(entryDamage, entry) !== 0 || (this.crcOf(entry) ?? 0) !== 0) return true;
    const emptySize = at(entryMethods, entry) === methodCode.deflate ? emptyDeflateBytes : 0;
    return at(entryCompressedSizes, entry) > emptySize;
  }

  /**
   * Returns whether the file that holds an entry's bytes is still the one that was indexed.
   * @param isKnownSame As in {@linkcode isIndexedFile}.
   */
  isUnchanged(entry: number, now: OpenState, isKnownSame = false): boolean {
    const source = this.sourceOf(entry);
    if (!isDirectorySource(source)) return isIndexedFile(source.identity, now, isKnownSame);
    const { entrySizes, entryTimes, entryCompressedSizes } = this.columns;
    // No other file has its ctime, except for one that came in the same moment: its directory's number differs.
    const indexed = {
      inode: now.inode,
      size: at(entrySizes, entry),
      mtime: at(entryTimes, entry),
      ctime: at(entryCompressedSizes, entry),
      device: 0,
    };
    return isIndexedFile(indexed, now, isKnownSame);
  }

  /** Returns the damage of an entry that its listing shows; `none` for a sound entry. */
  damageOf(entry: number): (typeof damageNames)[number] {
    const code = at(this.columns.entryDamage, entry);
    const damage = damageNames[code];
    if (damage === undefined) throw new RangeError(`Cannot name damage ${code} of entry ${entry}`);
    return damage;
  }

  /** Returns the name of an entry as its archive spells it. */
  memberOf(entry: number): string {
    const bytes = this.rawNameOf(entry);
    if (!bytes) return this.pathOf(at(this.columns.entryNodes, entry));
    if (isDirectorySource(this.sourceOf(entry))) return decoder.decode(bytes);
    return spelledName(bytes, formatNamed(this.formatOf(entry))?.decodeName);
  }

  /**
   * Returns the bytes of an entry's name in its archive, where they are kept because they differ from the path or fill
   * a field.
   */
  rawNameOf(entry: number): Uint8Array | undefined {
    const { entryRawNames, rawNames, rawNameStarts } = this.columns;
    const raw = at(entryRawNames, entry);
    return raw === 0 ? undefined : rawNames.slice(rawNameStarts[raw - 1], rawNameStarts[raw]);
  }

  /** Returns the bytes of a node's own name (a view). */
  nameBytes(node: number): Uint8Array {
    const { names, nameStarts, nodeNames } = this.columns;
    const name = nodeNames[node] ?? beyond(nodeNames);
    return names.subarray(nameStarts[name], nameStarts[name + 1]);
  }

  /** Returns a node's own name. */
  nameOf(node: number): string {
    const { names, nameStarts, nodeNames } = this.columns;
    const name = nodeNames[node] ?? beyond(nodeNames);
    const start = nameStarts[name] ?? beyond(nameStarts);
    const end = nameStarts[name + 1] ?? beyond(nameStarts);
    // Nearly all names are ASCII; TextDecoder would take a copy of the shared memory for each.
    return asciiText(names, start, end) ?? decoder.decode(names.slice(start, end));
  }

  /** Returns a node's path, without a leading slash; empty for the root. */
  pathOf(node: number): string {
    if (node === 0) return "";
    const { nodeParents } = this.columns;
    let path = this.nameOf(node);
    for (let step = at(nodeParents, node); step !== 0; step = at(nodeParents, step)) {
      path = `${this.nameOf(step)}/${path}`;
    }
    return path;
  }

  /**
   * Returns the node of a path, or {@linkcode none}. With `ignoreCase` the fold node of whatever spelling exists.
   * Empty and `.` components are passed over.
   */
  findNode(path: string, ignoreCase: boolean): number {
    const bytes = utf8Of(path);
    let node = 0;
    let start = 0;
    for (let index = 0; index <= bytes.length; index++) {
      if (index < bytes.length && bytes[index] !== slash) continue;
      const isDot = index - start === 1 && bytes[start] === 0x2e;
      if (index > start && !isDot) node = this.findChild(node, bytes, start, index, ignoreCase);
      if (node === none) return none;
      start = index + 1;
    }
    return node;
  }

  /** Returns the child of `parent` named `bytes[start, end)`, or {@linkcode none}. */
  findChild(parent: number, bytes: Uint8Array, start: number, end: number, ignoreCase: boolean): number {
    const { names, nameStarts, nodeParents, nodeNames, nodeFolds, nodeTable } = this.columns;
    const parentFold = nodeFolds[parent] ?? beyond(nodeFolds);
    const mask = nodeTable.length - 1;
    let position = childHash(parentFold, foldedHash(bytes, start, end)) & mask;
    for (
      let slot = nodeTable[position] ?? beyond(nodeTable);
      slot !== 0;
      slot = nodeTable[position] ?? beyond(nodeTable)
    ) {
      const node = slot - 1;
      const name = nodeNames[node] ?? beyond(nodeNames);
      const nameStart = nameStarts[name] ?? beyond(nameStarts);
      const nameEnd = nameStarts[name + 1] ?? beyond(nameStarts);
      if (ignoreCase) {
        if (
          nodeFolds[nodeParents[node] ?? beyond(nodeParents)] === parentFold &&
          equalFolded(names, nameStart, nameEnd, bytes, start, end)
        ) return nodeFolds[node] ?? beyond(nodeFolds);
      } else if (
        (nodeParents[node] ?? beyond(nodeParents)) === parent &&
        equalBytes(names, nameStart, nameEnd, bytes, start, end)
      ) {
        return node;
      }
      position = (position + 1) & mask;
    }
    return none;
  }

  /** Returns the node that a `~file` alias replaces, or the node itself. */
  unclashed(node: number): number {
    return this.#unclashed.get(node) ?? node;
  }

  /** Returns the entries of all sources with a node's path, in source order; with `ignoreCase` in any case. */
  candidatesOf(node: number, ignoreCase: boolean): number[] {
    if (node === none) return [];
    const { candidateStarts, candidates, nodeFolds, entryNodes } = this.columns;
    const fold = at(nodeFolds, node);
    const [start, end] = [at(candidateStarts, fold), at(candidateStarts, fold + 1)];
    if (end === start + 1 && at(entryNodes, at(candidates, start)) === node) return [at(candidates, start)];
    const found = Array.from(candidates.subarray(start, end));
    return ignoreCase ? found : found.filter((entry) => at(entryNodes, entry) === node);
  }

  /**
   * Orders a node's own name against bytes, in the order of directories: folded first, then byte by byte. With
   * `ignoreCase` names that differ only in case are equal.
   */
  compareName(node: number, name: Uint8Array, ignoreCase: boolean): number {
    const { names, nameStarts, nodeNames } = this.columns;
    const start = nameStarts[nodeNames[node] ?? beyond(nodeNames)] ?? beyond(nameStarts);
    const end = nameStarts[(nodeNames[node] ?? beyond(nodeNames)) + 1] ?? beyond(nameStarts);
    const folded = compareFolded(names, start, end, name, 0, name.length);
    return folded !== 0 || ignoreCase ? folded : compareBytes(names, start, end, name, 0, name.length);
  }
}

/**
 * Returns the bytes `[start, end)` as text, or undefined if they are not all ASCII. Making a text of eight bytes at once
 * takes a third of the time.
 */
function asciiText(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = "";
  let index = start;
  for (; index + 8 <= end; index += 8) {
    const a = at(bytes, index);
    const b = at(bytes, index + 1);
    const c = at(bytes, index + 2);
    const d = at(bytes, index + 3);
    const e = at(bytes, index + 4);
    const f = at(bytes, index + 5);
    const g = at(bytes, index + 6);
    const h = at(bytes, index + 7);
    if ((a | b | c | d | e | f | g | h) >= 0x80) return undefined;
    text += String.fromCharCode(a, b, c, d, e, f, g, h);
  }
  for (; index < end; index++) {
    const byte = at(bytes, index);
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}
