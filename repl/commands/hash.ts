/**
 * Hashes of files: `hash`, `archive hash`.
 * @module
 */
import { basename, resolve } from "@std/path";
import { exitCodes, type OptionSpec, UsageError } from "../../system/mod.ts";
import type { HashRow } from "../../protocol/rows.ts";
import { command, type Context, type Input, inView, type Results, slowRowsOf } from "../command/command.ts";
import { Session } from "../command/session.ts";
import { CommandError } from "../output/failure.ts";
import { counted, humanSize } from "../output/human.ts";
import { linesOf, rowsShownAs, RowStream, tableOf } from "../output/results.ts";
import type { Column } from "../output/table.ts";
import { isFileOnDisk, namedArchives } from "./archive_files.ts";
import { filterOptions, nothingMatches, parseFilters, patternFrom } from "./find.ts";

const sumsOption: OptionSpec = {
  name: "sums",
  summary: "print lines that sha256sum -c reads, with the paths of files",
};

const columns: readonly Column<HashRow>[] = [
  {
    title: "SHA-256",
    cell: ({ sha256 }) => sha256 ?? { text: "cannot be read", style: "unusable" },
  },
  { title: "CRC-32", isOptional: true, cell: ({ crc32 }) => ({ text: crc32 ?? "-", style: "dim" }) },
  { title: "SIZE", align: "right", isOptional: true, cell: ({ size }) => humanSize(size) },
  { title: "FROM", isOptional: true, cell: (row) => ({ text: sourceText(row), style: "dim" }) },
  {
    title: "NAME",
    cell: ({ qpath, problem }) => problem === undefined ? qpath : { text: `${qpath}  ${problem}`, style: "unusable" },
  },
];

function sourceText({ source, member }: HashRow): string {
  return member === "" ? "" : basename(source);
}

/** Counts of the rows of a command. */
class Counts {
  files = 0;
  bytes = 0;
  unreadable = 0;

  of(rows: RowStream<HashRow>): RowStream<HashRow> {
    return rows.filter(({ size, problem }) => {
      this.files++;
      if (problem === undefined) this.bytes += size;
      else this.unreadable++;
      return true;
    });
  }

  get text(): string {
    const unreadable = this.unreadable === 0 ? "" : `, ${counted(this.unreadable, "file")} cannot be read`;
    return `${counted(this.files, "file")}, ${humanSize(this.bytes)}${unreadable}`;
  }
}

/** Returns a line in the format of `sha256sum`: a leading backslash marks escapes in the name. */
function sumLine({ sha256, qpath }: HashRow): string {
  const escaped = qpath.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return `${escaped === qpath ? "" : "\\"}${sha256}  ${escaped}`;
}

/** Prints rows, and returns the exit code. */
async function* showHashes(context: Context, { options }: Input, rows: RowStream<HashRow>): Results<HashRow> {
  const counts = new Counts();
  const counted = counts.of(rows);
  const isKnown = ({ sha256 }: HashRow) => sha256 !== null;
  yield options.flag("sums")
    ? rowsShownAs(counted, linesOf(counted.filter(isKnown), sumLine))
    : tableOf(counted, columns);
  if (counts.files > 0) context.output.remark(counts.text);
  return counts.unreadable > 0 ? exitCodes.failed : exitCodes.ok;
}

function missingRow(path: string): HashRow {
  const source = resolve(path);
  const problem = `${path}: no such file`;
  return {
    qpath: basename(path),
    view: null,
    source,
    member: "",
    size: 0,
    sha256: null,
    crc32: null,
    wins: true,
    problem,
  };
}

