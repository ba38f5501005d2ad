/**
 * Tables for people: rows in aligned columns.
 * @module
 */
import { type Part, shortened, widthOf, wrappedParts } from "./text.ts";

/** A column of a table. */
export interface Column<Row> {
  /** Heading; a table with only empty headings prints none. */
  readonly title: string;
  readonly align?: "left" | "right";
  /**
   * Whether it holds sentences, which are wrapped; only for the last column. Then other cells are not shortened either:
   * a row that is too long is wrapped.
   */
  readonly isProse?: boolean;
  /** Whether it is omitted if the table would not fit otherwise. */
  readonly isOptional?: boolean;
  /** Whether it is omitted when the table goes to a file or another program. */
  readonly onlyOnTerminal?: boolean;
  readonly cell: (row: Row) => Part;
}

/** Number of rows that are measured before any is printed, so that a long listing starts at once. */
const measuredTogether = 500;

/** Spaces between columns. */
const gap = 2;
/** Width below which a column is not shortened. */
const minShortened = 16;
/** Width below which sentences get separate lines, indented by {@linkcode proseIndent}. */
const minProse = 24;
const proseIndent = 6;

/** Cells of a row, measured once. */
interface Measured {
  readonly cells: readonly Part[];
  readonly widths: readonly number[];
}

function measured(cells: readonly Part[]): Measured {
  return { cells, widths: cells.map(widthOf) };
}

/** Prints rows in aligned columns as they arrive; widths only ever grow. */
export class Table<Row> {
  #columns: readonly Column<Row>[];
  readonly #print: (line: readonly Part[]) => void;
  readonly #maxWidth: number;
  #natural: number[];
  /** Widths that fit into {@linkcode Table.#maxWidth}, as far as columns may be shortened. */
  #widths: readonly number[] = [];
  #waiting: Measured[] = [];
  #hasStarted = false;

  /**
   * @param print Prints one line.
   * @param maxWidth Width into which lines are fitted.
   */
  constructor(
    columns: readonly Column<Row>[],
    print: (line: readonly Part[]) => void,
    maxWidth: number = Number.POSITIVE_INFINITY,
  ) {
    this.#columns = columns;
    this.#print = print;
    this.#maxWidth = maxWidth;
    this.#natural = columns.map(({ title }) => widthOf(title));
  }

