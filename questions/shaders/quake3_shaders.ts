/**
 * Definitions in shader files of Quake III's family, as each engine finds them: it checks the files, joins those that
 * it does not ignore, the last listed file first, and searches the whole text for a name. {@linkcode JoinedShaders} has
 * the differences. Source of the tolerant scan: Chomenor/ioef-cmod fsc_shader.c.
 * @module
 */
import { type CompressedText, compressText, Quake3Tokens, textLength } from "./quake3_tokens.ts";
import type { JoinedShaders } from "../../engines/mod.ts";
import type { Definition, ScanWarning, ShaderScan } from "./shader_scan.ts";
import { elementAt } from "../../formats/parts.ts";

const lineFeed = 0x0a;
const slash = 0x2f;
const backslash = 0x5c;

/** The part of a file that an engine reads. */
export interface CheckedFile {
  /**
   * Reason and location why it ignores the file, or the part before `start`, as a sentence without a full stop; else
   * null.
   */
  readonly fault: ScanWarning | null;
  /** Offset of the text that it reads; null: it ignores the file. */
  readonly start: number | null;
}

function definition(name: string, start: number, nameOffset: number, end: number, line: number): Definition {
  return { type: "shader", name: name.toLowerCase(), start, offset: nameOffset, end, nameOffset, line };
}

/**
 * Scans a file as tolerantly as Chomenor's file system does: a definition is a block and the last word before it. The
 * warnings name everything that was skipped.
 */
