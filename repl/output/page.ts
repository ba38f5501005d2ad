/**
 * Text for people: lines, tables, fields and names, aligned and safe on a terminal.
 * @module
 */
import type { TerminalEnvironment } from "../../media/mod.ts";
import type { ColourEnvironment } from "./colour.ts";
import { type Column, Table } from "./table.ts";
import { type Part, rendered, widthOf, withHome, wrappedParts } from "./text.ts";
import { isPlain, printable, printableText } from "../../system/mod.ts";

/** Environment variables that decide about colour and graphics. */
export interface OutputEnvironment extends TerminalEnvironment, ColourEnvironment {
  /** Home directory, displayed as `~` on a terminal. */
  readonly HOME?: string | undefined;
}

/** Properties of the terminal or file for a page. */
export interface Screen {
  /** Whether it is a terminal. */
  readonly terminal: boolean;
  /** Width of the terminal. */
  readonly columns: number;
  /** Height of the terminal. */
  readonly rows: number;
  /** Whether text is coloured. */
  readonly colour: boolean;
  readonly environment: OutputEnvironment;
}

/** Accepts the text and the bytes of a page. */
export interface PageWriter {
  line(text: string): void;
  bytes(bytes: Uint8Array): void;
}

/** Prints for people. */
export class Page {
  readonly screen: Screen;
  readonly #writer: PageWriter;

  constructor(screen: Screen, writer: PageWriter) {
    this.screen = screen;
    this.#writer = writer;
  }

  /** Prints one line, on a terminal with the home directory as `~` and wrapped at spaces. */
  line(...parts: Part[]): void {
    this.content(...parts.map((part) => this.#shown(part)));
  }

  /** Returns a part for a terminal; a file or another program gets full paths. */
  #shown(part: Part): Part {
    return this.screen.terminal ? withHome(part, this.screen.environment.HOME) : part;
  }

  /** Prints one line of a file like {@linkcode Page.line}, but complete. */
  content(...parts: Part[]): void {
    const { colour } = this.screen;
    const lines = this.#width === Number.POSITIVE_INFINITY ? [parts] : wrappedParts(parts, this.#width);
    for (const line of lines) {
      let text = "";
      for (const part of line) text += colour ? rendered(part, colour) : typeof part === "string" ? part : part.text;
      this.#writer.line(colour ? text : printable(text));
    }
  }

  /** Width into which lines and tables are fitted; a file or another program gets them complete. */
  get #width(): number {
    return this.screen.terminal ? this.screen.columns : Number.POSITIVE_INFINITY;
  }

  /** Prints many lines without styles. */
  plainLines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const safe = isPlain(lines.join("")) ? lines : lines.map(printable);
    this.#writer.line(safe.join("\n"));
  }

  /** Prints a string, line by line, without styles. */
  lines(text: string): void {
    for (const line of text.trimEnd().split("\n")) this.line(line);
  }

  /** Prints a file's text: newlines are kept, other control characters are escaped. */
  text(text: string): void {
    this.#writer.bytes(new TextEncoder().encode(printableText(text)));
  }

  /** Prints bytes unchanged. */
  bytes(bytes: Uint8Array): void {
    this.#writer.bytes(bytes);
  }

  /** Begins a table whose rows are printed as they arrive. */
  openTable<Row>(columns: readonly Column<Row>[]): Table<Row> {
    const isTerminal = this.screen.terminal;
    const shown = columns.filter(({ onlyOnTerminal }) => !onlyOnTerminal || isTerminal)
      .map((column) => ({
        ...column,
        cell: (row: Row) => isTerminal ? this.#shown(column.cell(row)) : column.cell(row),
      }));
    return new Table(shown, (parts) => this.line(...parts), this.#width);
  }

  /** Prints a table. */
  table<Row>(rows: Iterable<Row>, columns: readonly Column<NoInfer<Row>>[]): void {
    const table = this.openTable<Row>(columns);
    for (const row of rows) table.add(row);
    table.end();
  }

  /** Prints aligned cells without headings; the last column has sentences. */
  cells(rows: readonly (readonly Part[])[]): void {
    const count = rows.reduce((max, { length }) => Math.max(max, length), 0);
    this.table(
      rows,
      Array.from({ length: count }, (_, index) => ({
        title: "",
        isProse: index === count - 1,
        cell: (row) => row[index] ?? "",
      })),
    );
  }

  /** Prints `name: value` lines with the values aligned. */
  fields(fields: readonly (readonly [name: string, value: Part])[]): void {
    const width = Math.max(...fields.map(([name]) => widthOf(name)));
    for (const [name, value] of fields) {
      const parts: Part[] = [
        { text: `${name}:`, style: "heading" },
        " ".repeat(width - widthOf(name)),
        " ",
        this.#shown(value),
      ];
      for (const line of wrappedParts(parts, this.#width, width + 2)) this.line(...line);
    }
  }

  /** Prints names in columns, sorted downwards like `ls`; one per line without a terminal. */
  names(names: readonly Part[]): void {
    if (!this.screen.terminal) {
      for (const name of names) this.line(name);
      return;
    }
    const widths = names.map(widthOf);
    const { rows, columnWidths } = fittingGrid(widths, this.screen.columns);
    for (let row = 0; row < rows; row++) {
      const parts: Part[] = [];
      for (let index = row; index < names.length; index += rows) {
        const isLast = index + rows >= names.length;
        const space = (columnWidths[Math.floor(index / rows)] ?? 0) - (widths[index] ?? 0) + 2;
        parts.push(names[index] ?? "", isLast ? "" : " ".repeat(space));
      }
      this.line(...parts);
    }
  }
}

function fittingGrid(widths: readonly number[], columns: number): { rows: number; columnWidths: number[] } {
  const narrowest = widths.reduce((min, width) => Math.min(min, width), columns) + 2;
  const maxCount = Math.max(1, Math.min(widths.length, Math.floor((columns + 2) / narrowest)));
  for (let count = maxCount; count > 1; count--) {
    const rows = Math.ceil(widths.length / count);
    const columnWidths: number[] = [];
    widths.forEach((width, index) => {
      const column = Math.floor(index / rows);
      columnWidths[column] = Math.max(columnWidths[column] ?? 0, width);
    });
    const total = columnWidths.reduce((sum, width) => sum + width + 2, -2);
    if (total <= columns) return { rows, columnWidths };
  }
  return { rows: widths.length, columnWidths: [] };
}
