/**
 * Dragon Nest pak, "EyedentityGames Packing File 0.1". All integers little-endian.
 *
 * | offset | size | header (1024)                         |   | offset | size | record (316)                        |
 * |-------:|-----:|---------------------------------------|---|-------:|-----:|-------------------------------------|
 * |      0 |  256 | `EyedentityGames Packing File 0.1`,   |   |      0 |  256 | path, `\`-separated, with a leading |
 * |        |      | zero-padded                           |   |        |      | `\`, NUL-ended; garbage may follow  |
 * |    256 |    4 | version, 0x0B (also 0x0A, 0x0D)       |   |    256 |    4 | compressed size                     |
 * |    260 |    4 | number of files                       |   |    260 |    4 | decompressed size                   |
 * |    264 |    4 | offset of the records                 |   |    264 |    4 | allocated size                      |
 * |    268 |  756 | zero                                  |   |    268 |    4 | data offset                         |
 * |        |      |                                       |   |    272 |   44 | flag, checksum, reserved            |
 *
 * Data are zlib at level 1, or raw if the two sizes are equal. They need not begin after the header, and the records
 * need not end the file. A record without sizes is a placeholder; a record with only a compressed size does not
 * determine the file's size. Some paks have the two sizes swapped: see `dragonnest_order.ts`. Names are code page 949
 * (Korean), some UTF-8; the name of a file in the root may begin with a NUL, and some names end in 0x02.
 *
 * Sources: vincentzhang96/DragonNestFileFormats, vincentzhang96/DNPakTool, AlleSoke1/dnpak-script, Veirt/dnpak.py and
 * GameExtractor (Plugin_PAK_EYEDENTITY); the packer `pakpack` of the article that described the format.
 * @module
 */
import { isZlibHeader } from "../codecs/compression_probe.ts";
import { type InflatedSizes, inflatedSizes } from "../codecs/inflated_sizes.ts";
import type { ByteReader } from "../core/byte_reader.ts";
import { decodeCodePage949 } from "../core/code_page_949.ts";
import { Cursor, latin1, nameField } from "../core/cursor.ts";
import { damageCode, type EntryFields, type EntryTable, methodCode } from "../core/entry_table.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { type DecodedName, isUtf8 } from "../core/names.ts";
import { type SizeOrder, sizeOrder, type SizePairs } from "./dragonnest_order.ts";
import { dragonNestMagic, writeDragonNestPak } from "./dragonnest_pak_writer.ts";
import { headerOf, type HeaderShape, listRecords, readTable, requireCount, requireHeader } from "./records.ts";

/** Bytes of the used part of the header. */
const shape: HeaderShape = { title: "a Dragon Nest pak", magic: dragonNestMagic, size: 268 };
const recordSize = 316;
const nameSize = 256;
const knownVersions: readonly number[] = [0x0a, 0x0b, 0x0d];
/** Last byte of names written by some packer. */
const nameEnd = 0x02;
/**
 * Maximum bytes per archive that are decompressed to examine members whose compression their sizes do not determine.
 */
const maxProbed = 64 * 1024 * 1024;
/** Bytes that count as decompressed for each compressed byte of damaged data, which may have been a thousand times as many. */
const failureShare = 16;

const encoder = new TextEncoder();

function readPairs(records: Uint8Array): SizePairs {
  const length = records.length / recordSize;
  const pairs = {
    length,
    firsts: new Uint32Array(length),
    seconds: new Uint32Array(length),
    offsets: new Uint32Array(length),
  };
  const record = new Cursor(records);
  for (let index = 0; index < length; index++) {
    record.offset = index * recordSize + nameSize;
    pairs.firsts[index] = record.uint32();
    pairs.seconds[index] = record.uint32();
    pairs.offsets[index] = record.skip(4).uint32();
  }
  return pairs;
}

/** Returns the bytes of the name: up to its NUL, without a NUL before it. */
function nameOf(field: Uint8Array): Uint8Array {
  const name = nameField(field[0] === 0 ? field.subarray(1) : field);
  return name.at(-1) === nameEnd ? name.subarray(0, -1) : name;
}