export function scanQuake3Shaders(bytes: Uint8Array): ShaderScan {
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

/** Checks a file as an engine does. */
export function checkShaderFile(bytes: Uint8Array, { ignores, hasHashComments }: JoinedShaders): CheckedFile {
  const whole = { fault: null, start: 0 };
  if (ignores === "nothing") return whole;
  const tokens = new Quake3Tokens(bytes);
  let checked: CheckedFile = whole;
  let isPardoned = ignores === "unclosed after the first";
  while (tokens.next() && !tokens.isEmpty) {
    const { line, text: name } = tokens;
    if (hasHashComments && name.startsWith("#")) {
      tokens.skipLine();
      continue;
    }
    const hasNext = tokens.next();
    if (tokens.brace !== 1) {
      // iortcw continues after a repeated name.
      if (ignores === "unopened" && tokens.text.toLowerCase() === name.toLowerCase()) return whole;
      const found = tokens.isEmpty ? "" : ` but "${tokens.text}"`;
      const fault = { line, message: `shader "${name}" has no opening {${found}` };
      if (!isPardoned || !hasNext) return { fault, start: null };
      tokens.skipLine();
      checked = { fault, start: tokens.position };
      continue;
    }
    isPardoned = false;
    if (tokens.skipBraces(1) || ignores === "unopened") continue;
    return { fault: { line, message: `shader "${name}" has no closing }` }, start: null };
  }
  return checked;
}

/** A definition in one of several files. */
export interface FileDefinition {
  /** Index of the file. */
  readonly file: number;
  readonly definition: Definition;
}

/** Counts the ascending `values` up to `limit`. */
function countUpTo(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (elementAt(values, middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the offsets at which lines begin. */
function lineStarts(bytes: Uint8Array): number[] {
  const starts = [0];
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, end + 1)) starts.push(end + 1);
  return starts;
}

/** A text joined from files, with the origin of its bytes. */
interface JoinedText {
  readonly bytes: Uint8Array;
  /** Offsets in `bytes`, by file. */
  readonly starts: readonly number[];
  /** Returns the file and offset of a byte. */
  locationOf(index: number): { file: number; offset: number };
  /** Returns the length of a file's text. */
  lengthOf(file: number): number;
  /** Returns the line of an offset in a file. */
  lineOf(file: number, offset: number): number;
}

/** Joins files, the last one first, without the comments that the engine removes. */
function joinTexts(files: readonly Uint8Array[], engine: JoinedShaders): JoinedText {
  const lengths = files.map(textLength);
  const joined = new Uint8Array(lengths.reduce((sum, length) => sum + length + 1, 0));
  const isAll = engine.compresses === "all";
  /** Offsets in `joined` by position. The file at position `p` is number `last - p`. */
  const origins: number[] = [];
  let position = 0;
  for (const [index, file] of files.toReversed().entries()) {
    if (!isAll) joined[position++] = lineFeed;
    origins.push(position);
    const length = elementAt(lengths, files.length - 1 - index);
    joined.set(file.subarray(0, length), position);
    position += length;
    if (isAll) joined[position++] = lineFeed;
  }
  const text = engine.compresses === "each"
    ? compressEach(joined, origins)
    : { ...(isAll ? compressText(joined, engine.hasHashComments) : withSlashes(joined)), starts: [] };
  const lines = new Map<number, number[]>();
  return {
    bytes: text.bytes,
    starts: text.starts.toReversed(),
    locationOf(index) {
      const origin = elementAt(text.origins, index);
      const nth = Math.max(0, countUpTo(origins, origin) - 1);
      return { file: files.length - 1 - nth, offset: Math.max(0, origin - elementAt(origins, nth)) };
    },
    lengthOf: (file) => elementAt(lengths, file),
    lineOf: (file, offset) =>
      countUpTo(lines.getOrInsertComputed(file, () => lineStarts(files[file] ?? joined)), offset),
  };
}

/** Keeps comments, like ET: Legacy, and replaces `\\` with `/` (`COM_FixPath`). */
function withSlashes(joined: Uint8Array): CompressedText {
  const bytes = joined.map((byte) => byte === backslash ? slash : byte);
  return { bytes, origins: Uint32Array.from(bytes, (_, index) => index) };
}

/** Compresses every file separately, each after a newline. */
function compressEach(joined: Uint8Array, fileStarts: readonly number[]): CompressedText & { starts: number[] } {
  const bytes = new Uint8Array(joined.length);
  const origins = new Uint32Array(joined.length);
  const starts: number[] = [];
  let written = 0;
  fileStarts.forEach((start, file) => {
    bytes[written] = lineFeed;
    origins[written++] = start;
    starts.push(written);
    const end = file + 1 < fileStarts.length ? elementAt(fileStarts, file + 1) - 1 : joined.length;
    const part = compressText(joined.subarray(start, end));
    bytes.set(part.bytes, written);
    part.origins.forEach((origin, index) => origins[written + index] = origin + start);
    written += part.bytes.length;
  });
  return { bytes: bytes.subarray(0, written), origins: origins.subarray(0, written), starts };
}

/** Reads the definition that starts at the next word; undefined if the engine stops reading. */
function readDefinition(tokens: Quake3Tokens, text: JoinedText): FileDefinition | undefined {
  const { position } = tokens;
  if (!tokens.next() || tokens.isEmpty) return undefined;
  const before = text.locationOf(position);
  const { file, offset } = text.locationOf(tokens.start);
  const name = tokens.text;
  tokens.skipBraces(0);
  const last = text.locationOf(tokens.position - 1);
  // If the braces of files do not match, a block may end in a later file.
  const end = last.file === file ? Math.min(last.offset + 1, text.lengthOf(file)) : text.lengthOf(file);
  const start = before.file === file ? Math.min(before.offset, offset) : 0;
  return { file, definition: definition(name, start, offset, end, text.lineOf(file, offset)) };
}

/**
 * Finds the definitions that an engine knows, in the order in which it compares their names: the first of equal names
 * wins.
 * @param files Contents of the files that the engine reads, in listing order.
 */
export function findQuake3Shaders(files: readonly Uint8Array[], engine: JoinedShaders): FileDefinition[] {
  const text = joinTexts(files, engine);
  const tokens = new Quake3Tokens(text.bytes);
  const found: FileDefinition[] = [];
  const known = new Set<string>();
  const add = (item: FileDefinition) => {
    const key = `${item.file}:${item.definition.offset}`;
    if (!known.has(key)) found.push(item);
    known.add(key);
  };
  // The original engine stops reading a file after its first definition, because it compares the wrong addresses. It
  // only continues after the last listed file, through the whole text.
  for (const start of engine.order === "first of files" ? text.starts.slice(0, -1) : []) {
    tokens.position = start;
    const first = readDefinition(tokens, text);
    if (first) add(first);
  }
  tokens.position = 0;
  for (let item = readDefinition(tokens, text); item; item = readDefinition(tokens, text)) add(item);
  if (engine.order === "last") return found.reverse();
  return engine.order === "hash" ? byHash(found) : found;
}

/**
 * Orders definitions like ET: Legacy for equal hashes: the first of the text, then the others in reverse order, as each
 * is inserted after the first.
 */
function byHash(found: readonly FileDefinition[]): FileDefinition[] {
  const hashes = new Set<number>();
  const [heads, others]: [FileDefinition[], FileDefinition[]] = [[], []];
  for (const item of found) {
    const hash = hashOf(item.definition.name);
    if (hashes.has(hash)) others.push(item);
    else heads.push(item);
    hashes.add(hash);
  }
  return [...heads, ...others.reverse()];
}

/**
 * Returns the hash of a name in lower case: `Q_GenerateHashValue` of etlegacy src/qcommon/q_shared.c, for 4096 lists.
 */
function hashOf(name: string): number {
  const stem = name.split(".", 1)[0] ?? "";
  let hash = 0;
  for (const [index, byte] of new TextEncoder().encode(stem).entries()) hash += (byte << 24 >> 24) * (index + 119);
  return (hash ^ (hash >> 10) ^ (hash >> 20)) & 4095;
}
