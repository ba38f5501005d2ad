/**
 * Command lines of the REPL and of scripts: words separated by blanks.
 *
 * `'...'` is literal. `"..."` knows the escapes `\n`, `\t`, `\r`, `\0`, `\e`, `\"`, `\\`, `\xHH` and `\u{H}` (HH and H:
 * hexadecimal code points). Outside quotes `\` escapes the next character. Quoted and bare parts that touch
 * are one word. A line whose first character is `#` is a comment. What follows a bare `|` is a command of the shell.
 * @module
 */
import { UsageError } from "../../command_line/usage.ts";

/** Quote of the last word of an unfinished line. */
export type Quote = "" | '"' | "'";

/** A line as far as it has been typed. */
export interface PartialLine {
  /** Words before the last one. */
  words: string[];
  /** Last word so far, without quotes; empty after a blank. */
  last: string;
  /** Offset of the last word in the line, with its opening quote, in UTF-16 units. */
  start: number;
  /** The quote the last word is in, if it is in one. */
  quote: Quote;
  /** Whether the last word belongs to the shell command behind `|`. */
  shell: boolean;
}

/** A whole line. */
export interface TypedLine {
  words: string[];
  /** Shell command behind `|`, or undefined. */
  shell: string | undefined;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  e: "\x1b",
  '"': '"',
  "\\": "\\",
};

interface Escaped {
  text: string;
  length: number;
}

function escapeAt(line: string, position: number): Escaped {
  const hexadecimal = /^\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\})/.exec(line.slice(position, position + 10));
  if (hexadecimal) {
    const code = Number.parseInt(hexadecimal[1] ?? hexadecimal[2] ?? "", 16);
    if (code <= 0x10ffff) return { text: String.fromCodePoint(code), length: hexadecimal[0].length };
  }
  const letter = line[position + 1] ?? "";
  const text = escapes[letter];
  if (text === undefined) {
    throw new UsageError(
      `column ${position + 1}: unknown escape \\${letter}; write \\\\ for a backslash, or use '...' quotes`,
    );
  }
  return { text, length: 2 };
}

interface Scanned extends PartialLine {
  /** Whether a last word has begun, even an empty quoted one. */
  begun: boolean;
  /** Offset of the first bare `|`, or undefined. */
  pipe: number | undefined;
}

function scan(line: string): Scanned {
  const scanned: Scanned = {
    words: [],
    last: "",
    start: 0,
    quote: "",
    shell: false,
    begun: false,
    pipe: undefined,
  };
  let position = 0;
  const begin = () => {
    if (scanned.begun) return;
    scanned.begun = true;
    scanned.start = position;
  };
  while (position < line.length) {
    const character = line[position] ?? "";
    if (scanned.quote === "'") {
      if (character === "'") scanned.quote = "";
      else scanned.last += character;
    } else if (scanned.quote === '"' && character === "\\" && position + 1 < line.length) {
      const { text, length } = escapeAt(line, position);
      scanned.last += text;
      position += length - 1;
    } else if (scanned.quote === '"') {
      if (character === '"') scanned.quote = "";
      else scanned.last += character;
    } else if (character === '"' || character === "'") {
      begin();
      scanned.quote = character;
    } else if (character === "|") {
      scanned.pipe = position;
      break;
    } else if (character === " " || character === "\t") {
      if (scanned.begun) scanned.words.push(scanned.last);
      scanned.begun = false;
      scanned.last = "";
    } else {
      begin();
      if (character === "\\" && position + 1 < line.length) position++;
      scanned.last += line[position] ?? "";
    }
    position++;
  }
  if (!scanned.begun) scanned.start = line.length;
  return scanned;
}

/** Returns whether a line is blank or a comment. */
export function isBlank(line: string): boolean {
  const trimmed = line.trimStart();
  return trimmed === "" || trimmed.startsWith("#");
}

/**
 * Splits a whole line into words and the shell command behind `|`.
 * @throws {UsageError} if a quote is not closed, an escape is unknown or a `|` has nothing on one of its sides; the
 * message names the column.
 */
export function splitLine(line: string): TypedLine {
  const { words, last, start, quote, begun, pipe } = scan(line.trimEnd().length === 0 ? "" : line);
  if (quote !== "") throw new UsageError(`column ${start + 1}: the ${quote} quote is not closed`);
  const all = begun ? [...words, last] : words;
  if (pipe === undefined) return { words: all, shell: undefined };
  const shell = line.slice(pipe + 1).trim();
  if (shell !== "" && all.length > 0) return { words: all, shell };
  const side = all.length === 0 ? "before" : "after";
  throw new UsageError(`column ${pipe + 1}: nothing ${side} "|"; quote | to mean the character itself`);
}

/** Splits an unfinished line; an unfinished escape is left out. */
export function splitPartial(line: string): PartialLine {
  try {
    const { words, last, start, quote, pipe } = scan(line);
    if (pipe === undefined) return { words, last, start, quote, shell: false };
    const begin = line.search(/\S*$/);
    return {
      words,
      last: line.slice(Math.max(begin, pipe + 1)),
      start: Math.max(begin, pipe + 1),
      quote: "",
      shell: true,
    };
  } catch {
    return { words: [], last: "", start: line.length, quote: "", shell: false };
  }
}

// deno-lint-ignore no-control-regex -- control characters are what must be found
const needsEscape = /["\\\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

function escaped(character: string): string {
  const name = Object.entries(escapes).find(([, meaning]) => meaning === character)?.[0];
  if (name !== undefined) return `\\${name}`;
  const code = character.codePointAt(0) ?? 0;
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/** Writes `word` so that {@linkcode splitLine} reads it back, in characters that are safe to show on a terminal. */
export function quoteWord(word: string, quote: Quote = ""): string {
  if (quote === "" && word !== "" && /^[\p{L}\p{N}_\-./+=,:;@%*?~^!$&<>{}()\[\]]+$/u.test(word)) return word;
  if (quote === "'" && word.search(needsEscape) < 0 && !word.includes("'")) return `'${word}'`;
  return `"${word.replaceAll(needsEscape, escaped)}"`;
}
