/**
 * Bounds-checked reading of a file's bytes. All numbers are little-endian.
 * @module
 */

/** A file is not what its format says, or more than a preview may cost. The message is a sentence without the path. */
export class PreviewError extends Error {
  override readonly name = "PreviewError";
  /** Byte at which it was noticed; undefined where it is the file as a whole. */
  readonly offset: number | undefined;

  constructor(message: string, options: ErrorOptions & { offset?: number } = {}) {
    super(message, options);
    this.offset = options.offset;
  }
}

const latin = new TextDecoder("windows-1252");

/** Numbers and names of a file, by position. Every getter throws {@linkcode PreviewError} outside the file. */
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
   * Makes sure that a range is inside the file.
   * @throws {PreviewError} naming `what` if it is not.
   */
  require(offset: number, length: number, what: string): void {
    if (offset >= 0 && length >= 0 && offset + length <= this.length) return;
    throw new PreviewError(
      `${what} needs ${length} bytes at byte ${offset}, but the file ends at byte ${this.length}; it may be cut short`,
      { offset },
    );
  }

  /** Unsigned, one byte. */
  u8(offset: number): number {
    this.require(offset, 1, "a number");
    return this.#view.getUint8(offset);
  }

  /** Unsigned, two bytes. */
  u16(offset: number): number {
    this.require(offset, 2, "a number");
    return this.#view.getUint16(offset, true);
  }

  /** Unsigned, four bytes. */
  u32(offset: number): number {
    this.require(offset, 4, "a number");
    return this.#view.getUint32(offset, true);
  }

  /** Signed, four bytes. */
  i32(offset: number): number {
    this.require(offset, 4, "a number");
    return this.#view.getInt32(offset, true);
  }

  /**
   * A signed count that the file claims.
   * @param size Bytes of the file that each of the things takes at least.
   * @throws {PreviewError} naming `what` if the file has no room for so many.
   */
  count(offset: number, size: number, what: string): number {
    const count = this.i32(offset);
    if (count >= 0 && count * size <= this.length) return count;
    throw new PreviewError(`it cannot have ${count} ${what} in ${this.length} bytes`, { offset });
  }

  /** A float of four bytes. */
  f32(offset: number): number {
    this.require(offset, 4, "a number");
    return this.#view.getFloat32(offset, true);
  }

  /** Three floats: a point. */
  point(offset: number): [number, number, number] {
    return [this.f32(offset), this.f32(offset + 4), this.f32(offset + 8)];
  }

  /** A name in a field of `length` bytes, up to its NUL. */
  text(offset: number, length: number): string {
    const field = this.slice(offset, length, "a name");
    const end = field.indexOf(0);
    return latin.decode(end < 0 ? field : field.subarray(0, end));
  }

  /** Bytes of a range, not copied. */
  slice(offset: number, length: number, what: string): Uint8Array {
    this.require(offset, length, what);
    return this.bytes.subarray(offset, offset + length);
  }

  /** Whether the ASCII letters of `magic` stand at `offset`. */
  startsWith(magic: string, offset = 0): boolean {
    if (offset + magic.length > this.length) return false;
    return Array.from(magic).every((letter, index) => this.bytes[offset + index] === letter.charCodeAt(0));
  }
}
