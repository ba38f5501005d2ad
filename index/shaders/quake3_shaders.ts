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
import { compressText, Quake3Tokens, textLength } from "./quake3_tokens.ts";
import type { Definition, ScanWarning } from "./shader_scan.ts";

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

/** Line numbers of places that are asked for in no particular order. */
class LineFinder {
  readonly #starts: number[] = [0];

  constructor(bytes: Uint8Array) {
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) this.#starts.push(at + 1);
  }

  lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A text made of files, and the way back to them. */
interface JoinedText {
  readonly bytes: Uint8Array;
  /** The file and the offset in it that a byte came from. */
  placeOf(index: number): { file: number; offset: number };
  /** Length of a file's text. */
  lengthOf(file: number): number;
  lineOf(file: number, offset: number): number;
}

/** Files in the order they are put together, with what stands between them, compressed as a whole or each by itself. */
function joinTexts(files: readonly Uint8Array[], order: readonly number[], engine: "ioquake3" | "quake3"): JoinedText {
  const lengths = files.map(textLength);
  const joined = new Uint8Array(order.reduce((sum, file) => sum + (lengths[file] ?? 0) + 1, 0));
  const starts: number[] = [];
  let position = 0;
  for (const file of order) {
    if (engine === "quake3") joined[position++] = 0x0a;
    starts.push(position);
    const length = lengths[file] ?? 0;
    joined.set((files[file] ?? joined).subarray(0, length), position);
    position += length;
    if (engine === "ioquake3") joined[position++] = 0x0a;
  }
  const { bytes, origins } = engine === "ioquake3" ? compressText(joined) : compressEach(joined, starts);
  const lines = new Map<number, LineFinder>();
  return {
    bytes,
    placeOf(index) {
      const origin = origins[index] ?? 0;
      let place = 0;
      let high = starts.length;
      while (place + 1 < high) {
        const middle = (place + high) >>> 1;
        if ((starts[middle] ?? 0) <= origin) place = middle;
        else high = middle;
      }
      return { file: order[place] ?? 0, offset: Math.max(0, origin - (starts[place] ?? 0)) };
    },
    lengthOf: (file) => lengths[file] ?? 0,
    lineOf(file, offset) {
      const known = lines.get(file) ?? new LineFinder((files[file] ?? joined).subarray(0, lengths[file]));
      lines.set(file, known);
      return known.lineOf(offset);
    },
  };
}

/** The original engine compresses every file before it puts the next behind it, each after a line end of its own. */
function compressEach(joined: Uint8Array, starts: readonly number[]): { bytes: Uint8Array; origins: Uint32Array } {
  const bytes = new Uint8Array(joined.length);
  const origins = new Uint32Array(joined.length);
  let written = 0;
  starts.forEach((start, place) => {
    bytes[written] = 0x0a;
    origins[written++] = start;
    const end = place + 1 < starts.length ? (starts[place + 1] ?? 0) - 1 : joined.length;
    const part = compressText(joined.subarray(start, end));
    bytes.set(part.bytes, written);
    part.origins.forEach((origin, index) => origins[written + index] = origin + start);
    written += part.bytes.length;
  });
  return { bytes: bytes.subarray(0, written), origins: origins.subarray(0, written) };
}

/**
 * The definitions that an engine knows of, in the order in which it compares their names with the one it looks for: of
 * equal names the first answers. Definitions that only seem to be there do not occur.
 * @param files Contents of the files that the engine reads, in the order it lists them.
 */
export function findQuake3Shaders(files: readonly Uint8Array[], engine: "ioquake3" | "quake3"): FileDefinition[] {
  const order = files.map((_file, index) => files.length - 1 - index);
  const text = joinTexts(files, order, engine);
  const tokens = new Quake3Tokens(text.bytes);
  const found: FileDefinition[] = [];
  let start = 0;
  while (tokens.next() && !tokens.isEmpty) {
    const place = text.placeOf(tokens.start);
    const before = text.placeOf(start);
    const { text: name } = tokens;
    tokens.skipBraces(0);
    const last = text.placeOf(tokens.position - 1);
    // Where the files' braces do not match a block may end in a later file.
    const end = last.file === place.file ? last.offset + 1 : text.lengthOf(place.file);
    const searched = before.file === place.file && start > 0 ? before.offset : 0;
    found.push({
      file: place.file,
      definition: definition(name, searched, place.offset, end, text.lineOf(place.file, place.offset)),
    });
    start = tokens.position;
  }
  return engine === "quake3" ? firstOfFilesFirst(found, files.length) : found;
}

/**
 * The original engine files the first definition of each file before all others, because it compares the wrong
 * addresses: only from the file listed last does it read on, and then through the whole text.
 */
function firstOfFilesFirst(found: readonly FileDefinition[], files: number): FileDefinition[] {
  const firsts: (FileDefinition | undefined)[] = new Array(files).fill(undefined);
  for (const item of found) firsts[item.file] ??= item;
  return [...new Set([...firsts.slice(0, -1).filter((item) => item !== undefined), ...found])];
}