/**
 * Decodes a name of a Dragon Nest pak: code page 949 if valid, else UTF-8, else Latin-1. Encodings other than code page
 * 949 count as guessed.
 */
function decodeDragonNestName(raw: Uint8Array): DecodedName {
  const korean = decodeCodePage949(raw);
  if (korean !== undefined) return { utf8: encoder.encode(korean), guessed: false };
  if (isUtf8(raw)) return { utf8: raw, guessed: true };
  return { utf8: encoder.encode(latin1(raw)), guessed: true };
}

/** Detects the compression of members whose sizes do not determine it. */
class Judge {
  readonly #reader: ByteReader;
  readonly #order: SizeOrder;
  #budget = maxProbed;

  constructor(reader: ByteReader, order: SizeOrder) {
    this.#reader = reader;
    this.#order = order;
  }

  /** Sets method and, if necessary, size and damage. */
  judge(fields: EntryFields): void {
    const { offset, packedSize, size } = fields;
    fields.method = methodCode.zlib;
    if (offset + packedSize > this.#reader.size) return;
    if (size === 0) this.#learnSize(fields);
    else if (packedSize === size) this.#judgeEqualSizes(fields);
    else if (!this.#order.isZlib) fields.method = methodCode.unsupported;
  }

  /** If the decompressed size is missing, decompressing determines it. */
  #learnSize(fields: EntryFields): void {
    const sizes = this.#inflate(fields);
    if (sizes) fields.size = sizes.produced;
    else fields.damage = damageCode["unknown-size"];
  }

  /** Equal sizes mean raw data, unless these are zlib data that decompress to exactly that size. */
  #judgeEqualSizes(fields: EntryFields): void {
    const { offset, packedSize, size } = fields;
    fields.method = methodCode.store;
    if (packedSize < 8 || !isZlibHeader(this.#reader.read(offset, 2))) return;
    if (this.#inflate(fields)?.produced === size) fields.method = methodCode.zlib;
  }

  #inflate({ offset, packedSize, size }: EntryFields): InflatedSizes | undefined {
    if (packedSize > this.#budget) return undefined;
    const sizes = inflatedSizes(this.#reader.read(offset, packedSize), size === 0 ? this.#budget : size);
    this.#budget -= packedSize + (sizes?.produced ?? packedSize * failureShare);
    return sizes;
  }
}

function read(reader: ByteReader): EntryTable {
  const header = requireHeader(reader, shape).skip(256 - dragonNestMagic.length);
  const version = header.uint32();
  const count = header.uint32();
  requireCount(reader, count);
  const length = count * recordSize;
  const records = readTable(reader, { offset: header.uint32(), length, recordSize, headerSize: shape.size });
  const order = sizeOrder(reader, readPairs(records));
  const judge = new Judge(reader, order);
  let placeholders = 0;
  let guessed = 0;
  const table = listRecords(reader, records, recordSize, (record, fields) => {
    const name = nameOf(record.bytes(nameSize));
    const first = record.uint32();
    const second = record.uint32();
    fields.offset = record.skip(4).uint32();
    fields.packedSize = order.isSwapped ? second : first;
    fields.size = order.isSwapped ? first : second;
    if (first === 0 && second === 0) {
      placeholders++;
      return undefined;
    }
    judge.judge(fields);
    return name;
  }, {
    decodeName: (raw) => {
      const decoded = decodeDragonNestName(raw);
      if (decoded.guessed) guessed++;
      return { utf8: decoded.utf8, guessed: false };
    },
  });
  const { warnings } = table;
  if (!knownVersions.includes(version)) {
    warnings.push(`the version is 0x${version.toString(16)}; known are 0x0A, 0x0B and 0x0D`);
  }
  if (order.isSwapped) warnings.push("the two sizes are swapped, compared with the game's own paks");
  if (placeholders > 0) warnings.push(`${placeholders} of its records are placeholders without data; left out`);
  if (guessed > 0) {
    warnings.push(`${guessed} names are not Korean (code page 949); read as UTF-8 where that fits, else as Latin-1`);
  }
  return table;
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
  detect: (reader) => headerOf(reader, shape) !== undefined,
  read,
  decodeName: decodeDragonNestName,
  write: writeDragonNestPak,
};
