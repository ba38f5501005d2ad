/**
 * Comparing two archives: `archive diff`.
 * @module
 */
import { command, type Context, firstWord } from "../command/command.ts";
import { join } from "@std/path";
import { exitCodes, type OptionValues } from "../../system/mod.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { counted, grouped, percentage } from "../output/human.ts";
import { Progress } from "../output/progress.ts";
import { oneRow } from "../output/results.ts";
import type { Archive } from "../../formats/mod.ts";
import type { ArchiveDiffRow } from "../rows/client_rows.ts";
import { openNamed, readOptions } from "./archive.ts";
import { isDirectoryOnDisk, isFileOnDisk } from "./archive_files.ts";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Compares two streams without buffering either. */
async function isSameStream(one: ReadableStream<Uint8Array>, other: ReadableStream<Uint8Array>): Promise<boolean> {
  const readers: readonly [Reader, Reader] = [one.getReader(), other.getReader()];
  const held: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  try {
    for (;;) {
      for (const side of [0, 1] as const) {
        if (held[side].length > 0) continue;
        // deno-lint-ignore no-await-in-loop -- the pieces are compared in order
        held[side] = (await readers[side].read()).value ?? held[side];
      }
      const length = Math.min(held[0].length, held[1].length);
      if (length === 0) return held[0].length === held[1].length;
      for (let index = 0; index < length; index++) if (held[0][index] !== held[1][index]) return false;
      held[0] = held[0].subarray(length);
      held[1] = held[1].subarray(length);
    }
  } finally {
    await Promise.all(readers.map((reader) => reader.cancel()));
  }
}

/** A file of an archive or a directory. */
interface ComparedFile {
  readonly size: number;
  readonly crc32: string | null;
  stream(): ReadableStream<Uint8Array>;
}

/** Files of an archive or of a directory, by path. */
class Side implements Disposable {
  readonly qpaths: readonly string[];
  readonly find: (qpath: string) => ComparedFile | undefined;
  readonly #archive: Archive | undefined;
  readonly #digests = new Map<string, string>();

  /** Returns the files of an archive, which is closed with it, or of a directory by path. */
  constructor(files: Archive | ReadonlyMap<string, ComparedFile>) {
    if (files instanceof Map) {
      this.qpaths = Array.from(files.keys());
      this.find = (qpath) => files.get(qpath);
      return;
    }
    const archive = files as Archive;
    this.#archive = archive;
    this.qpaths = Array.from(archive, ({ qpath }) => qpath);
    this.find = (qpath) => {
      const row = archive.find(qpath);
      return row && { size: row.size, crc32: row.crc32, stream: () => archive.stream(qpath) };
    };
  }

  /** Returns the SHA-256 of a file, which is read once. */
  async digestOf(qpath: string, file: ComparedFile): Promise<string> {
    const known = this.#digests.get(qpath);
    if (known !== undefined) return known;
    const { crypto } = await import("../../formats/parts.ts");
    const hash = crypto().createHash("sha256");
    for await (const piece of file.stream()) hash.update(piece);
    const digest = hash.digest("hex");
    this.#digests.set(qpath, digest);
    return digest;
  }

  [Symbol.dispose](): void {
    this.#archive?.[Symbol.dispose]();
  }
}

/** Opens an archive or a directory from the command line. */
async function openSide(path: string, context: Context, options: OptionValues): Promise<Side> {
  if (!isDirectoryOnDisk(path)) return new Side(await openNamed(path, context, options));
  const files = new Map<string, ComparedFile>();
  const add = async (directory: string, prefix: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(directory)) {
      const own = join(directory, name);
      if (isDirectory) await add(own, `${prefix}${name}/`);
      else if (isFileOnDisk(own)) {
        const stream = () => ReadableStream.from(piecesOf(own));
        files.set(`${prefix}${name}`, { size: (await Deno.stat(own)).size, crc32: null, stream });
      }
    }
  };
  await add(path, "");
  return new Side(files);
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = await Deno.open(path);
    yield* file.readable;
  } catch (error) {
    throw new CommandError(`${path}: cannot be read: ${failureOf(error).message}`, { cause: error });
  }
}

/** Returns whether two files may have the same bytes, by sizes and checksums. */
function mayBeSame(one: ComparedFile, other: ComparedFile): boolean {
  return one.size === other.size && (one.crc32 === null || other.crc32 === null || one.crc32 === other.crc32);
}

const signs: Readonly<Record<ArchiveDiffRow["change"], string>> = { added: "+", removed: "-", changed: "~" };

/** Two compared sides. */
class Difference {
  readonly qpaths: readonly string[];
  readonly #sides: readonly [Side, Side];
  /** Paths of files that the other side lacks, by side and size. */
  readonly #alone: readonly [Map<number, string[]>, Map<number, string[]>] = [new Map(), new Map()];

