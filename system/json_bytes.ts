/**
 * JSON as bytes: the rows of long listings, whose strings are mostly ASCII and would otherwise be joined, searched and
 * encoded again.
 * @module
 */

const encoder = new TextEncoder();
const [quote, backslash, zero, firstPrintable, afterPrintable] = [0x22, 0x5c, 0x30, 0x20, 0x7f];
/** Numbers below it are divided as 32-bit ones. */
const billion = 1_000_000_000;

/** Bytes of a part. */
const partBytes = 65_536;

/** Collects JSON. */
export class JsonBytes {
  /** Parts before the last one: growing one array would allocate several times its bytes. */
  readonly #parts: Uint8Array[] = [];
  #lengthBefore = 0;
  #part = new Uint8Array(partBytes);
  /** Used bytes of the last part. */
  #length = 0;

  /** Number of bytes so far. */
  get length(): number {
    return this.#lengthBefore + this.#length;
  }

  /** The bytes so far, in parts. */
  get parts(): readonly Uint8Array[] {
    return [...this.#parts, this.#part.subarray(0, this.#length)];
  }

  /** Adds JSON that consists of ASCII characters. */
  ascii(json: string): void {
    const bytes = this.#withRoom(json.length);
    let end = this.#length;
    for (let index = 0; index < json.length; index++) bytes[end++] = json.charCodeAt(index);
    this.#length = end;
  }

  /** Adds a value. */
  value(value: unknown): void {
    if (typeof value === "string") this.#string(value);
    else if (typeof value === "number") this.#number(value);
    else this.#add(encoder.encode(JSON.stringify(value)));
  }

  #string(text: string): void {
    const bytes = this.#withRoom(text.length + 2);
    let end = this.#length;
    bytes[end++] = quote;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code < firstPrintable || code >= afterPrintable || code === quote || code === backslash) {
        return this.#add(encoder.encode(JSON.stringify(text)));
      }
      bytes[end++] = code;
    }
    bytes[end++] = quote;
    this.#length = end;
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) return this.#add(encoder.encode(JSON.stringify(value)));
    if (value >= billion) {
      const high = Math.floor(value / billion);
      this.#number(high);
      return this.#digits(value - high * billion, 9);
    }
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    this.#digits(value, digits);
  }

  /** Adds a number below {@linkcode billion} with leading zeros. */
  #digits(value: number, digits: number): void {
    const bytes = this.#withRoom(digits);
    const end = this.#length + digits;
    let rest = value | 0;
    for (let index = end - 1; index >= this.#length; index--) {
      const tenth = (rest / 10) | 0;
      bytes[index] = zero + rest - 10 * tenth;
      rest = tenth;
    }
    this.#length = end;
  }

  #add(json: Uint8Array): void {
    this.#withRoom(json.length).set(json, this.#length);
    this.#length += json.length;
  }

  /** Returns a part with room for more bytes. */
  #withRoom(count: number): Uint8Array {
    if (this.#length + count > this.#part.length) {
      this.#parts.push(this.#part.subarray(0, this.#length));
      this.#lengthBefore += this.#length;
      this.#length = 0;
      this.#part = new Uint8Array(Math.max(count, partBytes));
    }
    return this.#part;
  }
}
