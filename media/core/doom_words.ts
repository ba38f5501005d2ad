/**
 * Words of the text lumps of Doom's engines: MAPINFO, DECORATE, ZScript, TEXTURES, SNDINFO. Comments are as in C.
 * @module
 */
import { MediaError } from "./reader.ts";

/** A word of a text. */
export interface DoomWord {
  /** Letters of the word; for a string the part between the quotes. */
  readonly text: string;
  readonly kind: "word" | "string" | "symbol";
  /** Offset of its first letter, in letters and in bytes of the file. */
  readonly offset: number;
  /** Line, from 1. */
  readonly line: number;
}

/** Maximum words of one text. */
const maxWords = 1_000_000;

// One byte per letter, so that positions are offsets.
const latin = new TextDecoder("latin1");

const token =
  /[\0-\x20]+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"((?:[^"\\]+|\\[\s\S]?)*)"?|(?:[\w$^.#'\\\x80-\uffff-]+|\/(?![/*]))+|[\s\S]/gy;

/**
 * Returns what a sticky pattern matches at a position.
 * @throws {MediaError} if that is too long.
 */
export function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  try {
    return pattern.exec(text);
  } catch (error) {
    // V8 runs out of room for millions of escapes in one string.
    if (error instanceof RangeError) throw new MediaError("it has a string that is too long", { offset: position });
    throw error;
  }
}

/**
 * Yields the words of a text; each letter of a symbol is a word.
 * @param ownLines Letter that begins a comment to the end of the line, such as `;`.
 * @throws {MediaError} if there are too many.
 */
export function* doomWords(bytes: Uint8Array, ownLines = ""): Generator<DoomWord> {
  const text = latin.decode(bytes);
  let line = 1;
  let count = 0;
  let position = 0;
  while (position < text.length) {
    const match = matchAt(token, text, position);
    if (!match) return;
    const [all, string] = match;
    const offset = position;
    position += all.length;
    const first = all.charCodeAt(0);
    if (first > 0x20 && !all.startsWith("//") && !all.startsWith("/*")) {
      if (all === ownLines) {
        const end = text.indexOf("\n", position);
        position = end < 0 ? text.length : end;
      } else {
        if (++count > maxWords) throw new MediaError(`it has more than ${maxWords} words`);
        const isWord = all.length > 1 || /[\w$^.#'/\\\x80-\uffff-]/.test(all);
        const kind = string === undefined ? isWord ? "word" : "symbol" : "string";
        yield { text: string ?? all, kind, offset, line };
      }
    }
    for (let next = all.indexOf("\n"); next >= 0; next = all.indexOf("\n", next + 1)) line++;
  }
}

/** Words of a text, read in order. */
export class DoomText {
  readonly #words: readonly DoomWord[];
  #at = 0;

  /** @throws {MediaError} as {@linkcode doomWords}. */
  constructor(bytes: Uint8Array, ownLines?: string) {
    this.#words = [...doomWords(bytes, ownLines)];
  }

  /** Whether all words have been read. */
  get isAtEnd(): boolean {
    return this.#at >= this.#words.length;
  }

  /** Position after the last word that was read. */
  get end(): number {
    const word = this.#words[Math.min(this.#at, this.#words.length) - 1];
    return word ? word.offset + word.text.length + (word.kind === "string" ? 2 : 0) : 0;
  }

  /** Returns the next word without reading it. */
  peek(ahead = 0): DoomWord | undefined {
    return this.#words[this.#at + ahead];
  }

  /** Reads a word. */
  next(): DoomWord | undefined {
    return this.#words[this.#at++];
  }

  /** Reads the next word if it is this one, in any case. */
  take(text: string): boolean {
    const word = this.peek();
    if (!word || word.kind === "string" || word.text.toLowerCase() !== text) return false;
    this.#at++;
    return true;
  }

  /**
   * Reads a block in braces, if one is next, and returns the words in it, without the outer braces; undefined if there
   * is none.
   */
  block(): DoomWord[] | undefined {
    if (!this.take("{")) return undefined;
    const found: DoomWord[] = [];
    let depth = 1;
    for (let word = this.next(); word; word = this.next()) {
      if (word.kind === "symbol" && word.text === "{") depth++;
      if (word.kind === "symbol" && word.text === "}" && --depth === 0) return found;
      found.push(word);
    }
    return found;
  }
}
