/**
 * Interface of the operating system for other rooms: calls and their errors, options of commands, threads and
 * processes, and the location of the program.
 * @module
 */
export { untilAborted } from "./aborted.ts";
export { openCLibrary } from "./c_library.ts";
export { callsUnderWay, createCallMemory, noteCalls, noteWork, ownCallMemory } from "./call_watch.ts";
export { OwnChannel, ThreadError } from "./channel.ts";
export { type Clock, soon, systemClock } from "./clock.ts";
export { codeCachesIn, isDamagedCodeCache } from "./code_cache.ts";
export { awaitCodeWrites } from "./code_writes.ts";
export { type CommandDescription, groups, type LauncherCommand } from "./command_line/command_description.ts";
export { type ArgumentKind, hostPath, type OptionSpec, OptionValues, parseOptions } from "./command_line/options.ts";
export { parseSize, sizePattern } from "./command_line/sizes.ts";
export { commandAdvice, didYouMean, nearest, nearestNames } from "./command_line/suggest.ts";
export { exitCodes, quoted, shellWord, UsageError, withShortHome } from "./command_line/usage.ts";
export { type ContentWatch, ContentWatches } from "./content_watches.ts";
export { lockDirectory } from "./directory_lock.ts";
export { changeKinds, type DirectoryChange, DirectoryWatches } from "./directory_watches.ts";
export { FileCalls } from "./file_calls.ts";
export { FileSystems, hidesFrom, readFileSystems } from "./file_systems.ts";
export { JsonBytes } from "./json_bytes.ts";
export { hasNumbers, isRecord } from "./json_fields.ts";
export { joinBytes, type JoinedBytes, splitBytes } from "./joined_bytes.ts";
export { Log, type LogFormat, logFormats, type LogSubject } from "./log.ts";
export { memoryLimit } from "./memory_limit.ts";
export { collectGarbage, MemoryReleaser } from "./memory_release.ts";
export { MemoryWindows } from "./memory_windows.ts";
export {
  isOwnMount,
  type MountRecord,
  mountTablePath,
  MountTableWatch,
  parseMountInfo,
  readMountTable,
} from "./mount_table.ts";
export { cacheDirectory, convertedDirectory, ownDirectory } from "./own_directories.ts";
export { type CacheBytes, ownFileBytes, readOwnFile, UnusableCacheError, writeOwnFile } from "./own_files.ts";
export { isPlain, jsonLine, printable, printableText, safeJson } from "./printable.ts";
export { lowerPriority, ProcessCalls } from "./process_calls.ts";
export { isDying } from "./process_signals.ts";
export { ProgramFiles } from "./program_files.ts";
export { programDigest } from "./program_digest.ts";
export { programRoot } from "./program_root.ts";
export { type CarefulOrder, CarefulReader, ReaderProcess } from "./reader_process.ts";
export { answerInTime, NotAnsweringError, RemoteFileSystems, type WatchedReader } from "./remote_file_systems.ts";
export { leaveSignalsToOtherThreads } from "./signal_mask.ts";
export { SystemCalls } from "./system_calls.ts";
export { RestartedThreads, Thread, ThreadPool } from "./threads.ts";
export { unresponsivePaths } from "./unresponsive_paths.ts";
