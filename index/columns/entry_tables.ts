/**
 * Converts entries of a snapshot back to the tables of format readers.
 * @module
 */
import { EntryTable } from "../../formats/parts.ts";
import { at } from "./columns.ts";
import { isSameChange } from "./identity.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Source } from "./source.ts";

const encoder = new TextEncoder();
const noName = new Uint8Array(0);
const slash = 0x2f;

/**
 * Returns a table whose only row (number 0) is `entry`.
 * @param table A table to reuse; its rows are dropped.
 */
export function entryRow(snapshot: Snapshot, entry: number, table: EntryTable = new EntryTable()): EntryTable {
  return rowNamed(encoder.encode(snapshot.pathOf(at(snapshot.columns.entryNodes, entry))), snapshot, entry, table);
}

/** Returns that table with an empty name: only messages need a name, and building it takes longest. */
export function namelessRow(snapshot: Snapshot, entry: number, table: EntryTable): EntryTable {
  return rowNamed(noName, snapshot, entry, table);
}

function rowNamed(name: Uint8Array, snapshot: Snapshot, entry: number, table: EntryTable): EntryTable {
  table.length = 0;
  table.add(name, snapshot.fieldsOf(entry));
  return table;
}

/**
 * Returns the table of a source as its reader made it, without columns that a snapshot does not store
 * (`foreignMethods`).
 */
export function sourceTable(snapshot: Snapshot, source: Source): EntryTable {
  const { entryNodes } = snapshot.columns;
  const table = new EntryTable();
  const paths = new NodePaths(snapshot);
  const end = source.firstEntry + source.entryCount;
  for (let entry = source.firstEntry; entry < end; entry++) {
    table.add(paths.bytesOf(at(entryNodes, entry)), snapshot.fieldsOf(entry), snapshot.rawNameOf(entry));
  }
  table.warnings.push(...source.warnings);
  return table;
}

/**
 * Paths of nodes as bytes. Caches paths of directories, because the files of one directory mostly follow each other.
 */
class NodePaths {
  readonly #snapshot: Snapshot;
  readonly #directories = new Map<number, Uint8Array>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  bytesOf(node: number): Uint8Array {
    const parent = at(this.#snapshot.columns.nodeParents, node);
    const name = this.#snapshot.nameBytes(node);
    if (parent === 0) return name;
    const above = this.#directory(parent);
    const path = new Uint8Array(above.length + name.length);
    path.set(above);
    path.set(name, above.length);
    return path;
  }

  /** Returns the path of a directory, with a trailing slash. */
  #directory(node: number): Uint8Array {
    const known = this.#directories.get(node);
    if (known) return known;
    const bytes = this.bytesOf(node);
    const path = new Uint8Array(bytes.length + 1);
    path.set(bytes);
    path[bytes.length] = slash;
    this.#directories.set(node, path);
    return path;
  }
}

/**
 * Returns whether two tables have the same rows in the same order.
 * @param isDirectory Whether they list a directory: then their `compressedSizes` are times.
 */
export function isSameTable(a: EntryTable, b: EntryTable, isDirectory = false): boolean {
  const { length } = a;
  if (length !== b.length || a.rawNames.size !== b.rawNames.size) return false;
  if (a.warnings.length !== b.warnings.length) return false;
  if (a.warnings.some((warning, index) => warning !== b.warnings[index])) return false;
  const nameBytes = length === 0 ? 0 : at(a.nameEnds, length - 1);
  if (!sameColumn(a.nameEnds, b.nameEnds, length) || !sameColumn(a.names, b.names, nameBytes)) return false;
  for (const [index, rawName] of a.rawNames) {
    const other = b.rawNames.get(index);
    if (!other || other.length !== rawName.length || !sameColumn(rawName, other, rawName.length)) return false;
  }
  const isSamePacked = isDirectory ? isSameChange : Object.is;
  for (let row = 0; row < length; row++) {
    if (!isSamePacked(at(a.compressedSizes, row), at(b.compressedSizes, row))) return false;
  }
  return sameColumn(a.offsets, b.offsets, length) &&
    sameColumn(a.sizes, b.sizes, length) && sameColumn(a.mtimes, b.mtimes, length) &&
    sameColumn(a.crcs, b.crcs, length) && sameColumn(a.methods, b.methods, length) &&
    sameColumn(a.flags, b.flags, length) && sameColumn(a.damage, b.damage, length);
}

function sameColumn<T extends Uint8Array | Uint32Array | Float64Array>(a: T, b: T, length: number): boolean {
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return false;
  return true;
}
