/**
 * Reads Valve's text format (KeyValues, VDF), in which Steam keeps its libraries and the manifests of its games:
 *
 * ```text
 * "libraryfolders"
 * {
 *   "0" { "path" "/home/me/.local/share/Steam" }
 * }
 * ```
 *
 * A key is followed by a text or by a block; `//` begins a comment; in quotes, `\\`, `\"`, `\n` and `\t` are escapes
 * (developer.valvesoftware.com/wiki/KeyValues). Everything else that the format knows (`#include`, conditions) does
 * not occur in these files and is read as text.
 * @module
 */

/** A block: keys in the order of the file; of two equal keys the first counts, as for Steam. */
export type ValveBlock = ReadonlyMap<string, string | ValveBlock>;

/** A text is not in Valve's format. */
export class ValveDataError extends Error {
  /** Name of the class. */
  override readonly name = "ValveDataError";
}

/** Maximum nesting of blocks; Steam's files have four levels. */
const maxNested = 32;

const tokenPattern = /\s+|\/\/[^\n]*|"((?:[^"\\]|\\[^])*)"|([{}])|([^\s{}"]+)/y;

/**
 * Parses a text into blocks. Keys are in small letters: Steam has spelled them in several ways.
 * @throws {ValveDataError} if the text is not in the format.
 */
export function parseValveData(text: string): ValveBlock {
  const tokens = tokensOf(text);
  const root = new Map<string, string | ValveBlock>();
  const open: Map<string, string | ValveBlock>[] = [root];
  let key: string | undefined;
  for (const { word, isQuoted } of tokens) {
    const block = open.at(-1) ?? root;
    if (!isQuoted && word === "}") {
      if (key !== undefined || open.length === 1) throw new ValveDataError('a "}" has no beginning');
      open.pop();
    } else if (!isQuoted && word === "{") {
      if (key === undefined) throw new ValveDataError('a "{" has no name in front of it');
      if (open.length > maxNested) throw new ValveDataError(`blocks are nested more than ${maxNested} times`);
      const inner = new Map<string, string | ValveBlock>();
      if (!block.has(key)) block.set(key, inner);
      open.push(inner);
      key = undefined;
    } else if (key === undefined) {
      key = word.toLowerCase();
    } else {
      if (!block.has(key)) block.set(key, word);
      key = undefined;
    }
  }
  if (key !== undefined) throw new ValveDataError(`"${key}" has no value`);
  if (open.length > 1) throw new ValveDataError('a "{" has no end');
  return root;
}

function* tokensOf(text: string): Generator<{ word: string; isQuoted: boolean }> {
  const pattern = new RegExp(tokenPattern);
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const found = pattern.exec(text);
    if (!found) throw new ValveDataError(`the quote at character ${start} has no end`);
    const [, quoted, brace, bare] = found;
    if (quoted !== undefined) yield { word: unescaped(quoted), isQuoted: true };
    else if (brace !== undefined || bare !== undefined) yield { word: brace ?? bare ?? "", isQuoted: false };
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, (_match, letter: string) => ({ n: "\n", t: "\t" })[letter] ?? letter);
}

/** Returns the block of a name in a block, or an empty one. */
export function blockOf(block: ValveBlock, name: string): ValveBlock {
  const value = block.get(name);
  return typeof value === "object" ? value : new Map();
}

/** Returns the text of a name in a block, or undefined. */
export function textOf(block: ValveBlock, name: string): string | undefined {
  const value = block.get(name);
  return typeof value === "string" ? value : undefined;
}
