/**
 * What shadows what: `shadowed`, `conflicts`, `unique`, `overrides`, `diff`.
 * @module
 */
import { basename } from "node:path";
import type { OptionSpec } from "../../command_line/options.ts";
import { UsageError } from "../../command_line/usage.ts";
import type { ConflictRow, DiffRow, DiffSummary, HolderRow } from "../../protocol/rows.ts";
import { ask, type Context, type Input, inView, rowsOf, type RunnableCommand } from "../command/command.ts";
import { counted, grouped, Table } from "../output/render.ts";
import type { Part } from "../output/text.ts";
import { longCells, longColumns } from "./browse.ts";
import { filterOptions, parseFilters, patternFrom } from "./find.ts";

const limitOption: OptionSpec = { name: "limit", value: "N", summary: "stop after N rows" };
const longOption: OptionSpec = { name: "long", short: "l", summary: "whole paths of packs and directories" };
const compareOption: OptionSpec = {
  name: "compare",
  summary: "read files of which sizes and CRC-32 do not tell whether they are the same",
};
const listOptions = [compareOption, longOption, limitOption];

/** Where a file is, in few words: `id1/pak0.pak`, or `id1/` for loose files. */
function holderLabel({ source, kind, gameDirectory }: HolderRow, long: boolean): string {
  if (long) return source;
  return kind === "loose" ? `${gameDirectory}/` : `${gameDirectory}/${basename(source)}`;
}

function bytesCell(identical: boolean | null): Part {
  if (identical === null) return { text: "?", style: "dim" };
  return identical ? { text: "same", style: "dim" } : "differ";
}

/** Stops after `--limit` rows. */
async function* limited<Row>(rows: AsyncIterable<Row>, { options }: Input): AsyncGenerator<Row> {
  let left = options.count("limit") ?? Number.POSITIVE_INFINITY;
  if (left === 0) return;
  for await (const row of rows) {
    yield row;
    if (--left <= 0) return;
  }
}

function compareParameter({ options }: Input): { compare?: true } {
  return options.flag("compare") ? { compare: true } : {};
}

const shadowed: RunnableCommand = {
  name: "shadowed",
  group: "Ask",
  scope: "anywhere",
  rows: ["ShadowedRow"],
  summary: "list the files that the engine never loads because another has their name, and why",
  arguments: [{ name: "PATTERN", kind: "qpath", optional: true, repeated: true }],
  options: [...filterOptions, ...listOptions],
  details: [
    "Each row is a file that loses, with the file that wins and the rule that decided. Patterns are those of find; " +
    "sizes, extensions and --in are about the file that loses.",
  ],
  examples: [
    { line: "shadowed", does: "everything in the view that is hidden" },
    { line: "shadowed 'maps/*' --in id1/pak0.pak", does: "maps of pak0.pak that something replaces" },
  ],
  run: async (context, input) => {
    const { output } = context;
    const long = input.options.flag("long");
    const rows = rowsOf(context, "shadowed", {
      ...inView(context),
      patterns: input.words.map((pattern) => patternFrom(context.directory, pattern)),
      filters: parseFilters(input),
      ...compareParameter(input),
    });
    const table = new Table(output, [
      { title: "FILE" },
      { title: "FROM" },
      { title: "LOSES TO" },
      { title: "BYTES" },
      { title: "WHY" },
    ]);
    let found = 0;
    for await (const row of limited(rows, input)) {
      found++;
      if (output.json) output.row(row);
      else {
        table.add(row.qpath, holderLabel(row, long), holderLabel(row.winner, long), bytesCell(row.identical), {
          text: `${row.because.replace(/\.$/, "")} [${row.decidedBy}]`,
          style: "dim",
        });
      }
    }
    table.end();
    output.remark(counted(found, "shadowed file"));
  },
};

/** Prints conflicts, and how many there were. */
async function printConflicts(
  context: Context,
  input: Input,
  rows: AsyncIterable<ConflictRow>,
  titles: { winner: string; losers: string },
): Promise<void> {
  const { output } = context;
  const long = input.options.flag("long");
  const onlyDifferent = input.options.flag("different");
  const table = new Table(output, [
    { title: "FILE" },
    { title: titles.winner },
    { title: titles.losers },
    { title: "BYTES" },
  ]);
  const counts = { all: 0, same: 0, unknown: 0 };
  for await (const row of limited(filtered(rows, (row) => !onlyDifferent || row.identical !== true), input)) {
    counts.all++;
    if (row.identical === true) counts.same++;
    if (row.identical === null) counts.unknown++;
    if (output.json) output.row(row);
    else {
      const losers = row.losers.map((loser) => holderLabel(loser, long)).join(", ");
      table.add(row.qpath, holderLabel(row.winner, long), losers, bytesCell(row.identical));
    }
  }
  table.end();
  const different = counts.all - counts.same - counts.unknown;
  output.remark(
    `${counted(counts.all, "file")}: ${grouped(different)} with other bytes, ${grouped(counts.same)} with the same, ` +
      `${grouped(counts.unknown)} not compared`,
  );
}

async function* filtered<Row>(rows: AsyncIterable<Row>, passes: (row: Row) => boolean): AsyncGenerator<Row> {
  for await (const row of rows) if (passes(row)) yield row;
}

const differentOption: OptionSpec = { name: "different", summary: "leave out files that are known to be the same" };

const bytesDetail =
  "BYTES tells whether all of them have the same content, by size and CRC-32; a question mark where " +
  "an archive keeps no CRC-32 and the sizes are equal. --compare reads those.";

