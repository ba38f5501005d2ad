/**
 * Words of Quake III's text files, exactly as its engines split them, and their text without comments. Source:
 * ioquake/ioq3 code/qcommon/q_shared.c `COM_ParseExt`, `SkipBracedSection`, `COM_Compress`.
 *
 * - `char` is signed: bytes from 0x80 are whitespace and end words, like those up to 0x20 (on x86, but not on ARM). NUL
 *   ends the file.
 * - Comments are comments only where a word could start: `foo//x` is one word.
 * - A `"` where a word could start includes everything up to the next `"`, including newlines, without escapes.
 * - Braces are words only if they stand alone: `name{` is one word; and `"{"` counts as a brace.
 * @module
 */
import { at } from "../../index/mod.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;
const blank = 0x20;
const quote = 0x22;
const hash = 0x23;
const star = 0x2a;
const slash = 0x2f;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Maximum bytes of a word; the rest is skipped. */
const maxToken = 1023;

/** Returns whether a byte, as a signed `char`, is at most a space; the text ends before any NUL. */
function isBlank(byte: number): boolean {
  return byte <= blank || byte >= 0x80;
}

/** Returns the length of a text up to its first NUL, where engines stop reading. */
export function textLength(bytes: Uint8Array): number {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes.length : end;
}

const decoder = new TextDecoder();

/** Splits a string into words. After {@linkcode Quake3Tokens.next} the fields describe the word that it found. */
export class Quake3Tokens {
  readonly #bytes: Uint8Array;
  readonly #length: number;
  /** Offset at which the next word is searched. */
  position = 0;
  /** Offset of the word, its quote included. */
  start = 0;
  /** Line of `start`, from 1. */
  line = 1;
  #valueStart = 0;
  #valueEnd = 0;
  #currentLine = 1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#length = textLength(bytes);
  }

  /** Whether the text has been read to its end. */
  get isAtEnd(): boolean {
    return this.position >= this.#length;
  }

  /** Whether the word is `""`, which engines interpret as the end of a file if a name is expected. */
  get isEmpty(): boolean {
    return this.#valueEnd === this.#valueStart;
  }

  /** Returns 1 for `{`, -1 for `}`, quoted or not; else 0. */
  get brace(): -1 | 0 | 1 {
    if (this.#valueEnd - this.#valueStart !== 1) return 0;
    const byte = this.#bytes[this.#valueStart];
    return byte === openingBrace ? 1 : byte === closingBrace ? -1 : 0;
  }

  /** Returns the word, truncated as in engines. */
  get text(): string {
    return decoder.decode(this.#bytes.subarray(this.#valueStart, this.#valueEnd));
  }

  /** Bytes of the word, truncated as in engines. */
  get length(): number {
    return this.#valueEnd - this.#valueStart;
  }

  /** Moves to the next word. False at the end of the text; the word is then empty. */
  next(): boolean {
    this.#skipBlanksAndComments();
    this.start = this.position;
    this.line = this.#currentLine;
    if (this.isAtEnd) {
      this.#valueStart = this.position;
      this.#valueEnd = this.position;
      return false;
    }
    if (this.#bytes[this.position] === quote) this.#readQuoted();
    else this.#readWord();
    this.#valueEnd = Math.min(this.#valueEnd, this.#valueStart + maxToken);
    return true;
  }

  /**
   * Skips words up to the matching closing brace.
   * @param depth Braces that are open already; with 0 the next word should be an opening brace, and any other word is
   * skipped alone.
   * @returns False if the text ends before the brace.
   */
  skipBraces(depth: number): boolean {
    let open = depth;
    do {
      this.next();
      open += this.brace;
    } while (open !== 0 && !this.isAtEnd);
    return open === 0;
  }

  /** Skips the rest of the line. */
  skipLine(): void {
    while (!this.isAtEnd) {
      const isEnd = this.#bytes[this.position] === lineFeed;
      this.#step();
      if (isEnd) return;
    }
  }

  #skipBlanksAndComments(): void {
    const bytes = this.#bytes;
    for (;;) {
      while (!this.isAtEnd && isBlank(at(bytes, this.position))) this.#step();
      if (bytes[this.position] !== slash || this.isAtEnd) return;
      const after = this.position + 1 < this.#length ? bytes[this.position + 1] : 0;
      if (after === slash) {
        while (!this.isAtEnd && bytes[this.position] !== lineFeed) this.position++;
      } else if (after === star) {
        this.position += 2;
        while (!this.isAtEnd && !(bytes[this.position] === star && bytes[this.position + 1] === slash)) this.#step();
        this.position = Math.min(this.position + 2, this.#length);
      } else return;
    }
  }

  #readQuoted(): void {
    this.position++;
    this.#valueStart = this.position;
    while (!this.isAtEnd && this.#bytes[this.position] !== quote) this.#step();
    this.#valueEnd = this.position;
    if (!this.isAtEnd) this.position++;
  }

  #readWord(): void {
    this.#valueStart = this.position;
    while (!this.isAtEnd && !isBlank(at(this.#bytes, this.position))) this.position++;
    this.#valueEnd = this.position;
  }

  #step(): void {
    if (this.#bytes[this.position] === lineFeed) this.#currentLine++;
    this.position++;
  }
}

/** A text without comments and redundant whitespace, with the origin of each byte. */
export interface CompressedText {
  readonly bytes: Uint8Array;
  /** Offset of each byte in the original text. */
  readonly origins: Uint32Array;
}

/**
 * Compresses a string like `COM_Compress`. Comments are removed everywhere except between quotes, also where {@linkcode
 * Quake3Tokens} finds none: `map a//b.tga` becomes `map a`.
 * @param hasHashComments Whether `#` begins a comment, as in `COM_CompressShader` of OpenJK.
 */
export function compressText(text: Uint8Array, hasHashComments = false): CompressedText {
  const length = textLength(text);
  // Each kept byte is preceded by at most one space, which replaces at least one removed byte.
  const bytes = new Uint8Array(length);
  const origins = new Uint32Array(length);
  let written = 0;
  const put = (byte: number, origin: number) => {
    bytes[written] = byte;
    origins[written] = origin;
    written++;
  };
  const at = (index: number) => index < length ? text[index] ?? 0 : 0;
  let pending = 0;
  let position = 0;
  while (position < length) {
    const byte = at(position);
    if ((byte === slash && at(position + 1) === slash) || (hasHashComments && byte === hash)) {
      while (position < length && at(position) !== lineFeed) position++;
    } else if (byte === slash && at(position + 1) === star) {
      // Unlike Quake3Tokens, this treats /*/ as a whole comment.
      while (position < length && !(at(position) === star && at(position + 1) === slash)) position++;
      position = Math.min(position + 2, length);
    } else if (byte === lineFeed || byte === carriageReturn) {
      pending = lineFeed;
      position++;
    } else if (byte === blank || byte === tab) {
      if (pending === 0) pending = blank;
      position++;
    } else {
      if (pending !== 0) put(pending, position);
      pending = 0;
      put(byte, position++);
      if (byte !== quote) continue;
      while (position < length && at(position) !== quote) put(at(position), position++);
      if (position < length) put(quote, position++);
    }
  }
  return { bytes: bytes.subarray(0, written), origins: origins.subarray(0, written) };
}
