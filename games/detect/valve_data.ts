/**
 * Parses Valve's text format (KeyValues, VDF) of Steam's libraries and manifests:
 *
 * ```text
 * "libraryfolders"
 * {
 *   "0" { "path" "/home/me/.local/share/Steam" }
 * }
 * ```
 *
 * A key is followed by a string or a block; `//` begins a comment; in quotes, `\\`, `\"`, `\n` and `\t` are escapes
 * (developer.valvesoftware.com/wiki/KeyValues). A condition such as
 * `[$WIN32]` follows a value. `#include` and `#base` are read as keys.
 * @module
 */

/** A block: keys in the order of the file; the first of equal keys counts, as in Steam. */
export type ValveBlock = ReadonlyMap<string, string | ValveBlock>;

/** A text that is not in Valve's format. */
export class ValveDataError extends Error {
  /** Name of the class. */
  override readonly name = "ValveDataError";
}

/** Maximum nesting of blocks; Steam's files have four levels. */
const maxNested = 32;

const tokenPattern = /\s+|\/\/[^\n]*|(")|([{}])|([^\s{}"]+)/y;

/** A key, with its string or the pairs of its block. */
export interface ValvePair {
  /** Key in lower case: Steam has used several spellings. */
  readonly key: string;
  readonly value: string | readonly ValvePair[];
}

/** Words of conditions that are true on Linux: `KeyValues::EvaluateConditional` of tier1/KeyValues.cpp. */
const trueConditions: ReadonlySet<string> = new Set(["$WIN32", "$LINUX", "$POSIX"]);

/** Returns whether a condition such as `[!$X360]` is true. */
function holds(condition: string): boolean {
  const terms = condition.slice(1, -1).split("||").map((term) => term.split("&&").map((word) => word.trim()));
  return terms.some((words) =>
    words.every((word) => word.startsWith("!") !== trueConditions.has(word.replace(/^!/, "").toUpperCase()))
  );
}

/**
 * Parses a text into pairs, in order; duplicate keys are kept, and pairs whose condition is false are omitted.
 * @throws {ValveDataError} if the text is not in the format.
 */
export function parseValvePairs(text: string): ValvePair[] {
  const root: ValvePair[] = [];
  const open: ValvePair[][] = [root];
  let key: string | undefined;
  for (const { word, isQuoted } of tokensOf(text)) {
    const block = open.at(-1) ?? root;
    if (!isQuoted && /^\[[^\]]*\]$/.test(word) && key === undefined) {
      if (!holds(word)) block.pop();
    } else if (!isQuoted && word === "}") {
      if (key !== undefined || open.length === 1) throw new ValveDataError('a "}" has no beginning');
      open.pop();
    } else if (!isQuoted && word === "{") {
      if (key === undefined) throw new ValveDataError('a "{" has no name before it');
      if (open.length > maxNested) throw new ValveDataError(`blocks are nested more than ${maxNested} times`);
      const inner: ValvePair[] = [];
      block.push({ key, value: inner });
      open.push(inner);
      key = undefined;
    } else if (key === undefined) {
      key = word.toLowerCase();
    } else {
      block.push({ key, value: word });
      key = undefined;
    }
  }
  if (key !== undefined) throw new ValveDataError(`"${key}" has no value`);
  if (open.length > 1) throw new ValveDataError('a "{" has no end');
  return root;
}

/**
 * Parses a text into blocks; the first of equal keys counts.
 * @throws {ValveDataError} if the text is not in the format.
 */
export function parseValveData(text: string): ValveBlock {
  return blockOfPairs(parseValvePairs(text));
}

function blockOfPairs(pairs: readonly ValvePair[]): ValveBlock {
  const block = new Map<string, string | ValveBlock>();
  for (const { key, value } of pairs) {
    if (!block.has(key)) block.set(key, typeof value === "string" ? value : blockOfPairs(value));
  }
  return block;
}

function* tokensOf(text: string): Generator<{ word: string; isQuoted: boolean }> {
  const pattern = new RegExp(tokenPattern);
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const [, quote, brace, bare] = pattern.exec(text) ?? [];
    if (quote !== undefined) {
      const end = endOfQuote(text, start + 1);
      yield { word: unescaped(text.slice(start + 1, end)), isQuoted: true };
      pattern.lastIndex = end + 1;
    } else if (brace !== undefined || bare !== undefined) yield { word: brace ?? bare ?? "", isQuoted: false };
  }
}

/**
 * Returns the position of the quote that ends a string; an expression for it overflows the stack on a long one.
 * @throws {ValveDataError} if there is none.
 */
function endOfQuote(text: string, start: number): number {
  for (let position = start; position < text.length; position++) {
    if (text[position] === "\\") position++;
    else if (text[position] === '"') return position;
  }
  throw new ValveDataError(`the quote at character ${start - 1} has no end`);
}

function unescaped(text: string): string {
  return text.replaceAll(
    /\\([^])/g,
    (_match, letter: string) => letter === "n" ? "\n" : letter === "t" ? "\t" : letter,
  );
}

/** Returns a named block in a block, or an empty one. */
export function blockOf(block: ValveBlock, name: string): ValveBlock {
  const value = block.get(name);
  return typeof value === "object" ? value : new Map();
}

/** Returns a named string in a block, or undefined. */
export function textOf(block: ValveBlock, name: string): string | undefined {
  const value = block.get(name);
  return typeof value === "string" ? value : undefined;
}
