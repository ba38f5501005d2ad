/**
 * Renderers of rows, one per mode other than the tables for people.
 * @module
 */
import { unicodeWidth } from "@std/cli";
import { jsonLine, printable } from "../../system/mod.ts";

/** Names of the modes; `table` is each command's output for people. */
export const modes = ["table", "line", "json", "jsonlines", "csv", "markdown"] as const;

/** Output mode. */
export type Mode = typeof modes[number];

/** Returns whether a mode writes JSON, including errors. */
export function isJson(mode: Mode): boolean {
  return mode === "json" || mode === "jsonlines";
}

/** Writes the rows of one command. */
export interface RowFormat {
  /** Returns the text to write for a row now; may be empty. */
  row(value: object): string;
  /** Returns the text to write after the last row. */
  end(): string;
}

/** Rows whose columns are merged before the first is written; later rows with other columns begin a new table. */
const lookedAt = 1000;

/** Returns a value as text: empty for null, JSON for objects and lists. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? jsonLine(value) : String(value);
}

/** Fields whose numbers are times: milliseconds since the epoch. */
const timeFields: ReadonlySet<string> = new Set(["mtime", "started", "refreshed", "time"]);

/** Returns a value as text for programs that read tables: times in ISO 8601, others like {@linkcode cellText}. */
function csvText(value: unknown, column: string): string {
  const isTime = typeof value === "number" && timeFields.has(column);
  const date = new Date(isTime ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? cellText(value) : date.toISOString();
}

/** Tables of cells: the first rows determine the columns. */
class Cells implements RowFormat {
  readonly #header: (columns: readonly string[]) => string;
  readonly #line: (cells: readonly string[]) => string;
  readonly #text: (value: unknown, column: string) => string;
  #waiting: (readonly (readonly [string, unknown])[])[] = [];
  #columns: readonly string[] | undefined;

  constructor(
    header: (columns: readonly string[]) => string,
    line: (cells: readonly string[]) => string,
    text: (value: unknown, column: string) => string = cellText,
  ) {
    this.#header = header;
    this.#line = line;
    this.#text = text;
  }

  row(value: object): string {
    this.#waiting.push(Object.entries(value));
    const isFirst = this.#columns === undefined;
    return isFirst && this.#waiting.length < lookedAt ? "" : this.end();
  }

  end(): string {
    const rows = this.#waiting;
    this.#waiting = [];
    if (rows.length === 0) return "";
    const keys = [...new Set(rows.flatMap((row) => row.map(([key]) => key)))];
    let text = "";
    if (this.#columns === undefined || keys.some((key) => !this.#columns?.includes(key))) {
      text = (this.#columns === undefined ? "" : "\n") + this.#header(keys);
      this.#columns = keys;
    }
    for (const row of rows) {
      const values = new Map(row);
      text += this.#line(this.#columns.map((column) => this.#text(values.get(column), column)));
    }
    return text;
  }
}

/** One field of RFC 4180. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a line of comma-separated values (RFC 4180). */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(",")}\n`;
}

function markdownLine(cells: readonly string[]): string {
  const escaped = cells.map((cell) => printable(cell).replaceAll("\\", "\\\\").replaceAll("|", "\\|"));
  return `| ${escaped.join(" | ")} |\n`;
}

/** `name = value` lines, right-aligned names, an empty line between rows. */
function lineFormat(): RowFormat {
  let isFirst = true;
  return {
    row(value) {
      const fields = Object.entries(value);
      const width = fields.reduce((widest, [name]) => Math.max(widest, unicodeWidth(name)), 0);
      const lines = fields.map(([name, field]) => `${name.padStart(width)} = ${printable(cellText(field))}\n`);
      const gap = isFirst ? "" : "\n";
      isFirst = false;
      return gap + lines.join("");
    },
    end: () => "",
  };
}

/** One array of all rows. */
function arrayFormat(): RowFormat {
  let isFirst = true;
  return {
    row(value) {
      const before = isFirst ? "[" : ",\n ";
      isFirst = false;
      return before + jsonLine(value);
    },
    end: () => isFirst ? "[]\n" : "]\n",
  };
}

/**
 * Returns the renderer of a mode.
 * @param safe Whether control characters are made visible in modes that would keep them: CSV on a terminal.
 */
export function rowFormat(mode: Mode, safe: boolean): RowFormat {
  if (mode === "line") return lineFormat();
  if (mode === "json") return arrayFormat();
  if (mode === "csv") {
    const line = safe ? (fields: readonly string[]) => csvLine(fields.map(printable)) : csvLine;
    return new Cells(line, line, csvText);
  }
  if (mode === "markdown") {
    return new Cells((columns) => markdownLine(columns) + markdownLine(columns.map(() => "---")), markdownLine);
  }
  return { row: (value) => `${jsonLine(value)}\n`, end: () => "" };
}
