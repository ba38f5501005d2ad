/**
 * Hashed packfile, as described in the blog Systematic Gaming in 2008: files are identified only by the hash of their
 * name. All integers little-endian.
 *
 * | offset | size | header          |   | offset | size | record (16)                             |
 * |-------:|-----:|-----------------|---|-------:|-----:|-----------------------------------------|
 * |      0 |    4 | version         |   |      0 |    4 | hash of the name                        |
 * |      4 |    4 | number of files |   |      4 |    4 | decompressed size                       |
 * |      8 |      | records         |   |      8 |    4 | compressed size; 0: stored              |
 * |        |      |                 |   |     12 |    4 | data offset from the start of the file  |
 *
 * Records are sorted by hash, so that a name is found by binary search. Without a signature, a pack is detected by
 * consistent records, if there are enough to rule out chance; for a smaller pack the format must be given. The
 * compression is not stated either, see `formats/codecs/compression_probe.ts`.
 *
 * Members are listed as `unknown/<hash>.<kind of content>`, and `formats/name_recovery.ts` finds names for them. A
 * member's name in the archive is the hash in eight hex digits.
 *
 * Source: Systematic Gaming, "Packfiles" (September 2008).
 * @module
 */
import { codecs } from "../codecs/codecs.ts";
import { type Compression, ProbeBudget, probeCompression, probedBytes } from "../codecs/compression_probe.ts";
import type { ByteReader } from "../core/byte_reader.ts";
import { contentType, contentTypeBytes } from "../core/content_type.ts";
import { Cursor } from "../core/cursor.ts";
import { type EntryFields, type EntryTable, methodCode } from "../core/entry_table.ts";
import { ReadError, UnknownFormatError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { maxEntryCount } from "../core/limits.ts";
import { writeHashedPack } from "./hashed_pack_writer.ts";
import { listRecords, type Lump, readTable, requireCount, shorterThanHeader } from "./records.ts";

const headerSize = 8;
const recordSize = 16;
const maxVersion = 65_535;
/** Minimum number of records for detection: eight hashes are sorted by chance once in 40,320 times. */
const minDetected = 8;
/** Maximum compressed bytes per archive that are decompressed to distinguish them from stored data of equal size. */
const maxCompared = 64 * 1024 * 1024;

/** Directory of members with unknown names. */
export const unknownDirectory = "unknown";

const encoder = new TextEncoder();

interface Header {
  readonly version: number;
  readonly count: number;
}

function readHeader(reader: ByteReader): Header | undefined {
  if (reader.size < headerSize) return undefined;
  const header = new Cursor(reader.read(0, headerSize));
  return { version: header.int32(), count: header.int32() };
}

/** Returns eight hex digits. */
export function hashDigits(hash: number): string {
  return hash.toString(16).padStart(8, "0");
}

/** Returns the name of a member that is only identified by its hash. */
export function hashedLump(hash: number, kind: string): Lump {
  const digits = hashDigits(hash);
  return { path: `${unknownDirectory}/${digits}.${kind}`, raw: encoder.encode(digits) };
}

interface HashedRecord {
  readonly hash: number;
  readonly size: number;
  /** 0 for stored data. */
  readonly compressedSize: number;
  readonly offset: number;
}

function readRecord(record: Cursor): HashedRecord {
  return { hash: record.uint32(), size: record.uint32(), compressedSize: record.uint32(), offset: record.uint32() };
}

/** Returns whether hashes ascend, and data lie after the records, inside the file and without overlaps. */
function fitsTogether(records: Uint8Array, archiveSize: number): boolean {
  const record = new Cursor(records);
  const extents: [start: number, end: number][] = [];
  let previous = -1;
  while (record.remaining > 0) {
    const { hash, size, compressedSize, offset } = readRecord(record);
    const end = offset + (compressedSize === 0 ? size : compressedSize);
    if (hash <= previous || offset < headerSize + records.length || end > archiveSize) return false;
    if (compressedSize > size * 1.01 + 64) return false;
    previous = hash;
    if (end > offset) extents.push([offset, end]);
  }
  extents.sort(([a], [b]) => a - b);
  let reach = 0;
  return extents.every(([start, end]) => {
    const isApart = reach <= start;
    reach = end;
    return isApart;
  });
}

/** Number of records that are checked before the others are read: nearly all files that are no pack fail there. */
const firstChecked = 64;

function detect(reader: ByteReader): boolean {
  const header = readHeader(reader);
  if (!header) return false;
  const { version, count } = header;
  if (version < 0 || version > maxVersion || count < minDetected || count > maxEntryCount) return false;
  if (headerSize + count * recordSize > reader.size) return false;
  if (!hashesRise(reader.read(headerSize, Math.min(count, firstChecked) * recordSize))) return false;
  return fitsTogether(reader.read(headerSize, count * recordSize), reader.size);
}

function hashesRise(records: Uint8Array): boolean {
  const record = new Cursor(records);
  for (let previous = -1; record.remaining > 0;) {
    const hash = record.uint32();
    if (hash <= previous) return false;
    previous = hash;
    record.skip(recordSize - 4);
  }
  return true;
}

function readRecords(reader: ByteReader): Uint8Array {
  const header = readHeader(reader);
  if (!header) throw shorterThanHeader(reader, "a hashed pack", headerSize);
  const { version, count } = header;
  if (version < 0 || version > maxVersion || count < 0) {
    throw new UnknownFormatError(
      `not a hashed pack: its first integers, ${version} and ${count}, are no version and count`,
      { path: reader.path, offset: 0 },
    );
  }
  requireCount(reader, count);
  return readTable(reader, { offset: headerSize, length: count * recordSize, recordSize, headerSize });
}

/** Reads the first bytes of members' data to detect their compression and type. */
class Prober {
  readonly #reader: ByteReader;
  readonly #budget = new ProbeBudget();
  #comparable = maxCompared;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** Sets method, offset and compressed size of the member in `fields`; returns the type of its content. */
  probe(fields: EntryFields): string {
    const { offset, packedSize, size } = fields;
    if (offset + packedSize > this.#reader.size) return "bin";
    const tries = this.#budget.takeMember();
    if (fields.method === methodCode.store) {
      return tries ? contentType(this.#reader.read(offset, Math.min(size, contentTypeBytes)), size) : "bin";
    }
    const start = this.#reader.read(offset, Math.min(packedSize, probedBytes));
    const compression = probeCompression(start, size, tries ? this.#budget : undefined);
    if (packedSize === size && !this.#givesItsSize(compression, offset, size)) {
      fields.method = methodCode.store;
      return tries ? contentType(start, size) : "bin";
    }
    fields.method = methodCode[compression.method];
    fields.offset += compression.skip;
    fields.packedSize -= compression.skip;
    return compression.head.length > 0 ? contentType(compression.head, size) : "bin";
  }

  /** Equal sizes mean stored data, unless the data look compressed and decompress to exactly that size. */
  #givesItsSize({ method, skip }: Compression, offset: number, size: number): boolean {
    if (method === "unsupported" || method === "deflate" || size > this.#comparable) return false;
    this.#comparable -= size;
    try {
      codecs[method].decompress(this.#reader.read(offset + skip, size - skip), size);
      return true;
    } catch (error) {
      if (error instanceof ReadError) throw error;
      return false;
    }
  }
}

function read(reader: ByteReader): EntryTable {
  const records = readRecords(reader);
  const prober = new Prober(reader);
  const table = listRecords(reader, records, recordSize, (record, fields) => {
    const { hash, size, compressedSize, offset } = readRecord(record);
    fields.offset = offset;
    fields.size = size;
    fields.packedSize = compressedSize === 0 ? size : compressedSize;
    fields.method = compressedSize === 0 ? methodCode.store : methodCode.deflate;
    return hashedLump(hash, prober.probe(fields));
  });
  if (!hashesRise(records)) {
    table.warnings.push("its records are not sorted by hash, so that a game would not find all of its files");
  }
  return table;
}

const decoder = new TextDecoder();

/** Returns the hash of member `index` of a hashed pack's table. */
export function memberHash(table: EntryTable, index: number): number {
  return Number.parseInt(decoder.decode(table.rawNames.get(index)), 16);
}

/** The hashed pack format. */
export const hashedPack: ArchiveFormat = {
  name: "hashed-pack",
  title: "Hashed packfile",
  games: "games with packfiles after Systematic Gaming's",
  signature: "none: at least eight consistent records, ascending by hash; fewer only if the format is given",
  methods: ["store", "zlib", "deflate", "gzip", "zstd", "lz4"],
  extensions: [".pack"],
  duplicates: "first",
  nameless: true,
  detect,
  read,
  write: writeHashedPack,
};
