/**
 * SQL queries of the index: `sql`, `.tables`, `.schema`.
 * @module
 */
import { sqlTables } from "../../questions/mod.ts";
import { distinctNames, namedRow } from "../../protocol/mod.ts";
import type { SqlValue } from "../../protocol/rows.ts";
import { ask, command, type Context } from "../command/command.ts";
import { type Result, RowStream, tableOf } from "../output/results.ts";
import type { ColumnRow, SqlResultRow, TableRow } from "../rows/client_rows.ts";

/** Returns the rows of a statement for people and programs. */
async function resultOf(context: Context, statement: string): Promise<Result<SqlResultRow>> {
  const first = await ask(context, "sql", { statement });
  const names = distinctNames(first.columns);
  const rows = new RowStream(async function* () {
    for (let page = first;;) {
      yield page.rows.map((row) => namedRow(names, row));
      const { cursor } = page;
      if (cursor === null) return;
      // deno-lint-ignore no-await-in-loop -- each part's cursor comes with the part before it
      page = await ask(context, "sql", { statement, cursor });
    }
  }());
  if (first.rows.length === 0) context.output.remark("no rows");
  const isNumber = (index: number) => first.rows.every((row) => typeof (row[index] ?? 0) === "number");
  return tableOf(
    first.rows.length === 0 ? [] : rows,
    names.map((name, index) => ({
      title: name,
      align: first.rows.length > 0 && isNumber(index) ? "right" : "left",
      cell: (row) => cellOf(row[name] ?? null),
    })),
  );
}

function cellOf(value: SqlValue) {
  return value === null ? { text: "null", style: "dim" } as const : String(value);
}

export const sql = command({
  name: "sql",
  group: "Ask",
  scope: "anywhere",
  rows: ["SqlResultRow"],
  summary: "query the index in SQL",
  arguments: [{ name: "STATEMENT", kind: "none", repeated: true }],
  options: [],
  details: [
    `Tables: ${
      sqlTables.map(({ name }) => name).join(", ")
    }. .tables and .schema at the prompt, and docs/queries.md, ` +
    "describe them. The database is SQLite's, and a statement can only read.",
    "At the prompt a line that begins with SELECT, WITH, VALUES or EXPLAIN is a statement, up to a semicolon at the " +
    "end of this or a later line.",
  ],
  examples: [
    {
      line: "sql 'SELECT extension, count(*), sum(size) FROM files GROUP BY 1 ORDER BY 3 DESC LIMIT 5'",
      does: "the five largest kinds of files",
    },
    {
      line: `sql "SELECT view, source FROM candidates WHERE path = 'gfx/palette.lmp'"`,
      does: "every copy of a file, in all views",
    },
  ],
  async *run(context, { words }) {
    yield await resultOf(context, words.join(" "));
  },
});

const tables = command({
  name: ".tables",
  group: "Ask",
  scope: "session",
  rows: ["TableRow"],
  summary: "list the tables of SQL",
  arguments: [],
  options: [],
  examples: [{ line: ".tables", does: "tables, and the meaning of their rows" }],
  async *run() {
    const rows = sqlTables.map(({ name, meaning, columns }): TableRow => ({
      table: name,
      row: meaning,
      columns: columns.map((column) => column.name),
    }));
    yield tableOf(rows, [
      { title: "TABLE", cell: (row) => row.table },
      { title: "A ROW IS", isProse: true, cell: (row) => row.row },
    ]);
  },
});

const schema = command({
  name: ".schema",
  group: "Ask",
  scope: "session",
  rows: ["ColumnRow"],
  summary: "describe the columns of the tables of SQL",
  arguments: [{ name: "TABLE", kind: "none", choices: sqlTables.map(({ name }) => name), optional: true }],
  options: [],
  examples: [{ line: ".schema files", does: "the columns of files, and their meaning" }],
  async *run(_context, { words: [wanted] }) {
    const shown = sqlTables.filter(({ name }) => wanted === undefined || name === wanted);
    const rows = shown.flatMap(({ name, columns }) => columns.map((column): ColumnRow => ({ table: name, ...column })));
    yield tableOf(rows, [
      { title: "TABLE", cell: (row) => row.table },
      { title: "COLUMN", cell: (row) => row.name },
      { title: "TYPE", cell: (row) => ({ text: row.type, style: "dim" }) },
      { title: "MEANING", isProse: true, cell: (row) => row.meaning },
    ]);
  },
});

/** Commands of SQL. */
export const sqlCommands = [sql, tables, schema];
