/**
 * Hashed packfile, as described in the blog Systematic Gaming in 2008: files are known by the hash of their name only.
 * All integers little-endian.
 *
 * | offset | size | header          |   | offset | size | record (16)                             |
 * |-------:|-----:|-----------------|---|-------:|-----:|-----------------------------------------|
 * |      0 |    4 | version         |   |      0 |    4 | hash of the name                        |
 * |      4 |    4 | number of files |   |      4 |    4 | decompressed size                           |
 * |      8 |      | records         |   |      8 |    4 | compressed size; 0: stored as it is         |
 * |        |      |                 |   |     12 |    4 | data offset from the start of the file  |
 *
 * Records are sorted by hash, so that a name is looked up by halving. There is no mark at the start: a pack is recognised
 * by its records fitting together, and only if there are so many that chance is ruled out; a smaller one has to be asked
 * for by name. How data are packed is not said either, see `packing_probe.ts`.
 *
 * Members are listed as `unknown/<hash>.<kind of content>`, and `formats/name_recovery.ts` finds names for them. The
 * hash in eight hex digits is what a member is called in the archive.
 *
 * Source: Systematic Gaming, "Packfiles" (September 2008).
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { codecs } from "../codecs/codecs.ts";
import { contentType, contentTypeBytes } from "../core/content_type.ts";
import { damageCode, type EntryFields, EntryTable, methodCode } from "../core/entry_table.ts";
import { LimitError, ReadError, TruncatedError, UnknownFormatError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { writeHashedPack } from "./hashed_pack_writer.ts";
import { maxEntryCount } from "../core/limits.ts";
import { hashName, type NameHashVariant } from "../core/name_hashes.ts";
import { type Compression, probeCompression, probedBytes } from "../codecs/compression_probe.ts";
import { recordDamage } from "./record_damage.ts";

const headerSize = 8;
const recordSize = 16;
const maxVersion = 65_535;
/** So many hashes are in order by chance once in 40,320 times; fewer are not believed without being asked. */
const minDetected = 8;
/** Members whose data are looked at while listing; the kind of content of others is not told. */
const maxProbed = 65_536;
/** Most compressed bytes that are decompressed whole to tell packed from stored data of equal size, per archive. */
const maxCompared = 64 * 1024 * 1024;

/** Directory of members whose name is not known. */
export const unknownDirectory = "unknown";

const encoder = new TextEncoder();

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface Header {
  readonly version: number;
  readonly count: number;
}

function readHeader(source: ByteReader): Header | undefined {
  if (source.size < headerSize) return undefined;
  const view = viewOf(source.read(0, headerSize));
  return { version: view.getInt32(0, true), count: view.getInt32(4, true) };
}

/** Eight hex digits. */
export function hashDigits(hash: number): string {
  return hash.toString(16).padStart(8, "0");
}

/** Whether hashes rise, and data lie behind the records, in the file and apart from each other. */
function fitsTogether(records: Uint8Array, archiveSize: number): boolean {
  const view = viewOf(records);
  const extents: [start: number, end: number][] = [];
  let previous = -1;
  for (let start = 0; start < records.length; start += recordSize) {
    const hash = view.getUint32(start, true);
    const size = view.getUint32(start + 4, true);
    const packedSize = view.getUint32(start + 8, true);
    const offset = view.getUint32(start + 12, true);
    const end = offset + (packedSize === 0 ? size : packedSize);
    if (hash <= previous || offset < headerSize + records.length || end > archiveSize) return false;
    if (packedSize > size * 1.01 + 64) return false;
    previous = hash;
    if (end > offset) extents.push([offset, end]);
  }
  extents.sort(([a], [b]) => a - b);
  return extents.every(([offset], index) => index === 0 || (extents[index - 1]?.[1] ?? 0) <= offset);
}

/** How many records are looked at before the others are read: nearly everything that is no pack fails there. */
const glanced = 64;

function detect(source: ByteReader): boolean {
  const header = readHeader(source);
  if (!header) return false;
  const { version, count } = header;
  if (version < 0 || version > maxVersion || count < minDetected || count > maxEntryCount) return false;
  if (headerSize + count * recordSize > source.size) return false;
  const few = source.read(headerSize, Math.min(count, glanced) * recordSize);
  if (!hashesRise(few)) return false;
  return fitsTogether(source.read(headerSize, count * recordSize), source.size);
}

function hashesRise(records: Uint8Array): boolean {
  const view = viewOf(records);
  for (let start = recordSize; start < records.length; start += recordSize) {
    if (view.getUint32(start, true) <= view.getUint32(start - recordSize, true)) return false;
  }
  return true;
}

