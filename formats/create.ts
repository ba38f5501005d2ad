/**
 * Creates archives from directories.
 * @module
 */
import { elementAt } from "./core/cursor.ts";
import { basename, dirname, join, resolve } from "@std/path";
import { readDirectory } from "./core/directory.ts";
import { ArchiveError, isDiskFull, UnwritableError, writeProblem } from "./core/errors.ts";
import type { FormatName } from "./core/entry_table.ts";
import type { ArchiveFormat, DeflateContents, GivenBytes, WriteEntry } from "./core/format.ts";
import type { NameHashVariant } from "./core/name_hashes.ts";
import { archiveFormats, formatForFileName, formatNamed } from "./table.ts";

/** Options of {@linkcode createArchive}. */
export interface CreateOptions {
  /** Format to write; default: by the extension of the output's name. */
  readonly format?: FormatName;
  /** Compression, if the format has a choice; default `deflate` for zip. */
  readonly method?: "store" | "deflate";
  /** Hash function of a hashed pack; default: FNV-1a of the unchanged path. */
  readonly hash?: NameHashVariant;
  /** Modification time for all files, in milliseconds since the epoch; default: each file's own. */
  readonly mtime?: number;
  /**
   * Deflates the contents of a zip, several at a time, in other threads; default: `deflateContents`, in this thread.
   */
  readonly deflate?: DeflateContents;
  /** Aborts with the signal's reason and removes the unfinished archive. */
  readonly signal?: AbortSignal;
  /** Called after each file with the number of finished files and of all files. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Result of {@linkcode createArchive}. */
export interface CreateResult {
  /** Format of the archive. */
  readonly format: FormatName;
  /** Number of files in the archive. */
  readonly files: number;
  /** Size of the archive in bytes. */
  readonly bytes: number;
}

/** Format that can be written. */
type WritableFormat = ArchiveFormat & { readonly write: NonNullable<ArchiveFormat["write"]> };

function isWritable(format: ArchiveFormat): format is WritableFormat {
  return format.write !== undefined;
}

function chooseFormat(outputPath: string, name: FormatName | undefined): WritableFormat {
  const format = name === undefined ? formatForFileName(outputPath) : formatNamed(name);
  if (format && isWritable(format)) return format;
  const writable = archiveFormats.filter(isWritable);
  const choice = writable.map((one) => `${one.name} (${one.extensions.slice(0, 3).join(", ")})`).join(" or ");
  throw new UnwritableError(
    name === undefined ? `its ending names no format that can be written; choose ${choice}` : (
      `${name} cannot be written; choose ${choice}`
    ),
    { path: outputPath },
  );
}

/** @throws {UnwritableError} if the archive would replace a device, a pipe or a socket. */
async function requireReplaceable(outputPath: string): Promise<void> {
  try {
    const { isFile, isDirectory } = await Deno.stat(outputPath);
    if (isFile || isDirectory) return;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return; // missing, or writing reports the error
  }
  throw new UnwritableError("not a regular file; name another one", { path: outputPath });
}

/** Returns a path without symbolic links, or unchanged if that is impossible, which reading or writing reports. */
function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/** Lists the files to write, sorted by the bytes of their paths. A file that would be omitted is an error. */
function listFiles(outputPath: string, directory: string, mtime: number | undefined): WriteEntry[] {
  const output = join(realPath(dirname(resolve(outputPath))), basename(outputPath));
  const start = join(realPath(directory), "/");
  const table = readDirectory(directory, { skip: (relativePath) => start + relativePath === output });
  const [warning] = table.warnings;
  if (warning !== undefined) {
    const more = table.warnings.length > 1 ? ` (and ${table.warnings.length - 1} more problems)` : "";
    throw new UnwritableError(`not written, because it would lack files of ${directory}: ${warning}${more}`, {
      path: outputPath,
    });
  }
  const [renamed] = table.rawNames.values();
  if (renamed) {
    throw new UnwritableError(
      `the name ${JSON.stringify(new TextDecoder().decode(renamed))} cannot be kept in an archive; rename the file`,
      { path: outputPath },
    );
  }
  const root = join(directory, ".");
  const entries: WriteEntry[] = [];
  for (let index = 0; index < table.length; index++) {
    if (table.isDirectory(index)) continue;
    const path = table.path(index);
    entries.push(new FileEntry(root, path, elementAt(table.sizes, index), mtime ?? elementAt(table.mtimes, index)));
  }
  if (entries.length === 0) {
    throw new UnwritableError(`not written, because ${directory} has no file to archive`, { path: outputPath });
  }
  return entries;
}

/**
 * Maximum bytes of a file that is read synchronously on this thread: sending it to another thread would take longer.
 */
const maxSyncRead = 64 * 1024;

/** File of a directory that is archived. There may be a million, so they share these functions. */
class FileEntry implements WriteEntry {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly #directory: string;

  constructor(directory: string, path: string, size: number, mtime: number) {
    this.#directory = directory;
    this.path = path;
    this.size = size;
    this.mtime = mtime;
  }

  content(): Uint8Array | Promise<Uint8Array> {
    const path = `${this.#directory}/${this.path}`;
    return this.size <= maxSyncRead ? Deno.readFileSync(path) : Deno.readFile(path);
  }

