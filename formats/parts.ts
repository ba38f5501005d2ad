/**
 * Interface of the formats for other rooms: readers of archives and bytes, tables of entries, names and their policy,
 * codecs. Other programs use `mod.ts`.
 * @module
 */
export { Archive, openArchive, type OpenOptions } from "./archive.ts";
export { isUnpackedFirst } from "./archives/foreign.ts";
export { memberHash } from "./archives/hashed_pack.ts";
export { wadPaths } from "./archives/wad.ts";
export { isTypedWad, lumpType } from "./archives/wad2.ts";
export { hasZipDirectory } from "./archives/zip_directory.ts";
export { deflateContents } from "./archives/zip_writer.ts";
export { crypto, fs, zlib } from "./core/builtins.ts";
export {
  type ByteReader,
  FileByteReader,
  MemoryReader,
  readError,
  readInto,
  requireRange,
} from "./core/byte_reader.ts";
export { contentType } from "./core/content_type.ts";
export { crc32 } from "./core/crc32.ts";
export { append, byteAt, elementAt, joined } from "./core/cursor.ts";
export { damageSentence } from "./core/damage.ts";
export { directoryNumber, isInside, type LinkRule, readDirectory } from "./core/directory.ts";
export {
  damageCode,
  damageNames,
  type EntryFields,
  entryHasCrc,
  entryIsDirectory,
  entryIsDropped,
  entryIsRepeated,
  EntryTable,
  type FormatName,
  type Method,
  methodCode,
  methodNames,
  type NestedArchive,
  nestedAt,
  type NestedRows,
} from "./core/entry_table.ts";
export {
  ArchiveError,
  type ArchiveErrorDetails,
  CorruptArchiveError,
  DamagedMemberError,
  LimitError,
  messageOf,
  provesDamage,
  ReadError,
  writeProblem,
} from "./core/errors.ts";
export type { ArchiveFormat } from "./core/format.ts";
export {
  compileGlob,
  compilePathGlob,
  type GlobState,
  type GlobWork,
  type PathGlob,
  requireShortPattern,
} from "./core/glob.ts";
export { grouped } from "./core/grouped.ts";
export { maxEntryCount } from "./core/limits.ts";
export { nameHashFunctions, variantNamed } from "./core/name_hashes.ts";
export { clashSuffix, lumpName, spelledName } from "./core/names.ts";
export { isOmission } from "./core/omissions.ts";
export { locateInFiles, type Ranges } from "./core/ranges.ts";
export { type RawNameColumns, RawNames } from "./core/raw_names.ts";
export { decodeText, looksBinary, textDecoder } from "./core/text_decoding.ts";
export { joinFiles, RangesReader } from "./joined_reader.ts";
export { decompressMember, type Located, locateMember, memberStream, readMember, requireChecksum } from "./member.ts";
export {
  isUnnamed,
  memberHashes,
  nameList,
  type NameRecovery,
  type RecoveredNames,
  recoverNames,
  withNames,
} from "./name_recovery.ts";
export { addEmbeddedWads, addNested, addSearchedPacks, type PackSearch } from "./nested.ts";
export { OutputDirectory } from "./output_directory.ts";
export { archiveFormats, archiveOfPart, detectFormat, formatNamed, isNameless } from "./table.ts";
export { describeUnknown } from "./unknown_format.ts";
