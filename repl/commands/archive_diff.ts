/**
 * Comparing two archives: `archive diff`.
 * @module
 */
import { command, type Context, firstWord } from "../command/command.ts";
import { exitCodes } from "../../system/mod.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { counted, grouped, percentage } from "../output/human.ts";
import { Progress } from "../output/progress.ts";
import { oneRow } from "../output/results.ts";
import type { Archive, ArchiveRow } from "../../formats/mod.ts";
import type { ArchiveDiffRow } from "../rows/client_rows.ts";
import { openNamed, readOptions } from "./archive.ts";

/** Bytes that are read of a member at once while two are compared. */
type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Compares two streams without keeping either. */
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

/** Returns whether two members have the same bytes; reads them where sizes and checksums do not decide. */
async function isSame(archives: readonly [Archive, Archive], one: ArchiveRow, other: ArchiveRow): Promise<boolean> {
  if (one.size !== other.size) return false;
  if (one.crc32 !== null && other.crc32 !== null && one.crc32 !== other.crc32) return false;
  return await isSameStream(archives[0].stream(one.qpath), archives[1].stream(other.qpath));
}

const signs: Readonly<Record<ArchiveDiffRow["change"], string>> = { added: "+", removed: "-", changed: "~" };

/** Returns the difference of one path, or `undefined` if there is none. */
async function differenceOf(archives: readonly [Archive, Archive], qpath: string): Promise<ArchiveDiffRow | undefined> {
  const [before, after] = archives.map((archive) => archive.find(qpath));
  if (before && after && await isSame(archives, before, after)) return undefined;
  const change = !before ? "added" : !after ? "removed" : "changed";
  return { change, qpath, before: before?.size ?? null, after: after?.size ?? null };
}

function sizesOf({ before, after }: ArchiveDiffRow): string {
  return [before, after].flatMap((size) => size === null ? [] : [grouped(size)]).join(" -> ");
}

export const archiveDiff = command({
  name: "archive diff",
  group: "Archives",
  scope: "anywhere",
  rows: ["ArchiveDiffRow"],
  summary: "list the files that differ between two archives",
  arguments: [{ name: "OLD", kind: "file" }, { name: "NEW", kind: "file" }],
  options: readOptions,
  details: [
    "+ only NEW has the file, - only OLD has it, ~ its bytes differ. Files are compared byte by byte unless their sizes " +
    "or CRC-32 differ; times and compression do not count. The formats may differ. As with diff, the exit code is 0 if " +
    "both hold the same files, else 1.",
  ],
  examples: [{ line: "archive diff mymod-1.0.pk3 mymod-1.1.pk3", does: "what a release changes" }],
  async *run(context: Context, { words, options }) {
    const { output, signal } = context;
    using before = await openNamed(firstWord(words), context, options);
    using after = await openNamed(firstWord(words.slice(1)), context, options);
    const qpaths = [...new Set([before, after].flatMap((archive) => Array.from(archive, ({ qpath }) => qpath)))].sort();
    const progress = new Progress(output);
    const counts = { different: 0, unreadable: 0 };
    for (const [index, qpath] of qpaths.entries()) {
      signal.throwIfAborted();
      progress.update(() =>
        `${grouped(index)} of ${counted(qpaths.length, "file")}, ${percentage(index, qpaths.length)}`
      );
      try {
        // deno-lint-ignore no-await-in-loop -- members are read one after another
        const row = await differenceOf([before, after], qpath);
        if (!row) continue;
        counts.different++;
        yield oneRow(
          row,
          (page) => page.line(`${signs[row.change]} ${qpath}`, { text: `  ${sizesOf(row)}`, style: "dim" }),
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
