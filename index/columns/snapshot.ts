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
import { isDirectorySource, type NestedListing, type Source } from "./source.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
const slash = 0x2f;
/** Maximum size of deflate data without content: a literal and the end of a block take more. */
const emptyDeflateBytes = 2;

/** Encodes a string. Nearly all paths are short and ASCII: a TextEncoder would cost more than the lookup. */
function utf8Of(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return encoder.encode(text);
    bytes[index] = unit;
  }
  return bytes;
}

/** Parts of a snapshot for another thread: they can be posted, and the columns stay shared. */
export interface SnapshotParts {
  readonly columns: SnapshotColumns;
  readonly sources: readonly Source[];
  readonly clashes: ReadonlyMap<number, number>;
  /** See {@linkcode Snapshot.numbering}. */
  readonly numbering: number;
}

/** Starts at random, since snapshots also come from other processes. */
let lastNumbering = Math.floor(Math.random() * 2 ** 48);

function newNumbering(): number {
  return ++lastNumbering;
}

/** Read access to the columns. Immutable. */
export class Snapshot implements SnapshotParts {
  readonly columns: SnapshotColumns;
  readonly sources: readonly Source[];
  /** Alias nodes of nodes that are a file in one source and a directory in another: the alias names the file. */
  readonly clashes: ReadonlyMap<number, number>;
  /** Equal in snapshots in which the same paths have the same node numbers. */
  readonly numbering: number;
  /** The directory of the last path, and its path with a slash: most callers ask for neighbours. */
  #lastParent = 0;
  #lastPath = "";
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

  /** Returns the snapshot with parts from another thread. */
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

  /** CRC-32 of an entry's bytes, or null if its format stores none. */
  crcOf(entry: number): number | null {
    return (at(this.columns.entryFlags, entry) & entryHasCrc) !== 0 ? at(this.columns.entryCrcs, entry) : null;
  }

  /** Returns the number of a loose file's directory, or of an entry that is a directory (`directoryNumber`). */
  directoryOf(entry: number): number {
    return at(this.columns.entryCrcs, entry);
  }

  /** Returns the number of bytes of an entry in its source; a loose file's size. */
  packedSizeOf(entry: number): number {
    const { entrySizes, entryCompressedSizes } = this.columns;
    return at(isDirectorySource(this.sourceOf(entry)) ? entrySizes : entryCompressedSizes, entry);
  }

  /** Returns the compression method of an entry. */
  methodOf(entry: number): Method {
    return methodNames[at(this.columns.entryMethods, entry)] ?? "unsupported";
  }

  /** Returns the fields of an entry from its reader. */
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

  /** Returns the name of an entry's format: its source's, or the inner archive's. */
  formatOf(entry: number): string {
    return this.#nestedOf(entry)?.format ?? this.sourceOf(entry).format;
  }

