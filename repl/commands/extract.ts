/**
 * Copying files out of a view: `extract`.
 * @module
 */
import { basename, dirname, join } from "@std/path";
import type { FileRow } from "../../protocol/rows.ts";
import { command, type Context, type Results } from "../command/command.ts";
import { content } from "../command/content.ts";
import { exitCodes, quoted, UsageError } from "../../command_line/usage.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { Progress } from "../output/progress.ts";
import { counted, grouped, humanSize, percentage } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import type { ExtractedRow } from "../rows/client_rows.ts";
import { filterOptions, matches } from "./find.ts";

/**
 * Where a qpath belongs below a directory.
 * @throws {CommandError} if it would lead out of it or is no file name here.
 */
export function safeDestination(directory: string, qpath: string): string {
  const names = qpath.split("/");
  const bad = names.find((name) => name === "" || name === "." || name === ".." || /[\0\\]/.test(name));
  if (bad !== undefined) throw new CommandError(`cannot extract ${quoted(qpath)}: not a safe path`);
  return join(directory, ...names);
}

/** Makes the directories of extracted files, and never follows a link out of the target. */
class Directories {
  readonly #made = new Set<string>();

  async make(root: string, path: string): Promise<void> {
    if (this.#made.has(path)) return;
    if (path !== root) await this.make(root, dirname(path));
    if (path === root) await Deno.mkdir(path, { recursive: true });
    else await this.#makeOne(path);
    this.#made.add(path);
  }

  async #makeOne(path: string): Promise<void> {
    try {
      await Deno.mkdir(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      const { isDirectory } = await Deno.lstat(path);
      if (!isDirectory) throw new CommandError(`${path}: not a directory`);
    }
  }
}

/** Writes `pieces` to `path` under another name first, so that a file is there whole or not at all. */
async function writeWhole(path: string, pieces: AsyncIterable<Uint8Array>, mtime: number): Promise<void> {
  const temporary = join(dirname(path), `.pakfs-${crypto.randomUUID()}.part`);
  try {
    const file = await Deno.open(temporary, { write: true, createNew: true });
    try {
      for await (const piece of pieces) {
        // deno-lint-ignore no-await-in-loop -- bytes are written in order; a write may take only some
        for (let written = 0; written < piece.length;) written += await file.write(piece.subarray(written));
      }
    } finally {
      file.close();
    }
    await Deno.utime(temporary, new Date(mtime), new Date(mtime));
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => undefined);
    throw error;
  }
}

interface Extraction {
  readonly root: string;
  readonly directories: Directories;
}

/** Members of a file's row that extracting needs. */
const extractedFields = ["qpath", "size", "mtime"] as const;

async function extractOne(
  context: Context,
  { root, directories }: Extraction,
  row: Pick<FileRow, typeof extractedFields[number]>,
): Promise<ExtractedRow> {
  const destination = safeDestination(root, row.qpath);
  await directories.make(root, dirname(destination));
  await writeWhole(destination, content(context, row.qpath), row.mtime);
  return { qpath: row.qpath, path: destination, size: row.size };
}

/** Extracts a file, or reports why it is unreadable. */
async function* extractOrReport(
  context: Context,
  extraction: Extraction,
  row: Pick<FileRow, typeof extractedFields[number]>,
  counts: { files: number; bytes: number; failed: number },
): Results<ExtractedRow> {
  try {
    yield oneRow(await extractOne(context, extraction, row));
    counts.files++;
    counts.bytes += row.size;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== "unreadable" && !(error instanceof CommandError)) throw error;
    context.output.failure(failure);
    counts.failed++;
  }
}

export const extract = command({
  name: "extract",
  group: "Browse",
  scope: "anywhere",
  rows: ["ExtractedRow"],
  summary: "copy files out of the view into a directory",
  arguments: [{ name: "PATTERN", kind: "qpath", optional: true, repeated: true }],
  options: [
    { name: "output", short: "o", value: "DIR", kind: "file", summary: "write them below this directory (required)" },
    ...filterOptions,
  ],
  details: [
    "Patterns and filters are those of find. Files keep their qpaths and times below DIR; an existing file is " +
    "replaced once the new one is complete. Unreadable files are reported, the others are copied, and the exit code is 1.",
  ],
  examples: [
    { line: "extract 'sound/' -o /tmp/sounds", does: "a whole directory" },
    { line: "extract '*.bsp' --in pak0.pak -o maps", does: "all maps of one pack" },
    { line: "extract --in pak1.pak -o /tmp/pak1", does: "all that the engine loads from one pack" },
  ],
  async *run(context, input) {
    const { output } = context;
    const root = input.options.value("output");
    if (root === undefined || root === "") throw new UsageError("extract needs an output directory: -o DIR");
    if (input.words.length === 0 && filterOptions.every(({ name }) => !input.options.flag(name))) {
      throw new UsageError("extract needs a pattern or a filter such as --in PACK");
    }
    const extraction: Extraction = { root, directories: new Directories() };
    const progress = new Progress(output);
    const rows = await Array.fromAsync(matches(context, input, extractedFields));
    const counts = { files: 0, bytes: 0, failed: 0 };
    const total = rows.reduce((sum, { size }) => sum + size, 0);
    try {
      for (const row of rows) {
        progress.update(() =>
          `${grouped(counts.files)} of ${counted(rows.length, "file")}, ${percentage(counts.bytes, total)}: ` +
          basename(row.qpath)
        );
        yield* extractOrReport(context, extraction, row, counts);
      }
    } catch (error) {
      progress.end();
      output.remark(`stopped: ${grouped(counts.files)} of ${counted(rows.length, "file")} extracted to ${root}`);
      throw error;
    }
    progress.end();
    if (rows.length === 0) throw new CommandError(`no file matches ${input.words.join(" ") || "the filters"}`);
    output.remark(`${counted(counts.files, "file")}, ${humanSize(counts.bytes)}, extracted to ${root}`);
    return counts.failed > 0 ? exitCodes.failed : exitCodes.ok;
  },
});
