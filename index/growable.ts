/**
 * Columns that grow while a snapshot is built, and become shared memory when it is done.
 * @module
 */
import { sharedFloat64, sharedUint32, sharedUint8 } from "./columns.ts";

type Column = Uint8Array | Uint32Array | Float64Array;

abstract class Growable<T extends Column> {
  /** The room; only the first {@linkcode length} elements mean anything. Replaced when it grows. */
  values: T;
  /** Elements in use. */
  length = 0;

  constructor(values: T) {
    this.values = values;
  }

  /** Makes room for `count` more elements. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.values.length) return;
    const larger = this.allocate(Math.max(needed, this.values.length * 2));
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

  protected abstract allocate(length: number): T;
}

/** A growing column of bytes. */
export class GrowableUint8 extends Growable<Uint8Array> {
  constructor() {
    super(new Uint8Array(1024));
  }
  protected override allocate(length: number): Uint8Array {
    return new Uint8Array(length);
  }
  /** A copy in shared memory, exactly as long as what is in use. */
  shared(): Uint8Array {
    const column = sharedUint8(this.length);
    column.set(this.values.subarray(0, this.length));
    return column;
  }
}

/** A growing column of 32-bit numbers. */
export class GrowableUint32 extends Growable<Uint32Array> {
  constructor() {
    super(new Uint32Array(256));
  }
  protected override allocate(length: number): Uint32Array {
    return new Uint32Array(length);
  }
  /** A copy in shared memory, exactly as long as what is in use. */
  shared(): Uint32Array {
    const column = sharedUint32(this.length);
    column.set(this.values.subarray(0, this.length));
    return column;
  }
}

/** A growing column of 64-bit quantities, exact up to 2^53. */
export class GrowableFloat64 extends Growable<Float64Array> {
  constructor() {
    super(new Float64Array(256));
  }
  protected override allocate(length: number): Float64Array {
    return new Float64Array(length);
  }
  /** A copy in shared memory, exactly as long as what is in use. */
  shared(): Float64Array {
    const column = sharedFloat64(this.length);
    column.set(this.values.subarray(0, this.length));
    return column;
  }
}
