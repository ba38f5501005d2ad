/**
 * Files that override each other: `shadowed`, `conflicts`, `unique`, `overrides`, `diff`.
 * @module
 */
import { basename } from "@std/path";
import { type OptionSpec, UsageError } from "../../system/mod.ts";
import type { ConflictRow, DiffRow, DiffSummary, FileRow, HolderRow } from "../../protocol/rows.ts";
import {
  ask,
  command,
  type Context,
  fieldsOf,
  firstWord,
  type Input,
  inView,
  type Results,
  rowsOf,
  type RunnableCommand,
} from "../command/command.ts";
import { counted, grouped } from "../output/human.ts";
import { linesOf, oneRow, RowCount, rowsShownAs, type RowStream, tableOf } from "../output/results.ts";
import type { Column } from "../output/table.ts";
import type { Part } from "../output/text.ts";
import { resolveQpath } from "../command/session.ts";
import { filterOptions, limited, shadowedFiles } from "./find.ts";
import { longColumns, longFileFields, qpathOf } from "./long_listing.ts";

const limitOption: OptionSpec = { name: "limit", value: "N", summary: "stop after N rows" };
const longOption: OptionSpec = { name: "long", short: "l", summary: "full paths of packs and directories" };
const compareOption: OptionSpec = {
  name: "compare",
  summary: "read files whose sizes and CRC-32 do not decide whether they are identical",
};
const listOptions = [compareOption, longOption, limitOption];

/** Returns a short name for the source of a file: `id1/pak0.pak`, or `id1/` for loose files. */
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
  summary: "list files that the engine never loads because another file overrides them, and why",
  arguments: [{ name: "PATTERN", kind: "qpath", optional: true, repeated: true }],
  options: [...filterOptions, ...listOptions],
  details: [
    "Each row is a file that loses, with the winner and the rule that decided. Patterns work as in find; sizes, " +
    "extensions and --in refer to the file that loses.",
  ],
  examples: [
    { line: "shadowed", does: "every overridden file of the view" },
    { line: "shadowed 'maps/*' --in id1/pak0.pak", does: "maps in pak0.pak that another file overrides" },
  ],
  async *run(context, input) {
    const isLong = input.options.flag("long");
    const count = new RowCount();
    yield tableOf(count.of(limited(shadowedFiles(context, input, compareParameter(input)), input)), [
      { title: "FILE", cell: (row) => row.qpath },
      { title: "FROM", cell: (row) => holderLabel(row, isLong) },
      { title: "LOSES TO", cell: (row) => holderLabel(row.winner, isLong) },
      { title: "BYTES", cell: (row) => bytesCell(row.identical) },
      {
        title: "WHY",
        isProse: true,
        cell: (row) => ({ text: `${row.because.replace(/\.$/, "")} [${row.decidedBy}]`, style: "dim" }),
      },
    ]);
    context.output.remark(counted(count.rows, "shadowed file"));
  },
});

/** Yields conflicts as a table, and prints their number. */
async function* conflictResults(
  context: Context,
  input: Input,
  rows: RowStream<ConflictRow>,
  titles: { winner: string; losers: string },
): Results<ConflictRow> {
  const isLong = input.options.flag("long");
  const counts = { all: 0, same: 0, unknown: 0 };
  const wanted = input.options.flag("different") ? rows.filter(({ identical }) => identical !== true) : rows;
  const chosen = limited(wanted, input).filter(({ identical }) => {
    counts.all++;
    if (identical === true) counts.same++;
    if (identical === null) counts.unknown++;
    return true;
  });
  yield tableOf(chosen, [
    { title: "FILE", cell: (row) => row.qpath },
    { title: titles.winner, cell: (row) => holderLabel(row.winner, isLong) },
    { title: titles.losers, cell: (row) => row.losers.map((loser) => holderLabel(loser, isLong)).join(", ") },
    { title: "BYTES", cell: (row) => bytesCell(row.identical) },
  ]);
  const different = counts.all - counts.same - counts.unknown;
  const compared = comparisonText(different, counts.same, counts.unknown);
  context.output.remark(`${counted(counts.all, "file")}: ${compared}${compareHint(counts.unknown)}`);
}

