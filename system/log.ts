/**
 * The daemon's log: one line per event on standard error, with a level.
 * @module
 */

import { printable } from "./printable.ts";

/** Levels, with their priorities in systemd's journal (sd-daemon(3)). */
const priorities = { error: 3, warning: 4, notice: 5, info: 6, debug: 7 } as const;

/** Severity of a line. */
export type LogLevel = keyof typeof priorities;

/** How lines are written: for people, or one JSON object each for programs. */
export const logFormats = ["text", "json"] as const;

/** One of {@linkcode logFormats}. */
export type LogFormat = typeof logFormats[number];

/** Details of a line in addition to its message. */
export interface LogSubject {
  /** Path of a pack or directory. */
  readonly source?: string | undefined;
  /** Name of a game. */
  readonly game?: string | undefined;
}

/** Options of a {@linkcode Log}. */
export interface LogOptions {
  /** Whether lines below a warning are omitted. */
  readonly quiet: boolean;
  /** Format; default: `text`. */
  readonly format?: LogFormat;
  /** Also receives every line, as text. */
  readonly alsoTo?: (line: string) => void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Wraps lines at spaces for the terminal; a wider word is not split. */
function wrapped(text: string): string {
  const { columns } = Deno.consoleSize();
  // Some terminals do not report their width.
  if (columns < 10) return text;
  const wide = new RegExp(`(.{1,${columns - 2}})(?: +|$)`, "gu");
  return text.split("\n").map((line) => line.length > columns ? line.replaceAll(wide, "$1\n  ").trimEnd() : line)
    .join("\n");
}

/** Writes log lines. */
export class Log {
  readonly #options: LogOptions;
  readonly #forJournal: boolean;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#forJournal = Boolean(Deno.env.get("JOURNAL_STREAM"));
  }

  /** Writes one line. Control characters in names are escaped. */
  write(level: LogLevel, message: string, subject: LogSubject = {}): void {
    const { quiet, alsoTo } = this.#options;
    if (quiet && priorities[level] > priorities.warning) return;
    alsoTo?.(textOf(message));
    try {
      const line = this.line(level, message, subject);
      Deno.stderr.writeSync(Deno.stderr.isTerminal() ? encoder.encode(wrapped(decoder.decode(line))) : line);
    } catch {
      // The reader of the log has closed it; the daemon continues.
    }
  }

  /** Returns the bytes of one line. */
  line(level: LogLevel, message: string, subject: LogSubject = {}): Uint8Array<ArrayBuffer> {
    const { format = "text" } = this.#options;
    const priority = this.#forJournal ? `<${priorities[level]}>` : "";
    const line = format === "json"
      ? JSON.stringify({ time: new Date().toISOString(), level, message, ...subject })
      : this.#forJournal
      ? visible(message)
      : textOf(message);
    return encoder.encode(`${priority}${line}\n`);
  }
}

function textOf(message: string): string {
  return `pakfs: ${visible(message)}`;
}

function visible(message: string): string {
  return message.split("\n").map(printable).join("\n");
}