/** Returns the hashes of some files on disk and their members, from a temporary index. */
export function hashesOfFiles(context: Context, paths: readonly string[]): RowStream<HashRow> {
  return new RowStream(async function* () {
    const groups = Map.groupBy(paths, isFileOnDisk);
    const missing = groups.get(false) ?? [];
    const sources = groups.get(true) ?? [];
    if (missing.length > 0) yield missing.map(missingRow);
    if (sources.length === 0) return;
    const [{ openLocal }, { defaultIndexCache }] = await Promise.all([
      import("../../service/local.ts"),
      import("../../daemon/config/paths.ts"),
    ]);
    const open = () => openLocal({ sources, union: true }, { cache: defaultIndexCache() });
    await using session = new Session(open);
    const rows = slowRowsOf({ ...context, session }, "hash", { everything: true });
    // No engine searches them.
    for await (const page of rows.pages) yield page.map((row) => ({ ...row, view: null, wins: true }));
  }());
}

export const hash = command({
  name: "hash",
  group: "Ask",
  scope: "anywhere",
  rows: ["HashRow"],
  summary: "print the SHA-256 and CRC-32 of files, of all members of packs, or of files on disk",
  arguments: [{ name: "PATTERN|PACK|FILE", kind: "qpath", optional: true, repeated: true }],
  options: [
    ...filterOptions,
    { name: "losers", summary: "also files that lose to another with the same path" },
    { name: "everything", summary: "all files of all packs and game directories of all games" },
    sumsOption,
  ],
  details: [
    "PATTERN works as in find; default: all files of the view. PACK is the file name of a pack, or the end of its " +
    "path, and means all its members. FILE is an archive or any other file on disk, which needs no daemon.",
    "Files are read on all processors, and their hashes are cached next to the index: as long as a pack or file " +
    "is unchanged, it is not read again. Ctrl-C keeps finished hashes. A file that cannot be read is a row with the " +
    "reason, and the exit code is 1.",
  ],
  examples: [
    { line: "hash 'maps/*.bsp'", does: "the maps of the view" },
    { line: "hash pak0.pak --json", does: "every member of a pack" },
    { line: "hash --sums", does: "lines for sha256sum -c, to be run in the mounted view" },
  ],
  async *run(context, input) {
    const { words, options } = input;
    const isOnDisk = words.map(isFileOnDisk);
    const files = words.filter((_, index) => isOnDisk[index]);
    const patterns = words.filter((_, index) => !isOnDisk[index]);
    const everything = options.flag("everything");
    if (everything && words.length > 0) throw new UsageError("--everything takes no PATTERN, PACK or FILE");
    const filters = parseFilters(input);
    const isAsked = patterns.length > 0 || files.length === 0;
    const pages = async function* () {
      if (isAsked) {
        const typed = patterns.length === 0 ? ["*"] : patterns;
        yield* slowRowsOf(context, "hash", {
          ...inView(context),
          ...everything ? { everything } : { patterns: typed.map((word) => patternFrom(context.directory, word)) },
          ...Object.keys(filters).length > 0 ? { filters } : {},
          ...options.flag("losers") ? { losers: true } : {},
        }).pages;
      }
      yield* hashesOfFiles(context, files).pages;
    };
    let found = 0;
    const rows = new RowStream(pages()).filter(() => ++found > 0);
    const code = yield* showHashes(context, input, rows);
    if (found === 0 && patterns.length > 0) throw new CommandError(await nothingMatches(context, input));
    return code;
  },
});

export const archiveHash = command({
  name: "archive hash",
  group: "Archives",
  scope: "anywhere",
  rows: ["HashRow"],
  summary: "print the SHA-256 and CRC-32 of every file in archives",
  arguments: [{ name: "FILE|DIR", kind: "file", repeated: true }],
  options: [sumsOption],
  details: [
    "For a directory, all archives in and below it are read. Hashes are cached as by hash. A file that cannot be " +
    "read is a row with the reason, and the exit code is 1.",
  ],
  examples: [{ line: "archive hash ~/Downloads --json", does: "one object per file in all archives" }],
  async *run(context, input) {
    const { paths } = await namedArchives(input.words);
    return yield* showHashes(context, input, hashesOfFiles(context, paths));
  },
});
