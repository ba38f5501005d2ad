/**
 * Extracts archives into a directory, and never outside it.
 * @module
 */
import { elementAt } from "./core/cursor.ts";
import type { Archive } from "./archive.ts";
import { ArchiveError, isDiskFull, messageOf } from "./core/errors.ts";
import { compileGlob } from "./core/glob.ts";
import type { EntryTable } from "./core/entry_table.ts";
import { memberStream, readMember } from "./member.ts";
import { clashSuffix } from "./core/names.ts";
import { OutputDirectory, parentOf } from "./output_directory.ts";

/** Options of {@linkcode extractArchive}. */
export interface ExtractOptions {
  /** Globs of display paths for {@linkcode compileGlob}; a file is extracted if any matches. Default: everything. */
  readonly patterns?: readonly string[];
  /** Whether the patterns ignore case; default false. */
  readonly ignoreCase?: boolean;
  /** Aborts with the signal's reason; extracted files are kept. */
  readonly signal?: AbortSignal;
  /** Called after each file with the number of finished files and of all files. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** File that could not be extracted. */
export interface ExtractProblem {
  /** Display path of the file. */
  readonly member: string;
  /** Message, one sentence. */
  readonly problem: string;
}

/** File that was extracted with another name. */
export interface RenamedFile {
  /** Display path of the file. */
  readonly member: string;
  /** Path below the output directory. */
  readonly path: string;
}

/** Result of {@linkcode extractArchive}. */
export interface ExtractResult {
  /** Number of files written. */
  readonly files: number;
  /** Bytes written. */
  readonly bytes: number;
  /** Files that could not be extracted. */
  readonly problems: readonly ExtractProblem[];
  /** Files whose names are also directories of other members. */
  readonly renamed: readonly RenamedFile[];
  /** Display paths of files that were not written because another file has the same path. */
  readonly leftOut: readonly string[];
}

/** Maximum size of a member that is read at once; larger ones are streamed. */
const maxAtOnce = 16 * 1024 * 1024;
/** Milliseconds after which to yield, so that a signal can arrive. */
const maxTurn = 16;

interface Job {
  readonly index: number;
  /** Display path of the file. */
  readonly member: string;
  /** Path below the output directory. */
  readonly target: string;
}

/** Files to write, and files to omit. */
interface Plan {
  readonly jobs: readonly Job[];
  readonly renamed: readonly RenamedFile[];
  readonly leftOut: readonly string[];
}

/** Returns whether a file's path is a directory for other members. */
function hasClash(archive: Archive): boolean {
  const { table } = archive;
  let last = "";
  for (let index = 0; index < table.length; index++) {
    const path = table.path(index);
    let directory = table.isDirectory(index) ? path : parentOf(path);
    if (directory === last) continue;
    last = directory;
    for (; directory !== ""; directory = parentOf(directory)) if (archive.indexOf(directory) !== undefined) return true;
  }
  return false;
}

/**
 * Returns a test whether a path is a directory: listed, or with members below it. A set of all directories would take
 * hundreds of times the memory of an archive whose paths are deep.
 */
function directoryTest(archive: Archive): (path: string) => boolean {
  if (!hasClash(archive)) return () => false;
  const { table } = archive;
  const paths = Array.from({ length: table.length }, (_, row) => table.path(row) + (table.isDirectory(row) ? "/" : ""));
  paths.sort();
  return (path) => {
    const start = `${path}/`;
    let low = 0;
    let high = paths.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (elementAt(paths, middle) < start) low = middle + 1;
      else high = middle;
    }
    return paths[low]?.startsWith(start) ?? false;
  };
}

/** Returns whether two members have the same bytes, as far as the table shows. */
function areSame(table: EntryTable, first: number, second: number): boolean {
  const crc = table.crc(first);
  return crc !== undefined && crc === table.crc(second) && table.sizes[first] === table.sizes[second];
}

