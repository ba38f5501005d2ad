/**
 * Tokens of Doom 3's declaration files, as its lexer splits them with the flags for declarations. Source:
 * id-Software/DOOM-3 neo/idlib/Lexer.cpp, neo/framework/DeclManager.h `DECL_LEXER_FLAGS`.
 *
 * - Bytes up to 0x20, and those from 0x80 (`char` is signed), are whitespace. NUL ends the file.
 * - Braces are separate tokens; a quoted brace is text.
 * - A name starts with a letter, `_`, `/`, `\` or `.` and continues with those, digits and `:`. So `-` ends a name, and
 *   `a//b` has no comment.
 * - The character after a block comment is skipped, of any kind.
 * - An error ends the current declaration: a newline in a string, an unknown character, `1.2.3`.
 * @module
 */
import { elementAt } from "../../formats/parts.ts";

const lineFeed = 0x0a;
const blank = 0x20;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const star = 0x2a;
const slash = 0x2f;
const backslash = 0x5c;

/** Maximum bytes of a token that are kept; the rest is skipped. */
const maxText = 1024 * 1024;

/** Punctuation of more than one character; each is one token. */
const longMarks: readonly string[] = [
  ">>=",
  "<<=",
  "...",
  "##",
  "&&",
  "||",
  ">=",
  "<=",
  "==",
  "!=",
  "*=",
  "/=",
  "%=",
  "+=",
  "-=",
  "++",
  "--",
  "&=",
  "|=",
  "^=",
  ">>",
  "<<",
  "->",
  "::",
  ".*",
];
const shortMarks = "*/%+-=&|^~!><.,;:?(){}[]\\#$";

/** Kind of a token. `brace` is `{` or `}` outside quotes. */
export type Doom3Kind = "name" | "number" | "string" | "brace" | "mark";

const decoder = new TextDecoder();

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

function startsName(byte: number): boolean {
  return isLetter(byte) || byte === 0x5f || byte === slash || byte === backslash || byte === 0x2e;
}

function continuesName(byte: number): boolean {
  return startsName(byte) || isDigit(byte) || byte === 0x3a;
}