const conflicts: RunnableCommand = {
  name: "conflicts",
  group: "Ask",
  scope: "anywhere",
  rows: ["ConflictRow"],
  summary: "list the files that more than one pack or directory of the view has",
  arguments: [{ name: "PACK|MOD", kind: "source", optional: true }],
  options: [differentOption, ...listOptions],
  details: [
    "With a pack or game directory only those that it takes part in. A pack is named by its file name, or where several " +
    "have it by the end of its path: hipnotic/pak0.pak.",
    bytesDetail,
  ],
  examples: [
    { line: "conflicts", does: "every file that somebody overrides" },
    { line: "conflicts mymod --different --compare", does: "what the mod and the game really disagree about" },
  ],
  run: async (context, input) => {
    const [source] = input.words;
    const rows = rowsOf(context, "conflicts", {
      ...inView(context),
      ...(source === undefined ? {} : { source }),
      ...compareParameter(input),
    });
    await printConflicts(context, input, rows, { winner: "WINNER", losers: "LOSERS" });
  },
};

const overrides: RunnableCommand = {
  name: "overrides",
  group: "Ask",
  scope: "anywhere",
  rows: ["ConflictRow"],
  summary: "list what a pack or game directory takes over from others, or with --by what overrides it",
  arguments: [{ name: "PACK|MOD", kind: "source" }],
  options: [
    { name: "by", summary: "the other way round: what others take over from it" },
    differentOption,
    ...listOptions,
  ],
  details: [bytesDetail],
  examples: [
    { line: "overrides hipnotic", does: "what the mission pack replaces of the game" },
    { line: "overrides id1/pak0.pak --by", does: "what is replaced of a pack, and by whom" },
  ],
  run: async (context, input) => {
    const by = input.options.flag("by");
    const rows = rowsOf(context, "overrides", {
      ...inView(context),
      source: input.words[0] ?? "",
      ...(by ? { by } : {}),
      ...compareParameter(input),
    });
    await printConflicts(context, input, rows, { winner: "TAKEN BY", losers: "FROM" });
  },
};

const unique: RunnableCommand = {
  name: "unique",
  group: "Ask",
  scope: "anywhere",
  rows: ["FileRow"],
  summary: "list what only one pack or game directory provides: what would vanish without it",
  arguments: [{ name: "PACK|MOD", kind: "source" }],
  options: [{ name: "long", short: "l", summary: "sizes, times and where each file comes from" }, limitOption],
  examples: [{ line: "unique pak1.pak", does: "what the game would lack without pak1.pak" }],
  run: async (context, input) => {
    const { output } = context;
    const long = input.options.flag("long");
    const table = new Table(output, longColumns);
    let found = 0;
    const rows = rowsOf(context, "unique", { ...inView(context), source: input.words[0] ?? "" });
    for await (const row of limited(rows, input)) {
      found++;
      if (output.json) output.row(row);
      else if (long) table.add(...longCells(row, row.qpath));
      else output.line(row.qpath);
    }
    table.end();
    output.remark(`${counted(found, "file")} that nothing else provides`);
  },
};

const signs: Readonly<Record<DiffRow["change"], string>> = { added: "+", removed: "-", replaced: "~" };

function diffCells({ qpath, change, before, after, identical }: DiffRow, long: boolean): Part[] {
  const places = [before, after].flatMap((holder) => holder ? [holderLabel(holder, long)] : []);
  return [signs[change], qpath, places.join(" -> "), change === "replaced" ? bytesCell(identical) : ""];
}

function summarySentence(summary: DiffSummary): string {
  const { added, removed, replaced, different, identical, unknown, unchanged } = summary;
  return `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(replaced)} from elsewhere ` +
    `(${grouped(different)} with other bytes, ${grouped(identical)} with the same, ${
      grouped(unknown)
    } not compared), ` +
    `${grouped(unchanged)} unchanged`;
}

const diff: RunnableCommand = {
  name: "diff",
  group: "Ask",
  scope: "anywhere",
  rows: ["DiffRow", "DiffSummary"],
  summary: "list what changes from one view to another",
  arguments: [{ name: "VIEW", kind: "view" }, { name: "VIEW", kind: "view", optional: true }],
  options: [{ name: "stat", summary: "only how much changes" }, ...listOptions],
  details: [
    "+ only the second view has the file, - only the first has it, ~ they take it from different places. With one " +
    "VIEW the current view is compared with it. The exit code is 0 whether or not they differ.",
    bytesDetail,
  ],
  examples: [
    { line: "diff quake/id1 quake/hipnotic", does: "what the mission pack adds and replaces" },
    { line: "diff quake/id1 quake/hipnotic --stat", does: "the same in one line" },
  ],
  run: async (context, input) => {
    const { output } = context;
    const [first = "", second] = input.words;
    if (second === undefined && context.view === undefined) throw new UsageError("diff needs two views");
    const from = second === undefined ? context.view ?? "" : first;
    const params = { from, to: second ?? first, ...compareParameter(input) };
    if (input.options.flag("stat")) {
      const summary = await ask(context, "diffstat", params);
      if (output.json) output.row(summary);
      else output.line({ text: `${summary.from} -> ${summary.to}: `, style: "heading" }, summarySentence(summary));
      return;
    }
    const long = input.options.flag("long");
    const table = new Table(output, [{ title: "" }, { title: "" }, { title: "" }, { title: "" }]);
    let found = 0;
    for await (const row of limited(rowsOf(context, "diff", params), input)) {
      found++;
      if (output.json) output.row(row);
      else table.add(...diffCells(row, long));
    }
    table.end();
    output.remark(counted(found, "difference"));
  },
};

/** Commands of this file. */
export const provenanceCommands: readonly RunnableCommand[] = [shadowed, conflicts, overrides, unique, diff];
