/**
 * Definitions in Quake III's `scripts/*.shader`, as each engine finds them.
 *
 * ioquake3 first looks every file over and ignores those that are not well formed; then it puts the others one behind
 * the other, the file listed last in front, takes the comments out, and takes the first definition of a name. The
 * original engine does not look files over. Fact sources: ioquake/ioq3 code/renderergl1/tr_shader.c
 * `ScanAndLoadShaderFiles`, `FindShaderInShaderText`; id-Software/Quake-III-Arena code/renderer/tr_shader.c;
 * Chomenor/ioef-cmod fsc_shader.c.
 * @module
 */
import { type CompressedText, compressText, Quake3Tokens, textLength } from "./quake3_tokens.ts";
import type { Definition, ScanWarning } from "./shader_scan.ts";

const lineFeed = 0x0a;

/** What a forgiving reading of a file finds: every block with a word in front of it. */
export interface Quake3Scan {
  readonly definitions: readonly Definition[];
  readonly warnings: readonly ScanWarning[];
}

/** Why ioquake3 ignores a file, as a sentence without a full stop, and where. */
export interface IgnoredFile extends ScanWarning {
  /** The definition that was not well formed. */
  readonly name: string;
}

function definition(name: string, start: number, nameOffset: number, end: number, line: number): Definition {
  return { type: "shader", name: name.toLowerCase(), start, offset: nameOffset, end, nameOffset, line };
}

/**
 * Reads a file as forgivingly as Chomenor's file system does: a definition is a block and the last word in front of it.
 * What it had to pass over is told in the warnings.
 */
export function scanQuake3Shaders(bytes: Uint8Array): Quake3Scan {
  const tokens = new Quake3Tokens(bytes);
  const definitions: Definition[] = [];
  const warnings: ScanWarning[] = [];
  let name: { text: string; offset: number; line: number; start: number } | undefined;
  let start = 0;
  while (tokens.next()) {
    if (tokens.brace !== 1) {
      if (name) warnings.push({ line: name.line, message: `"${name.text}" has no block` });
      name = { text: tokens.text, offset: tokens.start, line: tokens.line, start };
      start = tokens.position;
      continue;
    }
    const { line } = tokens;
    const isClosed = tokens.skipBraces(1);
    if (!name) warnings.push({ line, message: "a block has no name" });
    else if (!isClosed) warnings.push({ line: name.line, message: `the block of "${name.text}" is not closed` });
    else definitions.push(definition(name.text, name.start, name.offset, tokens.position, name.line));
    name = undefined;
    start = tokens.position;
  }
  if (name) warnings.push({ line: name.line, message: `"${name.text}" has no block` });
  return { definitions, warnings };
}

/** Looks a file over as ioquake3 does before it takes it. Null if it does. */
export function ioquake3Ignores(bytes: Uint8Array): IgnoredFile | null {
  const tokens = new Quake3Tokens(bytes);
  while (tokens.next() && !tokens.isEmpty) {
    const { line, text: name } = tokens;
    if (!tokens.next() || tokens.brace !== 1) {
      const found = tokens.isEmpty ? "" : ` but "${tokens.text}"`;
      return { name, line, message: `shader "${name}" has no opening {${found}` };
    }
    if (!tokens.skipBraces(1)) return { name, line, message: `shader "${name}" has no closing }` };
  }
  return null;
}

/** A definition of one of several files. */
export interface FileDefinition {
  /** Which of the files. */
  readonly file: number;
  readonly definition: Definition;
}

