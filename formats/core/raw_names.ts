/**
 * Names as spelled in an archive, for members with another display path. Stored in columns, because a table may have a
 * million of them, and objects would take many times the memory of the names.
 * @module
 */

import { elementAt } from "./cursor.ts";

/** Columns of {@linkcode RawNames}, for other threads. */
export interface RawNameColumns {
  /** Rows that have a name, ascending. */
  readonly rows: Uint32Array;
  /** End of each name in `bytes`. */
  readonly ends: Uint32Array;
  /** Names, one after another. */
  readonly bytes: Uint8Array;
}

const noNumbers = new Uint32Array(0);
const noBytes = new Uint8Array(0);

/** Names by row. Rows are added in ascending order. */
export class RawNames implements Iterable<[number, Uint8Array]> {
  #rows: Uint32Array;
  #ends: Uint32Array;
  #bytes: Uint8Array;
  #size: number;

  /** Starts with the names in `columns`, which are not copied; default: none. */
  constructor(columns: RawNameColumns = { rows: noNumbers, ends: noNumbers, bytes: noBytes }) {
    this.#rows = columns.rows;
    this.#ends = columns.ends;
    this.#bytes = columns.bytes;
    this.#size = columns.rows.length;
  }

  /** Number of names. */
  get size(): number {
    return this.#size;
  }

  /** Returns the name of a row (a view), or `undefined` if it has none. */
  get(row: number): Uint8Array | undefined {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (elementAt(this.#rows, middle) < row) low = middle + 1;
      else high = middle;
    }
    return low < this.#size && this.#rows[low] === row ? this.#at(low) : undefined;
  }

  /**
   * Sets the name of a row, which is copied. The row must be the last one or after it.
   * @throws {RangeError} if a later row has a name already.
   */
  set(row: number, name: Uint8Array): void {
    const last = this.#size === 0 ? -1 : elementAt(this.#rows, this.#size - 1);
    if (row < last) throw new RangeError(`Cannot name row ${row} after row ${last}: rows ascend`);
    if (row === last) this.#size--;
    const start = this.#startOf(this.#size);
    const end = start + name.length;
    this.#makeRoom(end);
    this.#bytes.set(name, start);
    this.#rows[this.#size] = row;
    this.#ends[this.#size++] = end;
  }

  /** Yields the names in the order of their rows. */
  *values(): Generator<Uint8Array> {
    for (let index = 0; index < this.#size; index++) yield this.#at(index);
  }

  /** Yields rows with their names, in order. */
  *[Symbol.iterator](): Generator<[number, Uint8Array]> {
    for (let index = 0; index < this.#size; index++) yield [elementAt(this.#rows, index), this.#at(index)];
  }

  /** Returns copies of the columns, without spare capacity. */
  columns(): RawNameColumns {
    return {
      rows: this.#rows.slice(0, this.#size),
      ends: this.#ends.slice(0, this.#size),
      bytes: this.#bytes.slice(0, this.#startOf(this.#size)),
    };
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : elementAt(this.#ends, index - 1);
  }

  #at(index: number): Uint8Array {
    return this.#bytes.subarray(this.#startOf(index), this.#ends[index]);
  }

  #makeRoom(bytes: number): void {
    if (this.#size === this.#rows.length) {
      const capacity = Math.max(64, this.#size * 2);
      this.#rows = grown(this.#rows, new Uint32Array(capacity));
      this.#ends = grown(this.#ends, new Uint32Array(capacity));
    }
    if (bytes > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(1024, bytes, this.#bytes.length * 2)));
    }
  }
}

function grown<Column extends Uint8Array | Uint32Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}
