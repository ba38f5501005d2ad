/**
 * Dragon Nest pak, "EyedentityGames Packing File 0.1". All integers little-endian.
 *
 * | offset | size | header (1024)                         |   | offset | size | record (316)                        |
 * |-------:|-----:|---------------------------------------|---|-------:|-----:|-------------------------------------|
 * |      0 |  256 | `EyedentityGames Packing File 0.1`,   |   |      0 |  256 | path, `\`-separated, with a leading |
 * |        |      | zero-padded                           |   |        |      | `\`, NUL-ended; garbage may follow  |
 * |    256 |    4 | version, 0x0B (also 0x0A, 0x0D)       |   |    256 |    4 | compressed size                         |
 * |    260 |    4 | number of files                       |   |    260 |    4 | decompressed size                       |
 * |    264 |    4 | offset of the records                 |   |    264 |    4 | allocated size, usually the packed  |
 * |    268 |  756 | zero                                  |   |    268 |    4 | data offset                         |
 * |        |      |                                       |   |    272 |   44 | flag, checksum, reserved            |
 *
 * Data are zlib at level 1, or raw where the two sizes are equal. They need not begin behind the header, nor the records
 * end the file. A record without sizes is a placeholder; one with a compressed size only does not say how large the file is.
 * Some paks have the two sizes swapped: see `dragonnest_order.ts`. Names are code page 949 (Korean), some UTF-8; a root
 * file's name may begin with a NUL, and some end in 0x02.
 *
 * Sources: vincentzhang96/DragonNestFileFormats, vincentzhang96/DNPakTool, AlleSoke1/dnpak-script, Veirt/dnpak.py
 * and GameExtractor (Plugin_PAK_EYEDENTITY); the packer `pakpack` of the article that described the format.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { decodeCodePage949 } from "../core/code_page_949.ts";
import { type SizeOrder, sizeOrder, type SizePairs } from "./dragonnest_order.ts";
import { writeDragonNestPak } from "./dragonnest_pak_writer.ts";
import { damageCode, type EntryFields, EntryTable, methodCode } from "../core/entry_table.ts";
import { CorruptArchiveError, LimitError, TruncatedError, UnknownFormatError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { inflatedSizes } from "../codecs/inflated_sizes.ts";
import { maxEntryCount } from "../core/limits.ts";
import { type DecodedName, isUtf8, MemberNames } from "../core/names.ts";
import { isZlibHeader } from "../codecs/compression_probe.ts";
import { sizeDamage } from "./record_damage.ts";

const magic = "EyedentityGames Packing File 0.1";
const recordSize = 316;
const nameSize = 256;
/** The part of the header that holds anything. */
const usedHeader = 268;
const knownVersions: readonly number[] = [0x0a, 0x0b, 0x0d];
/** Some packer ends names with it. */
const nameEnd = 0x02;
/** Most bytes that are decompressed to find out about members whose sizes do not say how they are packed, per archive. */
const maxProbed = 64 * 1024 * 1024;

const encoder = new TextEncoder();

interface Header {
  readonly version: number;
  readonly count: number;
  readonly indexOffset: number;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readHeader(source: ByteReader): Header | undefined {
  if (source.size < usedHeader) return undefined;
  const bytes = source.read(0, usedHeader);
  for (let index = 0; index < magic.length; index++) if (bytes[index] !== magic.charCodeAt(index)) return undefined;
  const view = viewOf(bytes);
  return {
    version: view.getUint32(256, true),
    count: view.getUint32(260, true),
    indexOffset: view.getUint32(264, true),
  };
}

function detect(source: ByteReader): boolean {
  return readHeader(source) !== undefined;
}

function readRecords(source: ByteReader, { count, indexOffset }: Header): Uint8Array {
  const { path, size } = source;
  if (count > maxEntryCount) {
    throw new LimitError(
      `the list says ${count.toLocaleString("en-US")} files; more than ${maxEntryCount} are not read`,
      {
        path,
        offset: 260,
        expected: maxEntryCount,
        actual: count,
      },
    );
  }
  if (count > 0 && indexOffset < usedHeader) {
    throw new CorruptArchiveError(
      `the header says that the list of files is at byte ${indexOffset}, inside the header itself`,
      { path, offset: 264, expected: usedHeader, actual: indexOffset },
    );
  }
  const end = indexOffset + count * recordSize;
  if (end > size) {
    throw new TruncatedError(
      `the list says ${
        count.toLocaleString("en-US")
      } files at byte ${indexOffset}, but the pak ends at byte ${size}; ` +
        "it is still downloading or cut short",
      { path, offset: indexOffset, expected: end, actual: size },
    );
  }
  return source.read(indexOffset, count * recordSize);
}

function readPairs(records: Uint8Array): SizePairs {
  const view = viewOf(records);
  const length = records.length / recordSize;
  const column = (offset: number) =>
    Uint32Array.from({ length }, (_, index) => view.getUint32(index * recordSize + offset, true));
  return { length, firsts: column(256), seconds: column(260), offsets: column(268) };
}

/** The name's bytes: up to its NUL, a NUL in front of it left out. */
function nameOf(records: Uint8Array, start: number): Uint8Array {
  const field = records.subarray(start, start + nameSize);
  const name = field[0] === 0 ? field.subarray(1) : field;
  const nul = name.indexOf(0);
  const cut = nul < 0 ? name : name.subarray(0, nul);
  return cut.at(-1) === nameEnd ? cut.subarray(0, -1) : cut;
}

/**
 * A name of a Dragon Nest pak in UTF-8: code page 949 where that fits, else UTF-8, else Latin-1. Guessed is what is
 * not code page 949.
 */
export function decodeDragonNestName(raw: Uint8Array): DecodedName {
  const korean = decodeCodePage949(raw);
  if (korean !== undefined) return { utf8: encoder.encode(korean), guessed: false };
  if (isUtf8(raw)) return { utf8: raw, guessed: true };
  return { utf8: encoder.encode(String.fromCharCode(...raw)), guessed: true };
}

/** Adds the members of one archive. */
class Reader {
  readonly #source: ByteReader;
  readonly #order: SizeOrder;
  readonly #table = new EntryTable();
  readonly #names: MemberNames;
  readonly #fields: EntryFields;
  #budget = maxProbed;
  #placeholders = 0;
  #guessed = 0;