/** How many of the ascending `values` are not above `limit`. */
function countUpTo(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Line numbers of places that are asked for in no particular order. */
class LineFinder {
  readonly #starts: number[] = [0];

  constructor(bytes: Uint8Array) {
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) this.#starts.push(at + 1);
  }

  lineOf(offset: number): number {
    return countUpTo(this.#starts, offset);
  }
}

/** A text made of files, and the way back to them. */
interface JoinedText {
  readonly bytes: Uint8Array;
  /** By file: where it starts in `bytes`. */
  readonly starts: readonly number[];
  /** The file and the offset in it that a byte came from. */
  locationOf(index: number): { file: number; offset: number };
  /** Length of a file's text. */
  lengthOf(file: number): number;
  /** The line of an offset in a file. */
  lineOf(file: number, offset: number): number;
}

/** Files one behind the other, the last in front, compressed as a whole or each by itself. */
function joinTexts(files: readonly Uint8Array[], engine: "ioquake3" | "quake3"): JoinedText {
  const lengths = files.map(textLength);
  const joined = new Uint8Array(lengths.reduce((sum, length) => sum + length + 1, 0));
  /** By place, from the front: where the file starts in `joined`. The file at place `p` is number `last - p`. */
  const origins: number[] = [];
  let position = 0;
  for (const [place, file] of files.toReversed().entries()) {
    if (engine === "quake3") joined[position++] = lineFeed;
    origins.push(position);
    const length = lengths[files.length - 1 - place] ?? 0;
    joined.set(file.subarray(0, length), position);
    position += length;
    if (engine === "ioquake3") joined[position++] = lineFeed;
  }
  const text = engine === "ioquake3" ? { ...compressText(joined), starts: [] } : compressEach(joined, origins);
  const lines = new Map<number, LineFinder>();
  return {
    bytes: text.bytes,
    starts: text.starts.toReversed(),
    locationOf(index) {
      const origin = text.origins[index] ?? 0;
      const place = Math.max(0, countUpTo(origins, origin) - 1);
      return { file: files.length - 1 - place, offset: Math.max(0, origin - (origins[place] ?? 0)) };
    },
    lengthOf: (file) => lengths[file] ?? 0,
    lineOf(file, offset) {
      const known = lines.get(file) ?? new LineFinder(files[file] ?? joined);
      lines.set(file, known);
      return known.lineOf(offset);
    },
  };
}

/** The original engine compresses every file before it puts the next behind it, each after a line end of its own. */
function compressEach(joined: Uint8Array, fileStarts: readonly number[]): CompressedText & { starts: number[] } {
  const bytes = new Uint8Array(joined.length);
  const origins = new Uint32Array(joined.length);
  const starts: number[] = [];
  let written = 0;
  fileStarts.forEach((start, place) => {
    bytes[written] = lineFeed;
    origins[written++] = start;
    starts.push(written);
    const end = place + 1 < fileStarts.length ? (fileStarts[place + 1] ?? 0) - 1 : joined.length;
    const part = compressText(joined.subarray(start, end));
    bytes.set(part.bytes, written);
    part.origins.forEach((origin, index) => origins[written + index] = origin + start);
    written += part.bytes.length;
  });
  return { bytes: bytes.subarray(0, written), origins: origins.subarray(0, written), starts };
}

/** The definition that starts at the next word, or undefined where an engine stops looking. */
function readDefinition(tokens: Quake3Tokens, text: JoinedText): FileDefinition | undefined {
  const before = text.locationOf(tokens.position);
  if (!tokens.next() || tokens.isEmpty) return undefined;
  const { file, offset } = text.locationOf(tokens.start);
  const name = tokens.text;
  tokens.skipBraces(0);
  const last = text.locationOf(tokens.position - 1);
  // Where the braces of files do not match, a block may end in a later file.
  const end = last.file === file ? Math.min(last.offset + 1, text.lengthOf(file)) : text.lengthOf(file);
  const start = before.file === file ? Math.min(before.offset, offset) : 0;
  return { file, definition: definition(name, start, offset, end, text.lineOf(file, offset)) };
}

/**
 * The definitions that an engine knows of, in the order in which it compares their names with the one it looks for: of
 * equal names the first answers. Definitions that only seem to be there do not occur.
 * @param files Contents of the files that the engine reads, in the order it lists them.
 */
export function findQuake3Shaders(files: readonly Uint8Array[], engine: "ioquake3" | "quake3"): FileDefinition[] {
  const text = joinTexts(files, engine);
  const tokens = new Quake3Tokens(text.bytes);
  const found: FileDefinition[] = [];
  const known = new Set<string>();
  const add = (item: FileDefinition) => {
    const place = `${item.file}:${item.definition.offset}`;
    if (!known.has(place)) found.push(item);
    known.add(place);
  };
  // The original engine stops reading a file behind its first definition, because it compares the wrong addresses. Only
  // from the file listed last it reads on, and then through the whole text.
  for (const start of text.starts.slice(0, -1)) {
    tokens.position = start;
    const first = readDefinition(tokens, text);
    if (first) add(first);
  }
  tokens.position = 0;
  for (let item = readDefinition(tokens, text); item; item = readDefinition(tokens, text)) add(item);
  return found;
}
