/**
 * What there is: `games`, `views`, `path`, `packs`, `formats`.
 * @module
 */
import { type Context, type Input, inView, rowsOf, type RunnableCommand } from "../command/command.ts";
import type { PagedMethod, RowOf } from "../../protocol/methods.ts";
import type { PackRow } from "../../protocol/rows.ts";
import type { ParamsOf } from "../../protocol/methods.ts";
import { CommandError } from "../output/failure.ts";
import type { Output } from "../output/output.ts";
import { bar, type Column, grouped, humanSize, humanTime, Table } from "../output/render.ts";
import type { Part } from "../output/text.ts";
import { parseInteger32 } from "./checksum.ts";
import { listInstalled } from "./detect.ts";

/** Prints the rows of a method: as they are with `--json`, else as a table of the cells that `cells` makes of one. */
async function list<M extends PagedMethod>(
  context: Context,
  method: M,
  params: ParamsOf<M>,
  columns: readonly Column[],
  cells: (row: RowOf<M>) => Part[],
): Promise<void> {
  const { output } = context;
  const table = new Table(output, columns);
  for await (const row of rowsOf(context, method, params)) {
    if (output.json) output.row(row as object);
    else table.add(...cells(row));
  }
  table.end();
}

function chosenView(context: Context, input: Input): { view?: string } {
  const [view] = input.words;
  return view === undefined ? inView(context) : { view };
}

const games: RunnableCommand = {
  name: "games",
  group: "Ask",
  scope: "anywhere",
  rows: ["GameRow", "GameReport"],
  summary: "list the games and the engine rules each is read by",
  arguments: [],
  options: [{ name: "installed", summary: "ask no daemon: look for games on this machine" }],
  examples: [
    { line: "games", does: "every game, its profile and why that profile" },
    { line: "games --installed", does: "games of Steam, GOG, the system and your home" },
  ],
  run: (context, { options }) => {
    if (options.flag("installed")) return listInstalled(context.output);
    return list(
      context,
      "games",
      {},
      [
        { title: "GAME" },
        { title: "PROFILE" },
        { title: "VIEWS", align: "right" },
        { title: "PACKS", align: "right" },
        { title: "FILES", align: "right" },
        { title: "BASE" },
        { title: "SOURCES" },
      ],
      (row) => [
        row.game,
        { text: `${row.profile} (${row.because})`, style: "dim" },
        grouped(row.views),
        grouped(row.packs),
        grouped(row.files),
        row.base,
        row.sources.join(", "),
      ],
    );
  },
};

const views: RunnableCommand = {
  name: "views",
  group: "Ask",
  scope: "anywhere",
  rows: ["ViewRow"],
  summary: "list the views: one resolved tree for every game directory",
  arguments: [],
  options: [],
  examples: [{ line: "views", does: "every view and its game directories, best first" }],
  run: (context) =>
    list(
      context,
      "views",
      {},
      [{ title: "VIEW" }, { title: "PROFILE" }, { title: "PACKS", align: "right" }, { title: "GAME DIRECTORIES" }],
      (row) => [
        row.base ? row.view : { text: row.view, style: "directory" },
        { text: row.profile, style: "dim" },
        grouped(row.packs),
        row.gameDirectories.join(" > "),
      ],
    ),
};

const path: RunnableCommand = {
  name: "path",
  group: "Ask",
  scope: "anywhere",
  rows: ["PathRow"],
  summary: "print the engine's search path of a view, best first",
  arguments: [{ name: "VIEW", kind: "view", optional: true }],
  options: [],
  examples: [
    { line: "path", does: "search path of the current view" },
    { line: "path quake/hipnotic", does: "search path of another one" },
  ],
  run: (context, input) =>
    list(
      context,
      "path",
      chosenView(context, input),
      [
        { title: "RANK", align: "right" },
        { title: "GAME DIRECTORY" },
        { title: "FORMAT" },
        { title: "FILES", align: "right" },
        { title: "SOURCE" },
      ],
      (
        row,
      ) => [String(row.rank), row.gameDirectory, { text: row.format, style: "dim" }, grouped(row.files), row.source],
    ),
};

