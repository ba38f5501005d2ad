/**
 * Archives of other programs, which libarchive reads: tar, also compressed, 7-Zip, RAR, ISO 9660, cpio, LHA and cabinets.
 *
 * No engine loads them as packs, except for 7-Zip, which GZDoom reads. An archive is unpacked once into a file of the cache
 * (`unpacking/unpacked.ts`), and its members are ranges of that file, as if it were a part of an archive in several
 * files. Checksums are computed when it is unpacked, so bytes that change later are damage.
 *
 * A compressed file is taken for a tar archive only if its name says so: what it holds is known once it is decompressed.
 * @module
 */
import type { ByteReader, FileByteReader } from "../core/byte_reader.ts";
import { contentType, contentTypeBytes } from "../core/content_type.ts";
import { latin1 } from "../core/cursor.ts";
import { damageCode, entryHasCrc, entryIsDirectory, EntryTable, type FormatName } from "../core/entry_table.ts";
import { CorruptArchiveError, UnknownFormatError } from "../core/errors.ts";
import type { ArchiveFormat } from "../core/format.ts";
import { type DecodedName, decodeName, MemberNames } from "../core/names.ts";
import type { SpooledEntry } from "../unpacking/spool_file.ts";
import { isUnpacked, unpacked } from "../unpacking/unpacked.ts";
import { storedFields } from "./records.ts";

/** Compressions of tar archives, by {@linkcode contentType}, and the names of such archives. */
const compressions: ReadonlySet<string> = new Set(["gz", "bz2", "xz", "zst"]);
const tarName = /\.(tar\.\w+|t(gz|bz2?|xz|zst))$/i;

/** Offset of the first descriptor of an ISO 9660 image after its type, and the identifier there. */
const isoDescriptor = 16 * 2048 + 1;
const isoIdentifier = "CD001\x01";

/** Format of archives: what is different from the others. */
interface Row {
  readonly name: FormatName;
  readonly title: string;
  readonly signature: string;
  readonly extensions: readonly string[];
  readonly detect: (reader: ByteReader) => boolean;
}

/** Returns whether a file is of one of several kinds by its first bytes. */
function isKind(...kinds: readonly string[]): (reader: ByteReader) => boolean {
  return (reader) => kinds.includes(kindOf(reader));
}

function kindOf(reader: ByteReader): string {
  return contentType(reader.read(0, Math.min(contentTypeBytes, reader.size)), reader.size);
}

function isTar(reader: ByteReader): boolean {
  const kind = kindOf(reader);
  return kind === "tar" || (compressions.has(kind) && tarName.test(reader.path));
}

function isIso(reader: ByteReader): boolean {
  return reader.size >= isoDescriptor + isoIdentifier.length &&
    latin1(reader.read(isoDescriptor, isoIdentifier.length)) === isoIdentifier;
}

const rows: readonly Row[] = [
  {
    name: "tar",
    title: "tar (also compressed)",
    signature: "the checksum of its first header, or gzip, bzip2, xz or Zstandard and a name like .tar.gz",
    extensions: [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".tzst"],
    detect: isTar,
  },
  {
    name: "7z",
    title: "7-Zip (pk7)",
    signature: "7z, and four bytes more",
    extensions: [".7z", ".pk7", ".ipk7"],
    detect: isKind("7z"),
  },
  { name: "rar", title: "RAR", signature: "Rar!", extensions: [".rar"], detect: isKind("rar") },
  {
    name: "iso",
    title: "ISO 9660 image",
    signature: "CD001 at byte 32,769",
    extensions: [".iso"],
    detect: isIso,
  },
  {
    name: "cpio",
    title: "cpio",
    signature: "070701, 070702, 070707 or the bytes c7 71",
    extensions: [".cpio"],
    detect: isKind("cpio"),
  },
  {
    name: "lha",
    title: "LHA",
    signature: "-lh and a number at byte 2",
    extensions: [".lzh", ".lha"],
    detect: isKind("lha"),
  },
  { name: "cab", title: "Cabinet", signature: "MSCF", extensions: [".cab"], detect: isKind("cab") },
];

/** The formats. */
export const foreignFormats: readonly ArchiveFormat[] = rows.map((row) => ({
  ...row,
  games: row.name === "7z" ? "GZDoom; downloads" : "downloads",
  methods: ["store"],
  duplicates: "last",
  isNoPack: true,
  read: (reader) => list(reader, row),
}));

/**
 * Returns whether an archive is unpacked before it is listed, which may take minutes.
 * @throws {ArchiveError} if the archive cannot be read.
 */
export function isUnpackedFirst(reader: FileByteReader): boolean {
  const row = rows.find(({ detect }) => detect(reader));
  return row !== undefined && !isUnpacked(reader, row.name);
}

function list(reader: ByteReader, { name, title, detect }: Row): EntryTable {
  if (!detect(reader) && !(name === "tar" && compressions.has(kindOf(reader)))) {
    throw new UnknownFormatError(`not in the format ${name} (${title})`, { path: reader.path, offset: 0 });
  }
  const { path, list: { entries, warnings, dataSize } } = unpacked(reader, name);
  // libarchive ends a RAR silently at a block that it cannot read, and no program writes one without files.
  if (name === "rar" && entries.length === 0) {
    throw new CorruptArchiveError("no file was found in it: it is damaged or cut short", {
      path: reader.path,
      offset: 0,
    });
  }
  const table = new EntryTable();
  const names = new MemberNames(table);
  for (const entry of entries) names.add(nameOf(entry), fieldsOf(reader, entry), decodeUnpackedName);
  names.finish();
  table.warnings.push(...warnings);
  if (dataSize > 0) {
    // The archive itself comes first, as in archives in several files.
    table.layout = {
      files: [{ kind: "archive" }, { kind: "part", name: path }],
      ranges: { starts: [0, reader.size], files: [0, 1], offsets: [0, 0], size: reader.size + dataSize },
    };
  }
  return table;
}

/** Turns a name into UTF-8, as all of these programs write it today; another one is guessed. */
function decodeUnpackedName(raw: Uint8Array): DecodedName {
  const decoded = decodeName(raw);
  return { utf8: decoded.utf8, guessed: decoded.utf8 !== raw };
}

function nameOf([name]: SpooledEntry): Uint8Array {
  return Uint8Array.from(name, (character) => character.charCodeAt(0));
}

function fieldsOf(reader: ByteReader, [, offset, size, crc32, mtime, isDirectory, damage]: SpooledEntry) {
  return {
    ...storedFields(reader),
    offset: reader.size + offset,
    size,
    packedSize: size,
    crc32,
    mtime: mtime ?? reader.mtime,
    flags: isDirectory ? entryIsDirectory : damage === "none" ? entryHasCrc : 0,
    damage: damageCode[damage],
  };
}
