/**
 * Rows of an SQL result as objects.
 * @module
 */
import type { SqlRow, SqlValue } from "./rows.ts";

/**
 * Returns the distinct names of a result's columns: a second `path` is `path:1`. The column `1` is `(1)`, as objects
 * sort numbers before all other names.
 */
export function distinctNames(columns: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return columns.map((column) => {
    const name = /^\d+$/.test(column) ? `(${column})` : column;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}:${count}`;
  });
}

/** Returns a row of a result by column name. */
export function namedRow(names: readonly string[], row: SqlRow): Record<string, SqlValue> {
  return Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));
}
