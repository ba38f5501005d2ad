/**
 * Archives without a daemon: `archive list`, `archive verify`, `archive extract`, `archive create`, `formats`.
 *
 * The archive readers are loaded when one of these commands runs, so that the others start without them.
 * @module
 */
import { basename, resolve } from "@std/path";
import type { Archive, ArchiveRow, FormatName, NameHashVariant, RenamedFile } from "../../formats/mod.ts";
import { command, type Context, type Results } from "../command/command.ts";
import {
  exitCodes,
  joinBytes,
  type OptionSpec,
  type OptionValues,
  shellWord,
  splitBytes,
  ThreadPool,
  UsageError,
} from "../../system/mod.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { Progress } from "../output/progress.ts";
import { counted, grouped, humanSize, humanTime, percentage } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { nullNames, oneRow, rowsShownAs, RowStream, tableOf, textOnly } from "../output/results.ts";
import type { Column } from "../output/table.ts";
import type { Part } from "../output/text.ts";
import type { ArchiveFaultRow, VerifiedRow } from "../rows/client_rows.ts";
import { namedArchives } from "./archive_files.ts";
import type { Deflater } from "./deflate_worker.ts";
import { nullOption } from "./find.ts";
import { neededEntries, neededOptions } from "./needed_files.ts";

/** Sentence on the arguments of commands that read several archives. */
const manyArchives =
  "For a directory, all archives in and below it are read. Wildcards match files and directories, at the prompt too. " +
  "Of several archives, an unreadable one is a separate row.";

/** Options of commands that read archives, for archives that are not self-describing. */
export const readOptions: readonly OptionSpec[] = [
  { name: "format", value: "FORMAT", summary: "read it as this format; default: by content; see formats" },
  {
    name: "names",
    value: "FILE",
    kind: "file",
    repeatable: true,
    summary: "candidate names for hashed packs, one per line",
  },
  { name: "hash", value: "HASH", summary: "hash of hashed packs; default: detected" },
  { name: "nested", summary: "list archives inside the archive too: the files of gfx.wad below gfx.wad.d" },
];

const passwordOption: OptionSpec = {
  name: "password",
  value: "PASSWORD",
  summary: "for encrypted files of a zip; other users of this machine can see it while the command runs",
};

async function variantOption(name: string | undefined): Promise<{ hash?: NameHashVariant }> {
  if (name === undefined) return {};
  const { nameHashFunctions, variantNamed } = await import("../../formats/mod.ts");
  const hash = variantNamed(name);
  if (hash) return { hash };
  throw new UsageError(
    `unknown hash ${name}; choose one of ${nameHashFunctions.join(", ")}, with +lower or +upper, +backslash, ` +
      "+leading and +rootless where they apply",
  );
}

async function listedNames(files: readonly string[]): Promise<{ names?: string[] }> {
  if (files.length === 0) return {};
  const { nameList } = await import("../../formats/mod.ts");
  const lists = await Promise.all(files.map(async (file) => {
    try {
      if (!(await Deno.stat(file)).isFile) throw new CommandError(`${file}: not a regular file`);
      return nameList(await Deno.readTextFile(file));
    } catch (error) {
      throw new CommandError(`cannot read ${failureOf(error).message}`);
    }
  }));
  return { names: lists.flat() };
}

/**
 * Opens an archive from the command line, and reports its warnings.
 * @throws {CommandError} if the file is missing.
 */
export async function openNamed(
  path: string,
  { output }: Pick<Context, "output">,
  options: OptionValues,
): Promise<Archive> {
  const { openArchive } = await import("../../formats/mod.ts");
  try {
    const archive = openArchive(path, {
      ...await formatOption(options.value("format")),
      ...await variantOption(options.value("hash")),
      ...await listedNames(options.list("names")),
      nested: options.flag("nested"),
      ...passwordOf(options),
    });
    for (const warning of archive.warnings) output.warning(`${path}: ${warning}`);
    return archive;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new CommandError(`${path}: no such file`, { cause: error });
    }
    throw error;
  }
}

function passwordOf(options: OptionValues): { password?: string } {
  const password = options.value("password");
  return password === undefined ? {} : { password };
}

/** A file of an archive, or an archive that cannot be read. */
type ListedRow = ArchiveRow | ArchiveFaultRow;

/** Returns columns; an unreadable archive has only a name. */
function fileColumn(
  column: Omit<Column<ListedRow>, "cell"> & { readonly cell: (row: ArchiveRow) => Part },
): Column<ListedRow> {
  return { ...column, cell: (row) => "problem" in row ? "" : column.cell(row) };
}

