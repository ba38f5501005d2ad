/**
 * Bounds that protect the reading process from what an archive claims. Generous for games, small for a machine.
 * @module
 */

/** Most members one archive or directory may list. */
export const maxEntryCount = 1_000_000;
/** Most bytes of one archive's table of members that are read into memory. */
export const maxTableBytes = 512 * 1024 * 1024;
/** Most bytes a compressed member may claim to decompress to. Stored members are as large as they are. */
export const maxDecompressedSize = 16 * 1024 * 1024 * 1024;
/** Most bytes read into one array; larger members are streamed. */
export const maxWholeRead = 2 * 1024 * 1024 * 1024 - 1;
/** Contents up to this size are in memory as a whole while an archive is written; larger ones piece by piece. */
export const maxWholeWrite = 8 * 1024 * 1024;
/**
 * Deflate cannot make more than this many bytes out of one: its longest match, 258 bytes, takes at least 2 bits.
 * RFC 1951 section 3.2.5; a legitimate texture reaches 894.
 */
export const maxDeflateRatio = 1032;
/** How deep archives in archives are looked into: 1 is an archive in an archive. */
export const deepestNesting = 4;
/** Most bytes that a compressed archive in an archive may decompress to; its list can only be read from all of it. */
export const maxNestedArchive = 512 * 1024 * 1024;
/** Most bytes that all compressed archives in one archive may decompress to. */
export const maxNestedTotal = 4 * 1024 * 1024 * 1024;
/** Most bytes of decompressed archives that are kept in memory while their members are read, except for the last one. */
export const maxDecompressedKept = 256 * 1024 * 1024;
