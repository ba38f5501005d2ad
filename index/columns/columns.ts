/**
 * The columns of one snapshot: typed arrays over SharedArrayBuffer, written once by the builder, then only read, by any
 * thread. There are no objects per file: a file costs about 80 bytes beyond its name.
 *
 * Three tables:
 * - **names**: every distinct path component once, as UTF-8 bytes.
 * - **nodes**: every distinct path once, as (parent node, name). Node 0 is the root. Paths that differ only in the case
 *   of ASCII letters share one *fold node*, the first such node.
 * - **entries**: every file of every source, in the order of the sources. The entries of one fold node are its
 *   candidates.
 * @module
 */

/** Null value of a 32-bit column: no node, no entry. */
export const none = 0xffffffff;

/** The typed arrays of a snapshot. All are views over SharedArrayBuffer and can be posted to a Worker. */
export interface SnapshotColumns {
  /** UTF-8 bytes of all names, one after another. */
  readonly names: Uint8Array;
  /** Start of each name in `names`; one more element than there are names. */
  readonly nameStarts: Uint32Array;

  readonly nodeParents: Uint32Array;
  readonly nodeNames: Uint32Array;
  /** The fold node of each node; the node itself for the first spelling. */
  readonly nodeFolds: Uint32Array;
  /**
   * All nodes, grouped by fold parent: `nodeOrder[childStarts[n] .. childStarts[n + 1])` are in fold node `n`, ordered
   * by case-folded name, then by name. A view can build its directories without comparing. The root is its own child.
   */
  readonly nodeOrder: Uint32Array;
  readonly childStarts: Uint32Array;
  /** Open-addressing hash table of nodes (node + 1, 0 is free) by fold parent and folded name; a power of two long. */
  readonly nodeTable: Uint32Array;
  /** One number: the random seed of the hashes of names. */
  readonly nodeSeed: Uint32Array;

  readonly entryNodes: Uint32Array;
  readonly entrySources: Uint32Array;
  /** Bytes; up to 2^53 exactly. */
  readonly entryOffsets: Float64Array;
  /** Bytes; for loose files the ctime, like `packedSize` in `formats/core/entry_table.ts`. */
  readonly entryCompressedSizes: Float64Array;
  readonly entrySizes: Float64Array;
  /** Milliseconds since the epoch. */
  readonly entryTimes: Float64Array;
  /** CRC-32, or number of the directory, like `crc32` in `formats/core/entry_table.ts`. */
  readonly entryCrcs: Uint32Array;
  /** Codes and bits of `formats/core/entry_table.ts`. */
  readonly entryMethods: Uint8Array;
  readonly entryFlags: Uint8Array;
  readonly entryDamage: Uint8Array;
  /** 1 + index into `rawNameStarts` if the archive has another spelling, else 0. */
  readonly entryRawNames: Uint32Array;
  readonly rawNames: Uint8Array;
  readonly rawNameStarts: Uint32Array;

  /** Candidates of fold node `n`: `candidates[candidateStarts[n] .. candidateStarts[n + 1])`, in source order. */
  readonly candidateStarts: Uint32Array;
  readonly candidates: Uint32Array;
}

/**
 * Returns the element of a column at an index that must exist, so that a broken index fails instead of yielding entry
 * 0.
 * @throws {RangeError} if the index is beyond the column.
 */
export function at(column: Uint8Array | Uint32Array | Float64Array, index: number): number {
  const value = column[index];
  if (value === undefined) throw new RangeError(`Cannot read element ${index} of a column: it has ${column.length}`);
  return value;
}

/**
 * Throws for a hot loop that cannot afford {@linkcode at}: `column[index] ?? beyond(column)` needs no inlined call.
 * @throws {RangeError} always.
 */
export function beyond(column: { readonly length: number }): never {
  throw new RangeError(`Cannot read beyond the ${column.length} elements of a column`);
}

/** Returns the bytes that a set of columns occupies. */
export function columnBytes(columns: Record<keyof SnapshotColumns, ArrayBufferView>): number {
  return sumBytes(Object.values(columns));
}

/** Returns the bytes of the columns that another set does not share. */
export function unsharedBytes(columns: SnapshotColumns, others: SnapshotColumns): number {
  const shared = new Set(Object.values(others).map(({ buffer }) => buffer));
  return sumBytes(Object.values(columns).filter(({ buffer }) => !shared.has(buffer)));
}

function sumBytes(columns: readonly ArrayBufferView[]): number {
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Returns a copy in shared memory. */
export function sharedCopy(column: Uint32Array): Uint32Array {
  const copy = sharedUint32(column.length);
  copy.set(column);
  return copy;
}

/** Returns columns of another process, in shared memory. */
export function sharedColumns(columns: SnapshotColumns): SnapshotColumns {
  const copies = Object.entries(columns).map(([name, column]: [string, SnapshotColumns[keyof SnapshotColumns]]) => {
    const bytes = sharedUint8(column.byteLength);
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    const Type = column.constructor as new (buffer: ArrayBufferLike) => typeof column;
    return [name, new Type(bytes.buffer)];
  });
  return Object.fromEntries(copies);
}

/** Returns a zeroed Uint32Array in shared memory. */
export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4));
}

/** Returns a zeroed Float64Array in shared memory. */
export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8));
}

/** Returns a zeroed Uint8Array in shared memory. */
export function sharedUint8(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}
