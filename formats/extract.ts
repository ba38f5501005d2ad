/**
 * Unpacking an archive into a directory, and never anywhere else.
 * @module
 */
import { dirname, join } from "node:path";
import type { Archive } from "./archive.ts";
import { ArchiveError } from "./errors.ts";
import { compileGlob } from "./glob.ts";
import { memberStream, readMember } from "./member.ts";

/** Options of {@linkcode extractArchive}. */
export interface ExtractOptions {
  /** Globs of display paths as of {@linkcode compileGlob}; a file is taken if any matches. Default: everything. */
  readonly patterns?: readonly string[];
  /** Whether the patterns ignore case; default false. */
  readonly ignoreCase?: boolean;
  /** Stops with the signal's reason; the files extracted by then stay. */
  readonly signal?: AbortSignal;
  /** Told after each file: how many are done of how many. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A file that could not be extracted. */
export interface ExtractProblem {
  /** Display path of the file. */
  readonly member: string;
  /** One sentence. */
  readonly problem: string;
}

/** What {@linkcode extractArchive} did. */
export interface ExtractResult {
  /** Number of files written. */
  readonly files: number;
  /** Bytes written. */
  readonly bytes: number;
  /** The files that were not. */
  readonly problems: readonly ExtractProblem[];
}

/** Appended to a file whose path is a directory for other members: `sound` next to `sound/x.wav`. */
export const clashSuffix = "~file";
/** Larger members are streamed. */
const largestAtOnce = 16 * 1024 * 1024;

interface Job {
  readonly index: number;
  /** Path below the output directory. */
  readonly target: string;
}

function parentOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}

/** The files to be written, one per path: the one that {@linkcode Archive.find} takes. */
function chooseFiles(archive: Archive, options: ExtractOptions): Job[] {
  const { table } = archive;
  const globs = options.patterns?.map((pattern) => compileGlob(pattern, { ignoreCase: options.ignoreCase ?? false }));
  const directories = new Set<string>();
  for (let index = 0; index < table.length; index++) {
    const path = table.path(index);
    let directory = table.isDirectory(index) ? path : parentOf(path);
    for (; directory !== "" && !directories.has(directory); directory = parentOf(directory)) directories.add(directory);
  }
  const jobs: Job[] = [];
  for (let index = 0; index < table.length; index++) {
    const path = table.path(index);
    if (table.isDirectory(index) || archive.indexOf(path) !== index) continue;
    if (globs && !globs.some((matches) => matches(path))) continue;
    jobs.push({ index, target: directories.has(path) ? path + clashSuffix : path });
  }
  return jobs;
}

/**
 * A directory that files are written into, through no symbolic link that was there before. Its own path may lead through
 * some; it is used as given, because permission to write is given for that path.
 */
class OutputDirectory {
  readonly #root: string;
  readonly #archivePath: string;
  readonly #safe = new Set<string>([""]);

  constructor(root: string, archivePath: string) {
    this.#root = root;
    this.#archivePath = archivePath;
  }

  /** Makes the directory `relativePath` and those above it. */
  async make(relativePath: string): Promise<void> {
    if (this.#safe.has(relativePath)) return;
    await this.make(parentOf(relativePath));
    const path = join(this.#root, relativePath);
    try {
      await Deno.mkdir(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      const information = await Deno.lstat(path);
      if (!information.isDirectory) {
        const what = information.isSymlink ? "a symbolic link, which is not followed" : "a file";
        throw new ArchiveError(`cannot be extracted: ${path} is ${what}`, { path: this.#archivePath });
      }
    }
    this.#safe.add(relativePath);
  }

  /** Writes a file under another name, dates it and gives it its own: it is there wholly or not at all. */
  async write(
    relativePath: string,
    content: Uint8Array | ReadableStream<Uint8Array>,
    mtime: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    await this.make(parentOf(relativePath));
    const path = join(this.#root, relativePath);
    const partial = join(dirname(path), `.${crypto.randomUUID()}.part`);
    try {
      await Deno.writeFile(partial, content, { createNew: true, ...(signal && { signal }) });
      const date = new Date(mtime);
      await Deno.utime(partial, date, date);
      await Deno.rename(partial, path);
    } catch (error) {
      await Deno.remove(partial).catch(() => {});
      throw error;
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/**
 * Writes the files of `archive` below `outputDirectory`, which is made if it is not there. Each file appears only when
 * it is complete and verified, with its time; one that exists is replaced. A file that cannot be read or written is
 * reported and the others go on. Requires `--allow-read` and `--allow-write`.
 *
 * Nothing is ever written outside of `outputDirectory`: member names are cleaned (see `displayName`), and a symbolic
 * link in it is not followed. Of several members of one path the one that {@linkcode Archive.find} takes is written.
 * @throws {Error} the operating system's error if `outputDirectory` cannot be made or the disk is full, or the
 * signal's reason.
 * @example
 * ```ts
 * import { extractArchive, MemorySource, openArchive } from "@pakfs/pakfs/formats";
 *
 * using archive = openArchive(new MemorySource(new TextEncoder().encode("PACK\x0c\0\0\0\0\0\0\0")));
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
  const { source, format, table } = archive;
  const jobs = chooseFiles(archive, options);
  await Deno.mkdir(outputDirectory, { recursive: true });
  const output = new OutputDirectory(outputDirectory, source.path);
  const problems: ExtractProblem[] = [];
  let files = 0;
  let bytes = 0;
  const attempt = async (member: string, action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (isFull(error)) throw error;
      problems.push({ member, problem: error instanceof Error ? error.message : String(error) });
    }
  };
  for (const [done, { index, target }] of jobs.entries()) {
    options.signal?.throwIfAborted();
    const size = table.sizes[index] ?? 0;
    // deno-lint-ignore no-await-in-loop -- one file at a time bounds memory
    await attempt(table.path(index), async () => {
      const read = size <= largestAtOnce ? readMember : memberStream;
      await output.write(target, read(source, format, table, index), table.mtimes[index] ?? 0, options.signal);
      files++;
      bytes += size;
    });
    options.onProgress?.(done + 1, jobs.length);
  }
  if (!options.patterns) {
    for (let index = 0; index < table.length; index++) {
      if (!table.isDirectory(index)) continue;
      // deno-lint-ignore no-await-in-loop -- directories are made one inside the other
      await attempt(table.path(index), () => output.make(table.path(index)));
    }
  }
  return { files, bytes, problems };
}