  pieces(): AsyncIterable<Uint8Array> {
    return filePieces(`${this.#directory}/${this.path}`);
  }
}

/** Bytes read from a file at a time. */
const readPiece = 1024 * 1024;

async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  using file = await Deno.open(path);
  for (;;) {
    const piece = new Uint8Array(readPiece);
    // deno-lint-ignore no-await-in-loop -- pieces come one after another
    const count = await file.read(piece);
    if (count === null) return;
    yield piece.subarray(0, count);
  }
}

/** Bytes that are buffered for one write. */
const writePiece = 256 * 1024;

/** Archive that is being written. */
class OutputFile implements GivenBytes {
  /** Number of bytes of the archive. */
  size = 0;
  readonly #file: Deno.FsFile;
  readonly #collected = new Uint8Array(writePiece);
  #collectedSize = 0;

  constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** Appends bytes; `undefined` if they were only buffered. */
  append(bytes: Uint8Array): Promise<void> | undefined {
    this.size += bytes.length;
    if (this.#collectedSize + bytes.length > writePiece) return this.#appendAll(bytes);
    this.#collected.set(bytes, this.#collectedSize);
    this.#collectedSize += bytes.length;
    return undefined;
  }

  /** Writes buffered bytes. */
  async flush(): Promise<void> {
    await this.#write(this.#collected.subarray(0, this.#collectedSize));
    this.#collectedSize = 0;
  }

  async #appendAll(bytes: Uint8Array): Promise<void> {
    await this.flush();
    await this.#write(bytes);
  }

  async replace(position: number, bytes: Uint8Array): Promise<void> {
    await this.flush();
    await this.#file.seek(position, Deno.SeekMode.Start);
    await this.#write(bytes);
    await this.#file.seek(this.size, Deno.SeekMode.Start);
  }

  async takeBack(position: number): Promise<void> {
    await this.flush();
    await this.#file.truncate(position);
    await this.#file.seek(position, Deno.SeekMode.Start);
    this.size = position;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      // deno-lint-ignore no-await-in-loop -- a short write is followed by the rest
      done += await this.#file.write(bytes.subarray(done));
    }
  }
}

/** Returns an entry with another time. A copy of its properties would lack the methods of a class. */
function dated(entry: WriteEntry, mtime: number): WriteEntry {
  const { path, size, pieces } = entry;
  return {
    path,
    mtime,
    content: () => entry.content(),
    ...(size !== undefined && { size }),
    ...(pieces && { pieces: () => pieces.call(entry) }),
  };
}

/** Returns entries sorted by path, with the time for all files, if given. */
function sortedEntries(entries: readonly WriteEntry[], mtime: number | undefined): WriteEntry[] {
  const sorted = entries.toSorted((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return mtime === undefined ? sorted : sorted.map((entry) => dated(entry, mtime));
}

/**
 * Archives all files below a directory, or a list of files, sorted by path: the same files with the same times give the
 * same bytes. The archive appears only when it is complete. Requires `--allow-read` and `--allow-write`.
 *
 * Empty directories are omitted. All else that cannot be archived is an error: a symbolic link that points outside, an
 * unreadable directory, or a name that archives cannot hold.
 * @throws {UnwritableError} if a file does not fit the format or cannot be read in full.
 * @example
 * ```ts
 * import { createArchive, openArchive } from "@pakfs/pakfs/formats";
 *
 * const folder = Deno.makeTempDirSync();
 * Deno.mkdirSync(`${folder}/mod`);
 * Deno.writeTextFileSync(`${folder}/mod/quake.rc`, "exec default.cfg");
 * const { files, format } = await createArchive(`${folder}/mymod.pk3`, `${folder}/mod`);
 * if (files !== 1 || format !== "zip") throw new Error("unexpected result");
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export async function createArchive(
  outputPath: string,
  content: string | readonly WriteEntry[],
  options: CreateOptions = {},
): Promise<CreateResult> {
  const { method, hash, mtime, signal, deflate, onProgress } = options;
  const format = chooseFormat(outputPath, options.format);
  await requireReplaceable(outputPath);
  const entries = typeof content === "string" ? listFiles(outputPath, content, mtime) : sortedEntries(content, mtime);
  const partial = join(dirname(outputPath), `.${basename(outputPath).slice(0, 100)}.${crypto.randomUUID()}.part`);
  let done = 0;
  let bytes = 0;
  try {
    {
      using file = await Deno.open(partial, { write: true, createNew: true });
      const output = new OutputFile(file);
      const chunks = format.write(entries, {
        path: outputPath,
        given: output,
        ...(method && { method }),
        ...(hash && { hash }),
        ...(signal && { signal }),
        ...(deflate && { deflate }),
        onProgress: (count, total) => {
          done = count;
          onProgress?.(count, total);
        },
      });
      for await (const chunk of chunks) await output.append(chunk);
      await output.flush();
      bytes = output.size;
    }
    await Deno.rename(partial, outputPath);
  } catch (error) {
    await Deno.remove(partial).catch(() => {});
    const problem = isDiskFull(error)
      ? `the disk is full after ${done} of ${entries.length} files; the new archive was removed`
      : writeProblem(error, partial);
    throw problem === undefined ? error : new ArchiveError(problem, { path: outputPath }, { cause: error });
  }
  return { format: format.name, files: entries.length, bytes };
}
