/**
 * Commands that walk a view: `ls`, `tree`, `du`.
 * @module
 */
import { basename } from "@std/path";
import type { DirectoryRow, FileRow, ListRow, UsageRow } from "../../protocol/rows.ts";
import { type OptionSpec, quoted, UsageError } from "../../system/mod.ts";
import { command, type Context, fieldsOf, inView, rowsOf } from "../command/command.ts";
import { resolveQpath } from "../command/session.ts";
import { bar, counted, grouped, humanSize } from "../output/human.ts";
import { namesOf, oneRow, rowsShownAs, RowStream, tableOf, textOnly } from "../output/results.ts";
import type { Part } from "../output/text.ts";
import { fieldsToSort, longColumns, longFields, sorted, sortOption } from "./long_listing.ts";

/** Members that {@linkcode shortName} shows. */
const shortFields = ["type", "qpath", "damaged"] as const;

function shortName(row: Pick<FileRow, typeof shortFields[number]> | Pick<DirectoryRow, "type" | "qpath">): Part {
  const name = basename(row.qpath);
  if (row.type === "directory") return { text: `${name}/`, style: "directory" };
  return row.damaged === undefined ? name : { text: name, style: "unusable" };
}

/** Common options of other programs. */
const habits: readonly OptionSpec[] = [
  { name: "all", short: "a", summary: "accepted; no file is hidden" },
  { name: "human-readable", short: "h", summary: "accepted; sizes are always readable" },
];

/** A directory to list, and a predicate for its names. */
interface Listed {
  readonly path: string;
  readonly accepts?: (name: string) => boolean;
}

/** Returns the directory of an argument; wildcards in its last component select names in a directory. */
async function listedBy({ directory }: Context, typed: string): Promise<Listed> {
  const slash = typed.lastIndexOf("/") + 1;
  const name = typed.slice(slash);
  if (!/[*?[{]/.test(name)) return { path: resolveQpath(directory, typed) };
  const { compileGlob } = await import("../../formats/mod.ts");
  return { path: resolveQpath(directory, typed.slice(0, slash)), accepts: compileGlob(name, { ignoreCase: true }) };
}

export const ls = command({
  name: "ls",
  aliases: ["dir"],
  group: "Browse",
  scope: "anywhere",
  rows: ["FileRow", "DirectoryRow"],
  summary: "list a directory of the view",
  arguments: [{ name: "PATH", kind: "qpath", optional: true, repeated: true }],
  options: [
    { name: "long", short: "l", summary: "sizes, times and where each file comes from" },
    sortOption,
    ...habits,
  ],
  details: [
    "With -l, FROM names the pack or directory that wins; (+2) after it says that two other files of that name lost.",
    "The last name of PATH may have wildcards, as in find.",
  ],
  examples: [
    { line: "ls maps", does: "names in one directory" },
    { line: "ls -l 'maps/dm*'", does: "some of them, with sizes, times and sources" },
    { line: "ls -l --sort size", does: "the largest first" },
  ],
  async *run(context, input) {
    const { words, options } = input;
    const typed = words.length === 0 ? [""] : words;
    for (const [index, word] of typed.entries()) {
      // deno-lint-ignore no-await-in-loop -- directories are listed in order
      const { path, accepts } = await listedBy(context, word);
      const params = { ...inView(context), path };
      let found = 0;
      const isChosen = ({ qpath }: { readonly qpath: string }) => {
        if (accepts?.(basename(qpath)) === false) return false;
        found++;
        return true;
      };
      const chosen = <Row extends { qpath: string }>(rows: RowStream<Row>) =>
        sorted(accepts ? rows.filter(isChosen) : rows, input);
      const short = [...shortFields, ...fieldsToSort(input)];
      const shown = options.flag("long")
        ? tableOf(chosen(fieldsOf(context, "ls", params, longFields)), longColumns(({ qpath }) => basename(qpath)))
        : namesOf(chosen(fieldsOf(context, "ls", params, short)), shortName);
      if (typed.length > 1) {
        yield textOnly((page) => page.lines(`${index > 0 ? "\n" : ""}${path === "" ? "." : path}:`));
      }
      yield rowsShownAs(chosen(rowsOf(context, "ls", params)), shown);
      if (accepts && found === 0) context.output.remark(`nothing matches ${quoted(word)}; find also looks below`);
    }
  },
});

/** Options of a tree, and the totals of its rows so far. */
interface TreeOptions {
  readonly depth: number;
  readonly directoriesOnly: boolean;
  readonly counts: { directories: number; files: number };
}

/** A row of a tree, and the lines before it. */
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
    const heading = textOnly((page) => page.line({ text: path === "" ? "." : path, style: "directory" }));
    let isHeaded = false;
    const tree = branches(context, path, "", { depth, directoriesOnly: options.flag("directories"), counts });
    for await (const { row, lead } of tree) {
      if (!isHeaded) yield heading;
      isHeaded = true;
      yield oneRow(row, (page) => page.line({ text: lead, style: "dim" }, shortName(row)));
    }
    if (!isHeaded) yield heading;
    context.output.remark(
      `${counted(counts.directories, "directory", "directories")}, ${counted(counts.files, "file")}`,
    );
  },
});

/** Maximum length of a bar, in characters. */
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
  rows: ["UsageRow"],
  summary: "show the size of each directory, largest first",
  arguments: [{ name: "PATH", kind: "qpath", optional: true, repeated: true }],
  options: [
    { name: "depth", short: "d", value: "N", summary: "go down N levels (default 1)" },
    { name: "summarize", short: "s", summary: "only the total of each PATH" },
    ...habits,
  ],
  details: [
    "SIZE is the decompressed size, COMPRESSED the size in the packs. Bars show the share of PATH. Only files that the engine " +
    "loads count; packs shows the size of packs.",
  ],
  examples: [
    { line: "du", does: "the directories of the view" },
    { line: "du textures -d 2", does: "two levels of one directory" },
  ],
  async *run(context, { words, options }) {
    const depth = options.flag("summarize") ? 0 : options.count("depth") ?? 1;
    const paths = (words.length === 0 ? [""] : words).map((word) => resolveQpath(context.directory, word));
    const usage = new RowStream(async function* () {
      for (const path of paths) yield* rowsOf(context, "usage", { ...inView(context), path, depth }).pages;
    }());
    let whole = 0;
    const drawn = (row: UsageRow) => {
      if (row.depth === 0) whole = row.size;
      return bar(row.size, whole, barWidth).padEnd(barWidth);
    };
    yield tableOf(usage, [
      { title: "SIZE", align: "right", cell: (row) => humanSize(row.size) },
      { title: "COMPRESSED", align: "right", cell: (row) => humanSize(row.packedSize) },
      { title: "FILES", align: "right", cell: (row) => grouped(row.files) },
      { title: "", isOptional: true, cell: drawn },
      { title: "NAME", cell: usageName },
    ]);
  },
});
