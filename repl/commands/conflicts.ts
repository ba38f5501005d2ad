/**
 * What shadows what: `shadowed`, `conflicts`, `unique`, `overrides`, `diff`.
 * @module
 */
import { basename } from "node:path";
import type { OptionSpec } from "../../command_line/options.ts";
import { UsageError } from "../../command_line/usage.ts";
import type { ConflictRow, DiffRow, DiffSummary, HolderRow } from "../../protocol/rows.ts";
import {
  ask,
  command,
  type Context,
  type Input,
  inView,
  type Results,
  rowsOf,
  type RunnableCommand,
} from "../command/command.ts";
import { counted, grouped } from "../output/human.ts";
import { linesOf, oneRow, RowCount, tableOf } from "../output/results.ts";
import type { Column } from "../output/table.ts";
import type { Part } from "../output/text.ts";
import { filterOptions, limited, shadowedFiles } from "./find.ts";
import { longColumns } from "./long_listing.ts";

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

function compareParameter({ options }: Input): { compare?: true } {
  return options.flag("compare") ? { compare: true } : {};
}

const shadowed = command({
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
  async *run(context, input) {
    const isLong = input.options.flag("long");
    const count = new RowCount();
    yield tableOf(count.of(limited(shadowedFiles(context, input, compareParameter(input)), input)), [
      { title: "FILE", cell: (row) => row.qpath },
      { title: "FROM", cell: (row) => holderLabel(row, isLong) },
      { title: "LOSES TO", cell: (row) => holderLabel(row.winner, isLong) },
      { title: "BYTES", cell: (row) => bytesCell(row.identical) },
      { title: "WHY", cell: (row) => ({ text: `${row.because.replace(/\.$/, "")} [${row.decidedBy}]`, style: "dim" }) },
    ]);
    context.output.remark(counted(count.rows, "shadowed file"));
  },
});

/** Yields conflicts as a table, and remarks how many there are. */
async function* conflictResults(
  context: Context,
  input: Input,
  rows: AsyncIterable<ConflictRow>,
  titles: { winner: string; losers: string },
): Results<ConflictRow> {
  const isLong = input.options.flag("long");
  const counts = { all: 0, same: 0, unknown: 0 };
  const chosen = async function* () {
    for await (const row of limited(input.options.flag("different") ? differing(rows) : rows, input)) {
      counts.all++;
      if (row.identical === true) counts.same++;
      if (row.identical === null) counts.unknown++;
      yield row;
    }
  };
  yield tableOf(chosen(), [
    { title: "FILE", cell: (row) => row.qpath },
    { title: titles.winner, cell: (row) => holderLabel(row.winner, isLong) },
    { title: titles.losers, cell: (row) => row.losers.map((loser) => holderLabel(loser, isLong)).join(", ") },
    { title: "BYTES", cell: (row) => bytesCell(row.identical) },
  ]);
  const different = counts.all - counts.same - counts.unknown;
  context.output.remark(
    `${counted(counts.all, "file")}: ${grouped(different)} with other bytes, ${grouped(counts.same)} with the same, ` +
      `${grouped(counts.unknown)} not compared`,
  );
}

async function* differing(rows: AsyncIterable<ConflictRow>): AsyncGenerator<ConflictRow> {
  for await (const row of rows) if (row.identical !== true) yield row;
}

const differentOption: OptionSpec = { name: "different", summary: "leave out files that are known to be the same" };

const bytesDetail =
  "BYTES tells whether all of them have the same content, by size and CRC-32; a question mark where " +
  "an archive keeps no CRC-32 and the sizes are equal. --compare reads those.";

const conflicts = command({
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
  run(context, input) {
    const [source] = input.words;
    const rows = rowsOf(context, "conflicts", {
      ...inView(context),
      ...(source === undefined ? {} : { source }),
      ...compareParameter(input),
    });
    return conflictResults(context, input, rows, { winner: "WINNER", losers: "LOSERS" });
  },
});

const overrides = command({
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
  run(context, input) {
    const rows = rowsOf(context, "overrides", {
      ...inView(context),
      source: input.words[0] ?? "",
      ...(input.options.flag("by") ? { by: true } : {}),
      ...compareParameter(input),
    });
    return conflictResults(context, input, rows, { winner: "TAKEN BY", losers: "FROM" });
  },
});

const unique = command({
  name: "unique",
  group: "Ask",
  scope: "anywhere",
  rows: ["FileRow"],
  summary: "list what only one pack or game directory provides: what would vanish without it",
  arguments: [{ name: "PACK|MOD", kind: "source" }],
  options: [{ name: "long", short: "l", summary: "sizes, times and where each file comes from" }, limitOption],
  examples: [{ line: "unique pak1.pak", does: "what the game would lack without pak1.pak" }],
  async *run(context, input) {
    const count = new RowCount();
    const params = { ...inView(context), source: input.words[0] ?? "" };
    const rows = count.of(limited(rowsOf(context, "unique", params), input));
    const isLong = input.options.flag("long");
    yield isLong ? tableOf(rows, longColumns(({ qpath }) => qpath)) : linesOf(rows, ({ qpath }) => qpath);
    context.output.remark(`${counted(count.rows, "file")} that nothing else provides`);
  },
});

const signs: Readonly<Record<DiffRow["change"], string>> = { added: "+", removed: "-", replaced: "~" };

function diffColumns(isLong: boolean): readonly Column<DiffRow>[] {
  const labels = ({ before, after }: DiffRow) =>
    [before, after].flatMap((holder) => holder ? [holderLabel(holder, isLong)] : []).join(" -> ");
  return [
    { title: "", cell: ({ change }) => signs[change] },
    { title: "", cell: ({ qpath }) => qpath },
    { title: "", cell: labels },
    { title: "", cell: ({ change, identical }) => change === "replaced" ? bytesCell(identical) : "" },
  ];
}

function summarySentence(summary: DiffSummary): string {
  const { added, removed, replaced, different, identical, unknown, unchanged } = summary;
  return `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(replaced)} from elsewhere ` +
    `(${grouped(different)} with other bytes, ${grouped(identical)} with the same, ${
      grouped(unknown)
    } not compared), ` +
    `${grouped(unchanged)} unchanged`;
}

const diff = command({
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
  async *run(context, input) {
    const [first = "", second] = input.words;
    if (second === undefined && context.view === undefined) throw new UsageError("diff needs two views");
    const from = second === undefined ? context.view ?? "" : first;
    const params = { from, to: second ?? first, ...compareParameter(input) };
    if (input.options.flag("stat")) {
      const summary = await ask(context, "diffstat", params);
      const heading = `${summary.from} -> ${summary.to}: `;
      yield oneRow(summary, (page) => page.line({ text: heading, style: "heading" }, summarySentence(summary)));
      return;
    }
    const count = new RowCount();
    const rows = count.of(limited(rowsOf(context, "diff", params), input));
    yield tableOf(rows, diffColumns(input.options.flag("long")));
    context.output.remark(counted(count.rows, "difference"));
  },
});

/** Commands about files that override each other, in the order of the help. */
export const conflictCommands: readonly RunnableCommand[] = [shadowed, conflicts, overrides, unique, diff];
