/**
 * The output of the client. Only the output depends on the mode: commands yield results, and send notes, warnings,
 * failures and progress through separate channels.
 * @module
 */
import type { Failure } from "./failure.ts";
import { type ColourChoice, wantsColour } from "./colour.ts";
import { type OutputEnvironment, Page, type Screen } from "./page.ts";
import type { Result } from "./results.ts";
import { isJson, type Mode, type RowFormat, rowFormat } from "./row_format.ts";
import { type Part, rendered, shortenedText, withHome, wrappedParts } from "./text.ts";
import { jsonLine, safeJson } from "../../system/mod.ts";
import { Writer } from "./writer.ts";
import type { Sink } from "./sink.ts";

/** Settings of an output. */
export interface Preferences {
  /** `table` for people, else a format of rows. */
  mode: Mode;
  colour: ColourChoice;
  /** Whether notes are hidden. */
  quiet: boolean;
  /** Width of tables in columns; default: the terminal's. */
  width?: number;
}

/** Line of a script, for error messages. */
export interface ScriptLine {
  readonly file: string;
  readonly line: number;
}

/** Makes the object of a `--batch` with a part of a reply. */
export interface Envelope {
  (content: { row: object } | { text: string } | { data: string } | { warning: string }): object;
}

/** State that outputs with different preferences share, so that order is preserved. */
interface Shared {
  readonly writer: Writer;
  envelope: Envelope | undefined;
  format: { mode: Mode; rows: RowFormat } | undefined;
}

/** Prints the results, notes and errors of commands. */
export class Output implements Screen {
  readonly environment: OutputEnvironment;
  readonly #preferences: Preferences;
  readonly #shared: Shared;

  /**
   * @param results Standard output.
   * @param remarks Standard error.
   * @param shared An output whose state is shared instead.
   */
  constructor(results: Sink, remarks: Sink, preferences: Preferences, environment: OutputEnvironment, shared?: Output) {
    this.#preferences = preferences;
    this.environment = environment;
    this.#shared = shared
      ? shared.#shared
      : { writer: new Writer(results, remarks), envelope: undefined, format: undefined };
  }

