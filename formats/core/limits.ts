/**
 * Limits that protect the reading process from the claims of an archive. Generous for games, small for a machine.
 * @module
 */

/** Maximum number of members in one archive, except a zip, and of files in a directory. */
export const maxEntryCount = 1_000_000;
/** Maximum number of members in one zip, the format of large collections; a `Map` has room for not many more. */
export const maxZipEntries = 16_000_000;
/** Maximum bytes of an archive's table of members, which is read into memory. */
export const maxTableBytes = 512 * 1024 * 1024;
/** Maximum decompressed size of a compressed member. Stored members have no limit. */
export const maxDecompressedSize = 16 * 1024 * 1024 * 1024;
/** Maximum bytes read into one array; larger members are streamed. */
export const maxWholeRead = 2 * 1024 * 1024 * 1024 - 1;
/** Maximum size of contents that are held in memory while an archive is written; larger ones are streamed. */
export const maxWholeWrite = 8 * 1024 * 1024;
/**
 * Maximum expansion of deflate per byte: its longest match, 258 bytes, takes at least 2 bits (RFC 1951 section 3.2.5).
 * A legitimate texture reaches 894.
 */
export const maxDeflateRatio = 1032;
/** Maximum depth of listed inner archives: 1 is an archive in an archive. */
export const maxNesting = 4;
/** Maximum decompressed size of an inner archive, which is decompressed as a whole for listing. */
export const maxNestedArchive = 512 * 1024 * 1024;
/** Maximum decompressed size of all compressed inner archives of an archive. */
export const maxNestedTotal = 4 * 1024 * 1024 * 1024;
/** Maximum decompressed size of all compressed inner packs of a pack that an engine searches. */
export const maxSearchedTotal = 1024 * 1024 * 1024;
/** Maximum number of searched inner packs of a pack. */
export const maxSearchedPacks = 1000;
/** Maximum bytes of decompressed inner archives kept in memory while their members are read, except the last one. */
export const maxDecompressedKept = 256 * 1024 * 1024;
/** Maximum bytes that an archive of another program is unpacked to, and of all such archives together. */
export const maxUnpackedBytes = 8 * 1024 * 1024 * 1024;
export const maxSpooledTotal = 16 * 1024 * 1024 * 1024;
