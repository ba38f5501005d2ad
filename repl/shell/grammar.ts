/**
 * Command lines of the REPL and of scripts: words separated by whitespace.
 *
 * `'...'` is literal. `"..."` knows the escapes `\n`, `\t`, `\r`, `\0`, `\e`, `\"`, `\\`, `\xHH` and `\u{H}` (HH and H:
 * hexadecimal code points). Outside quotes `\` escapes the next character. Adjacent quoted and bare parts are one word.
 * A line whose first character is `#` is a comment. Commands are separated by a bare `;`. A bare `|` is followed by a
 * shell command, to the end of the line; a bare `>` or `>>` by a file for the results. A line that starts with `!` is a
 * shell command; a line that starts with `SELECT`, `WITH`, `VALUES` or `EXPLAIN` is an SQL statement, which may
 * continue until a line ends in `;`.
 * @module
 */
import { hostPath, UsageError } from "../../system/mod.ts";

/** Quote of the last word of an unfinished line. */
export type Quote = "" | '"' | "'";

/** A line typed so far. */
export interface PartialLine {
  /** Words before the last one. */
  words: string[];
  /** Last word so far, without quotes; empty after whitespace. */
  last: string;
  /** Offset of the last word in the line, with its opening quote, in UTF-16 units. */
  start: number;
  /** The quote around the last word, if it is open. */
  quote: Quote;
  /** Whether the last word is part of a shell command or is the file after `>`. */
  isOfShell: boolean;
}

/** Destination of the results of one command: a shell command after `|`, or a file after `>` or `>>`. */
export type Destination =
  | { readonly kind: "program"; readonly command: string }
  | { readonly kind: "file"; readonly path: string; readonly append: boolean };

/** One command of a line. */
export interface Statement {
  readonly words: readonly string[];
  /** Undefined for the screen. */
  readonly into?: Destination;
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

interface Scanned {
  words: string[];
  last: string;
  start: number;
  quote: Quote;
  /** Whether a last word has begun, even an empty quoted one. */
  begun: boolean;
  /** Offset of the bare `|`, `;` or `>` that ends it, or the length of the line. */
  end: number;
}

/** Reads the words of a line from an offset up to a bare `|`, `;` or `>`, which belongs to no word. */
function scan(line: string, from = 0): Scanned {
  const scanned: Scanned = { words: [], last: "", start: from, quote: "", begun: false, end: line.length };
  let position = from;
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
    } else if (character === "|" || character === ";" || character === ">") {
      scanned.end = position;
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
  if (!scanned.begun) scanned.start = scanned.end;
  return scanned;
}

/** Returns whether a line is empty or a comment. */
export function isBlank(line: string): boolean {
  const trimmed = line.trimStart();
  return trimmed === "" || trimmed.startsWith("#");
}

/** Returns whether a line is an SQL statement, which `sql` gets unchanged. */
export function isSql(line: string): boolean {
  return /^\s*(?:select|with|values|explain)\b/i.test(line);
}

/** A closed string, name or comment of SQL; or an unclosed one, up to the end. */
const closedSql = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*\n|\/\*.*?\*\//gs;
const openSql = /['"`[]|--|\/\*/;

/** Returns whether a line is an SQL statement that continues in the next line: it has no semicolon at its end. */
export function isOpenSql(line: string): boolean {
  if (!isSql(line)) return false;
  const rest = `${line}\n`.replaceAll(closedSql, " ");
  return openSql.test(rest) || !rest.trimEnd().endsWith(";");
}

/** A line that goes to the shell unchanged. */
const shellLine = /^\s*(?:!|\.shell\s)\s*(.*)$/s;

/** Returns all words; a first word `?` means `help`. */
function wordsOf({ words, last, begun }: Scanned): string[] {
  const [first, ...others] = begun ? [...words, last] : words;
  return first === undefined ? [] : [first === "?" ? "help" : first, ...others];
}

/** Returns the words up to a bare `|`, `;` or `>`, and its offset. */
function closedWords(line: string, from: number): { words: string[]; end: number } {
  const scanned = scan(line, from);
  const { quote, start, end } = scanned;
  if (quote !== "") throw new UsageError(`column ${start + 1}: the ${quote} quote is not closed`);
  return { words: wordsOf(scanned), end };
}

function fileBehind(line: string, position: number): { into: Destination; end: number } {
  const append = line[position + 1] === ">";
  const { words: [path, ...more], end } = closedWords(line, position + (append ? 2 : 1));
  const sign = append ? ">>" : ">";
  if (path === undefined || path === "") {
    throw new UsageError(`column ${position + 1}: no file after "${sign}"; quote > to mean the character itself`);
  }
  if (more.length > 0) throw new UsageError(`column ${position + 1}: more than one file after "${sign}"`);
  if (line[end] === "|" || line[end] === ">") {
    throw new UsageError(`column ${end + 1}: the results go to ${path} already`);
  }
  return { into: { kind: "file", path: hostPath(path), append }, end };
}

/**
 * Splits a whole line into its commands.
 * @throws {UsageError} if a quote is not closed, an escape is unknown or a `|` or `>` lacks an operand; the message has
 * the column.
 */
export function splitLine(line: string): Statement[] {
  if (isSql(line)) return [{ words: ["sql", line.trim()] }];
  const statements: Statement[] = [];
  const called = shellLine.exec(line);
  if (called) return [{ words: [".shell", ...called[1] ? [called[1].trim()] : []] }];
  for (let from = 0; from < line.length;) {
    const { words, end } = closedWords(line, from);
    const sign = line[end];
    if (words.length === 0 && (sign === "|" || sign === ">")) {
      throw new UsageError(`column ${end + 1}: nothing before "${sign}"; quote ${sign} to mean the character itself`);
    }
    if (sign === "|") {
      const command = line.slice(end + 1).trim();
      if (command === "") {
        throw new UsageError(`column ${end + 1}: nothing after "|"; quote | to mean the character itself`);
      }
      return [...statements, { words, into: { kind: "program", command } }];
    }
    if (sign === ">") {
      const file = fileBehind(line, end);
      statements.push({ words, into: file.into });
      from = file.end + 1;
    } else {
      if (words.length > 0) statements.push({ words });
      from = end + 1;
    }
  }
  return statements;
}

/** Splits the last command of an unfinished line; an unfinished escape is omitted. */
export function splitPartial(line: string): PartialLine {
  const shellWord = (from: number): PartialLine => {
    const start = Math.max(line.search(/\S*$/), from);
    return { words: [], last: line.slice(start), start, quote: "", isOfShell: true };
  };
  const called = shellLine.exec(line);
  if (called) return shellWord(line.length - (called[1] ?? "").length);
  try {
    let isOfShell = false;
    for (let from = 0;;) {
      const { words, last, start, quote, end } = scan(line, from);
      const sign = line[end];
      if (sign === undefined) return { words, last, start, quote, isOfShell };
      if (sign === "|") return shellWord(end + 1);
      isOfShell = sign === ">";
      from = end + 1;
    }
  } catch {
    return { words: [], last: "", start: line.length, quote: "", isOfShell: false };
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

/** Quotes `word` so that {@linkcode splitLine} reads it back, in characters that are safe to show on a terminal. */
export function quoteWord(word: string, quote: Quote = ""): string {
  if (quote === "" && word !== "" && /^[\p{L}\p{N}_\-./+=,:@%*?~^!$&<{}()\[\]]+$/u.test(word)) return word;
  if (quote === "'" && word.search(needsEscape) < 0 && !word.includes("'")) return `'${word}'`;
  return `"${word.replaceAll(needsEscape, escaped)}"`;
}