  constructor(source: ByteReader, order: SizeOrder) {
    this.#source = source;
    this.#order = order;
    this.#names = new MemberNames(this.#table);
    this.#fields = {
      offset: 0,
      packedSize: 0,
      size: 0,
      mtime: source.mtime,
      crc32: 0,
      method: methodCode.zlib,
      flags: 0,
      damage: damageCode.none,
    };
  }

  add(name: Uint8Array, packedSize: number, size: number, offset: number): void {
    if (packedSize === 0 && size === 0) {
      this.#placeholders++;
      return;
    }
    this.#fields.offset = offset;
    this.#fields.packedSize = packedSize;
    this.#fields.size = size;
    this.#fields.method = methodCode.zlib;
    this.#fields.damage = damageCode.none;
    this.#judge();
    this.#names.add(name, this.#fields, (raw) => {
      const decoded = decodeDragonNestName(raw);
      if (decoded.guessed) this.#guessed++;
      return { utf8: decoded.utf8, guessed: false };
    });
  }

  finish(version: number): EntryTable {
    const { warnings } = this.#table;
    this.#names.finish();
    if (!knownVersions.includes(version)) {
      warnings.push(`the version is 0x${version.toString(16)}; known are 0x0A, 0x0B and 0x0D`);
    }
    if (this.#order.isSwapped) warnings.push("the sizes stand the other way round than in the game's own paks");
    if (this.#placeholders > 0) {
      warnings.push(`${this.#placeholders} of its records are placeholders without data; left out`);
    }
    if (this.#guessed > 0) {
      warnings.push(
        `${this.#guessed} names are not Korean (code page 949); read as UTF-8 where that fits, else as Latin-1`,
      );
    }
    return this.#table;
  }

  /** Decides method and damage of the member in the fields. */
  #judge(): void {
    const fields = this.#fields;
    const { offset, packedSize, size } = fields;
    if (offset + packedSize > this.#source.size) fields.damage = damageCode["past-end"];
    else if (size === 0) this.#learnSize();
    else {
      if (packedSize === size) this.#judgeEqualSizes();
      else if (!this.#order.isZlib) fields.method = methodCode.unsupported;
      fields.damage = sizeDamage(fields);
    }
  }

  /** Without an decompressed size only decompressing tells. */
  #learnSize(): void {
    const sizes = this.#inflate();
    if (sizes) this.#fields.size = sizes.produced;
    else this.#fields.damage = damageCode["unknown-size"];
  }

  /** Equal sizes mean raw data, unless they happen to be equal: then the data are zlib's and decompress to just that size. */
  #judgeEqualSizes(): void {
    const { offset, packedSize, size } = this.#fields;
    this.#fields.method = methodCode.store;
    if (packedSize < 8 || !isZlibHeader(this.#source.read(offset, 2))) return;
    const sizes = this.#inflate();
    if (sizes?.produced === size) this.#fields.method = methodCode.zlib;
  }

  #inflate(): ReturnType<typeof inflatedSizes> {
    const { offset, packedSize } = this.#fields;
    if (packedSize > this.#budget) return undefined;
    const sizes = inflatedSizes(this.#source.read(offset, packedSize), this.#budget);
    this.#budget -= packedSize + (sizes?.produced ?? 0);
    return sizes;
  }
}

function read(source: ByteReader): EntryTable {
  const header = readHeader(source);
  if (!header) {
    throw new UnknownFormatError(`not a Dragon Nest pak: it does not begin with "${magic}"`, {
      path: source.path,
      offset: 0,
      expected: magic,
    });
  }
  const records = readRecords(source, header);
  const pairs = readPairs(records);
  const order = sizeOrder(source, pairs);
  const [compressedSizes, sizes] = order.isSwapped ? [pairs.seconds, pairs.firsts] : [pairs.firsts, pairs.seconds];
  const reader = new Reader(source, order);
  for (let index = 0; index < pairs.length; index++) {
    const name = nameOf(records, index * recordSize);
    reader.add(name, compressedSizes[index] ?? 0, sizes[index] ?? 0, pairs.offsets[index] ?? 0);
  }
  return reader.finish(header.version);
}

/** The Dragon Nest pak format. */
export const dragonNestPak: ArchiveFormat = {
  name: "dragonnest-pak",
  title: "Dragon Nest pak",
  games: "Dragon Nest",
  signature: "EyedentityGames Packing File 0.1",
  methods: ["zlib", "store"],
  extensions: [".pak"],
  duplicates: "first",
  detect,
  read,
  decodeName: decodeDragonNestName,
  write: writeDragonNestPak,
};
