/**
 * Walking a view: `ls`, `tree`, `du`.
 * @module
 */
import { basename } from "@std/path";
import type { DirectoryRow, FileRow, ListRow, UsageRow } from "../../protocol/rows.ts";
import { UsageError } from "../../command_line/usage.ts";
import { command, type Context, fieldsOf, inView, rowsOf } from "../command/command.ts";
import { resolveQpath } from "../command/session.ts";
import { bar, counted, grouped, humanSize } from "../output/human.ts";
import { namesOf, oneRow, rowsShownAs, tableOf, textOnly } from "../output/results.ts";
import type { Part } from "../output/text.ts";
import { longColumns, longFields } from "./long_listing.ts";

/** Members that {@linkcode shortName} shows. */
const shortFields = ["type", "qpath", "damaged"] as const;

function shortName(row: Pick<FileRow, typeof shortFields[number]> | Pick<DirectoryRow, "type" | "qpath">): Part {
  const name = basename(row.qpath);
  if (row.type === "directory") return { text: `${name}/`, style: "directory" };
  return row.damaged === undefined ? name : { text: name, style: "unusable" };
}

export const ls = command({
  name: "ls",
  aliases: ["dir"],
  group: "Browse",
  scope: "anywhere",
  asksOnly: true,
  rows: ["FileRow", "DirectoryRow"],
  summary: "list a directory of the view",
  arguments: [{ name: "PATH", kind: "qpath", optional: true }],
  options: [{ name: "long", short: "l", summary: "sizes, times and where each file comes from" }],
  details: [
    "With -l, FROM names the pack or directory that wins; (+2) after it says that two other files of that name lost.",
  ],
  examples: [
    { line: "ls maps", does: "names in one directory" },
    { line: "ls -l", does: "with sizes, times and sources" },
  ],
  async *run(context, { words, options }) {
    const path = resolveQpath(context.directory, words[0] ?? "");
    const params = { ...inView(context), path };
    const shown = options.flag("long")
      ? tableOf(fieldsOf(context, "ls", params, longFields), longColumns(({ qpath }) => basename(qpath)))
      : namesOf(fieldsOf(context, "ls", params, shortFields), shortName);
    yield rowsShownAs(rowsOf(context, "ls", params), shown);
  },
});

/** Options of a tree, and the numbers of its rows so far. */
interface TreeOptions {
  readonly depth: number;
  readonly directoriesOnly: boolean;
  readonly counts: { directories: number; files: number };
}

/** A row of a tree, and the lines in front of it. */
interface Branch {
  readonly row: ListRow;
  readonly lead: string;
}

async function* branches(context: Context, path: string, indent: string, options: TreeOptions): AsyncGenerator<Branch> {
  const branch = async function* (row: ListRow, isLast: boolean): AsyncGenerator<Branch> {
    if (row.type === "directory") options.counts.directories++;
    else options.counts.files++;
    yield { row, lead: indent + (isLast ? "└── " : "├── ") };
    if (row.type !== "directory" || options.depth <= 1) return;
    const below = indent + (isLast ? "    " : "│   ");
    yield* branches(context, row.qpath, below, { ...options, depth: options.depth - 1 });
  };
  let before: ListRow | undefined;
  for await (const row of rowsOf(context, "ls", { ...inView(context), path })) {
    if (options.directoriesOnly && row.type === "file") continue;
    if (before) yield* branch(before, false);
    before = row;
  }
  if (before) yield* branch(before, true);
}

export const tree = command({
  name: "tree",
  group: "Browse",
  scope: "anywhere",
  asksOnly: true,
  rows: ["FileRow", "DirectoryRow"],
  summary: "print a directory tree",
  arguments: [{ name: "PATH", kind: "qpath", optional: true }],
  options: [
    { name: "level", short: "L", value: "N", summary: "go down at most N levels" },
    { name: "directories", short: "d", summary: "directories only" },
  ],
  examples: [
    { line: "tree -d", does: "the directories of the view" },
    { line: "tree -L 2 textures", does: "two levels of one directory" },
  ],
  async *run(context, { words, options }) {
    const depth = options.count("level") ?? Number.POSITIVE_INFINITY;
    if (depth < 1) throw new UsageError("--level takes a number from 1 up");
    const path = resolveQpath(context.directory, words[0] ?? "");
    const counts = { directories: 0, files: 0 };
    yield textOnly((page) => page.line({ text: path === "" ? "." : path, style: "directory" }));
    const tree = branches(context, path, "", { depth, directoriesOnly: options.flag("directories"), counts });
    for await (const { row, lead } of tree) {
      yield oneRow(row, (page) => page.line({ text: lead, style: "dim" }, shortName(row)));
    }
    context.output.remark(
      `${counted(counts.directories, "directory", "directories")}, ${counted(counts.files, "file")}`,
    );
  },
});

/** Characters of the longest bar. */
const barWidth = 20;

function usageName({ qpath, depth }: UsageRow): Part {
  if (depth === 0) return { text: qpath === "" ? "." : `${qpath}/`, style: "directory" };
  const name = `${qpath.slice(qpath.lastIndexOf("/") + 1)}/`;
  return { text: "  ".repeat(depth) + name, style: "directory" };
}

export const du = command({
  name: "du",
  aliases: ["usage"],
  group: "Browse",
  scope: "anywhere",
  asksOnly: true,
  rows: ["UsageRow"],
  summary: "show the size of each directory, largest first",
  arguments: [{ name: "PATH", kind: "qpath", optional: true }],
  options: [{ name: "depth", short: "d", value: "N", summary: "go down N levels (default 1)" }],
  details: [
    "SIZE is the decompressed size, PACKED the size in the packs. Bars show the share of PATH. Only files that the engine " +
    "loads count; packs shows the size of packs.",
  ],
  examples: [
    { line: "du", does: "the directories of the view" },
    { line: "du textures -d 2", does: "two levels of one directory" },
  ],
  async *run(context, { words, options }) {
    const path = resolveQpath(context.directory, words[0] ?? "");
    const depth = options.count("depth") ?? 1;
    let whole = 0;
    const drawn = (row: UsageRow) => {
      if (row.depth === 0) whole = row.size;
      return bar(row.size, whole, barWidth).padEnd(barWidth);
    };
    yield tableOf(rowsOf(context, "usage", { ...inView(context), path, depth }), [
      { title: "SIZE", align: "right", cell: (row) => humanSize(row.size) },
      { title: "PACKED", align: "right", cell: (row) => humanSize(row.packedSize) },
      { title: "FILES", align: "right", cell: (row) => grouped(row.files) },
      { title: "", cell: drawn },
      { title: "NAME", cell: usageName },
    ]);
  },
});
