/**
 * Columns that grow while a snapshot is built, in shared memory from the start: one that fills its room exactly when it is
 * done need not be copied.
 * @module
 */
import { sharedFloat64, sharedUint32, sharedUint8 } from "./columns.ts";

type Column = Uint8Array | Uint32Array | Float64Array;

function copyOf<T extends Column>(from: T, to: T): T {
  to.set(from);
  return to;
}

abstract class Growable<T extends Column> {
  /** The room; only the first {@linkcode length} elements mean anything. Replaced when it grows. */
  values: T;
  /** Elements in use. */
  length: number;

  constructor(values: T, length: number) {
    this.values = values;
    this.length = length;
  }

  /** Makes room for `count` more elements, and for some beyond them. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed > this.values.length) this.#resize(Math.max(needed, this.values.length * 2));
  }

  /** Makes room for `count` elements in all, and no more. */
  reserveExactly(count: number): void {
    if (count > this.values.length) this.#resize(count);
  }

  #resize(room: number): void {
    const larger = this.allocate(room);
    larger.set(this.values.subarray(0, this.length));
    this.values = larger;
  }

  /** Appends one value; returns its index. */
  push(value: number): number {
    if (this.length === this.values.length) this.reserve(1);
    this.values[this.length] = value;
    return this.length++;
  }

  /** Appends `source`'s elements. */
  append(source: T): void {
    this.reserve(source.length);
    this.values.set(source, this.length);
    this.length += source.length;
  }

  /** The elements in use, in shared memory of exactly their size. */
  shared(): T {
    if (this.length !== this.values.length) this.#resize(this.length);
    return this.values;
  }

  protected abstract allocate(length: number): T;
}

/** A growing column of bytes. */
export class GrowableUint8 extends Growable<Uint8Array> {
  /** With `initial` elements, which are copied. */
  constructor(initial?: Uint8Array) {
    super(initial ? copyOf(initial, sharedUint8(initial.length)) : sharedUint8(1024), initial?.length ?? 0);
  }
  protected override allocate(length: number): Uint8Array {
    return sharedUint8(length);
  }
}

/** A growing column of 32-bit numbers. */
export class GrowableUint32 extends Growable<Uint32Array> {
  /** With `initial` elements, which are copied. */
  constructor(initial?: Uint32Array) {
    super(initial ? copyOf(initial, sharedUint32(initial.length)) : sharedUint32(256), initial?.length ?? 0);
  }
  protected override allocate(length: number): Uint32Array {
    return sharedUint32(length);
  }
}

/** A growing column of 64-bit quantities, exact up to 2^53. */
export class GrowableFloat64 extends Growable<Float64Array> {
  /** With `initial` elements, which are copied. */
  constructor(initial?: Float64Array) {
    super(initial ? copyOf(initial, sharedFloat64(initial.length)) : sharedFloat64(256), initial?.length ?? 0);
  }
  protected override allocate(length: number): Float64Array {
    return sharedFloat64(length);
  }
}