  /** Whether results are rows instead of text for people. */
  get #printsRows(): boolean {
    return this.#preferences.mode !== "table" || this.#shared.envelope !== undefined;
  }

  get #writer(): Writer {
    return this.#shared.writer;
  }

  get terminal(): boolean {
    return this.#writer.results.terminal;
  }

  get columns(): number {
    return this.#preferences.width ?? this.#writer.results.columns();
  }

  get rows(): number {
    return this.#writer.results.rows();
  }

  get colour(): boolean {
    return wantsColour(this.#preferences.colour, this.environment, this.terminal);
  }

  /** Milliseconds since the last visible output. */
  get silence(): number {
    return this.#writer.silence;
  }

  /** Returns the same output with some preferences changed. */
  with(changes: Partial<Preferences>): Output {
    const { results, remarks } = this.#writer;
    return new Output(results, remarks, { ...this.#preferences, ...changes }, this.environment, this);
  }

  /** Sends results to `results`; without it, back to standard output. */
  redirect(results?: Sink): void {
    this.#writer.redirect(results);
  }

  /**
   * Passes results through a pager or another program while `command` runs.
   * @param remarks Whether notes go there too, to preserve the order.
   */
  async through<T>(results: Sink, remarks: boolean, command: () => Promise<T>): Promise<T> {
    return await this.#writer.through(results, remarks, command);
  }

  /** Wraps everything that `command` prints in objects, for `--batch`. */
  async enveloped<T>(envelope: Envelope, command: () => Promise<T>): Promise<T> {
    this.#shared.envelope = envelope;
    try {
      return await command();
    } finally {
      this.#shared.envelope = undefined;
    }
  }

  /**
   * Waits until the reader has accepted the results, so that a slow reader slows the command down.
   * @throws {BrokenPipeError} if the reader has closed its end.
   */
  async drained(): Promise<void> {
    await this.#writer.drained();
  }

  /**
   * Writes all buffered results.
   * @throws {BrokenPipeError} if the reader has closed its end.
   */
  flush(): void {
    this.#writer.flush();
  }

  /** Prints a part of the results of a command in the current mode. */
  async print(result: Result<object>): Promise<void> {
    const { writeLines } = result;
    if (writeLines && this.#preferences.mode === "jsonlines" && !this.#shared.envelope) {
      return await writeLines((lines) => this.#write(`${safeLines(lines)}\n`));
    }
    if (this.#printsRows && !result.isContent) return await result.writeRows((row) => this.#row(row));
    await result.print(
      new Page(this, {
        line: (text) => this.#envelop({ text }) || this.#write(`${text}\n`),
        bytes: (bytes) => this.#envelop({ data: bytes.toBase64() }) || this.#writer.write(bytes),
      }),
    );
  }

  /** Prints the only part of the results of a command line. */
  async printAll(result: Result<object>): Promise<void> {
    await this.print(result);
    this.endRows();
    this.flush();
  }

  #row(value: object): void {
    if (this.#envelop({ row: value })) return;
    const { mode } = this.#preferences;
    if (this.#shared.format?.mode !== mode) {
      this.endRows();
      this.#shared.format = { mode, rows: rowFormat(mode, this.terminal) };
    }
    this.#write(this.#shared.format?.rows.row(value) ?? "");
  }

  /**
   * Ends the rows of a command.
   * @param expected Whether an empty list is printed if there are no rows.
   */
  endRows(expected = false): void {
    const { format, envelope } = this.#shared;
    this.#shared.format = undefined;
    if (format) this.#write(format.rows.end());
    else if (expected && !envelope && this.#preferences.mode === "json") this.#write("[]\n");
  }

  #write(text: string): void {
    this.#writer.writeText(text);
  }

  /** Writes an object for `--batch`; returns whether it did. */
  #envelop(content: Parameters<Envelope>[0]): boolean {
    const { envelope } = this.#shared;
    if (envelope) this.#write(jsonLine(envelope(content)) + "\n");
    return envelope !== undefined;
  }

  /** Prints an informational message such as `12 files extracted`, in the mode `table` and without `--quiet` only. */
  remark(...parts: Part[]): void {
    if (!this.#preferences.quiet && !this.#printsRows) this.#remark(parts);
  }

  /** Prints a warning, which `--quiet` does not hide. */
  warning(message: string): void {
    if (this.#envelop({ warning: message })) return;
    if (isJson(this.#preferences.mode)) this.#writer.remark(jsonLine({ warning: { message } }));
    else this.#remark([{ text: "warning:", style: "heading" }, ` ${message}`]);
  }

  /** Prints the reason why a command failed on standard error, with `--json` as an object. */
  failure(failure: Failure, at?: ScriptLine): void {
    if (isJson(this.#preferences.mode)) return this.#writer.remark(jsonLine({ error: { ...failure, ...at } }));
    const where = at ? `${at.file}:${at.line}: ` : "";
    this.#remark([{ text: "pakfs:", style: "error" }, ` ${where}${failure.message}`]);
  }

  #remark(parts: readonly Part[]): void {
    const { remarks } = this.#writer;
    const colour = wantsColour(this.#preferences.colour, this.environment, remarks.terminal);
    const lines = remarks.terminal
      ? wrappedParts(parts.map((part) => withHome(part, this.environment.HOME)), remarks.columns())
      : [parts];
    this.#writer.remark(lines.map((line) => line.map((part) => rendered(part, colour)).join("")).join("\n"));
  }

  /** Shows the progress of a command on a terminal, until the next call or other output. */
  progress(text: string): void {
    const { remarks } = this.#writer;
    if (!remarks.terminal || this.#preferences.quiet || this.#printsRows) return;
    // A line that wraps could not be replaced.
    this.#writer.progress(rendered(shortenedText(text, remarks.columns() - 1), false));
  }

  /** Removes the display of {@linkcode progress}. */
  clearProgress(): void {
    this.#writer.clearProgress();
  }
}

const plainLines = /^[ -~\n]*$/;

/** Escapes characters of lines of JSON that a terminal interprets. */
function safeLines(lines: string): string {
  return plainLines.test(lines) ? lines : lines.split("\n").map(safeJson).join("\n");
}
