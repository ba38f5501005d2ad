/**
 * Columns that grow while a snapshot is built, in shared memory from the start: a column that is exactly full at the
 * end need not be copied. A column of an earlier snapshot is reused while the same values are appended, because
 * allocating memory costs several times as much as writing to it.
 * @module
 */
import { sharedFloat64, sharedUint32, sharedUint8 } from "./columns.ts";

type Column = Uint8Array | Uint32Array | Float64Array;

/** Maximum spare capacity, as a share of the used elements. */
const maxSlack = 1 / 8;

/** A growing column. */
export abstract class Growable<T extends Column = Column> {
  /** The buffer; only the first {@linkcode length} elements are valid. Replaced when it grows. */
  values: T;
  /** Number of used elements. */
  length: number;
  /** Whether `values` is a column of an earlier snapshot, which is never written. */
  #isEarlier: boolean;
  readonly #allocate: (length: number) => T;

  /** Allocates `room` elements, or starts with the first `length` of `earlier`, a column of an earlier snapshot. */
  constructor(allocate: (length: number) => T, room: number, earlier: T | undefined, length: number) {
    this.#allocate = allocate;
    this.values = earlier ?? allocate(room);
    this.length = length;
    this.#isEarlier = earlier !== undefined;
  }

  /** Whether it equals the column of an earlier snapshot. */
  get isUnchanged(): boolean {
    return this.#isEarlier && this.length === this.values.length;
  }

  /** Reserves `count` more elements, with some spare capacity. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.values.length) return;
    // Few values are appended to an earlier column; with little spare capacity it need not be copied again at the end.
    const grown = this.#isEarlier ? Math.floor(this.values.length * (1 + maxSlack)) : this.values.length * 2;
    this.#resize(Math.max(needed, grown));
  }

  /** Reserves exactly `count` elements in all. An earlier column of another length is copied. */
  reserveExactly(count: number): void {
    if (count > this.values.length || (this.#isEarlier && count !== this.values.length)) this.#resize(count);
  }

  #resize(room: number): void {
    const larger = this.#allocate(room);
    larger.set(this.values.subarray(0, this.length));
    this.values = larger;
    this.#isEarlier = false;
  }

  /** Appends one value; returns its index. */
  push(value: number): number {
    if (this.length === this.values.length) this.reserve(1);
    if (!this.#isEarlier) this.values[this.length] = value;
    else if (this.values[this.length] !== value) {
      this.#resize(this.values.length);
      this.values[this.length] = value;
    }
    return this.length++;
  }

  /** Appends `source`'s elements. */
  append(source: T): void {
    if (!this.#isEarlier || !this.#continuesWith(source)) {
      if (this.#isEarlier) this.#resize(this.values.length);
      this.reserve(source.length);
      this.values.set(source, this.length);
    }
    this.length += source.length;
  }

  /** Replaces an element. */
  set(index: number, value: number): void {
    if (this.values[index] === value) return;
    if (this.#isEarlier) this.#resize(this.values.length);
    this.values[index] = value;
  }

  /** Returns whether the next values already equal `source`'s. */
  #continuesWith(source: T): boolean {
    const { values, length } = this;
    if (length + source.length > values.length) return false;
    const position = values.byteOffset + length * values.BYTES_PER_ELEMENT;
    if (source.buffer === values.buffer && source.byteOffset === position) return true;
    for (let index = 0; index < source.length; index++) if (source[index] !== values[length + index]) return false;
    return true;
  }

  /** Returns the used elements, in shared memory of about their size. */
  shared(): T {
    if (this.length === this.values.length) return this.values;
    if (this.#isEarlier || this.values.length > this.length * (1 + maxSlack)) this.#resize(this.length);
    return this.values.subarray(0, this.length) as T;
  }
}

/** A growing column of bytes. */
export class GrowableUint8 extends Growable<Uint8Array> {
  constructor(earlier?: Uint8Array, length = 0) {
    super(sharedUint8, 1024, earlier, length);
  }
}

/** A growing column of 32-bit numbers. */
export class GrowableUint32 extends Growable<Uint32Array> {
  constructor(earlier?: Uint32Array, length = 0) {
    super(sharedUint32, 256, earlier, length);
  }
}

/** A growing column of 64-bit quantities, exact up to 2^53. */
export class GrowableFloat64 extends Growable<Float64Array> {
  constructor(earlier?: Float64Array, length = 0) {
    super(sharedFloat64, 256, earlier, length);
  }
}