/** Characters of the bar of the largest pack. */
const barWidth = 8;

/** Prints packs as a table; on a terminal with bars, for which all sizes must be known. */
function printPacks(output: Output, rows: readonly PackRow[]): void {
  const largest = rows.reduce((most, { size }) => Math.max(most, size), 0);
  const table = new Table(output, [
    { title: "GAME" },
    { title: "GAME DIRECTORY" },
    { title: "PACK" },
    { title: "FORMAT" },
    { title: "FILES", align: "right" },
    { title: "WINS", align: "right" },
    { title: "SIZE", align: "right" },
    ...(output.terminal ? [{ title: "" }] : []),
    { title: "MODIFIED" },
    { title: "" },
  ]);
  for (const row of rows) {
    const remarks = [...(row.usable ? [] : [`not used: ${row.reason ?? "no reason given"}`]), ...row.warnings];
    table.add(
      row.game,
      row.gameDirectory,
      row.usable ? row.pack : { text: row.pack, style: "unusable" },
      { text: row.format, style: "dim" },
      grouped(row.files),
      row.wins === null ? { text: "-", style: "dim" } : grouped(row.wins),
      humanSize(row.size),
      ...(output.terminal ? [bar(row.size, largest, barWidth)] : []),
      humanTime(row.mtime),
      remarks.join("; "),
    );
  }
  table.end();
}

const packs: RunnableCommand = {
  name: "packs",
  group: "Ask",
  scope: "anywhere",
  rows: ["PackRow"],
  summary: "list the packs that were found, and why some are not used",
  arguments: [{ name: "VIEW", kind: "view", optional: true }],
  options: [
    {
      name: "checksum",
      value: "N",
      summary: "only the pk3 that Quake III's engines know by this number, signed or not",
    },
    { name: "fully-shadowed", summary: "only packs that are used but provide nothing: none of their files win" },
  ],
  examples: [
    { line: "packs quake3/baseq3", does: "the packs as one view uses them, and how many of their files win" },
    { line: "packs quake3/baseq3 --fully-shadowed", does: "packs of which the engine loads no file" },
    { line: "packs --checksum 1566731103", does: "which pack does a server's pure list mean?" },
  ],
  run: async (context, input) => {
    const { output } = context;
    const wanted = input.options.value("checksum");
    const fullyShadowed = input.options.flag("fully-shadowed") ? { fullyShadowed: true } : {};
    const checksum = wanted === undefined ? {} : { checksum: parseInteger32("checksum", wanted) };
    const rows: PackRow[] = [];
    for await (
      const row of rowsOf(context, "packs", { ...chosenView(context, input), ...checksum, ...fullyShadowed })
    ) {
      rows.push(row);
      if (output.json) output.row(row);
    }
    if (!output.json) printPacks(output, rows);
    if (wanted !== undefined && rows.length === 0) throw new CommandError(`no pack has the checksum ${wanted}`);
  },
};

const formats: RunnableCommand = {
  name: "formats",
  group: "Archives",
  scope: "anywhere",
  rows: ["FormatRow"],
  summary: "list the archive formats: what each is known by, and which can be written",
  arguments: [],
  options: [],
  details: [
    "All of them can be read, mounted, verified and extracted. Content decides which one a file is in, never its name; " +
    "a file that ends otherwise is read all the same.",
  ],
  examples: [
    { line: "formats", does: "names for archive create --format" },
    { line: "formats --json", does: "one object per format, also with what packings and duplicates it has" },
  ],
  run: async ({ output }) => {
    const { formatRows } = await import("../../formats/mod.ts");
    const table = new Table(output, [
      { title: "FORMAT" },
      { title: "WRITES" },
      { title: "ENDINGS" },
      { title: "KNOWN BY" },
      { title: "GAMES" },
    ]);
    for (const row of formatRows()) {
      const { format, writable, extensions, signature, games } = row;
      if (output.json) output.row(row);
      else table.add(format, writable ? "yes" : "no", extensions.join(" "), signature, games);
    }
    table.end();
  },
};

/** Commands of this file. */
export const placeCommands: readonly RunnableCommand[] = [games, views, path, packs, formats];