  /** Adds one row. */
  add(row: Row): void {
    this.#waiting.push(measured(this.#columns.map(({ cell }) => cell(row))));
    if (this.#waiting.length >= measuredTogether) this.end();
  }

  /** Prints the rows that have not been printed yet. */
  end(): void {
    if (this.#waiting.length === 0) return;
    for (const { widths } of this.#waiting) {
      for (const [index, width] of widths.entries()) {
        if (width > (this.#natural[index] ?? 0)) this.#natural[index] = width;
      }
    }
    if (!this.#hasStarted) this.#leaveOut();
    this.#widths = this.#fitted();
    if (!this.#hasStarted && this.#columns.some(({ title }) => title !== "")) {
      const titles = this.#columns.map(({ title }): Part => title === "" ? "" : { text: title, style: "heading" });
      this.#row(measured(titles));
    }
    this.#hasStarted = true;
    for (const row of this.#waiting) this.#row(row);
    this.#waiting = [];
  }

  /** Omits optional columns, the last first, until the shortened columns fit. */
  #leaveOut(): void {
    for (;;) {
      const widths = this.#columns.map((column, index) => {
        const width = this.#natural[index] ?? 0;
        if (column.isProse) return 0;
        return column.align === "right" ? width : Math.min(width, minShortened);
      });
      const left = this.#columns.findLastIndex(({ isOptional }) => isOptional);
      if (left < 0 || widths.reduce((sum, width) => sum + width + gap, -gap) <= this.#maxWidth) return;
      this.#columns = this.#columns.toSpliced(left, 1);
      this.#natural = this.#natural.toSpliced(left, 1);
      this.#waiting = this.#waiting.map(({ cells, widths }) => ({
        cells: cells.toSpliced(left, 1),
        widths: widths.toSpliced(left, 1),
      }));
    }
  }

  /** Returns the natural widths, with the widest columns reduced to fit the screen. */
  #fitted(): number[] {
    const widths = [...this.#natural];
    const prose = this.#columns.at(-1)?.isProse ? widths.length - 1 : -1;
    const canShrink = ({ align }: Column<Row>, index: number) =>
      align !== "right" && index !== prose && (widths[index] ?? 0) > minShortened;
    for (;;) {
      const fixed = widths.reduce((sum, width, index) => sum + (index === prose ? 0 : width + gap), -gap);
      const room = this.#maxWidth - fixed - gap;
      if (prose >= 0 && (room >= minProse || fixed <= this.#maxWidth)) {
        widths[prose] = Math.max(0, Math.min(widths[prose] ?? 0, room));
        return widths;
      }
      const shrinking = widths.flatMap((width, index) => {
        const column = this.#columns[index];
        return column && canShrink(column, index) ? [{ width, index }] : [];
      }).sort((a, b) => b.width - a.width);
      const [widest, second] = shrinking;
      if (fixed <= this.#maxWidth || widest === undefined) return widths;
      const least = Math.max(minShortened, Math.min(second?.width ?? 0, widest.width - 1));
      widths[widest.index] = Math.max(least, widest.width - (fixed - this.#maxWidth));
    }
  }

  #row(row: Measured): void {
    const { cells, widths } = row;
    const last = this.#columns.length - 1;
    const sentences = cells[last] ?? "";
    if (!this.#wraps) return this.#print(this.#line(row));
    if ((widths[last] ?? 0) <= (this.#widths[last] ?? 0)) return this.#wrapped(row);
    const start = (this.#widths.slice(0, last)).reduce((sum, width) => sum + width + gap, 0);
    const others = { cells: cells.slice(0, last), widths: widths.slice(0, last) };
    if ((this.#widths[last] ?? 0) >= minProse) {
      const [first = [], ...lines] = wrappedParts([sentences], this.#widths[last] ?? 0, 0);
      this.#print([...this.#line(others, last), " ".repeat(gap), ...first]);
      for (const line of lines) this.#print([" ".repeat(start), ...line]);
    } else {
      this.#wrapped(others);
      for (const line of wrappedParts([sentences], this.#maxWidth - proseIndent, 0)) {
        this.#print([" ".repeat(proseIndent), ...line]);
      }
    }
  }

  /** Whether long rows are wrapped instead of shortened. */
  get #wraps(): boolean {
    return this.#columns.at(-1)?.isProse === true && this.#maxWidth !== Number.POSITIVE_INFINITY;
  }

  /** Prints a row in columns if it fits, else one cell per line. */
  #wrapped(row: Measured): void {
    const line = this.#line(row);
    if (line.reduce((sum, part) => sum + widthOf(part), 0) <= this.#maxWidth) return this.#print(line);
    const parts = row.cells.filter((_, index) => row.widths[index]).flatMap((cell) => [" ".repeat(gap), cell]).slice(1);
    for (const one of wrappedParts(parts, this.#maxWidth, proseIndent)) this.#print(one);
  }

  /**
   * @param aligned Number of columns that are padded to their width even at the end of a line.
   */
  #line({ cells, widths }: Measured, aligned = 0): Part[] {
    const parts: Part[] = [];
    const used = Math.max(aligned, widths.findLastIndex((width) => width > 0) + 1);
    for (const [index, { align }] of this.#columns.entries()) {
      if (index >= used) break;
      const width = this.#widths[index] ?? 0;
      const isWhole = align === "right" || this.#wraps;
      const own = cells[index] ?? "";
      const ownWidth = widths[index] ?? 0;
      const cell = isWhole || ownWidth <= width ? own : shortened(own, width);
      const space = " ".repeat(Math.max(0, width - (cell === own ? ownWidth : widthOf(cell))));
      if (index > 0) parts.push(" ".repeat(gap));
      if (align === "right") parts.push(space, cell);
      else if (index === used - 1 && aligned === 0) parts.push(cell);
      else parts.push(cell, space);
    }
    return parts;
  }
}
