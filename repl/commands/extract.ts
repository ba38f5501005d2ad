/**
 * Copying files out of a view: `extract`.
 * @module
 */
import { basename } from "@std/path";
import { extractFiles } from "../../library/extraction.ts";
import { command } from "../command/command.ts";
import { content } from "../command/content.ts";
import { exitCodes, UsageError } from "../../command_line/usage.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { Progress } from "../output/progress.ts";
import { counted, grouped, humanSize, percentage } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import { filterOptions, matches } from "./find.ts";

/** Members of a file's row that extracting needs. */
const extractedFields = ["qpath", "size", "mtime"] as const;

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
    const progress = new Progress(output);
    const rows = await Array.fromAsync(matches(context, input, extractedFields));
    const counts = { files: 0, bytes: 0, failed: 0 };
    const total = rows.reduce((sum, { size }) => sum + size, 0);
    const read = (qpath: string) => {
      progress.update(() =>
        `${grouped(counts.files)} of ${counted(rows.length, "file")}, ${percentage(counts.bytes, total)}: ` +
        basename(qpath)
      );
      return content(context, qpath);
    };
    try {
      for await (const extracted of extractFiles(rows, root, read, context.signal)) {
        const { file: { qpath, size } } = extracted;
        if ("error" in extracted) {
          output.failure(failureOf(extracted.error));
          counts.failed++;
          continue;
        }
        yield oneRow({ qpath, path: extracted.path, size });
        counts.files++;
        counts.bytes += size;
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
