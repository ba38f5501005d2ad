/**
 * Hashes of files, stored next to the index caches across restarts. They are valid only for the file that was read,
 * identified by its ctime, which no program can set.
 *
 * | offset | size | content                                               |
 * |-------:|-----:|-------------------------------------------------------|
 * |      0 |    8 | `pakfsSHA`                                            |
 * |      8 |    4 | version of this layout                                |
 * |     12 |    4 | 0x01020304, which shows the byte order                |
 * |     16 |    4 | size of the description in bytes, a multiple of eight |
 * |     20 |    4 | checksum of everything after it, by `word_sum.ts`     |
 *
 * The description follows, with the sources in JSON, then the rows of each source: four numbers that identify a file of
 * the source, its CRC-32, four unused bytes, its SHA-256. The hashes of a file that differs in any number are not used.
 * @module
 */
import { join } from "@std/path";
import { crc32, messageOf } from "../../formats/parts.ts";
import {
  type CacheBytes,
  hasNumbers,
  isRecord,
  readOwnFile,
  UnusableCacheError,
  writeOwnFile,
} from "../../system/mod.ts";
import { wordSum } from "../cache/word_sum.ts";
import { at } from "../columns/columns.ts";
import { type Identity, isSameChange, isSameIdentity, isSettled } from "../columns/identity.ts";
import { isDirectorySource, type Source } from "../columns/source.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { sha256Bytes } from "../content/entry_hasher.ts";
import { HashState, type SubjectHashes } from "./subject_hashes.ts";

/** Increased when the layout, or the meaning of a number, changes. */
const layoutVersion = 1;
const byteOrderMark = 0x01020304;
const headerSize = 24;
const magic = new TextEncoder().encode("pakfsSHA");
const alignment = 8;
/** Maximum rows; the most recently hashed sources are kept. */
const maxRows = 1_000_000;
const maxDescription = 128 * 1024 * 1024;
/** Numbers per row, and bytes per row. */
const rowNumbers = 4;
const crcOffset = rowNumbers * 8;
const hashOffset = crcOffset + 8;
const rowBytes = hashOffset + sha256Bytes;
/** Row number of a whole pack. */
const wholePack = -1;
/** Name of the file in the directory of the index caches. */
const fileName = "contents.hashes";
/** Minimum milliseconds between two writes while files are hashed, and of inactivity before a write. */
const longestWait = 15_000;
const quietTime = 1500;

/** The source of some rows. */
interface KeptSource {
  readonly path: string;
  /** Identity of the pack; null for a directory, whose files have separate identities. */
  readonly identity: Identity | null;
  /** Checksum of its layout and format. */
  readonly layout: number;
  /** Names of the files in a directory, in the order of the rows. */
  readonly names?: readonly string[];
  readonly rows: number;
}

interface KeptRows extends KeptSource {
  readonly bytes: Uint8Array;
}

/** The stored hashes of one user. */
export class HashStore implements AsyncDisposable {
  readonly #directory: string | undefined;
  readonly #onProblem: (sentence: string) => void;
  #kept: Map<string, KeptRows> | undefined;
  #changed: Map<string, KeptRows> = new Map();
  readonly #waiting = new Set<SubjectHashes>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #writing: Promise<void> = Promise.resolve();

  /**
   * @param directory Directory of the index caches; default: hashes are kept in memory only.
   * @param onProblem Called with a message if the file is not used or not written.
   */
  constructor(directory?: string, onProblem: (sentence: string) => void = () => {}) {
    this.#directory = directory;
    this.#onProblem = onProblem;
  }

