/**
 * Walking a view: `ls`, `tree`.
 * @module
 */
import { basename } from "node:path";
import type { DirectoryRow, FileRow, ListRow } from "../../protocol/rows.ts";
import { type Context, inView, rowsOf, type RunnableCommand } from "../command/command.ts";
import { UsageError } from "../../command_line/usage.ts";
import { type Column, counted, humanSize, humanTime, printNames, Table } from "../output/render.ts";
import { resolveQpath } from "../command/session.ts";
import type { Part } from "../output/text.ts";

/** Columns of a long listing. */
export const longColumns: readonly Column[] = [
  { title: "SIZE", align: "right" },
  { title: "MODIFIED" },
  { title: "FROM" },
  { title: "NAME" },
];

/** The pack or directory a file comes from, as short as it can be told: the last name of its path. */
export function shortReader(row: FileRow): string {
  return row.format === "loose" ? `${basename(row.source)}/` : basename(row.source);
}

/** Cells of a file in a long listing; `name` is what to call it. */
export function longCells(row: FileRow, name: string): Part[] {
  const shadows = row.shadows > 0 ? ` (+${row.shadows})` : "";
  const shown: Part = row.damaged === undefined
    ? name
    : { text: `${name}  damaged: ${row.damaged}`, style: "unusable" };
  return [humanSize(row.size), humanTime(row.mtime), { text: shortReader(row) + shadows, style: "dim" }, shown];
}

function directoryCells(row: DirectoryRow, name: string): Part[] {
  return ["-", "", { text: counted(row.entries, "name"), style: "dim" }, { text: `${name}/`, style: "directory" }];
}

function shortName(row: ListRow): Part {
  const name = basename(row.qpath);
  if (row.type === "directory") return { text: `${name}/`, style: "directory" };
  return row.damaged === undefined ? name : { text: name, style: "unusable" };
}

const ls: RunnableCommand = {
  name: "ls",
  aliases: ["dir"],
  group: "Browse",
  scope: "anywhere",
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
  run: async (context, { words, options }) => {
    const { output } = context;
    const path = resolveQpath(context.directory, words[0] ?? "");
    const table = new Table(output, longColumns);
    const names: Part[] = [];
    for await (const row of rowsOf(context, "ls", { ...inView(context), path })) {
      if (output.json) output.row(row);
      else if (!options.flag("long")) names.push(shortName(row));
      else if (row.type === "directory") table.add(...directoryCells(row, basename(row.qpath)));
      else table.add(...longCells(row, basename(row.qpath)));
    }
    table.end();
    printNames(output, names);
  },
};

interface TreeCounts {
  directories: number;
  files: number;
}

/** What a subtree is printed with. */
interface TreeOptions {
  readonly depth: number;
  readonly directoriesOnly: boolean;
  readonly counts: TreeCounts;
}

async function printSubtree(context: Context, path: string, indent: string, options: TreeOptions): Promise<void> {
  const { output } = context;
  const print = async (row: ListRow, last: boolean) => {
    if (row.type === "directory") options.counts.directories++;
    else options.counts.files++;
    if (output.json) output.row(row);
    else output.line({ text: indent + (last ? "└── " : "├── "), style: "dim" }, shortName(row));
    if (row.type !== "directory" || options.depth <= 1) return;
    await printSubtree(context, row.qpath, indent + (last ? "    " : "│   "), { ...options, depth: options.depth - 1 });
  };
  let before: ListRow | undefined;
  for await (const row of rowsOf(context, "ls", { ...inView(context), path })) {
    if (options.directoriesOnly && row.type === "file") continue;
    if (before) await print(before, false);
    before = row;
  }
  if (before) await print(before, true);
}

const tree: RunnableCommand = {
  name: "tree",
  group: "Browse",
  scope: "anywhere",
  rows: ["FileRow", "DirectoryRow"],
  summary: "print a directory and all that is below it",
  arguments: [{ name: "PATH", kind: "qpath", optional: true }],
  options: [
    { name: "level", short: "L", value: "N", summary: "go down at most N directories" },
    { name: "directories", short: "d", summary: "directories only" },
  ],
  examples: [
    { line: "tree -d", does: "the directories of the view" },
    { line: "tree -L 2 textures", does: "two levels of one directory" },
  ],
  run: async (context, { words, options }) => {
    const depth = options.count("level") ?? Number.POSITIVE_INFINITY;
    if (depth < 1) throw new UsageError("--level takes a number from 1 up");
    const path = resolveQpath(context.directory, words[0] ?? "");
    const counts: TreeCounts = { directories: 0, files: 0 };
    if (!context.output.json) context.output.line({ text: path === "" ? "." : path, style: "directory" });
    await printSubtree(context, path, "", { depth, directoriesOnly: options.flag("directories"), counts });
    context.output.remark(
      `${counted(counts.directories, "directory", "directories")}, ${counted(counts.files, "file")}`,
    );
  },
};

/** Commands of this file. */
export const browseCommands: readonly RunnableCommand[] = [ls, tree];
