/**
 * The bytes of an index cache: a description, followed by the columns of a snapshot in their memory layout.
 *
 * | offset | size | header                                                   |
 * |-------:|-----:|----------------------------------------------------------|
 * |      0 |    8 | `pakfsIDX`                                               |
 * |      8 |    4 | version of this layout                                   |
 * |     12 |    4 | 0x01020304, which shows the byte order                   |
 * |     16 |    8 | size of the file in bytes                                |
 * |     24 |    4 | size of the description in bytes                         |
 * |     28 |    4 | checksum of everything from byte 32 on, by `word_sum.ts` |
 *
 * The description follows in JSON, UTF-8, then each column in the machine's own byte order, each at the next multiple
 * of eight. A cache is read by the machine that wrote it, and only to save time: an invalid file is ignored.
 * @module
 */
import type { IndexedGames } from "../columns/indexed_games.ts";
import type { SnapshotColumns } from "../columns/columns.ts";
import type { Game } from "../columns/game.ts";
import { type Profile, profileNamed } from "../../engines/mod.ts";
import type { Source } from "../columns/source.ts";
import { SnapshotBuilder } from "../columns/snapshot_builder.ts";
import { Snapshot } from "../columns/snapshot.ts";
import { type CacheBytes, UnusableCacheError } from "../../system/mod.ts";
import { wordSum } from "./word_sum.ts";

/** Increased when the layout, or the meaning of a column or of a source's field, changes. */
const layoutVersion = 11;
const headerSize = 32;
const alignment = 8;
const magic = new TextEncoder().encode("pakfsIDX");
const byteOrderMark = 0x01020304;

type Column = SnapshotColumns[ColumnName];
type ColumnName = keyof SnapshotColumns;

/** The description in JSON. */
interface Description {
  /** Key of the cached index; {@linkcode decodeCache} accepts no other. */
  readonly key: string;
  readonly columns: readonly { readonly name: string; readonly length: number }[];
  readonly sources: readonly Source[];
  readonly games: readonly (Omit<Game, "packEntries"> & { readonly packEntries: readonly [number, number][] })[];
  readonly clashes: readonly [number, number][];
  readonly problems: readonly string[];
}

/** Returns an empty snapshot: the names and types of columns. */
function emptyColumns(): readonly (readonly [ColumnName, Column])[] {
  return Object.entries(new SnapshotBuilder().finish().columns) as [ColumnName, Column][];
}

function aligned(position: number): number {
  return Math.ceil(position / alignment) * alignment;
}

/**
 * Returns the bytes of a cache, in chunks that are written one after another.
 * @param key Key of the cached index: the games' configuration, and everything else that the index depends on.
 */
