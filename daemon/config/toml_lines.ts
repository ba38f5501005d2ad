/**
 * Lines of the values of a TOML text, for error messages. The text has been parsed already, so this scanner skips any
 * syntax that it does not know.
 * @module
 */
import type { KeyPath } from "../../engines/mod.ts";

/** Lines of the values of a TOML text. */
export class TomlLines {
  readonly #lines: ReadonlyMap<string, number>;

  constructor(text: string) {
    this.#lines = new Follower(text).follow();
  }

  /** Returns the line of a value, or of the nearest table or list around it, from 1; undefined if it is not found. */
  lineOf(keyPath: KeyPath): number | undefined {
    for (let length = keyPath.length; length > 0; length--) {
      const line = this.#lines.get(keyOf(keyPath.slice(0, length)));
      if (line !== undefined) return line;
    }
    return undefined;
  }
}

function keyOf(keyPath: KeyPath): string {
  return JSON.stringify(keyPath);
}

const bareKey = /[A-Za-z0-9_-]+/y;
const blank = /[ \t]*/y;
/** Separators between the values of a list: whitespace, newlines, commas and comments. */
const gap = /(?:[ \t\r\n,]|#[^\n]*)*/y;
const texts = [/"""(?:[^\\]|\\[^])*?"{3,5}/y, /'''[^]*?'{3,5}/y, /"(?:[^"\\\n]|\\.)*"/y, /'[^'\n]*'/y];
const plainValue = /[^,\]}\n#]*/y;

class Follower {
  readonly #text: string;
  readonly #lines = new Map<string, number>();
  /** Items of lists of tables so far. */
  readonly #counts = new Map<string, number>();
  #position = 0;
  #line = 1;
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  follow(): Map<string, number> {
    let table: KeyPath = [];
    this.#skip(gap);
    while (this.#position < this.#text.length) {
      const before = this.#position;
      if (this.#text[before] === "[") table = this.#header();
      else this.#keyValue(table);
      this.#skip(gap);
      if (this.#position === before) this.#position++;
    }
    return this.#lines;
  }

  #header(): KeyPath {
    const isList = this.#text.startsWith("[[", this.#position);
    this.#position += isList ? 2 : 1;
    const names = this.#key();
    const keyPath: (string | number)[] = [];
    for (const [index, name] of names.entries()) {
      keyPath.push(name);
      const key = keyOf(keyPath);
      const count = this.#counts.get(key);
      if (isList && index === names.length - 1) {
        this.#counts.set(key, (count ?? -1) + 1);
        keyPath.push((count ?? -1) + 1);
        if (count === undefined) this.#note([...keyPath.slice(0, -1)]);
      } else if (count !== undefined) keyPath.push(count);
    }
    this.#note(keyPath);
    this.#position += isList ? 2 : 1;
    return keyPath;
  }

  #keyValue(table: KeyPath): void {
    const keyPath = [...table, ...this.#key()];
    this.#note(keyPath);
    this.#skip(blank);
    if (this.#text[this.#position] === "=") this.#position++;
    this.#skip(blank);
    this.#value(keyPath);
  }

  /** A key, with its dots; leaves the position after it. */
  #key(): string[] {
    const names: string[] = [];
    for (;;) {
      this.#skip(blank);
      const quoted = this.#skip(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y);
      names.push(quoted === "" ? this.#skip(bareKey) : unquoted(quoted));
      this.#skip(blank);
      if (this.#text[this.#position] !== ".") return names;
      this.#position++;
    }
  }

  #value(keyPath: KeyPath): void {
    const first = this.#text[this.#position];
    if (first === "[") this.#items("]", (index) => this.#item([...keyPath, index]));
    else if (first === "{") this.#items("}", () => this.#keyValue(keyPath));
    else if (!texts.some((pattern) => this.#skip(pattern) !== "")) this.#skip(plainValue);
  }

  #item(keyPath: KeyPath): void {
    this.#note(keyPath);
    this.#value(keyPath);
  }

  #items(end: string, one: (index: number) => void): void {
    this.#position++;
    for (let index = 0;; index++) {
      this.#skip(gap);
      const before = this.#position;
      if (before >= this.#text.length) return;
      if (this.#text[before] === end) break;
      one(index);
      if (this.#position === before) this.#position++;
    }
    this.#position++;
  }

  #note(keyPath: KeyPath): void {
    while (this.#counted < this.#position) {
      if (this.#text[this.#counted++] === "\n") this.#line++;
    }
    this.#lines.set(keyOf(keyPath), this.#line);
  }

  /** Skips and returns a match of a pattern at the position; empty if it does not match. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#position += found.length;
    return found;
  }
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1); // single quotes, or an escape that JSON lacks: such a key is unknown anyway
  }
}
