/**
 * Results that a command yields: rows for programs, together with the way people see them. The renderer chooses.
 * @module
 */
import type { Page } from "./page.ts";
import type { Column } from "./table.ts";
import type { Part } from "./text.ts";

/** A part of the results of a command. */
export interface Result<Row extends object> {
  /** Passes the rows to `write`, for the modes made of rows. */
  readonly writeRows: (write: (row: Row) => void) => void | Promise<void>;
  /** Prints for people, for the mode `table`. */
  readonly print: (page: Page) => void | Promise<void>;
  /** Whether it is the content of a file, which every mode prints. */
  readonly isContent?: boolean;
}

/** Rows as they arrive. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

function nothing(): void {}

/**
 * Returns one row as a result.
 * @param value The row, or a function that makes it if a mode needs it.
 * @param print Prints it for people; without it they see nothing.
 */
export function oneRow<Row extends object>(
  value: Row | (() => Row),
  print: (page: Page) => void | Promise<void> = nothing,
): Result<Row> {
  return { writeRows: (write) => write(typeof value === "function" ? value() : value), print };
}

/** Returns text for people that has no row. */
export function textOnly(print: (page: Page) => void): Result<never> {
  return { writeRows: nothing, print };
}

/** Returns the content of a file, printed in every mode. */
export function fileContent(print: (page: Page) => void): Result<never> {
  return { writeRows: nothing, print, isContent: true };
}

/**
 * Returns rows that people see as `print` shows each.
 * @param end Prints what follows the last row.
 */
export function eachRow<Row extends object>(
  rows: Rows<Row>,
  print: (page: Page, row: Row) => void,
  end: (page: Page) => void = nothing,
): Result<Row> {
  return {
    writeRows: async (write) => {
      for await (const value of rows) write(value);
    },
    print: async (page) => {
      for await (const value of rows) print(page, value);
      end(page);
    },
  };
}

/** Returns rows that people see as a table. */
export function tableOf<Row extends object>(rows: Rows<Row>, columns: readonly Column<NoInfer<Row>>[]): Result<Row> {
  return {
    ...eachRow(rows, nothing),
    print: async (page) => {
      const opened = page.openTable<Row>(columns);
      for await (const value of rows) opened.add(value);
      opened.end();
    },
  };
}

/** Returns rows that people see as one line each. */
export function linesOf<Row extends object>(rows: Rows<Row>, line: (row: Row) => Part): Result<Row> {
  return eachRow(rows, (page, value) => page.line(line(value)));
}

/** Returns rows that people see as names side by side. */
export function namesOf<Row extends object>(rows: Rows<Row>, name: (row: Row) => Part): Result<Row> {
  const shown: Part[] = [];
  return eachRow(rows, (_page, value) => void shown.push(name(value)), (page) => page.names(shown));
}

/** Counts rows as they pass, for a summary behind them. */
export class RowCount {
  rows = 0;

  /** Returns the same rows, counted. */
  async *of<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
    for await (const row of rows) {
      this.rows++;
      yield row;
    }
  }
}