/** Splits a string into tokens. After {@linkcode Doom3Lexer.next} the fields describe the token that it found. */
export class Doom3Lexer {
  readonly #bytes: Uint8Array;
  readonly #length: number;
  /** Offset at which the next token is searched. */
  position = 0;
  /** Offset of the token. */
  start = 0;
  /** Line of `start`, from 1. */
  line = 1;
  /** Kind of the token. */
  kind: Doom3Kind = "mark";
  /** Reason why the last token could not be read, as a sentence without a full stop; null at the end of the text. */
  error: string | null = null;
  #parts: [start: number, end: number][] = [];
  #currentLine = 1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const end = bytes.indexOf(0);
    this.#length = end < 0 ? bytes.length : end;
  }

  /** Returns the token, strings without their quotes. */
  get text(): string {
    let text = "";
    for (const [start, end] of this.#parts) {
      text += decoder.decode(this.#bytes.subarray(start, Math.min(end, start + maxText)));
      if (text.length >= maxText) break;
    }
    return text.slice(0, maxText);
  }

  /** Returns whether the token is this brace, not quoted. */
  isBrace(brace: "{" | "}"): boolean {
    return this.kind === "brace" && this.#bytes[this.start] === brace.charCodeAt(0);
  }

  /** Moves to the next token. False at the end of the text, or if it cannot be read: then `error` is the reason. */
  next(): boolean {
    this.error = null;
    const isThere = this.#skipBlanksAndComments();
    this.start = this.position;
    this.line = this.#currentLine;
    this.#parts = [];
    if (!isThere) return false;
    const byte = this.#at(this.position);
    if (isDigit(byte) || (byte === 0x2e && isDigit(this.#at(this.position + 1)))) return this.#readNumber();
    if (byte === doubleQuote || byte === singleQuote) return this.#readString(byte);
    if (startsName(byte)) return this.#readName();
    return this.#readMark(byte);
  }

  /**
   * Skips tokens up to the matching closing brace.
   * @param depth Braces that are open already; with 0 the next token should be an opening brace, and any other token is
   * skipped alone.
   * @returns False if the text ends before the brace, or cannot be read.
   */
  skipBraces(depth: number): boolean {
    let open = depth;
    do {
      if (!this.next()) return false;
      if (this.isBrace("{")) open++;
      else if (this.isBrace("}")) open--;
    } while (open !== 0);
    return true;
  }

  #at(index: number): number {
    return index < this.#length ? elementAt(this.#bytes, index) : 0;
  }

  #step(): void {
    if (this.#at(this.position) === lineFeed) this.#currentLine++;
    this.position++;
  }

  /** Skips whitespace and comments; false at the end of the text. */
  #skipBlanksAndComments(): boolean {
    for (;;) {
      let byte = this.#at(this.position);
      while (this.position < this.#length && (byte <= blank || byte >= 0x80)) {
        this.#step();
        byte = this.#at(this.position);
      }
      if (this.position >= this.#length) return false;
      const after = this.#at(this.position + 1);
      if (byte === slash && after === slash) {
        while (this.position < this.#length && this.#at(this.position) !== lineFeed) this.position++;
        if (this.position < this.#length) this.#step();
      } else if (byte === slash && after === star) {
        this.position += 2;
        // The star of the opening may be part of the closing: /*/ is a whole comment.
        while (
          this.position < this.#length &&
          !(this.#at(this.position) === slash && this.#at(this.position - 1) === star)
        ) this.#step();
        // One character after the slash is skipped too; a newline there is not counted.
        this.position = Math.min(this.position + 2, this.#length);
      } else return true;
    }
  }

  #fail(error: string): false {
    this.error = error;
    return false;
  }

  #found(kind: Doom3Kind): true {
    this.kind = kind;
    if (kind !== "string") this.#parts = [[this.start, this.position]];
    return true;
  }

  #readName(): boolean {
    do this.position++; while (continuesName(this.#at(this.position)));
    return this.#found("name");
  }

  #skipWhile(test: (byte: number) => boolean): void {
    while (test(this.#at(this.position))) this.position++;
  }

  #readNumber(): boolean {
    const second = this.#at(this.position + 1);
    if (this.#at(this.position) === 0x30 && second !== 0x2e) {
      const letter = String.fromCharCode(second).toLowerCase();
      this.position += letter === "x" || letter === "b" ? 2 : 1;
      if (letter === "x") this.#skipWhile(isHexDigit);
      else this.#skipWhile((byte) => byte >= 0x30 && byte <= (letter === "b" ? 0x31 : 0x37));
      this.#readIntegerSuffix();
      return this.#found("number");
    }
    let dots = 0;
    for (let byte = this.#at(this.position); isDigit(byte) || byte === 0x2e; byte = this.#at(this.position)) {
      if (byte === 0x2e) dots++;
      this.position++;
    }
    const letter = String.fromCharCode(this.#at(this.position));
    if (letter === "e" && dots === 0) dots++;
    if (dots > 1) return this.#fail("a number has more than one dot");
    if (dots === 0) this.#readIntegerSuffix();
    else this.#readFraction(letter);
    return this.#found("number");
  }

  #readIntegerSuffix(): void {
    for (let count = 0; count < 2 && /[lLuU]/.test(String.fromCharCode(this.#at(this.position))); count++) {
      this.position++;
    }
  }

  #readFraction(letter: string): void {
    if (letter === "e") {
      this.position++;
      if (/[+-]/.test(String.fromCharCode(this.#at(this.position)))) this.position++;
      this.#skipWhile(isDigit);
    } else if (letter === "#") {
      // Infinite and undefined numbers: 1.#INF. The engine reports them and continues.
      this.position = Math.min(this.position + 4, this.#length);
      this.#skipWhile(isDigit);
    }
    if (/[fFlL]/.test(String.fromCharCode(this.#at(this.position)))) this.position++;
  }

  /** Reads a string; strings with a backslash between them are joined. */
  #readString(quote: number): boolean {
    for (;;) {
      this.position++;
      const start = this.position;
      for (let byte = this.#at(start); byte !== quote; byte = this.#at(this.position)) {
        if (this.position >= this.#length) return this.#fail("a string is not closed");
        if (byte === lineFeed) return this.#fail("a string continues over the end of its line");
        this.position++;
      }
      this.#parts.push([start, this.position]);
      this.position++;
      const after = this.position;
      const line = this.#currentLine;
      const continues = quote === doubleQuote && this.#skipBlanksAndComments() && this.#at(this.position) === backslash;
      if (!continues) {
        this.position = after;
        this.#currentLine = line;
        return this.#found("string");
      }
      this.position++;
      if (!this.#skipBlanksAndComments() || this.#at(this.position) !== quote) {
        return this.#fail("no string follows a string and a backslash");
      }
    }
  }

  #readMark(byte: number): boolean {
    const length = Math.min(3, this.#length - this.position);
    const text = String.fromCharCode(...this.#bytes.subarray(this.position, this.position + length));
    const long = longMarks.find((mark) => text.startsWith(mark));
    const mark = long ?? String.fromCharCode(byte);
    if (!long && !shortMarks.includes(mark)) return this.#fail(`"${mark}" cannot start a word`);
    this.position += mark.length;
    return this.#found(mark === "{" || mark === "}" ? "brace" : "mark");
  }
}
