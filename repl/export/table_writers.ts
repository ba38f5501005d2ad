/**
 * Writes SQL tables to files for other programs.
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import type { SqlRow, SqlTable } from "../../questions/mod.ts";
import { csvLine } from "../output/row_format.ts";
import { jsonLine } from "../../system/mod.ts";

/** Writes one file. */
export interface TableWriter {
  /** Begins a table; its rows follow. */
  begin(table: SqlTable): void;
  write(rows: readonly SqlRow[]): void;
  /** Ends the file. */
  end(): void;
  /** Closes the file, complete or not. */
  close(): void;
}

/** Columns with an index in an SQLite file. */
const indexed: readonly string[] = ["path", "source", "extension"];

/** Writes a database with the meaning of each table and column as a comment. */
function sqliteWriter(path: string): TableWriter {
  const database = new DatabaseSync(path);
  // The file is renamed when it is complete.
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  const tables: SqlTable[] = [];
  let insert: ReturnType<DatabaseSync["prepare"]> | undefined;
  return {
    begin(table) {
      tables.push(table);
      const last = table.columns.at(-1);
      const columns = table.columns.map((column) =>
        `  ${column.name} ${column.type}${column === last ? "" : ","} -- ${column.meaning}\n`
      );
      database.exec(`CREATE TABLE ${table.name} ( -- ${table.meaning}\n${columns.join("")})`);
      insert = database.prepare(`INSERT INTO ${table.name} VALUES (${columns.map(() => "?").join(",")})`);
    },
    write(rows) {
      for (const row of rows) insert?.run(...row);
    },
    end() {
      for (const { name, columns } of tables) {
        for (const column of columns.filter((one) => indexed.includes(one.name))) {
          database.exec(`CREATE INDEX ${name}_${column.name} ON ${name} (${column.name})`);
        }
      }
      database.exec("COMMIT");
    },
    close: () => database.close(),
  };
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
}

/** Writes lines; `lineOf` formats a row. */
function lineWriter(
  path: string,
  header: (table: SqlTable) => string,
  lineOf: (row: SqlRow, names: readonly string[]) => string,
): TableWriter {
  const file = Deno.createSync(path);
  const encoder = new TextEncoder();
  let names: readonly string[] = [];
  return {
    begin(table) {
      names = table.columns.map(({ name }) => name);
      writeAll(file, encoder.encode(header(table)));
    },
    write: (rows) => writeAll(file, encoder.encode(rows.map((row) => lineOf(row, names)).join(""))),
    end: () => {},
    close: () => file.close(),
  };
}

/** Rows of a group in a Parquet file. */
const rowsPerGroup = 20_000;

/** Writes a Parquet file; integers have 64 bits. */
function parquetWriter(path: string): TableWriter {
  const file = fileWriter(path);
  let isOpen = true;
  let writer: ParquetWriter | undefined;
  let columns: SqlTable["columns"] = [];
  let waiting: SqlRow[] = [];
  const flush = () => {
    const columnData = columns.map(({ name, type }, index) => ({
      name,
      data: waiting.map((row) => {
        const value = row[index] ?? null;
        return type === "INTEGER" && value !== null ? BigInt(value) : value;
      }),
    }));
    waiting = [];
    void writer?.write({ columnData, rowGroupSize: rowsPerGroup });
  };
  return {
    begin(table) {
      ({ columns } = table);
      const leaves = columns.map(({ name, type }) => ({
        name,
        repetition_type: "OPTIONAL" as const,
        ...type === "INTEGER"
          ? { type: "INT64" as const }
          : { type: "BYTE_ARRAY" as const, converted_type: "UTF8" as const },
      }));
      writer = new ParquetWriter({ writer: file, schema: [{ name: "root", num_children: leaves.length }, ...leaves] });
    },
    write(rows) {
      waiting.push(...rows);
      if (waiting.length >= rowsPerGroup) flush();
    },
    end() {
      if (waiting.length > 0) flush();
      void writer?.finish();
      isOpen = false;
    },
    // Ending closes it too.
    close: () => isOpen ? void file.finish() : undefined,
  };
}

/** Writers by file extension; all but `sqlite` hold one table. */
const writers: Readonly<Record<string, (path: string) => TableWriter>> = {
  sqlite: sqliteWriter,
  parquet: parquetWriter,
  csv: (path) =>
    lineWriter(
      path,
      ({ columns }) => csvLine(columns.map(({ name }) => name)),
      (row) => csvLine(row.map((value) => value === null ? "" : String(value))),
    ),
  jsonl: (path) =>
    lineWriter(
      path,
      () => "",
      (row, names) => `${jsonLine(Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])))}\n`,
    ),
};

/** Opens the writer for a file extension; undefined if there is none. */
export function openTableWriter(ending: string, path: string): TableWriter | undefined {
  return Object.hasOwn(writers, ending) ? writers[ending]?.(path) : undefined;
}