const listColumns: readonly Column<ListedRow>[] = [
  fileColumn({
    title: "SIZE",
    align: "right",
    cell: ({ size, exactSize }) => grouped(exactSize === undefined ? size : BigInt(exactSize)),
  }),
  fileColumn({
    title: "COMPRESSED",
    align: "right",
    cell: ({ packedSize, exactPackedSize }) =>
      grouped(exactPackedSize === undefined ? packedSize : BigInt(exactPackedSize)),
  }),
  fileColumn({ title: "METHOD", isOptional: true, cell: (row) => ({ text: row.method, style: "dim" }) }),
  fileColumn({ title: "MODIFIED", isOptional: true, cell: (row) => humanTime(row.mtime) }),
  fileColumn({ title: "CRC-32", isOptional: true, cell: (row) => ({ text: row.crc32 ?? "-", style: "dim" }) }),
];

const nameColumn: Column<ListedRow> = {
  title: "NAME",
  cell: (row) => {
    if ("problem" in row) {
      const because = row.problem.replace(`${row.source}: `, "").replace(/^cannot be read: /, "");
      return { text: `cannot be read: ${because}`, style: "unusable" };
    }
    if (row.damaged === undefined) return row.qpath;
    return { text: `${row.qpath}  damaged: ${row.damaged.replace(`${row.qpath}: `, "")}`, style: "unusable" };
  },
};

/** Listed files of archives, and their totals. */
class Listing {
  readonly #context: Context;
  readonly #options: OptionValues;
  /** Archives by absolute path, with the paths as typed. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #isOne: boolean;
  readonly formats = new Set<string>();
  files = 0;
  bytes = 0;
  unreadable = 0;

  /**
   * @param isOne Whether the command line has one archive, so that the command fails if the archive does.
   */
  constructor(context: Context, options: OptionValues, paths: readonly string[], isOne: boolean) {
    this.#context = context;
    this.#options = options;
    this.#names = new Map(paths.map((path) => [resolve(path), path]));
    this.#isOne = isOne;
  }

