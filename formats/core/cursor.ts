/**
 * Fields of headers and records, read or written one after another. Only this module checks their bounds.
 * @module
 */

/** Returns a view of `bytes` for reading numbers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Returns the element at `index` of an array of any type. For hot loops use {@linkcode byteAt}, {@linkcode wordAt} and
 * `at` of `index/columns/columns.ts`: a function shared by many array types is four to nine times as slow.
 * @throws {RangeError} if the array is shorter.
 */
export function elementAt<Element>(column: ArrayLike<Element>, index: number): Element {
  const element = column[index];
  if (element === undefined) throw new RangeError(`Cannot read element ${index} of ${column.length}`);
  return element;
}

/** Appends items to a list of any length: the number of arguments of `push` is limited. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/**
 * Returns the byte at `index`, faster than {@linkcode elementAt}.
 * @throws {RangeError} if there are fewer.
 */
export function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined) throw new RangeError(`Cannot read byte ${index} of ${bytes.length}`);
  return byte;
}

/**
 * Returns the 32-bit number at `index`, as fast as {@linkcode byteAt}.
 * @throws {RangeError} if there are fewer.
 */
export function wordAt(words: Uint32Array, index: number): number {
  const word = words[index];
  if (word === undefined) throw new RangeError(`Cannot read number ${index} of ${words.length}`);
  return word;
}

/** Returns the characters of `bytes`, one per byte. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** Returns the concatenation of `parts`. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

/** Returns the name in a field: its bytes up to the first NUL, or all of them. */
export function nameField(field: Uint8Array): Uint8Array {
  const nul = field.indexOf(0);
  return nul < 0 ? field : field.subarray(0, nul);
}

/** Reads fields in order. Reading past the end throws a RangeError. */
export class Cursor {
  /** Offset of the next field. */
  offset = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #isLittleEndian: boolean;

  /** Starts at the first byte of `bytes`, which are not copied. */
  constructor(bytes: Uint8Array, isLittleEndian = true) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#isLittleEndian = isLittleEndian;
  }

  /** Number of bytes from the next field to the end. */
  get remaining(): number {
    return this.#bytes.length - this.offset;
  }

  /** Skips `length` bytes. */
  skip(length: number): this {
    this.offset += length;
    return this;
  }

  /** Reads an 8-bit number. */
  uint8(): number {
    return this.#view.getUint8(this.offset++);
  }

  /** Reads a 16-bit number. */
  uint16(): number {
    const value = this.#view.getUint16(this.offset, this.#isLittleEndian);
    this.offset += 2;
    return value;
  }

  /** Reads a 32-bit number. */
  uint32(): number {
    const value = this.#view.getUint32(this.offset, this.#isLittleEndian);
    this.offset += 4;
    return value;
  }

  /** Reads a signed 32-bit number. */
  int32(): number {
    return this.uint32() | 0; // the same 32 bits, with a sign
  }

  /** Reads a 64-bit number. Beyond 2^53 it is rounded. */
  uint64(): number {
    return Number(this.bigUint64());
  }

  /** Reads a 64-bit number exactly. */
  bigUint64(): bigint {
    const value = this.#view.getBigUint64(this.offset, this.#isLittleEndian);
    this.offset += 8;
    return value;
  }

  /** Reads `length` bytes (a view). */
  bytes(length: number): Uint8Array {
    const end = this.offset + length;
    if (!(length >= 0 && end <= this.#bytes.length)) {
      throw new RangeError(`Cannot read ${length} bytes at byte ${this.offset} of ${this.#bytes.length}`);
    }
    const bytes = this.#bytes.subarray(this.offset, end);
    this.offset = end;
    return bytes;
  }

  /** Reads the name in a field of `size` bytes: up to its first NUL, or all of it. */
  name(size: number): Uint8Array {
    return nameField(this.bytes(size));
  }

  /** Reads bytes up to a NUL, and skips the NUL; `undefined` if there is none. */
  terminated(): Uint8Array | undefined {
    const end = this.#bytes.indexOf(0, this.offset);
    if (end < 0) return undefined;
    const bytes = this.bytes(end - this.offset);
    this.offset++;
    return bytes;
  }
}

/** Writes little-endian fields in order into an array of fixed size; gaps stay zero. */
export class FieldWriter {
  /** All fields. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  /** Allocates `size` bytes. */
  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = viewOf(this.bytes);
  }

  /** Writes 16-bit numbers. */
  u16(...values: readonly number[]): this {
    for (const value of values) {
      this.#view.setUint16(this.#offset, value, true);
      this.#offset += 2;
    }
    return this;
  }

  /** Writes 32-bit numbers. */
  u32(...values: readonly number[]): this {
    for (const value of values) {
      this.#view.setUint32(this.#offset, value, true);
      this.#offset += 4;
    }
    return this;
  }

  /** Writes 64-bit numbers, up to 2^53. */
  u64(...values: readonly number[]): this {
    for (const value of values) this.u32(value % 2 ** 32, Math.floor(value / 2 ** 32));
    return this;
  }

  /** Writes bytes unchanged into a field of `size` bytes. */
  raw(bytes: Uint8Array, size = bytes.length): this {
    this.bytes.set(bytes, this.#offset);
    this.#offset += size;
    return this;
  }
}