function readRecords(source: ByteReader): Uint8Array {
  const header = readHeader(source);
  const { path, size } = source;
  if (!header) {
    throw new TruncatedError(`not a hashed pack: ${size} bytes are less than its header`, {
      path,
      offset: 0,
      expected: headerSize,
      actual: size,
    });
  }
  const { version, count } = header;
  if (version < 0 || version > maxVersion || count < 0) {
    throw new UnknownFormatError(
      `not a hashed pack: its first integers, ${version} and ${count}, are no version and count`,
      {
        path,
        offset: 0,
      },
    );
  }
  if (count > maxEntryCount) {
    throw new LimitError(`the header says ${count} files; more than ${maxEntryCount} are not read`, {
      path,
      offset: 4,
      expected: maxEntryCount,
      actual: count,
    });
  }
  const end = headerSize + count * recordSize;
  if (end > size) {
    throw new TruncatedError(
      `the list of ${count} files reaches to byte ${end}, but the file ends at byte ${size}; it is cut short or no ` +
        "hashed pack",
      { path, offset: 4, expected: end, actual: size },
    );
  }
  return source.read(headerSize, count * recordSize);
}

/** Looks at members' data to find out how they are packed and what they are. */
class Prober {
  readonly #source: ByteReader;
  #left = maxProbed;
  #comparable = maxCompared;

  constructor(source: ByteReader) {
    this.#source = source;
  }

  /** Decides method, offset and compressed size of the member in `fields`; returns the kind of its content. */
  probe(fields: EntryFields): string {
    const { offset, packedSize, size } = fields;
    if (offset + packedSize > this.#source.size) return "bin";
    const tries = this.#left-- > 0;
    if (fields.method === methodCode.store) {
      return tries ? contentType(this.#source.read(offset, Math.min(size, contentTypeBytes)), size) : "bin";
    }
    const start = this.#source.read(offset, Math.min(packedSize, probedBytes));
    const compression = probeCompression(start, size, tries);
    if (packedSize === size && !this.#givesItsSize(compression, offset, size)) {
      fields.method = methodCode.store;
      return tries ? contentType(start, size) : "bin";
    }
    fields.method = methodCode[compression.method];
    fields.offset += compression.skip;
    fields.packedSize -= compression.skip;
    return compression.head.length > 0 ? contentType(compression.head, size) : "bin";
  }

  /** Equal sizes mean stored data, unless they bear a mark of compressed ones and decompress to just that size. */
  #givesItsSize({ method, skip }: Compression, offset: number, size: number): boolean {
    if (method === "unsupported" || method === "deflate" || size > this.#comparable) return false;
    this.#comparable -= size;
    try {
      codecs[method].decompress(this.#source.read(offset + skip, size - skip), size);
      return true;
    } catch (error) {
      if (error instanceof ReadError) throw error;
      return false;
    }
  }
}

function read(source: ByteReader): EntryTable {
  const records = readRecords(source);
  const view = viewOf(records);
  const table = new EntryTable();
  const prober = new Prober(source);
  const fields: EntryFields = {
    offset: 0,
    packedSize: 0,
    size: 0,
    mtime: source.mtime,
    crc32: 0,
    method: methodCode.store,
    flags: 0,
    damage: damageCode.none,
  };
  for (let start = 0; start < records.length; start += recordSize) {
    const digits = hashDigits(view.getUint32(start, true));
    const packedSize = view.getUint32(start + 8, true);
    fields.size = view.getUint32(start + 4, true);
    fields.offset = view.getUint32(start + 12, true);
    fields.packedSize = packedSize === 0 ? fields.size : packedSize;
    fields.method = packedSize === 0 ? methodCode.store : methodCode.deflate;
    const kind = prober.probe(fields);
    fields.damage = recordDamage(fields, source.size);
    table.add(encoder.encode(`${unknownDirectory}/${digits}.${kind}`), fields, encoder.encode(digits));
  }
  if (!hashesRise(records)) {
    table.warnings.push("its records are not sorted by hash, so that a game would not find all of its files");
  }
  return table;
}

const decoder = new TextDecoder();

/** The hash that member `index` is known by, in the table of a hashed pack or of another format without names. */
export function memberHash(table: EntryTable, index: number): number {
  const raw = table.rawNames.get(index);
  const digits = raw ? decoder.decode(raw) : table.path(index).slice(unknownDirectory.length + 1);
  return Number.parseInt(digits.slice(0, 8), 16);
}

/**
 * The member of a hashed pack that a path leads to, by halving as a game does, or `undefined`. Whether its name is known
 * does not matter.
 * @param path `/`-separated, without a leading slash.
 */
export function findByHash(table: EntryTable, path: string, variant: NameHashVariant): number | undefined {
  const wanted = hashName(path, variant);
  let low = 0;
  let high = table.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (memberHash(table, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < table.length && memberHash(table, low) === wanted ? low : undefined;
}

/** The hashed pack format. */
export const hashedPack: ArchiveFormat = {
  name: "hashed-pack",
  title: "Hashed packfile",
  games: "games with packfiles after Systematic Gaming's",
  signature: "none: eight or more records, rising by hash, that fit together; fewer only where it is asked for by name",
  methods: ["store", "zlib", "deflate", "gzip", "zstd", "lz4"],
  extensions: [".pack"],
  duplicates: "first",
  nameless: true,
  detect,
  read,
  write: writeHashedPack,
};
