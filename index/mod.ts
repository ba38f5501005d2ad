/**
 * Interface of the index for other rooms: columns, scanner, cache, checksums, and the bytes of an entry.
 * @module
 */
export { CacheWriter } from "./cache/cache_writer.ts";
export { cacheFiles, cacheProblem, IndexCache } from "./cache/index_cache.ts";
export {
  descriptionSize,
  encodeSeekPoints,
  hasShortSpan,
  isSeekableSize,
  parseSeekPoints,
  seekFileName,
  type SeekMember,
  type SeekPoints,
  type SeekSegment,
  segmentBytes,
  segmentCount,
  segmentEnd,
  titleBytes,
  windowBytes,
  windowLength,
} from "./cache/seek_points.ts";
export { packChecksum } from "./checksums/pack_checksum.ts";
export { pk3Checksum } from "./checksums/pk3_checksum.ts";
export { quakePakDirectoryCrc } from "./checksums/quake_pak_directory_crc.ts";
export { isSameByteLayout } from "./columns/byte_layout.ts";
export {
  at,
  beyond,
  none,
  sharedColumns,
  sharedUint32,
  sharedUint8,
  type SnapshotColumns,
  unsharedBytes,
} from "./columns/columns.ts";
export { entryRow, namelessRow, sourceTable } from "./columns/entry_tables.ts";
export { compareBytes, equalBytes, equalFolded, foldedHash } from "./columns/fold.ts";
export type { Game, GameDirectory, GameOptions, PlayedGame } from "./columns/game.ts";
export {
  type Identity,
  isIndexedDirectory,
  isSameChange,
  isSameIdentity,
  isSettled,
  type LookAtFile,
} from "./columns/identity.ts";
export { type IndexedGames, indexFrom, type IndexParts } from "./columns/indexed_games.ts";
export { leftOutPacks } from "./columns/left_out.ts";
export { Snapshot } from "./columns/snapshot.ts";
export {
  directoryNameOf,
  entriesOf,
  filePathOf,
  hasNestedPacks,
  hasOrigin,
  isDirectorySource,
  ownEntryCount,
  searchedEntries,
  type Source,
  sourceHasName,
} from "./columns/source.ts";
export { openArchive } from "./content/archive_reader.ts";
export { ContentReader } from "./content/content_reader.ts";
export { type Expression, lineExpression } from "./content/line_search.ts";
export { ChangedError, IndexedFile, locateEntry, offsetInFile } from "./content/indexed_file.ts";
export { type FileProvider, openEntry } from "./content/open_entry.ts";
export { RemoteReaders } from "./content/remote/remote_readers.ts";
export { RemoteSources } from "./content/remote/remote_sources.ts";
export { RoutedContent } from "./content/remote/routed_content.ts";
export { packSubject, sourceOfSubject, subjectBytes } from "./content/subject_reader.ts";
export { ContentHashes, type IndexHashes } from "./hashes/content_hashes.ts";
export { HashStore } from "./hashes/hash_store.ts";
export { knownHashes } from "./hashes/subject_hashes.ts";
export { sourceProblems } from "./scan/assemble.ts";
export { listDetection } from "./scan/load_plan.ts";
export { isUnion } from "./scan/union_plan.ts";
export { unknownFormat } from "./scan/plan.ts";
export { inodeKey, RootPresence, type RootPresenceState } from "./scan/root_presence.ts";
export { indexGames, type ScanOptions, type ScanProgress } from "./scan/scanner.ts";
export { ContentSearch, type IndexSearch } from "./threads/content_search.ts";
export { TooLongError } from "./threads/content_threads.ts";