  constructor(before: Side, after: Side) {
    this.#sides = [before, after];
    this.qpaths = [...new Set([...before.qpaths, ...after.qpaths])].sort();
    for (const qpath of this.qpaths) {
      const [one, two] = this.#at(qpath);
      if (one && !two) this.#alone[0].getOrInsert(one.size, []).push(qpath);
      if (two && !one) this.#alone[1].getOrInsert(two.size, []).push(qpath);
    }
  }

  /** Returns the difference of one path, or `undefined` if there is none. */
  async row(qpath: string): Promise<ArchiveDiffRow | undefined> {
    const [before, after] = this.#at(qpath);
    if (before && after) {
      if (mayBeSame(before, after) && await isSameStream(before.stream(), after.stream())) return undefined;
      return { change: "changed", qpath, before: before.size, after: after.size };
    }
    const sizes = { before: before?.size ?? null, after: after?.size ?? null };
    if (after) {
      const from = await this.#other(1, qpath, after);
      return { change: "added", qpath, ...sizes, ...from !== undefined && { renamedFrom: from } };
    }
    const to = before && await this.#other(0, qpath, before);
    return { change: "removed", qpath, ...sizes, ...to !== undefined && { renamedTo: to } };
  }

  /** Returns the path of the same bytes among the files that only the other side has. */
  async #other(side: 0 | 1, qpath: string, file: ComparedFile): Promise<string | undefined> {
    if (file.size === 0) return undefined;
    const [own, other] = side === 0 ? this.#sides : this.#sides.toReversed() as [Side, Side];
    for (const candidate of this.#alone[side === 0 ? 1 : 0].get(file.size) ?? []) {
      const found = other.find(candidate);
      if (!found || !mayBeSame(file, found)) continue;
      // deno-lint-ignore no-await-in-loop -- each is read once
      if (await own.digestOf(qpath, file) === await other.digestOf(candidate, found)) return candidate;
    }
    return undefined;
  }

  #at(qpath: string): [ComparedFile | undefined, ComparedFile | undefined] {
    return [this.#sides[0].find(qpath), this.#sides[1].find(qpath)];
  }
}

function renamedText({ renamedFrom, renamedTo }: ArchiveDiffRow): string {
  if (renamedFrom !== undefined) return `  was ${renamedFrom}`;
  return renamedTo === undefined ? "" : `  now ${renamedTo}`;
}

function sizesOf({ before, after }: ArchiveDiffRow): string {
  return [before, after].flatMap((size) => size === null ? [] : [grouped(size)]).join(" -> ");
}

export const archiveDiff = command({
  name: "archive diff",
  group: "Archives",
  scope: "anywhere",
  rows: ["ArchiveDiffRow"],
  summary: "list the files that differ between two archives, or an archive and a directory",
  arguments: [{ name: "OLD", kind: "file" }, { name: "NEW", kind: "file" }],
  options: readOptions,
  details: [
    "+ only NEW has the file, - only OLD has it, ~ its bytes differ. Files are compared byte by byte unless their sizes " +
    "or CRC-32 differ; times and compression do not count. The formats may differ. As with diff, the exit code is 0 if " +
    "both hold the same files, else 1.",
    "Either may be a directory, with all files in and below it. A renamed file is shown with both names.",
  ],
  examples: [
    { line: "archive diff mymod-1.0.pk3 mymod-1.1.pk3", does: "what a release changes" },
    { line: "archive diff mymod-1.1.pk3 mymod", does: "changes in the mod's directory since that release" },
  ],
  async *run(context: Context, { words, options }) {
    const { output, signal } = context;
    using before = await openSide(firstWord(words), context, options);
    using after = await openSide(firstWord(words.slice(1)), context, options);
    const difference = new Difference(before, after);
    const { qpaths } = difference;
    const progress = new Progress(output);
    const counts = { different: 0, unreadable: 0 };
    for (const [index, qpath] of qpaths.entries()) {
      signal.throwIfAborted();
      progress.update(() =>
        `${grouped(index)} of ${counted(qpaths.length, "file")}, ${percentage(index, qpaths.length)}`
      );
      try {
        // deno-lint-ignore no-await-in-loop -- members are read one after another
        const row = await difference.row(qpath);
        if (!row) continue;
        counts.different++;
        yield oneRow(
          row,
          (page) =>
            page.line(`${signs[row.change]} ${qpath}`, { text: `  ${sizesOf(row)}${renamedText(row)}`, style: "dim" }),
        );
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind !== "archive" && !(error instanceof CommandError)) throw error;
        output.failure(failure);
        counts.unreadable++;
      }
    }
    progress.end();
    output.remark(
      `${grouped(counts.different)} of ${counted(qpaths.length, "file")} ${
        counts.different === 1 ? "differs" : "differ"
      }`,
    );
    return counts.different + counts.unreadable > 0 ? exitCodes.failed : exitCodes.ok;
  },
});