  /** Adds the stored hashes of a snapshot's files. */
  fill(hashes: SubjectHashes): void {
    for (const other of this.#waiting) this.#collect(other);
    const { snapshot } = hashes;
    const kept = this.#kept ??= this.#read();
    if (kept.size === 0) return;
    for (const source of snapshot.sources) {
      const rows = kept.get(source.path);
      if (rows && isOf(rows, source)) fillSource(hashes, source, rows);
    }
  }

  /** Stores new hashes of a snapshot soon. */
  schedule(hashes: SubjectHashes): void {
    this.#waiting.add(hashes);
    if (this.#directory === undefined) return;
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const wait = Math.max(0, Math.min(quietTime, this.#since + longestWait - now));
    this.#timer = setTimeout(() => this.#write(), wait);
    Deno.unrefTimer(this.#timer);
  }

  /** Writes unwritten hashes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#write();
  }

  /** Returns the path of the file, if there is one. */
  get path(): string | undefined {
    return this.#directory === undefined ? undefined : join(this.#directory, fileName);
  }

  #read(): Map<string, KeptRows> {
    const { path } = this;
    try {
      return path === undefined
        ? new Map()
        : readOwnFile(path, headerSize + maxDescription + maxRows * rowBytes, decode);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) this.#onProblem(`${path} not used: ${messageOf(error)}`);
      return new Map();
    }
  }

  #collect(hashes: SubjectHashes): void {
    this.#waiting.delete(hashes);
    for (const rows of rowsOf(hashes)) this.#changed.set(rows.path, rows);
    const kept = this.#kept ??= this.#read();
    for (const [path, rows] of this.#changed) kept.set(path, rows);
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const hashes of this.#waiting) this.#collect(hashes);
    const { path } = this;
    const changed = this.#changed;
    if (changed.size === 0 || path === undefined) return this.#writing;
    this.#changed = new Map();
    this.#writing = this.#writing.then(async () => {
      // Other processes write it too.
      const all = new Map([...this.#read(), ...changed]);
      for (const path of changed.keys()) all.delete(path);
      try {
        await writeOwnFile(this.#directory ?? "", path, encode([...changed.values(), ...all.values()]));
      } catch (error) {
        this.#onProblem(`${path} not written: ${messageOf(error)}`);
      }
    });
    return this.#writing;
  }
}

/** Returns a checksum of everything besides the file that the numbers of a source's rows depend on. */
function layoutOf({ format, byteLayout }: Source): number {
  return crc32(JSON.stringify([format, byteLayout]));
}

function isOf(kept: KeptSource, source: Source): boolean {
  const isSame = isDirectorySource(source)
    ? kept.identity === null
    : kept.identity !== null && isSameIdentity(kept.identity, source.identity);
  return isSame && kept.layout === layoutOf(source);
}

/** Returns the numbers that identify a file of a source. */
function numbersOf({ columns }: Snapshot, source: Source, subject: number): readonly [number, number, number, number] {
  if (subject >= columns.entryNodes.length) return [wholePack, 0, 0, 0];
  const { entryOffsets, entrySizes, entryCompressedSizes, entryTimes } = columns;
  const size = at(entrySizes, subject);
  const compressedSize = at(entryCompressedSizes, subject);
  return isDirectorySource(source)
    ? [0, size, at(entryTimes, subject), compressedSize]
    : [subject - source.firstEntry, size, at(entryOffsets, subject), compressedSize];
}

function fillSource(hashes: SubjectHashes, source: Source, kept: KeptRows): void {
  const { snapshot } = hashes;
  const numbers = new Float64Array(kept.bytes.buffer, kept.bytes.byteOffset, kept.bytes.byteLength / 8);
  const crcs = new Uint32Array(kept.bytes.buffer, kept.bytes.byteOffset, kept.bytes.byteLength / 4);
  const subjects = kept.names && entriesByName(snapshot, source);
  for (let row = 0; row < kept.rows; row++) {
    const first = row * rowBytes / 8;
    const number = numbers[first] ?? wholePack;
    const subject = subjects
      ? subjects.get(kept.names?.[row] ?? "")
      : number === wholePack
      ? snapshot.entryCount + source.id
      : number < source.entryCount
      ? source.firstEntry + number
      : undefined;
    if (subject === undefined || hashes.stateOf(subject) !== HashState.unknown) continue;
    const [own, size, third, last] = numbersOf(snapshot, source, subject);
    // For a file of a directory the last number is its ctime.
    const isLast = kept.names ? isSameChange(numbers[first + 3] ?? 0, last) : numbers[first + 3] === last;
    if (number !== own || numbers[first + 1] !== size || numbers[first + 2] !== third || !isLast) continue;
    const start = row * rowBytes + hashOffset;
    hashes.set(
      subject,
      kept.bytes.subarray(start, start + sha256Bytes),
      at(crcs, (row * rowBytes + crcOffset) / 4),
      true,
    );
  }
}

function entriesByName(snapshot: Snapshot, { firstEntry, entryCount }: Source): Map<string, number> {
  return new Map(
    Array.from({ length: entryCount }, (_, index) => [snapshot.memberOf(firstEntry + index), firstEntry + index]),
  );
}

/** Returns the rows of the sources of a snapshot whose files have settled hashes. */
function* rowsOf(hashes: SubjectHashes): Generator<KeptRows> {
  const { snapshot } = hashes;
  for (const source of snapshot.sources) {
    if (!hashes.isChanged(source)) continue;
    const isDirectory = isDirectorySource(source);
    const subjects = hashes.settledOf(source);
    const bytes = new Uint8Array(subjects.length * rowBytes);
    const numbers = new Float64Array(bytes.buffer);
    const crcs = new Uint32Array(bytes.buffer);
    for (const [row, subject] of subjects.entries()) {
      numbers.set(numbersOf(snapshot, source, subject), row * rowBytes / 8);
      crcs[(row * rowBytes + crcOffset) / 4] = hashes.crc32Of(subject);
      bytes.set(hashes.sha256Of(subject), row * rowBytes + hashOffset);
    }
    if (subjects.length === 0) continue;
    yield {
      path: source.path,
      identity: isDirectory ? null : source.identity,
      layout: layoutOf(source),
      ...isDirectory && { names: subjects.map((subject) => snapshot.memberOf(subject)) },
      rows: subjects.length,
      bytes,
    };
  }
}

/** Returns whether a change of a subject after `readAt` would show in the times of its file. */
export function isSubjectSettled(snapshot: Snapshot, subject: number, source: Source, readAt: number): boolean {
  if (!isDirectorySource(source)) return isSettled(source.identity, readAt);
  const { entryTimes, entryCompressedSizes } = snapshot.columns;
  return isSettled({ mtime: at(entryTimes, subject), ctime: at(entryCompressedSizes, subject) }, readAt);
}

function encode(sources: readonly KeptRows[]): Uint8Array[] {
  let rows = 0;
  const kept = sources.filter((source) => {
    if (rows + source.rows > maxRows) return false;
    rows += source.rows;
    return true;
  });
  const list = kept.map(({ path, identity, layout, names, rows }): KeptSource => ({
    path,
    identity,
    layout,
    ...names && { names },
    rows,
  }));
  const json = new TextEncoder().encode(JSON.stringify(list));
  const description = new Uint8Array(Math.ceil(json.length / alignment) * alignment).fill(0x20);
  description.set(json);
  const header = new Uint8Array(headerSize);
  header.set(magic);
  const pieces = [description, ...kept.map(({ bytes }) => bytes)];
  const sum = pieces.reduce((sum, piece) => wordSum(piece, sum), 0);
  new Uint32Array(header.buffer).set([layoutVersion, byteOrderMark, description.length, sum], magic.length / 4);
  return [header, ...pieces];
}

function decode({ size, read }: CacheBytes): Map<string, KeptRows> {
  const header = new Uint8Array(headerSize);
  if (size < headerSize) throw new UnusableCacheError(`it has only ${size} bytes`);
  read(header);
  const [version, mark, descriptionSize = 0, checksum] = new Uint32Array(header.buffer, magic.length);
  if (magic.some((byte, index) => header[index] !== byte) || version !== layoutVersion || mark !== byteOrderMark) {
    throw new UnusableCacheError("it is from another version of pakfs or another machine");
  }
  if (headerSize + descriptionSize > size || descriptionSize % alignment !== 0) {
    throw new UnusableCacheError("its description is longer than the file");
  }
  const description = new Uint8Array(descriptionSize);
  read(description);
  const bytes = new Uint8Array(size - headerSize - descriptionSize);
  read(bytes);
  const sources = parseSources(description);
  let sum = wordSum(description);
  const kept = new Map<string, KeptRows>();
  let start = 0;
  for (const source of sources) {
    const end = start + source.rows * rowBytes;
    if (end > bytes.length) throw new UnusableCacheError("its rows end after the file");
    const own = bytes.subarray(start, end);
    sum = wordSum(own, sum);
    kept.set(source.path, { ...source, bytes: own });
    start = end;
  }
  if (start !== bytes.length || sum !== checksum) throw new UnusableCacheError("its checksum is wrong");
  return kept;
}

function parseSources(description: Uint8Array): readonly KeptSource[] {
  const sources: unknown = JSON.parse(new TextDecoder().decode(description));
  if (Array.isArray(sources) && sources.every(isKeptSource)) return sources;
  throw new UnusableCacheError("it has unexpected fields");
}

function isKeptSource(value: unknown): value is KeptSource {
  if (!isRecord(value) || !hasNumbers(value, ["layout", "rows"])) return false;
  const { path, identity, names, rows } = value;
  return typeof path === "string" && Number.isSafeInteger(rows) && Number(rows) >= 0 &&
    (identity === null || hasNumbers(identity, ["device", "inode", "size", "mtime", "ctime"])) &&
    (names === undefined ? identity !== null : Array.isArray(names) && names.length === rows);
}
