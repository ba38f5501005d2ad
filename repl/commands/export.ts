/**
 * Exports of the SQL tables for other programs: `export`.
 * @module
 */
import { dirname, join, resolve } from "@std/path";
import { type SqlTable, sqlTables } from "../../questions/mod.ts";
import { RpcError } from "../../protocol/mod.ts";
import { UsageError } from "../../system/mod.ts";
import { ask, command, type Context, inView } from "../command/command.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { counted, grouped, humanSize } from "../output/human.ts";
import { Progress } from "../output/progress.ts";
import { oneRow } from "../output/results.ts";
import type { SqlResult } from "../../protocol/rows.ts";
import type { TableWriter } from "../export/table_writers.ts";
import type { ExportedRow } from "../rows/client_rows.ts";

/** Rows per part of a table. */
const partSize = 20_000;

/** Returns the rest of the statement for the rows of a table, in one view or all. */
function fromTable(table: SqlTable, view: string | undefined): string {
  const isOfView = view !== undefined && table.columns.some(({ name }) => name === "view");
  return `FROM ${table.name}${isOfView ? ` WHERE view = ${quoted(view)}` : ""}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Returns the full name of the view whose rows are written, if not all are.
 * @throws {CommandError} if the tables do not have it.
 */
async function viewOf(context: Context): Promise<string | undefined> {
  if (context.view === undefined) return undefined;
  const { view } = await ask(context, "stat", { ...inView(context), qpath: "" });
  const statement = `SELECT 1 FROM views WHERE view = ${quoted(view)}`;
  if ((await ask(context, "sql", { statement })).rows.length > 0) return view;
  throw new CommandError(`the tables have no view ${view}; "pakfs views" lists those that they have`);
}

/** Writes a table; returns the number of its rows. */
async function writeTable(
  context: Context,
  table: SqlTable,
  view: string | undefined,
  writer: TableWriter,
  progress: Progress,
): Promise<number> {
  const from = fromTable(table, view);
  const { rows: [[total] = []] } = await ask(context, "sql", { statement: `SELECT count(*) ${from}` });
  let count = 0;
  writer.begin(table);
  let cursor: string | null = null;
  do {
    const params = { statement: `SELECT * ${from}`, limit: partSize, ...cursor === null ? {} : { cursor } };
    // deno-lint-ignore no-await-in-loop -- each part's cursor comes with the part before it
    const part: SqlResult = await ask(context, "sql", params);
    writer.write(part.rows);
    count += part.rows.length;
    progress.update(() => `${table.name}: ${grouped(count)} of ${counted(Number(total), "row")}`);
    cursor = part.cursor;
  } while (cursor !== null);
  return count;
}

export const exportTables = command({
  name: "export",
  group: "Ask",
  scope: "anywhere",
  rows: ["ExportedRow"],
  summary: "write the tables of sql to a file for other programs",
  arguments: [
    { name: "FILE.sqlite|.parquet|.csv|.jsonl", kind: "file" },
    {
      name: "TABLE",
      kind: "none",
      choices: sqlTables.map(({ name }) => name),
      optional: true,
      repeated: true,
    },
  ],
  options: [],
  details: [
    "Without TABLE an SQLite file gets all tables, the others get files; they hold one table each. With --view tables " +
    "hold the rows of that view. An existing file is replaced once the new one is complete.",
  ],
  examples: [
    { line: "export index.sqlite", does: "all tables, for sqlite3, datasette or DuckDB" },
    {
      line: "export refs.parquet refs --view quake/id1",
      does: "references of the maps of one view, for DuckDB or Spark",
    },
  ],
  async *run(context, { words: [path = "", ...names] }) {
    const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
    const isDatabase = ending === "sqlite";
    const wanted = names.length > 0 || isDatabase ? names : ["files"];
    const tables = sqlTables.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
    if (!isDatabase && tables.length > 1) throw new UsageError("only an .sqlite file holds more than one table");
    const view = await viewOf(context);
    const { openTableWriter } = await import("../export/table_writers.ts");
    const temporary = join(dirname(path), `.pakfs-export-${crypto.randomUUID()}`);
    const progress = new Progress(context.output);
    const rows: ExportedRow[] = [];
    try {
      const writer = openTableWriter(ending, temporary);
      if (!writer) throw new UsageError("FILE ends in .sqlite, .parquet, .csv or .jsonl");
      try {
        for (const table of tables) {
          // deno-lint-ignore no-await-in-loop -- tables follow one another in the file
          const count = await writeTable(context, table, view, writer, progress);
          rows.push({ file: resolve(path), table: table.name, rows: count });
        }
        writer.end();
      } finally {
        writer.close();
      }
      await Deno.rename(temporary, path);
    } catch (error) {
      await Deno.remove(temporary).catch(() => {}); // it may never have been created
      const isOfFile = error instanceof Error && "code" in error && !(error instanceof UsageError) &&
        !(error instanceof RpcError);
      if (!isOfFile) throw error;
      const reason = error instanceof Deno.errors.NotFound ? "no such directory" : failureOf(error).message;
      throw new CommandError(`cannot write ${path}: ${reason}`, { cause: error });
    } finally {
      progress.end();
    }
    for (const row of rows) yield oneRow(row);
    const total = rows.reduce((sum, row) => sum + row.rows, 0);
    const { size } = await Deno.stat(path);
    context.output.remark(`${path}: ${counted(rows.length, "table")}, ${counted(total, "row")}, ${humanSize(size)}`);
  },
});