  #nestedOf(entry: number): NestedListing | undefined {
    const { byteLayout, firstEntry } = this.sourceOf(entry);
    return byteLayout ? nestedAt(byteLayout.nested, entry - firstEntry) : undefined;
  }

  /** Returns the inner archive that contains an entry; `none` for direct members of the source. */
  archiveOf(entry: number): number {
    const nested = this.#nestedOf(entry);
    return nested ? this.sourceOf(entry).firstEntry + nested.member : none;
  }

  /** Returns the inner pack of an entry, if the engine searches it: its rank, and its path. */
  nestedPackOf(entry: number): { readonly rank: number; readonly path: string } | undefined {
    const rank = this.#nestedOf(entry)?.rank;
    return rank === undefined ? undefined : { rank, path: this.memberOf(this.archiveOf(entry)) };
  }

  /** Offset of an entry's record for people, and the part of a multi-file archive. */
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
   * Returns whether a file is listed as empty although it may not be: it is damaged, or has a checksum or compressed
   * data that do not fit. The kernel never reads empty files, so such a file is checked beforehand.
   */
  isDoubtfullyEmpty(entry: number): boolean {
    const { entrySizes, entryCompressedSizes, entryDamage, entryMethods } = this.columns;
    if (at(entrySizes, entry) !== 0 || isDirectorySource(this.sourceOf(entry))) return false;
    if (at(entryDamage, entry) !== 0 || (this.crcOf(entry) ?? 0) !== 0) return true;
    const emptySize = at(entryMethods, entry) === methodCode.deflate ? emptyDeflateBytes : 0;
    return at(entryCompressedSizes, entry) > emptySize;
  }

  /**
   * Returns whether the file with an entry's bytes is still the indexed one.
   * @param isKnownSame See {@linkcode isIndexedFile}.
   */
  isUnchanged(entry: number, now: OpenState, isKnownSame = false): boolean {
    const source = this.sourceOf(entry);
    if (!isDirectorySource(source)) return isIndexedFile(source.identity, now, isKnownSame);
    const { entrySizes, entryTimes, entryCompressedSizes } = this.columns;
    // No other file has its ctime, except one from the same moment, whose directory number differs.
    const indexed = {
      inode: now.inode,
      size: at(entrySizes, entry),
      mtime: at(entryTimes, entry),
      ctime: at(entryCompressedSizes, entry),
      device: 0,
    };
    return isIndexedFile(indexed, now, isKnownSame);
  }

  /** Returns the damage of an entry that its listing shows; `none` for a valid entry. */
  damageOf(entry: number): (typeof damageNames)[number] {
    const code = at(this.columns.entryDamage, entry);
    const damage = damageNames[code];
    if (damage === undefined) throw new RangeError(`Cannot name damage ${code} of entry ${entry}`);
    return damage;
  }

  /** Returns the name of an entry as spelled in its archive. */
  memberOf(entry: number): string {
    const bytes = this.rawNameOf(entry);
    if (!bytes) return this.pathOf(at(this.columns.entryNodes, entry));
    if (isDirectorySource(this.sourceOf(entry))) return decoder.decode(bytes);
    return spelledName(bytes, formatNamed(this.formatOf(entry))?.decodeName);
  }

  /** Returns the bytes of an entry's name in its archive, if they differ from the path or fill a field. */
  rawNameOf(entry: number): Uint8Array | undefined {
    const { entryRawNames, rawNames, rawNameStarts } = this.columns;
    const raw = at(entryRawNames, entry);
    return raw === 0 ? undefined : rawNames.slice(rawNameStarts[raw - 1], rawNameStarts[raw]);
  }

  /** Returns the bytes of a node's name (a view). */
  nameBytes(node: number): Uint8Array {
    const { names, nameStarts, nodeNames } = this.columns;
    const name = nodeNames[node] ?? beyond(nodeNames);
    return names.subarray(nameStarts[name], nameStarts[name + 1]);
  }

  /** Returns a node's name. */
  nameOf(node: number): string {
    const { names, nameStarts, nodeNames } = this.columns;
    const name = nodeNames[node] ?? beyond(nodeNames);
    const start = nameStarts[name] ?? beyond(nameStarts);
    const end = nameStarts[name + 1] ?? beyond(nameStarts);
    // Nearly all names are ASCII; TextDecoder would copy the shared memory for each.
    return asciiText(names, start, end) ?? decoder.decode(names.slice(start, end));
  }

  /** Returns a node's path, without a leading slash; empty for the root. */
  pathOf(node: number): string {
    if (node === 0) return "";
    const { nodeParents } = this.columns;
    const parent = at(nodeParents, node);
    if (parent !== this.#lastParent) {
      let path = "";
      for (let step = parent; step !== 0; step = at(nodeParents, step)) path = `${this.nameOf(step)}/${path}`;
      [this.#lastPath, this.#lastParent] = [path, parent];
    }
    return this.#lastPath + this.nameOf(node);
  }

  /**
   * Returns the node of a path, or {@linkcode none}. With `ignoreCase` the fold node of an existing spelling. Empty and
   * `.` components are ignored.
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
    const { names, nameStarts, nodeParents, nodeNames, nodeFolds, nodeTable, nodeSeed } = this.columns;
    const parentFold = nodeFolds[parent] ?? beyond(nodeFolds);
    const mask = nodeTable.length - 1;
    let position = childHash(parentFold, foldedHash(bytes, start, end, at(nodeSeed, 0))) & mask;
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
   * Compares a node's name with bytes, in directory order: folded first, then byte by byte. With `ignoreCase` names
   * that differ only in case are equal.
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
 * Returns the bytes `[start, end)` as a string, or undefined if they are not all ASCII. Converting eight bytes at once
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
