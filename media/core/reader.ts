/**
 * Reads numbers and names of a file within its bounds. All numbers are little-endian.
 * @module
 */

/** A file is damaged, or its preview would cost too much. The message does not name the path. */
export class MediaError extends Error {
  override readonly name = "MediaError";
  /** Offset of the fault; undefined if it affects the whole file. */
  readonly offset: number | undefined;

  constructor(message: string, options: ErrorOptions & { offset?: number } = {}) {
    super(message, options);
    this.offset = options.offset;
  }
}

const latin = new TextDecoder("windows-1252");

/** Numbers and names of a file, by offset. Every getter throws {@linkcode MediaError} outside the file. */
export class Reader {
  /** The whole file. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes of the file. */
  get length(): number {
    return this.bytes.length;
  }

  /**
   * Checks that a range is inside the file.
   * @throws {MediaError} with `what` in its message if it is not.
   */
  require(offset: number, length: number, what: string): void {
    if (offset >= 0 && length >= 0 && offset + length <= this.length) return;
    throw new MediaError(
      `${what} needs ${length} bytes at byte ${offset}, but the file ends at byte ${this.length}; it may be cut short`,
      { offset },
    );
  }

  /** Reads an unsigned byte. */
  u8(offset: number): number {
    this.require(offset, 1, "a number");
    return this.#view.getUint8(offset);
  }

  /** Reads an unsigned 16-bit number. */
  u16(offset: number): number {
    this.require(offset, 2, "a number");
    return this.#view.getUint16(offset, true);
  }

  /** Reads a signed 16-bit number. */
  i16(offset: number): number {
    this.require(offset, 2, "a number");
    return this.#view.getInt16(offset, true);
  }

  /** Reads an unsigned 32-bit number. */
  u32(offset: number): number {
    this.require(offset, 4, "a number");
    return this.#view.getUint32(offset, true);
  }

  /** Reads a signed 32-bit number. */
  i32(offset: number): number {
    this.require(offset, 4, "a number");
    return this.#view.getInt32(offset, true);
  }

  /**
   * Reads a count, which must fit into the file.
   * @param size Minimum bytes of a counted record.
   * @throws {MediaError} with `what` in its message if the file cannot hold them.
   */
  count(offset: number, size: number, what: string): number {
    const count = this.i32(offset);
    if (count >= 0 && count * size <= this.length) return count;
    throw new MediaError(`it cannot have ${count} ${what} in ${this.length} bytes`, { offset });
  }

  /** Reads a 32-bit float. */
  f32(offset: number): number {
    this.require(offset, 4, "a number");
    return this.#view.getFloat32(offset, true);
  }

  /** Reads a point: three floats. */
  point(offset: number): [number, number, number] {
    return [this.f32(offset), this.f32(offset + 4), this.f32(offset + 8)];
  }

  /** Reads a name in a field of `length` bytes, up to its NUL. */
  text(offset: number, length: number): string {
    const field = this.slice(offset, length, "a name");
    const end = field.indexOf(0);
    return latin.decode(end < 0 ? field : field.subarray(0, end));
  }

  /** Returns the bytes of a range, not copied. */
  slice(offset: number, length: number, what: string): Uint8Array {
    this.require(offset, length, what);
    return this.bytes.subarray(offset, offset + length);
  }

  /** Returns whether the ASCII letters of `magic` are at `offset`. */
  startsWith(magic: string, offset = 0): boolean {
    if (offset + magic.length > this.length) return false;
    return Array.from(magic).every((letter, index) => this.bytes[offset + index] === letter.charCodeAt(0));
  }
}
