/**
 * Executes SQL statements over tables of the index, one at a time. Statements can only read: an authorizer rejects
 * everything else when a statement is compiled.
 *
 * The rows of a statement are written to a temporary table and read from there. Stepping through a statement itself
 * (`iterate`) ends without an error if SQLite fails: Deno 2.9 does not report errors of these steps.
 * @module
 */
import type { SQLOutputValue } from "node:sqlite";
import { messageOf } from "../../formats/parts.ts";
import { didYouMean } from "../../system/mod.ts";
import { sqlTables } from "./schema.ts";
import { type GroupName, groupsOf, type TableSource } from "./table_groups.ts";
import { Tables } from "./tables.ts";
import { openSqlite, sqliteActions, sqliteAnswers, type SqliteStatement } from "./sqlite.ts";

/** A value in a row of a result: numbers and strings, a BLOB as hexadecimal digits. */
export type SqlValue = string | number | null;

/** A row of a result. */
export type SqlRow = readonly SqlValue[];

/** A statement is invalid, or exceeds its limits. The message is for the user. */
export class SqlError extends Error {
  /** Name of the class. */
  override readonly name = "SqlError";
}

/** Memory of SQLite; tables, results and what is sorted or grouped lie in unnamed files beyond a part of it. */
const maxMemory = 512 * 1024 * 1024;
/** Bytes of tables and results that are kept in memory. */
const cacheBytes = 32 * 1024 * 1024;
/** Default of the maximum bytes of a result. */
const defaultMaxResultBytes = 1024 ** 3;
/** Maximum bytes of a value and of a row. */
const maxRowBytes = 1024 * 1024;
/** Number of rows that are fetched at once. */
const rowsAtOnce = 64;

const harmlessPragmas: ReadonlySet<string> = new Set([
  "table_info",
  "table_xinfo",
  "table_list",
  "index_list",
  "index_info",
  "index_xinfo",
  "function_list",
  "collation_list",
]);

/** Executes one statement at a time. */
export class SqlReader {
  readonly #database = openSqlite(":memory:");
  readonly #tables: Tables;
  readonly #maxResultBytes: number;
  #columns: readonly string[] = [];
  #count = 0;
  #next: SqliteStatement | undefined;
  /** Rows of a statement that cannot be written to a table. */
  #rows: readonly SqlRow[] = [];

  /** @param maxResultBytes Maximum bytes of a result. */
  constructor(source: TableSource, maxResultBytes: number = defaultMaxResultBytes) {
    this.#maxResultBytes = maxResultBytes;
    this.#database.exec(
      `PRAGMA temp_store = FILE; PRAGMA temp.cache_size = ${-cacheBytes / 1024}; PRAGMA temp.journal_mode = MEMORY; ` +
        `PRAGMA hard_heap_limit = ${maxMemory}`,
    );
    this.#tables = new Tables(this.#database, source);
    this.#database.limits.length = maxRowBytes;
  }

  /**
   * Executes a statement; its rows are read with {@linkcode SqlReader.rows}.
   * @returns Names of the columns.
   * @throws {SqlError} if it is invalid, writes, or needs too much memory.
   */
  async run(typed: string): Promise<readonly string[]> {
    // Deno 2.9 crashes on an empty statement.
    const text = typed.replace(/^(?:[\s;]|--[^\n]*|\/\*.*?(?:\*\/|$))+/s, "");
    if (text === "" || text.startsWith("\0")) throw new SqlError("no statement given");
    this.#next = undefined;
    this.#rows = [];
    this.#database.exec("DROP TABLE IF EXISTS temp.result");
    const statement = await this.#prepared(text);
    try {
      this.#columns = statement.columns().map(({ name }) => name);
      if (this.#columns.length === 0) throw new SqlError("statements can only read");
      if (/^(?:explain|pragma)\b/i.test(text)) {
        statement.setReturnArrays(true);
        this.#rows = statement.all().map(rowOf);
      } else this.#writeResult(statement.sourceSQL);
    } catch (error) {
      throw sqlError(error, this.#maxResultBytes);
    }
    return this.#columns;
  }

  /**
   * Returns rows of the last statement after row `after`, up to `limit` or about `maxBytes` of them, and whether there
   * are no more.
   * @throws {SqlError} if a value cannot be shown.
   */
  rows(after: number, limit: number, maxBytes: number): { rows: readonly SqlRow[]; isEnd: boolean } {
    if (!this.#next) return { rows: this.#rows.slice(after), isEnd: true };
    const rows: SqlRow[] = [];
    let bytes = 0;
    try {
      while (rows.length < limit && bytes < maxBytes) {
        const count = Math.min(rowsAtOnce, limit - rows.length);
        const found = this.#next.all(after + rows.length, count);
        for (const values of found) {
          if (bytes >= maxBytes) break;
          const row = rowOf(values);
          bytes += row.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 8) + 3, 0);
          rows.push(row);
        }
        if (found.length === 0) break;
      }
    } catch (error) {
      throw sqlError(error);
    }
    return { rows, isEnd: after + rows.length >= this.#count };
  }

  /** Drops the tables of a group; they are filled again when a statement names them. */
  forget(group: GroupName): void {
    this.#tables.drop(group);
  }

  /**
   * Changes to another index, whose tables are made from the present tables.
   * @returns Whether it could; if not, this reader is of no use.
   */
  async follow(source: TableSource): Promise<boolean> {
    this.#next = undefined;
    this.#rows = [];
    return await this.#tables.follow(source);
  }

  /** Compiles a read-only statement, after its tables are filled. */
  async #prepared(text: string): Promise<SqliteStatement> {
    for (;;) {
      const statement = this.#compiled(text);
      if (typeof statement === "object") return statement;
      // deno-lint-ignore no-await-in-loop -- the next table is known when this one is there
      for (const group of groupsOf(statement)) await this.#tables.add(group);
    }
  }

  /** Compiles a statement; returns the name of a table that is not filled yet if it names one. */
  #compiled(text: string): SqliteStatement | string {
    this.#database.setAuthorizer(authorize);
    let statement: SqliteStatement;
    try {
      statement = this.#database.prepare(text);
    } catch (error) {
      const table = /^no such table: (?:temp\.)?(\w+)$/.exec(messageOf(error))?.[1]?.toLowerCase() ?? "";
      if (groupsOf(table).some((group) => !this.#tables.has(group))) return table;
      throw sqlError(error);
    } finally {
      this.#database.setAuthorizer(null);
    }
    if (text.slice(statement.sourceSQL.length).replaceAll(/--[^\n]*|\/\*.*?\*\/|[\s;]/gs, "") !== "") {
      throw new SqlError("more than one statement; send them one by one");
    }
    return statement;
  }

  /** Returns a number of the file of the tables. */
  #pragma(name: "page_count" | "freelist_count" | "page_size"): number {
    const statement = this.#database.prepare(`PRAGMA temp.${name}`);
    statement.setReturnArrays(true);
    return Number(statement.all()[0]?.[0]);
  }

  #writeResult(text: string): void {
    const names = this.#columns.map((_, index) => `c${index}`).join(", ");
    this.#database.exec(`CREATE TEMP TABLE result (row INTEGER PRIMARY KEY, ${names})`);
    const pages = this.#pragma("page_count") - this.#pragma("freelist_count");
    const max = pages + Math.ceil(this.#maxResultBytes / this.#pragma("page_size"));
    this.#database.exec(`PRAGMA temp.max_page_count = ${max}`);
    try {
      this.#count = Number(this.#database.prepare(`INSERT INTO temp.result (${names}) ${text}`).run().changes);
    } finally {
      this.#database.exec(`PRAGMA temp.max_page_count = ${maxPages}`);
    }
    this.#next = this.#database.prepare(
      `SELECT ${names} FROM temp.result WHERE row > ? ORDER BY row LIMIT ?`,
    );
    this.#next.setReturnArrays(true);
  }
}

