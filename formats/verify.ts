/**
 * Reads everything in an archive to verify it.
 * @module
 */
import { elementAt } from "./core/cursor.ts";
import type { Archive } from "./archive.ts";
import { DecompressError, endsTooEarly } from "./codecs/codec.ts";
import { methodNames } from "./core/entry_table.ts";
import { ArchiveError } from "./core/errors.ts";
import { isPartOfArchive } from "./core/omissions.ts";
import { memberStream, readMember, type ReadMemberOptions } from "./member.ts";
import { memberFormat } from "./table.ts";
import { zipEngines } from "./core/zip_methods.ts";

/** Result for one file of an archive. */
export interface VerifyRow {
  /** Display path of the file; empty in a row about the archive as a whole, which is not `ok`. */
  readonly member: string;
  /** Whether it was read in full and matches its size and, if there is one, its checksum. */
  readonly ok: boolean;
  /** Message, one sentence, or null. */
  readonly problem: string | null;
  /** A sentence on an oddity of a readable file. */
  readonly note?: string;
}

/** Options of {@linkcode verifyArchive}. */
export interface VerifyOptions {
  /** Aborts with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Called after each file, and during a large one, with the number of finished members, of all members, and the share
   * of the bytes that was read, from 0 to 1.
   */
  readonly onProgress?: (done: number, total: number, share: number) => void;
}

/** Maximum size of a member that is read at once; larger ones are streamed. */
const maxAtOnce = 16 * 1024 * 1024;
/** Bytes after which to yield, so that a signal can arrive. */
const bytesPerTurn = 16 * 1024 * 1024;

/**
 * Reads every file of `archive` and reports on each, in the order of the archive's table.
 * @throws {Error} the operating system's error if the file itself cannot be read, or the signal's reason.
 * @example
 * ```ts
 * import { MemoryReader, openArchive, verifyArchive } from "@pakfs/pakfs/formats";
 *
 * using archive = openArchive(new MemoryReader(new TextEncoder().encode("PACK\x0c\0\0\0\0\0\0\0")));
 * for await (const { member, ok, problem } of verifyArchive(archive)) {
 *   if (!ok) throw new Error(`${member}: ${problem}`);
 * }
 * ```
 */
export async function* verifyArchive(archive: Archive, options: VerifyOptions = {}): AsyncGenerator<VerifyRow> {
  const { table } = archive;
  for (const warning of table.warnings.filter(isPartOfArchive)) {
    yield { member: "", ok: false, problem: `${archive.source.path}: ${warning}` };
  }
  const allBytes = table.sizes.subarray(0, table.length).reduce((sum, size) => sum + size, 0);
  let sinceTurn = 0;
  let bytes = 0;
  for (let index = 0; index < table.length; index++) {
    options.signal?.throwIfAborted();
    if (!table.isDirectory(index)) {
      const size = elementAt(table.sizes, index);
      let read = 0;
      const onChunk = (length: number) => {
        options.signal?.throwIfAborted();
        // Counts bytes twice if they have to be read again.
        read = Math.min(size, read + length);
        options.onProgress?.(index, table.length, (bytes + read) / allBytes);
      };
      // deno-lint-ignore no-await-in-loop -- one file at a time bounds memory
      const { problem, note } = await check(archive, index, onChunk);
      yield { member: table.path(index), ok: problem === null, problem, ...(note !== undefined && { note }) };
      bytes += size;
      sinceTurn += size;
      if (sinceTurn >= bytesPerTurn) {
        sinceTurn = 0;
        // deno-lint-ignore no-await-in-loop -- a pause is the point
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    }
    options.onProgress?.(index + 1, table.length, allBytes === 0 ? 1 : bytes / allBytes);
  }
}

/** Result for one file. */
type Findings = Pick<VerifyRow, "problem" | "note">;

/** Called for each part of a large member with its length. */
type OnChunk = (length: number) => void;

async function check(archive: Archive, index: number, onChunk: OnChunk): Promise<Findings> {
  try {
    await readAll(archive, index, { requireEndMark: true }, onChunk);
    return { problem: null, ...engineNote(archive, index) };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    if (!lacksEndMark(error)) return { problem: error.message };
  }
  try {
    await readAll(archive, index, {}, onChunk);
    return { problem: null, note: `${archive.table.path(index)}: ${noEndMark}` };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { problem: error.message };
  }
}

/** Returns a note on a method that some engines do not support. */
function engineNote({ format, table }: Archive, index: number): Pick<Findings, "note"> {
  const reader = memberFormat(format, table, index);
  const method = elementAt(methodNames, elementAt(table.methods, index));
  const engines = reader.name === "zip" ? zipEngines(method) : undefined;
  return engines === undefined ? {} : { note: `${table.path(index)} uses ${method}: ${engines}` };
}

const noEndMark = "its compressed data have no end mark, but its size and checksum are right; some programs refuse it";

function lacksEndMark({ cause }: ArchiveError): boolean {
  return cause instanceof DecompressError && cause.message === endsTooEarly;
}

async function readAll(
  { source, format, table, readOptions }: Archive,
  index: number,
  ownOptions: ReadMemberOptions,
  onChunk: OnChunk,
): Promise<void> {
  const options = { ...readOptions, ...ownOptions };
  if (elementAt(table.sizes, index) <= maxAtOnce) readMember(source, format, table, index, options);
  else await drain(memberStream(source, format, table, index, options), onChunk);
}

async function drain(stream: ReadableStream<Uint8Array>, onChunk: OnChunk): Promise<void> {
  for await (const { length } of stream) onChunk(length);
}
