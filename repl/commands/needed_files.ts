/**
 * Files that maps need, for an archive of them: `archive create --needs`.
 * @module
 */
import { basename } from "@std/path";
import { type OptionSpec, UsageError } from "../../system/mod.ts";
import type { WriteEntry } from "../../formats/mod.ts";
import { ask, type Context, fieldsOf, type Input, inView, slowRowsOf } from "../command/command.ts";
import { content } from "../command/content.ts";
import { CommandError } from "../output/failure.ts";
import { counted, humanSize } from "../output/human.ts";
import { type Result, tableOf } from "../output/results.ts";
import type { ArchivedFileRow } from "../rows/client_rows.ts";
import { patternFrom } from "./find.ts";
import { neededTextures } from "./needed_textures.ts";
import { neededNames } from "./needs.ts";

/** Options that select files by the maps that need them. */
export const neededOptions: readonly OptionSpec[] = [
  {
    name: "needs",
    value: "FILE|MOD",
    kind: "qpath",
    repeatable: true,
    summary: "the files that a map, model, shader or mod of the view needs",
  },
  {
    name: "without",
    value: "VIEW",
    kind: "view",
    summary: "with --needs: leave out files that VIEW has, with the same bytes",
  },
  { name: "own", summary: "with --needs: leave out files of the base game's packs" },
  {
    name: "with",
    value: "PATTERN",
    kind: "qpath",
    repeatable: true,
    summary: "with --needs: further files of the view, such as licences",
  },
];

/** Files for an archive. */
export interface NeededEntries {
  readonly entries: readonly WriteEntry[];
  /** Number of unresolved names, and of files with unknown needs. */
  readonly missing: number;
}

/**
 * Lists the files that are needed by the maps on the command line, each with the reason, and returns them. @returns
 * undefined if the options are not given.
 * @throws {CommandError} if no file is needed.
 */
export async function* neededEntries(
  context: Context,
  { options }: Input,
): AsyncGenerator<Result<ArchivedFileRow>, NeededEntries | undefined> {
  const names = options.list("needs");
  const patterns = options.list("with");
  if (names.length === 0) {
    const lonely = ["without", "own", "with"].find((name) => options.flag(name));
    if (lonely !== undefined) throw new UsageError(`--${lonely} goes with --needs`);
    return undefined;
  }
  const without = options.value("without");
  const found = new Map<string, ArchivedFileRow>();
  const missing: string[] = [];
  const needs = slowRowsOf(context, "needs", {
    ...inView(context),
    files: neededNames(context, names),
    ...(options.flag("own") ? { own: true } : {}),
    ...(without === undefined ? {} : { without }),
  });
  const [textures, definers] = [new Set<string>(), new Set<string>()];
  for await (const { kind, name, qpath, source, size, why, by, problem } of needs) {
    if (kind === "definition" && source !== null) {
      textures.add(name.replace(/ \(.*\)$/s, "").toUpperCase());
      definers.add(source);
    }
    if (qpath === null || source === null) missing.push(`missing: ${name}`);
    else if (problem !== null) missing.push(`${qpath}: cannot read its references: ${problem}`);
    if (qpath !== null && source !== null && !found.has(qpath)) {
      found.set(qpath, { qpath, size: size ?? 0, source, why, by });
    }
  }
  if (patterns.length > 0) {
    const params = { ...inView(context), patterns: patterns.map((pattern) => patternFrom(context.directory, pattern)) };
    const before = found.size;
    for await (const { qpath, size, source } of fieldsOf(context, "find", params, ["qpath", "size", "source"])) {
      if (!found.has(qpath)) found.set(qpath, { qpath, size, source, why: "--with", by: null });
    }
    if (found.size === before) context.output.warning(`no further file matches ${patterns.join(" ")}`);
  }
  if (found.size === 0) throw new CommandError("nothing to archive: no needed file is left");
  for (const message of missing) context.output.warning(message);
  const tables = await neededTextures(context, new Set(found.keys()), textures, definers);
  for (const { why, ...file } of tables?.added ?? []) found.set(file.qpath, { ...file, why, by: null });
  for (const [qpath, bytes] of tables?.replaced ?? []) {
    const row = found.get(qpath);
    if (row) found.set(qpath, { ...row, size: bytes.length });
  }
  if (tables && tables.omitted > 0) context.output.remark(`${counted(tables.omitted, "texture")} left out`);
  const rows = [...found.values()];
  yield tableOf(rows, [
    { title: "SIZE", align: "right", cell: ({ size }) => humanSize(size) },
    { title: "FILE", cell: ({ qpath }) => qpath },
    { title: "FROM", cell: ({ source }) => basename(source) },
    { title: "WHY", cell: ({ why }) => ({ text: why, style: "dim" }) },
    { title: "FOR", cell: ({ by }) => ({ text: by ?? "", style: "dim" }) },
  ]);
  const entries: WriteEntry[] = [];
  for (const { qpath } of rows) {
    // deno-lint-ignore no-await-in-loop -- few files, each with a short answer
    const entry = await entryOf(context, qpath);
    const bytes = tables?.replaced.get(qpath);
    entries.push(bytes ? { path: qpath, size: bytes.length, content: () => bytes, ...mtimeOf(entry) } : entry);
  }
  return { entries, missing: missing.length };
}

function mtimeOf({ mtime }: WriteEntry): Pick<WriteEntry, "mtime"> {
  return mtime === undefined ? {} : { mtime };
}

async function entryOf(context: Context, qpath: string): Promise<WriteEntry> {
  const row = await ask(context, "stat", { ...inView(context), qpath });
  if (row.type === "directory") throw new CommandError(`${qpath} is a directory`);
  return {
    path: qpath,
    size: row.size,
    mtime: row.mtime,
    content: () => new Response(ReadableStream.from(content(context, qpath))).bytes(),
    pieces: () => content(context, qpath),
  };
}
