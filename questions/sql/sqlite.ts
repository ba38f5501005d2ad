/**
 * SQLite from Deno, loaded on first use, with the members that its types lack.
 * @module
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";

/** A compiled statement. */
export interface SqliteStatement {
  /** The text of the statement alone, from a longer string. */
  readonly sourceSQL: string;
  columns(): { readonly name: string }[];
  setReturnArrays(enabled: true): void;
  /** Returns all rows, as lists after {@linkcode SqliteStatement.setReturnArrays}. */
  all(...values: SQLInputValue[]): SQLOutputValue[][];
  run(...values: SQLInputValue[]): { readonly changes: number | bigint };
}

/** An open database. */
export interface Sqlite extends Pick<DatabaseSync, "exec" | "close"> {
  readonly limits: {
    /** Maximum bytes of a value or row. */
    length: number;
  };
  prepare(text: string): SqliteStatement;
  /** Calls `allows` for each action of a statement when it is compiled. */
  setAuthorizer(allows: ((action: number, name: string | null, detail: string | null) => number) | null): void;
}

/** Codes of `sqlite3.h` for an authorizer. */
export const sqliteActions = { pragma: 19, read: 20, select: 21, function: 31, recursive: 33 } as const;
export const sqliteAnswers = { ok: 0, deny: 1 } as const;

/** Opens a database. */
export function openSqlite(path: string): Sqlite {
  // deno-lint-ignore no-process-global -- importing it would load it in programs that answer no SQL
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  return new Database(path) as unknown as Sqlite;
}
