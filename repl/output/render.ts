/**
 * How rows look to people: columns, sizes, times.
 * @module
 */
import type { ChangeCounts } from "../../protocol/rows.ts";
import type { Output } from "./output.ts";
import { type Part, widthOf } from "./text.ts";

/** A column of a table. */
export interface Column {
  /** Heading; a table whose headings are all empty has none. */
  readonly title: string;
  readonly align?: "left" | "right";
}

/** Rows that are measured together before any is shown, so that a long listing starts at once. */
const measuredTogether = 500;

function padding(part: Part, width: number): string {
  return " ".repeat(Math.max(0, width - widthOf(part)));
}

function tableLine(
  output: Output,
  columns: readonly Column[],
  widths: readonly number[],
  cells: readonly Part[],
): void {
  const parts: Part[] = [];
  const used = cells.findLastIndex((cell) => widthOf(cell) > 0) + 1;
  columns.slice(0, used).forEach((column, index) => {
    const cell = cells[index] ?? "";
    const space = padding(cell, widths[index] ?? 0);
    if (index > 0) parts.push("  ");
    if (column.align === "right") parts.push(space, cell);
    else if (index === used - 1) parts.push(cell);
    else parts.push(cell, space);
  });
  output.line(...parts);
}

/** Prints rows in aligned columns as they arrive; widths only ever grow. */
export class Table {
  readonly #output: Output;
  readonly #columns: readonly Column[];
  readonly #widths: number[];
  #waiting: (readonly Part[])[] = [];
  #started = false;

  constructor(output: Output, columns: readonly Column[]) {
    this.#output = output;
    this.#columns = columns;
    this.#widths = columns.map((column) => widthOf(column.title));
  }

  /** Adds one row; its cells are in the order of the columns. */
  add(...cells: Part[]): void {
    this.#waiting.push(cells);
    if (this.#waiting.length >= measuredTogether) this.#show();
  }

  /** Prints what has not been printed yet. */
  end(): void {
    if (this.#waiting.length > 0) this.#show();
  }

  #show(): void {
    for (const cells of this.#waiting) {
      cells.forEach((cell, index) => {
        this.#widths[index] = Math.max(this.#widths[index] ?? 0, widthOf(cell));
      });
    }
    if (!this.#started && this.#columns.some((column) => column.title !== "")) {
      const titles = this.#columns.map((column): Part => ({ text: column.title, style: "heading" }));
      tableLine(this.#output, this.#columns, this.#widths, titles);
    }
    this.#started = true;
    for (const cells of this.#waiting) tableLine(this.#output, this.#columns, this.#widths, cells);
    this.#waiting = [];
  }
}

/** Prints names side by side, sorted downwards, as `ls` does; one per line where no terminal is. */
export function printNames(output: Output, names: readonly Part[]): void {
  if (!output.terminal) {
    for (const name of names) output.line(name);
    return;
  }
  const widths = names.map(widthOf);
  const { rows, columnWidths } = fittingGrid(widths, output.columns);
  for (let row = 0; row < rows; row++) {
    const parts: Part[] = [];
    for (let index = row; index < names.length; index += rows) {
      const last = index + rows >= names.length;
      const space = (columnWidths[Math.floor(index / rows)] ?? 0) - (widths[index] ?? 0) + 2;
      parts.push(names[index] ?? "", last ? "" : " ".repeat(space));
    }
    output.line(...parts);
  }
}

function fittingGrid(widths: readonly number[], columns: number): { rows: number; columnWidths: number[] } {
  const narrowest = widths.reduce((least, width) => Math.min(least, width), columns) + 2;
  const most = Math.max(1, Math.min(widths.length, Math.floor((columns + 2) / narrowest)));
  for (let count = most; count > 1; count--) {
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

/** Prints `name: value` lines with the values aligned. */
export function printFields(output: Output, fields: readonly (readonly [name: string, value: Part])[]): void {
  const width = Math.max(...fields.map(([name]) => widthOf(name)));
  for (const [name, value] of fields) {
    output.line({ text: `${name}:`, style: "heading" }, padding(name, width), " ", value);
  }
}

/** A block that fills so many eighths of a character, from the left. */
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/** A bar of up to `width` characters for a part of a whole; whatever is there at all shows at least a sliver. */
export function bar(part: number, whole: number, width: number): string {
  if (!(part > 0) || !(whole > 0)) return "";
  const steps = Math.max(1, Math.round(Math.min(1, part / whole) * width * 8));
  return "█".repeat(Math.floor(steps / 8)) + (eighths[steps % 8] ?? "");
}

const sizeUnits = ["", "K", "M", "G", "T", "P"];

/** A size for people: `512`, `1.5K`, `12M`; units of 1024. */
export function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < sizeUnits.length - 1) {
    value /= 1024;
    unit++;
  }
  if (unit === 0) return String(bytes);
  const text = value < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return text === "1024" && unit < sizeUnits.length - 1 ? `1.0${sizeUnits[unit + 1]}` : `${text}${sizeUnits[unit]}`;
}

/** A whole number with its thousands parted: `12,345`. */
export function grouped(count: number | bigint): string {
  return count.toLocaleString("en-US");
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** A time as `2024-05-01 12:30`, in the local time zone. */
export function humanTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return "?";
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A time of day as `12:30:05`, in the local time zone. */
export function humanClock(milliseconds: number): string {
  const date = new Date(milliseconds);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

/** `1 added, 2 changed`; null for none. */
export function changesText({ added, removed, changed }: ChangeCounts): string | null {
  const parts = [[added, "added"], [removed, "removed"], [changed, "changed"]] as const;
  return parts.filter(([count]) => count > 0).map(([count, what]) => `${grouped(count)} ${what}`).join(", ") || null;
}

/** How long something has lasted: `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The words of a text in lines of at most `width` columns, as far as words allow. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