/** Plans one file per path: the result of {@linkcode Archive.find}. */
function planFiles(archive: Archive, options: ExtractOptions): Plan {
  const { table } = archive;
  const globs = options.patterns?.map((pattern) => compileGlob(pattern, { ignoreCase: options.ignoreCase ?? false }));
  const isDirectory = directoryTest(archive);
  const jobs: Job[] = [];
  const renamed: RenamedFile[] = [];
  const leftOut: string[] = [];
  const taken = new Set<string>();
  for (let index = 0; index < table.length; index++) {
    const member = table.path(index);
    if (table.isDirectory(index) || (globs && !globs.some((matches) => matches(member)))) continue;
    const chosen = archive.indexOf(member);
    if (chosen !== index) {
      if (chosen === undefined || !areSame(table, chosen, index)) leftOut.push(member);
      continue;
    }
    let target = member;
    const isFree = () => target === member || (archive.indexOf(target) === undefined && !taken.has(target));
    while (isDirectory(target) || !isFree()) target += clashSuffix;
    if (target !== member) {
      taken.add(target);
      renamed.push({ member, path: target });
    }
    jobs.push({ index, member, target });
  }
  return { jobs, renamed, leftOut };
}

/**
 * Writes the files of `archive` below `outputDirectory`, which is created if it is missing. Each file appears only when
 * it is complete and verified, with its time; an existing file is replaced. A file that cannot be read or written is
 * reported, and the others are still extracted. Requires `--allow-read` and `--allow-write`.
 *
 * Nothing is ever written outside of `outputDirectory`: member names are cleaned (see `displayName`), and a symbolic
 * link in it is not followed. If several members have the same path, the result of {@linkcode Archive.find} is written;
 * the others are reported, unless their bytes are the same. A file whose path is a directory for other members gets
 * {@linkcode clashSuffix} and is reported.
 * @throws {ArchiveError} if the disk is full; its message has the number of written files.
 * @throws {Error} the operating system's error if `outputDirectory` cannot be made, or the signal's reason.
 * @example
 * ```ts
 * import { extractArchive, MemoryReader, openArchive } from "@pakfs/pakfs/formats";
 *
 * using archive = openArchive(new MemoryReader(new TextEncoder().encode("PACK\x0c\0\0\0\0\0\0\0")));
 * const directory = Deno.makeTempDirSync();
 * const { files, problems } = await extractArchive(archive, directory, { patterns: ["maps/*.bsp"] });
 * if (files !== 0 || problems.length !== 0) throw new Error("an empty archive gave files");
 * Deno.removeSync(directory);
 * ```
 */
export async function extractArchive(
  archive: Archive,
  outputDirectory: string,
  options: ExtractOptions = {},
): Promise<ExtractResult> {
  const { source, format, table, readOptions } = archive;
  const { signal } = options;
  const { jobs, renamed, leftOut } = planFiles(archive, options);
  const output = await OutputDirectory.make(outputDirectory, (sentence, { member, cause }) => {
    const details = { path: source.path, ...(member === undefined ? {} : { member }) };
    return new ArchiveError(sentence, details, { cause });
  });
  const problems: ExtractProblem[] = [];
  let files = 0;
  let bytes = 0;
  let turnStart = performance.now();
  const attempt = async (member: string, action: () => void | Promise<void>): Promise<boolean> => {
    if (performance.now() - turnStart > maxTurn) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      turnStart = performance.now();
    }
    signal?.throwIfAborted();
    try {
      await action();
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      if (isDiskFull(error)) {
        throw new ArchiveError(
          `the disk is full after ${files} of ${jobs.length} files (${bytes} bytes); ${member} and those after it were ` +
            "not extracted",
          { path: source.path, member },
          { cause: error },
        );
      }
      problems.push({ member, problem: messageOf(error) });
      return false;
    }
  };
  for (const [done, { index, member, target }] of jobs.entries()) {
    const size = elementAt(table.sizes, index);
    const mtime = elementAt(table.mtimes, index);
    // deno-lint-ignore no-await-in-loop -- one file at a time bounds memory
    const isWritten = await attempt(
      member,
      () =>
        size <= maxAtOnce
          ? output.write(target, member, readMember(source, format, table, index, readOptions), mtime)
          : output.writeStream(
            { target, member, mtime, signal },
            memberStream(source, format, table, index, readOptions),
          ),
    );
    if (isWritten) {
      files++;
      bytes += size;
    }
    options.onProgress?.(done + 1, jobs.length);
  }
  if (!options.patterns) {
    for (let index = 0; index < table.length; index++) {
      if (!table.isDirectory(index)) continue;
      // deno-lint-ignore no-await-in-loop -- directories are made one inside the other
      await attempt(table.path(index), () => output.make(table.path(index)));
    }
  }
  return { files, bytes, problems, renamed, leftOut };
}