const differentOption: OptionSpec = { name: "different", summary: "hide files known to be identical" };

const bytesDetail =
  "BYTES shows whether all of them are identical, by size and CRC-32, or a question mark if the sizes are equal and " +
  "an archive has no CRC-32. --compare reads such files.";

const conflicts = command({
  name: "conflicts",
  group: "Ask",
  scope: "anywhere",
  rows: ["ConflictRow"],
  summary: "list files that exist in more than one pack or directory",
  arguments: [{ name: "PACK|MOD", kind: "source", optional: true }],
  options: [differentOption, ...listOptions],
  details: [
    "PACK or MOD lists only its conflicts. A pack is named by its file name, or if several " +
    "have it by the end of its path: hipnotic/pak0.pak.",
    bytesDetail,
  ],
  examples: [
    { line: "conflicts", does: "every file with more than one candidate" },
    { line: "conflicts mymod --different --compare", does: "files in which the mod and the game really differ" },
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
  summary: "list the files that a pack or game directory replaces, or with --by its files that others replace",
  arguments: [{ name: "PACK|MOD", kind: "source" }],
  options: [
    { name: "by", summary: "the opposite: its files that others replace" },
    differentOption,
    ...listOptions,
  ],
  details: [bytesDetail],
  examples: [
    { line: "overrides hipnotic", does: "files of the game that the mission pack replaces" },
    { line: "overrides id1/pak0.pak --by", does: "files of a pack that others replace" },
  ],
  run(context, input) {
    const rows = rowsOf(context, "overrides", {
      ...inView(context),
      source: firstWord(input.words),
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
  summary: "list files found only in one pack or game directory",
  arguments: [{ name: "PACK|MOD", kind: "source" }],
  options: [{ name: "long", short: "l", summary: "sizes, times and where each file comes from" }, limitOption],
  examples: [{ line: "unique pak1.pak", does: "files that would be missing without pak1.pak" }],
  async *run(context, input) {
    const count = new RowCount();
    const params = { ...inView(context), source: firstWord(input.words) };
    const list = <Field extends keyof FileRow>(fields?: readonly Field[]) =>
      count.of(limited(fieldsOf(context, "unique", params, fields), input));
    const shown = input.options.flag("long")
      ? tableOf(list(longFileFields), longColumns(qpathOf))
      : linesOf(list(["qpath"]), qpathOf);
    yield rowsShownAs(list<keyof FileRow>(), shown);
    context.output.remark(`${counted(count.rows, "file")} found nowhere else`);
  },
});

const signs: Readonly<Record<DiffRow["change"], string>> = { added: "+", removed: "-", replaced: "~" };

/** Returns the name of the same bytes in the other view. */
function renamedText({ renamedFrom, renamedTo }: DiffRow): string {
  if (renamedFrom !== undefined) return `was ${renamedFrom}`;
  return renamedTo === undefined ? "" : `now ${renamedTo}`;
}

function diffColumns(isLong: boolean): readonly Column<DiffRow>[] {
  const labels = ({ before, after }: DiffRow) =>
    [before, after].flatMap((holder) => holder ? [holderLabel(holder, isLong)] : []).join(" -> ");
  return [
    { title: "", cell: ({ change }) => signs[change] },
    { title: "", cell: ({ qpath }) => qpath },
    { title: "", cell: labels },
    { title: "", cell: ({ change, identical }) => change === "replaced" ? bytesCell(identical) : "" },
    { title: "", cell: (row) => ({ text: renamedText(row), style: "dim" }) },
  ];
}

/** Returns the note on how to compare files marked with `?`. */
function compareHint(unknown: number): string {
  return unknown === 0 ? "" : "; --compare reads those marked ?";
}

/** Returns `2 differ, 1 identical, 0 not compared`. */
function comparisonText(different: number, identical: number, unknown: number): string {
  const verb = different === 1 ? "differs" : "differ";
  return `${grouped(different)} ${verb}, ${grouped(identical)} identical, ${grouped(unknown)} not compared`;
}

function summarySentence({ added, removed, replaced, different, identical, unknown, unchanged }: DiffSummary): string {
  return `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(replaced)} from a different source ` +
    `(${comparisonText(different, identical, unknown)}), ${grouped(unchanged)} unchanged`;
}

/** Returns the names of the two compared views. */
function comparedViews({ view }: Context, { words: [first, second], options }: Input): { from: string; to: string } {
  const profile = options.value("engine");
  if (profile !== undefined) {
    if (second !== undefined) throw new UsageError("diff --engine takes one view");
    const from = first ?? view ?? "";
    return { from, to: `${from}:profile=${profile}` };
  }
  if (first === undefined || (second === undefined && view === undefined)) {
    throw new UsageError("diff needs two views; views lists them");
  }
  return second === undefined ? { from: view ?? "", to: first } : { from: first, to: second };
}

const diff = command({
  name: "diff",
  group: "Ask",
  scope: "anywhere",
  rows: ["DiffRow", "DiffSummary", "TextDiffRow"],
  summary: "list the changes from one view to another",
  arguments: [{ name: "VIEW", kind: "view", optional: true }, { name: "VIEW", kind: "view", optional: true }],
  options: [
    {
      name: "engine",
      value: "PROFILE",
      kind: "profile",
      summary: "compare a view with the same view under another engine's rules",
    },
    { name: "stat", summary: "only the totals" },
    { name: "text", value: "FILE", kind: "qpath", summary: "compare the lines of one text file, as diff -u does" },
    differentOption,
    ...listOptions,
  ],
  details: [
    "+ only the second view has the file, - only the first has it, ~ it comes from different sources. With one " +
    "VIEW the current view is compared with it. A file that the other view has under another name is marked: " +
    "was, now. The exit code is 0 whether or not they differ.",
    bytesDetail,
  ],
  examples: [
    { line: "diff quake/id1 quake/hipnotic", does: "files that the mission pack adds and replaces" },
    { line: "diff quake/id1 quake/hipnotic --stat", does: "the totals in one line" },
    { line: "diff quake quake/mymod --different --compare", does: "only files whose bytes differ" },
    { line: "diff quake quake/mymod --text default.cfg", does: "the lines that the mod changes" },
    { line: "diff quake/id1 --engine darkplaces", does: "files that differ under another engine" },
  ],
  async *run(context, input) {
    const views = comparedViews(context, input);
    const file = input.options.value("text");
    if (file !== undefined) {
      const { textDifferences } = await import("./text_diff.ts");
      return yield* textDifferences(context, views, resolveQpath(context.directory, file));
    }
    const params = { ...views, ...compareParameter(input) };
    if (input.options.flag("stat")) {
      const summary = await ask(context, "diffstat", params);
      const heading = `${summary.from} -> ${summary.to}: `;
      yield oneRow(summary, (page) => page.line({ text: heading, style: "heading" }, summarySentence(summary)));
      return;
    }
    const count = new RowCount();
    const all = rowsOf(context, "diff", { ...params, renames: true });
    const wanted = input.options.flag("different") ? all.filter(({ identical }) => identical !== true) : all;
    let unknown = 0;
    const rows = count.of(limited(wanted, input)).filter(({ change, identical }) => {
      if (change === "replaced" && identical === null) unknown++;
      return true;
    });
    yield tableOf(rows, diffColumns(input.options.flag("long")));
    context.output.remark(`${counted(count.rows, "difference")}${compareHint(unknown)}`);
  },
});

/** Commands about files that override each other, in the order of the help. */
export const conflictCommands: readonly RunnableCommand[] = [shadowed, conflicts, overrides, unique, diff];