export function encodeCache(key: string, { snapshot, games, problems }: IndexedGames): Uint8Array[] {
  const columns = emptyColumns().map(([name]) => [name, snapshot.columns[name]] as const);
  const description: Description = {
    key,
    columns: columns.map(([name, { length }]) => ({ name, length })),
    sources: snapshot.sources,
    games: games.map((game) => ({ ...game, packEntries: Array.from(game.packEntries) })),
    clashes: Array.from(snapshot.clashes),
    problems,
  };
  const json = new TextEncoder().encode(JSON.stringify(description));
  const header = new Uint8Array(headerSize);
  const pieces: Uint8Array[] = [header, json];
  let size = headerSize + json.length;
  for (const [, column] of columns) {
    pieces.push(new Uint8Array(aligned(size) - size));
    pieces.push(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    size = aligned(size) + column.byteLength;
  }
  header.set(magic);
  const view = new DataView(header.buffer);
  view.setUint32(8, layoutVersion, true);
  new Uint32Array(header.buffer)[3] = byteOrderMark;
  view.setFloat64(16, size, true);
  view.setUint32(24, json.length, true);
  view.setUint32(28, pieces.slice(1).reduce((sum, piece) => wordSum(piece, sum), 0), true);
  return pieces;
}

/**
 * Returns the index in a cache. Each column has its own memory, so that it can be freed when it is replaced.
 * @throws {UnusableCacheError} if it is damaged, or has another key.
 */
export function decodeCache(bytes: CacheBytes, key: string): IndexedGames {
  const { description, columns } = readCache(bytes, key);
  const games = description.games.map((game) => ({
    ...game,
    profile: ownProfile(game.profile),
    packEntries: new Map(game.packEntries),
  }));
  const { sources, problems } = description;
  return { snapshot: new Snapshot(columns, sources, new Map(description.clashes)), games, problems };
}

/**
 * Checks that the bytes are a complete cache of this version, for any games.
 * @throws {UnusableCacheError} if they are not.
 */
export function checkCache(bytes: CacheBytes): void {
  readCache(bytes);
}

/** Returns the built-in profile instead of an equal copy. A user's profile may have the same name. */
function ownProfile(profile: Profile): Profile {
  const own = profileNamed(profile.name);
  return own && JSON.stringify(own) === JSON.stringify(profile) ? own : profile;
}

/** @param key Expected key; default: any. */
function readCache(bytes: CacheBytes, key?: string): { description: Description; columns: SnapshotColumns } {
  const header = new Uint8Array(headerSize);
  if (bytes.size < headerSize) throw new UnusableCacheError(`it has only ${bytes.size} bytes`);
  bytes.read(header);
  const { descriptionSize, checksum } = readHeader(header, bytes.size);
  let sum = 0;
  const read = (target: Uint8Array) => {
    bytes.read(target);
    sum = wordSum(target, sum);
  };
  const json = new Uint8Array(descriptionSize);
  read(json);
  // The checksum is verified last, so all values, even the offsets of columns, are untrusted until then.
  const description = parseDescription(json);
  const columns = readColumns(description, headerSize + descriptionSize, bytes.size, read);
  if (sum !== checksum) throw new UnusableCacheError("its checksum is wrong");
  if (key !== undefined && description.key !== key) {
    throw new UnusableCacheError("it is for other games, or from another version of pakfs");
  }
  return { description, columns };
}

function readHeader(header: Uint8Array<ArrayBuffer>, fileSize: number): { descriptionSize: number; checksum: number } {
  if (magic.some((byte, index) => header[index] !== byte)) throw new UnusableCacheError("it is no cache of pakfs");
  const view = new DataView(header.buffer);
  const version = view.getUint32(8, true);
  if (version !== layoutVersion) throw new UnusableCacheError(`its layout is ${version}, not ${layoutVersion}`);
  if (new Uint32Array(header.buffer)[3] !== byteOrderMark) {
    throw new UnusableCacheError("it is from a machine with another byte order");
  }
  const size = view.getFloat64(16, true);
  if (size !== fileSize) throw new UnusableCacheError(`it has ${fileSize} bytes instead of ${size}`);
  const descriptionSize = view.getUint32(24, true);
  if (headerSize + descriptionSize > fileSize) {
    throw new UnusableCacheError("its description is longer than the file");
  }
  return { descriptionSize, checksum: view.getUint32(28, true) };
}

function parseDescription(json: Uint8Array): Description {
  try {
    return JSON.parse(new TextDecoder().decode(json));
  } catch (error) {
    throw new UnusableCacheError("its description is not JSON", { cause: error });
  }
}

/** Reads columns from `start` into separate memory. Sizes in the description are limited by the file's size. */
function readColumns(
  description: Description,
  start: number,
  fileSize: number,
  read: (target: Uint8Array) => void,
): SnapshotColumns {
  let position = start;
  const columns: Partial<Record<ColumnName, Column>> = {};
  const expected = emptyColumns();
  if (expected.length !== description.columns?.length) throw new UnusableCacheError("it has unexpected columns");
  for (const [index, [name, { constructor, BYTES_PER_ELEMENT }]] of expected.entries()) {
    const column = description.columns[index];
    if (column?.name !== name) throw new UnusableCacheError(`it has no column ${name}`);
    const first = aligned(position);
    const size = column.length * BYTES_PER_ELEMENT;
    if (!(Number.isSafeInteger(size) && size >= 0 && first + size <= fileSize)) {
      throw new UnusableCacheError(`column ${name} ends after the file`);
    }
    read(new Uint8Array(first - position));
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    read(bytes);
    position = first + size;
    const Type = constructor as new (buffer: SharedArrayBuffer) => Column;
    columns[name] = new Type(bytes.buffer);
  }
  if (position !== fileSize) throw new UnusableCacheError("trailing bytes after its columns");
  return columns as SnapshotColumns;
}
