/**
 * Tables for people: rows in aligned columns.
 * @module
 */
import { type Part, widthOf } from "./text.ts";

/** A column of a table. */
export interface Column<Row> {
  /** Heading; a table whose headings are all empty prints none. */
  readonly title: string;
  readonly align?: "left" | "right";
  /** Whether it is left out when the table goes to a file or another program. */
  readonly onlyOnTerminal?: boolean;
  readonly cell: (row: Row) => Part;
}

/** Rows that are measured together before any is printed, so that a long listing starts at once. */
const measuredTogether = 500;

/** Prints rows in aligned columns as they arrive; widths only ever grow. */
export class Table<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #print: (line: readonly Part[]) => void;
  readonly #widths: number[];
  #waiting: (readonly Part[])[] = [];
  #hasStarted = false;

  /** @param print Prints one line. */
  constructor(columns: readonly Column<Row>[], print: (line: readonly Part[]) => void) {
    this.#columns = columns;
    this.#print = print;
    this.#widths = columns.map(({ title }) => widthOf(title));
  }

  /** Adds one row. */
  add(row: Row): void {
    this.#waiting.push(this.#columns.map(({ cell }) => cell(row)));
    if (this.#waiting.length >= measuredTogether) this.end();
  }

  /** Prints the rows that have not been printed yet. */
  end(): void {
    if (this.#waiting.length === 0) return;
    for (const cells of this.#waiting) {
      cells.forEach((cell, index) => {
        this.#widths[index] = Math.max(this.#widths[index] ?? 0, widthOf(cell));
      });
    }
    if (!this.#hasStarted && this.#columns.some(({ title }) => title !== "")) {
      this.#print(this.#line(this.#columns.map(({ title }): Part => ({ text: title, style: "heading" }))));
    }
    this.#hasStarted = true;
    for (const cells of this.#waiting) this.#print(this.#line(cells));
    this.#waiting = [];
  }

  #line(cells: readonly Part[]): Part[] {
    const parts: Part[] = [];
    const used = cells.findLastIndex((cell) => widthOf(cell) > 0) + 1;
    this.#columns.slice(0, used).forEach(({ align }, index) => {
      const cell = cells[index] ?? "";
      const space = " ".repeat(Math.max(0, (this.#widths[index] ?? 0) - widthOf(cell)));
      if (index > 0) parts.push("  ");
      if (align === "right") parts.push(space, cell);
      else if (index === used - 1) parts.push(cell);
      else parts.push(cell, space);
    });
    return parts;
  }
}
