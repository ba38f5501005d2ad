/**
 * Results that a command yields: rows for programs, with their display for people. The renderer chooses.
 * @module
 */
import type { Page } from "./page.ts";
import type { Column } from "./table.ts";
import type { Part } from "./text.ts";

/** A part of the results of a command. */
export interface Result<Row extends object> {
  /** Passes the rows to `write`, for modes that consist of rows. */
  readonly writeRows: (write: (row: Row) => void) => void | Promise<void>;
  /** Passes the rows to `write` as lines of JSON, if that is faster. */
  readonly writeLines?: (write: (lines: string) => void) => Promise<void>;
  /** Prints for people, for the mode `table`. */
  readonly print: (page: Page) => void | Promise<void>;
  /** Whether it is the content of a file, which every mode prints. */
  readonly isContent?: boolean;
}

/** Rows that arrive in batches: iterating one by one costs several turns of the event loop per row. */
export class RowStream<Row> implements AsyncIterable<Row> {
  readonly pages: AsyncIterable<readonly Row[]>;

  constructor(pages: AsyncIterable<readonly Row[]>) {
    this.pages = pages;
  }

  /** Returns the rows that satisfy a predicate, which is called once per row. */
  filter(test: (row: Row) => boolean): RowStream<Row> {
    const { pages } = this;
    return new RowStream(async function* () {
      for await (const page of pages) yield page.filter(test);
    }());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    for await (const page of this.pages) yield* page;
  }
}

/** Rows as they arrive. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row> | RowStream<Row>;

async function forEachRow<Row>(rows: Rows<Row>, act: (row: Row) => void): Promise<void> {
  if (rows instanceof RowStream) {
    for await (const page of rows.pages) page.forEach(act);
  } else {
    for await (const row of rows) act(row);
  }
}

function nothing(): void {}

/**
 * Returns one row as a result.
 * @param value The row, or a function that creates it on demand.
 * @param print Prints it for people; without it nothing is displayed.
 */
export function oneRow<Row extends object>(
  value: Row | (() => Row),
  print: (page: Page) => void | Promise<void> = nothing,
): Result<Row> {
  return { writeRows: (write) => write(typeof value === "function" ? value() : value), print };
}

/** Returns text for people, without a row. */
export function textOnly(print: (page: Page) => void): Result<never> {
  return { writeRows: nothing, print };
}

/** Returns the content of a file, printed in every mode. */
export function fileContent(print: (page: Page) => void): Result<never> {
  return { writeRows: nothing, print, isContent: true };
}

/**
 * Returns rows, each displayed by `print`.
 * @param end Prints the text after the last row.
 */
export function eachRow<Row extends object>(
  rows: Rows<Row>,
  print: (page: Page, row: Row) => void,
  end: (page: Page) => void = nothing,
): Result<Row> {
  return {
    writeRows: (write) => forEachRow(rows, write),
    print: async (page) => {
      await forEachRow(rows, (value) => print(page, value));
      end(page);
    },
  };
}

/** Returns rows that are displayed as a table. */
export function tableOf<Row extends object>(rows: Rows<Row>, columns: readonly Column<NoInfer<Row>>[]): Result<Row> {
  return {
    ...eachRow(rows, nothing),
    print: async (page) => {
      const opened = page.openTable<Row>(columns);
      await forEachRow(rows, (value) => opened.add(value));
      opened.end();
    },
  };
}

/** Returns a result whose rows are also available as lines of JSON. */
export function withLines<Row extends object>(result: Result<Row>, lines: AsyncIterable<string>): Result<Row> {
  return {
    ...result,
    writeLines: async (write) => {
      for await (const some of lines) if (some !== "") write(some);
    },
  };
}

/** Returns rows that are displayed as `shown`, which needs less than the rows. */
export function rowsShownAs<Row extends object>(rows: Rows<Row>, shown: Pick<Result<object>, "print">): Result<Row> {
  return { ...eachRow(rows, nothing), print: shown.print };
}

/** Returns strings that are displayed as one line each. */
export function plainLines(lines: RowStream<string>): Pick<Result<object>, "print"> {
  return {
    print: async (page) => {
      for await (const some of lines.pages) page.plainLines(some);
    },
  };
}

/** Returns rows whose names programs read, each followed by a NUL character. */
export function nullNames<Row>(rows: RowStream<Row>, name: (row: Row) => string): Pick<Result<object>, "print"> {
  return {
    print: async (page) => {
      for await (const some of rows.pages) {
        page.bytes(new TextEncoder().encode(some.map((row) => `${name(row)}\0`).join("")));
      }
    },
  };
}

/** Returns rows that are displayed as one line each. */
export function linesOf<Row extends object>(rows: Rows<Row>, line: (row: Row) => Part): Result<Row> {
  return eachRow(rows, (page, value) => page.line(line(value)));
}

/** Returns rows that are displayed as names in columns. */
export function namesOf<Row extends object>(rows: Rows<Row>, name: (row: Row) => Part): Result<Row> {
  const shown: Part[] = [];
  return eachRow(rows, (_page, value) => void shown.push(name(value)), (page) => page.names(shown));
}

/** Counts rows as they pass, for a summary after them. */
export class RowCount {
  rows = 0;

  /** Returns the same rows, and counts them. */
  of<Row>(rows: RowStream<Row>): RowStream<Row> {
    return rows.filter(() => ++this.rows > 0);
  }
}