  /** Columns of the table. */
  get columns(): readonly Column<ListedRow>[] {
    if (this.#isOne) return [...listColumns, nameColumn];
    const cell = ({ source }: ListedRow): Part => ({ text: this.#names.get(source) ?? source, style: "dim" });
    return [...listColumns, { title: "ARCHIVE", cell }, nameColumn];
  }

  /** Totals for people. */
  get summary(): string {
    const { files, bytes, unreadable, formats } = this;
    const [format = ""] = formats;
    const archives = this.#isOne ? format : counted(this.#names.size, "archive");
    const broken = unreadable === 0 ? "" : `, ${grouped(unreadable)} of them cannot be read`;
    return `${counted(files, "file")}, ${humanSize(bytes)}, ${archives}${broken}`;
  }

  /** Yields the files that pass a test. */
  async *rows(test: (row: ArchiveRow) => boolean = () => true): AsyncGenerator<ListedRow> {
    for (const [source, path] of this.#names) {
      this.#context.signal.throwIfAborted();
      try {
        // deno-lint-ignore no-await-in-loop -- one archive after the other
        using archive = await openNamed(path, this.#context, this.#options);
        this.formats.add(archive.format.name);
        for (const row of archive) {
          if (!test(row)) continue;
          this.files++;
          this.bytes += row.size;
          yield row;
        }
      } catch (error) {
        const failure = failureOf(error);
        if (this.#isOne || (failure.kind !== "archive" && !(error instanceof CommandError))) throw error;
        this.unreadable++;
        yield { source, problem: failure.message };
      }
    }
  }
}

export const archiveList = command({
  name: "archive list",
  group: "Archives",
  scope: "anywhere",
  rows: ["ArchiveRow", "ArchiveFaultRow"],
  summary: "list the files in archives",
  arguments: [{ name: "FILE|DIR", kind: "file", repeated: true }],
  options: readOptions,
  details: [manyArchives],
  examples: [
    { line: "archive list pak0.pak --json", does: "one object per file, with offset and checksum" },
    { line: "archive list ~/Downloads", does: "the files of all archives in and below a directory" },
  ],
  async *run(context, { words, options }) {
    const { paths, isOne } = await namedArchives(words);
    const listing = new Listing(context, options, paths, isOne);
    yield tableOf(listing.rows(), listing.columns);
    context.output.remark(listing.summary);
    return listing.unreadable > 0 ? exitCodes.failed : exitCodes.ok;
  },
});

/** Returns the names of files, and warns of archives that cannot be read. */
function namesIn({ output }: Context, rows: AsyncIterable<ListedRow>): RowStream<string> {
  return new RowStream(async function* () {
    for await (const row of rows) {
      if ("problem" in row) output.warning(row.problem);
      else yield [row.qpath];
    }
  }());
}

export const archiveFind = command({
  name: "archive find",
  group: "Archives",
  scope: "anywhere",
  rows: ["ArchiveRow", "ArchiveFaultRow"],
  summary: "find files in archives by name",
  arguments: [{ name: "PATTERN", kind: "none" }, { name: "FILE|DIR", kind: "file", repeated: true }],
  options: [...readOptions, nullOption],
  details: [
    "PATTERN works as in find: without / it matches file names, with / whole paths; case is ignored. " +
    `${manyArchives} With --null it is a warning. The exit code is 0 even if nothing is found.`,
  ],
  examples: [
    { line: "archive find '*.bsp' ~/Downloads", does: "maps in all archives in and below a directory" },
    { line: "archive find -0 'maps/*' pak0.pak", does: "names for xargs -0" },
  ],
  async *run(context, { words: [pattern = "", ...words], options }) {
    if (words.length === 0) throw new UsageError("archive find needs an archive or a directory after its pattern");
    const { compileGlob } = await import("../../formats/mod.ts");
    const matches = compileGlob(pattern.replace(/^\//, ""), { ignoreCase: true });
    const isPath = pattern.includes("/");
    const { paths, isOne } = await namedArchives(words);
    const listing = new Listing(context, options, paths, isOne);
    const rows = listing.rows(({ qpath }) => matches(isPath ? qpath : basename(qpath)));
    yield options.flag("null")
      ? rowsShownAs(rows, nullNames(namesIn(context, rows), (name) => name))
      : tableOf(rows, listing.columns);
    context.output.remark(listing.summary);
    return listing.unreadable > 0 ? exitCodes.failed : exitCodes.ok;
  },
});

/** Returns `12 of 300 files, 4 %`. */
function doneOf(done: number, total: number, noun: string): string {
  return `${grouped(done)} of ${counted(total, noun)}, ${percentage(done, total)}`;
}

/** Verifies archives one after the other, and counts. */
class Verification {
  readonly #context: Context;
  readonly #options: OptionValues;
  readonly #progress: Progress;
  files = 0;
  damaged = 0;
  /** Archives that are listed only in part. */
  incomplete = 0;
  unreadable = 0;

  constructor(context: Context, options: OptionValues) {
    this.#context = context;
    this.#options = options;
    this.#progress = new Progress(context.output);
  }

  async *all(paths: readonly string[], isOne: boolean): Results<VerifiedRow> {
    const sizes = paths.map(sizeOf);
    const allBytes = sizes.reduce((sum, size) => sum + size, 0);
    let bytes = 0;
    for (const [index, path] of paths.entries()) {
      const size = sizes[index] ?? 0;
      const onShare = (share: number) =>
        this.#progress.update(() =>
          `${grouped(index + 1)} of ${counted(paths.length, "archive")}, ` +
          `${percentage(bytes + share * size, allBytes)}: ${basename(path)}`
        );
      try {
        yield* this.#one(path, onShare);
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind !== "archive" && !(error instanceof CommandError)) throw error;
        this.#context.output.failure(failure);
        this.unreadable++;
        if (!isOne) yield oneRow({ source: resolve(path), member: "", ok: false, problem: failure.message });
      }
      bytes += size;
    }
    this.#progress.end();
  }

  async *#one(path: string, onShare: (share: number) => void): Results<VerifiedRow> {
    const { output, signal } = this.#context;
    const { verifyArchive } = await import("../../formats/mod.ts");
    onShare(0);
    using archive = await openNamed(path, { output }, this.#options);
    const source = resolve(path);
    const print = (page: Page, { member, ok, problem, note }: VerifiedRow) => {
      if (!ok) page.line({ text: problem ?? `${path}: ${member} is damaged`, style: "unusable" });
      else if (note !== undefined) output.warning(note);
    };
    const onProgress = (_done: number, _total: number, share: number) => onShare(share);
    for await (const row of verifyArchive(archive, { signal, onProgress })) {
      if (row.member === "") this.incomplete++;
      else {
        this.files++;
        if (!row.ok) this.damaged++;
      }
      const verified = { source, ...row };
      yield oneRow(verified, (page) => print(page, verified));
    }
  }
}

/** Returns the size of a file; 0 if it is inaccessible. */
function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return 0;
  }
}

export const archiveVerify = command({
  name: "archive verify",
  group: "Archives",
  scope: "anywhere",
  rows: ["VerifiedRow"],
  summary: "read every file in archives and check sizes and checksums",
  arguments: [{ name: "FILE|DIR", kind: "file", repeated: true }],
  options: [...readOptions, passwordOption],
  details: [
    manyArchives,
    "Prints only damaged files. The exit code is 1 if there are any, or if an archive cannot be read, is truncated, " +
    "or is the last of several in its file.",
  ],
  examples: [{ line: "archive verify pak0.pak pak1.pak", does: "check two packs" }],
  async *run(context, { words, options }) {
    const { paths, isOne } = await namedArchives(words);
    const verification = new Verification(context, options);
    yield* verification.all(paths, isOne);
    const { files, damaged, incomplete, unreadable } = verification;
    const faults = [
      ...damaged > 0 ? [`${grouped(damaged)} damaged`] : [],
      ...incomplete > 0 ? [`${counted(incomplete, "archive")} incomplete`] : [],
    ];
    const result = faults.join(", ") || "all sound";
    const read = unreadable < paths.length ? [`${counted(files, "file")}, ${result}`] : [];
    const others = unreadable > 0 && !isOne
      ? [`${grouped(unreadable)} of ${counted(paths.length, "archive")} could not be read`]
      : [];
    if (read.length + others.length > 0) context.output.remark([...read, ...others].join("; "));
    return damaged + incomplete + unreadable > 0 ? exitCodes.failed : exitCodes.ok;
  },
});

/** Maximum names in a warning. */
const maxPrinted = 10;

function listed(names: readonly string[]): string {
  const more = names.length > maxPrinted ? ` and ${grouped(names.length - maxPrinted)} more` : "";
  return names.slice(0, maxPrinted).join(", ") + more;
}

function warnOfNames(
  output: Context["output"],
  path: string,
  renamed: readonly RenamedFile[],
  leftOut: readonly string[],
): void {
  if (renamed.length > 0) {
    const names = renamed.map((file) => `${file.member} as ${file.path}`);
    output.warning(
      `${path}: ${counted(renamed.length, "file")} renamed, since a directory has the name: ${listed(names)}`,
    );
  }
  if (leftOut.length > 0) {
    output.warning(
      `${path}: ${counted(leftOut.length, "file")} left out, since another of the same path was extracted: ` +
        listed(leftOut),
    );
  }
}

export const archiveExtract = command({
  name: "archive extract",
  group: "Archives",
  scope: "anywhere",
  rows: ["ArchiveExtractedRow"],
  summary: "extract an archive, or the files that match a pattern",
  arguments: [{ name: "FILE", kind: "file" }, { name: "PATTERN", kind: "none", optional: true, repeated: true }],
  options: [
    {
      name: "output",
      short: "o",
      value: "DIR",
      kind: "file",
      summary: "write below this directory (required)",
    },
    ...readOptions,
    passwordOption,
  ],
  details: [
    "Nothing is ever written outside DIR. Damaged files are reported, the others are extracted, " +
    "and the exit code is 1. If members share a path with different bytes, the one that the engine uses is written, " +
    'the others are reported, and the exit code is 1. A file with the name of a directory gets "~file".',
  ],
  examples: [{ line: "archive extract pak0.pak 'maps/*.bsp' -o /tmp/maps", does: "only the maps" }],
  async *run({ output, signal }, { words, options }) {
    const directory = options.value("output");
    if (directory === undefined || directory === "") {
      throw new UsageError("archive extract needs an output directory: -o DIR");
    }
    const [path = "", ...patterns] = words;
    const { extractArchive } = await import("../../formats/mod.ts");
    using archive = await openNamed(path, { output }, options);
    const progress = new Progress(output);
    const { files, bytes, problems, renamed, leftOut } = await extractArchive(archive, directory, {
      signal,
      onProgress: (done, total) => progress.update(() => doneOf(done, total, "file")),
      ...(patterns.length > 0 ? { patterns } : {}),
    });
    progress.end();
    for (const { problem } of problems) {
      output.failure({ kind: "archive", message: problem, exitCode: exitCodes.failed });
    }
    yield textOnly(() => warnOfNames(output, path, renamed, leftOut));
    if (files + problems.length === 0 && patterns.length > 0) {
      throw new CommandError(
        `${path}: no file matches ${patterns.join(" ")}; archive list ${shellWord(path)} lists them`,
      );
    }
    yield oneRow({
      source: resolve(path),
      output: resolve(directory),
      files,
      bytes,
      ...(renamed.length > 0 && { renamed: [...renamed] }),
      ...(leftOut.length > 0 && { leftOut: [...leftOut] }),
    });
    output.remark(`${counted(files, "file")}, ${humanSize(bytes)}, extracted to ${directory}`);
    return problems.length + leftOut.length > 0 ? exitCodes.failed : exitCodes.ok;
  },
});

async function formatOption(name: string | undefined): Promise<{ format?: FormatName }> {
  if (name === undefined) return {};
  const { formatRows } = await import("../../formats/mod.ts");
  const names = formatRows().map(({ format }) => format);
  const format = names.find((known) => known === name);
  if (format) return { format };
  throw new UsageError(`unknown archive format ${name}; choose one of ${names.join(", ")}`);
}

export const archiveCreate = command({
  name: "archive create",
  group: "Archives",
  scope: "anywhere",
  rows: ["ArchiveCreatedRow", "ArchivedFileRow"],
  summary: "create an archive of a directory, or of everything that maps need",
  arguments: [{ name: "OUT", kind: "file" }, { name: "DIR", kind: "file", optional: true }],
  options: [
    ...neededOptions,
    { name: "format", value: "FORMAT", summary: "default: by the extension of OUT; see formats" },
    {
      name: "method",
      value: "METHOD",
      choices: ["store", "deflate"],
      summary: "store or deflate; default: the format's",
    },
    { name: "hash", value: "HASH", summary: "for hashed packs: how names are hashed, such as fnv1a+lower+backslash" },
  ],
  details: [
    "The same files with the same times give the same bytes. An existing archive is replaced once the new one " +
    "is complete.",
    "With --needs the archive has the files that the engine loads for these maps, models, shaders or mods, not those " +
    "of a directory, and each file is listed with the reason. The exit code is 1 if anything is missing: see needs.",
  ],
  examples: [
    { line: "archive create pak0.pak mymod", does: "a Quake PAK of the directory mymod" },
    {
      line: "archive create mymap.pk3 --needs mymap --without quake3/baseq3 --with 'docs/**'",
      does: "a release: all files that the game lacks for a map, and its documents",
    },
  ],
  async *run(context, { words, options }) {
    const { output, signal } = context;
    const [path = "", directory] = words;
    const needed = yield* neededEntries(context, { words, options });
    if ((needed === undefined) === (directory === undefined)) {
      throw new UsageError("archive create needs a directory, or --needs with maps of a view");
    }
    const { createArchive } = await import("../../formats/mod.ts");
    const method = options.value("method");
    const progress = new Progress(output);
    using threads = new ThreadPool<Deflater>(new URL("./deflate_worker.ts", import.meta.url));
    const result = await createArchive(path, needed?.entries ?? directory ?? "", {
      signal,
      deflate: async (contents) => {
        const sent = joinBytes(contents);
        return splitBytes(await threads.ask(sent, [sent.bytes.buffer]));
      },
      onProgress: (done, total) => progress.update(() => doneOf(done, total, "file")),
      ...await formatOption(options.value("format")),
      ...await variantOption(options.value("hash")),
      ...(method === "store" || method === "deflate" ? { method } : {}),
    });
    progress.end();
    const { engineWarnings } = await import("../../service/archive_checks.ts");
    const warnings = engineWarnings(path, { format: result.format });
    yield oneRow({ source: resolve(path), ...result, ...(warnings.length > 0 && { warnings }) }, () => {
      for (const warning of warnings) output.warning(`${path}: ${warning}`);
    });
    output.remark(`${path}: ${counted(result.files, "file")}, ${humanSize(result.bytes)}, ${result.format}`);
    return (needed?.missing ?? 0) > 0 ? exitCodes.failed : exitCodes.ok;
  },
});

export const formats = command({
  name: "formats",
  group: "Archives",
  scope: "anywhere",
  rows: ["FormatRow"],
  summary: "list the archive formats, how they are recognized, and which can be written",
  arguments: [],
  options: [],
  details: [
    "All of them can be read, mounted, verified and extracted. The content decides, the file " +
    "extension does not matter.",
  ],
  examples: [
    { line: "formats", does: "names for --format of archive create" },
    { line: "formats --json", does: "one object per format, with its compressions and duplicates" },
  ],
  async *run() {
    const { formatRows } = await import("../../formats/mod.ts");
    yield tableOf(formatRows(), [
      { title: "FORMAT", isOptional: true, cell: (row) => row.format },
      { title: "WRITES", cell: (row) => row.writable ? "yes" : "no" },
      {
        title: "ENDINGS; KNOWN BY; GAMES",
        isProse: true,
        cell: (row) => `${row.extensions.join(" ")}; ${row.signature}; ${row.games}`,
      },
    ]);
  },
});