/** SQLite's own maximum. */
const maxPages = 0xfffffffe;

/** Allows reading alone; SQLite asks for everything that a statement does when that is compiled. */
function authorize(action: number, name: string | null, detail: string | null): number {
  const isReading = action === sqliteActions.select || action === sqliteActions.read ||
    action === sqliteActions.recursive || (action === sqliteActions.function && detail !== "load_extension") ||
    (action === sqliteActions.pragma && harmlessPragmas.has(name?.toLowerCase() ?? ""));
  return isReading ? sqliteAnswers.ok : sqliteAnswers.deny;
}

function rowOf(values: readonly SQLOutputValue[]): SqlRow {
  return values.map((value) => {
    if (value instanceof Uint8Array) return value.toHex();
    if (typeof value === "bigint") return String(value);
    return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
  });
}

/** Returns an error of SQLite with a message for the user. */
function sqlError(error: unknown, maxResultBytes = defaultMaxResultBytes): SqlError {
  if (error instanceof SqlError) return error;
  const message = messageOf(error);
  const [, what, name = ""] = /^no such (table|column): (?:\w+\.)?(\w+)$/.exec(message) ?? [];
  if (what !== undefined) {
    const tables = sqlTables.filter(({ columns }) => columns.some((column) => column.name === name));
    if (what === "column" && tables.length > 0) {
      return new SqlError(`${message} in these tables; it is one of ${tables.map((table) => table.name).join(", ")}`);
    }
    const known = what === "table" ? sqlTables : sqlTables.flatMap(({ columns }) => columns);
    const similar = didYouMean(name, known.map((one) => one.name));
    return new SqlError(`${message}${similar || "; .schema at the prompt lists tables and their columns"}`);
  }
  const [, string] = /^no such column: "([^]*)" - should this be a string literal/.exec(message) ?? [];
  if (string !== undefined) return new SqlError(`no such column: "${string}"; strings are in single quotes`);
  if (/not authorized|authorization denied|prohibited/.test(message)) {
    return new SqlError(`${message}: statements can only read`);
  }
  if (/out of memory/.test(message)) {
    return new SqlError(`the statement needs more than ${maxMemory / 1024 ** 2} MiB of memory; select less of it`);
  }
  if (/disk is full|disk I\/O error|unable to open database file/.test(message)) {
    const max = maxResultBytes / 1024 ** 2;
    return new SqlError(`the result has more than ${max} MiB, or temporary files have no room; select less of it`);
  }
  if (/too big/.test(message)) {
    return new SqlError(`${message}: a row can have up to ${maxRowBytes / 1024 ** 2} MiB`);
  }
  if (/too large to be represented/.test(message)) {
    return new SqlError("a number has more than 53 bits; cast it: CAST(... AS TEXT)");
  }
  return new SqlError(message);
}
