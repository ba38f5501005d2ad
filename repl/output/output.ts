/**
 * The one writer. All output of the client goes through here, so that a closed pipe ends the program quietly, colour
 * and `--json` are decided once, and nothing reaches a terminal unescaped.
 * @module
 */
import { BrokenPipeError, type Failure } from "./failure.ts";
import type { TerminalEnvironment } from "../../preview/graphics.ts";
import { isJson, type Mode, type RowFormat, rowFormat } from "./row_format.ts";
import { jsonLine, type Part, printableText, rendered } from "./text.ts";

/** Where bytes go: standard output, standard error, or a test's memory. */
export interface Sink {
  /** Whether a person is looking at it. */
  readonly terminal: boolean;
  /** Width in columns, for terminals. */
  columns(): number;
  /** Height in lines, for terminals. */
  rows(): number;
  /**
   * Writes some of `bytes`.
   * @returns How many bytes were taken.
   */
  write(bytes: Uint8Array): number;
  /** Settles when what was written has been taken, for sinks that keep it until then. */
  drained?(): Promise<void>;
  /** Ends it, for sinks that are the user's own. */
  close?(): void;
}

/** When to use colour. */
export type ColourChoice = "auto" | "always" | "never";

/** How output is to look. */
export interface Preferences {
  /** `table` for people, else rows. */
  mode: Mode;
  colour: ColourChoice;
  /** No remarks, only results and errors. */
  quiet: boolean;
}

/** The environment variables that speak about colour. */
export interface ColourEnvironment {
  NO_COLOR?: string | undefined;
  FORCE_COLOR?: string | undefined;
  TERM?: string | undefined;
}

/** The environment variables that tell what can be shown. */
export interface OutputEnvironment extends ColourEnvironment, TerminalEnvironment {
  TERM?: string | undefined;
}

/** Whether to colour: the option, else `FORCE_COLOR`, else `NO_COLOR`, else whether a capable terminal is there. */
export function wantsColour(choice: ColourChoice, environment: ColourEnvironment, terminal: boolean): boolean {
  if (choice !== "auto") return choice === "always";
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== "0";
  if (environment.NO_COLOR) return false;
  return terminal && environment.TERM !== "dumb";
}

const flushAt = 32 * 1024;
const encoder = new TextEncoder();

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function writeAll(sink: Sink, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    try {
      written += sink.write(bytes.subarray(written));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) {
        throw new BrokenPipeError("nobody reads the output", { cause: error });
      }
      // A terminal may have been made non-blocking by whoever shares it.
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      pause(5);
    }
  }
}

/** The lines of a batch: everything that a command prints, as objects that tell which line of the input it answers. */
export interface Envelope {
  /** Puts what was printed into an object. */
  (content: { row: object } | { text: string } | { data: string } | { warning: string }): object;
}

/** What all faces of one output share, so that order is kept. */
interface Shared {
  /** Standard output, or the file of `.output`. */
  results: Sink;
  readonly standard: Sink;
  readonly remarks: Sink;
  /** A pager or another program, for as long as one command runs. */
  passing: { results: Sink; remarks: boolean } | undefined;
  envelope: Envelope | undefined;
  format: { mode: Mode; rows: RowFormat } | undefined;
  parts: Uint8Array[];
  length: number;
  progress: boolean;
  /** When anything was last shown, in milliseconds of `performance.now()`. */
  shown: number;
}

/** Where the results, remarks and errors of commands go. */
export class Output {
  /** The environment variables that tell what can be shown. */
  readonly environment: OutputEnvironment;
  readonly #preferences: Preferences;
  readonly #shared: Shared;

  /**
   * @param results Standard output.
   * @param remarks Standard error.
   */
  constructor(results: Sink, remarks: Sink, preferences: Preferences, environment: OutputEnvironment, shared?: Output) {
    this.#preferences = preferences;
    this.environment = environment;
    this.#shared = shared ? shared.#shared : {
      results,
      standard: results,
      remarks,
      passing: undefined,
      envelope: undefined,
      format: undefined,
      parts: [],
      length: 0,
      progress: false,
      shown: performance.now(),
    };
  }

  /** Whether results are rows (JSON, or another mode made of rows) instead of text for people. */
  get json(): boolean {
    return this.#preferences.mode !== "table" || this.#shared.envelope !== undefined;
  }

  /** Whether a person is looking at the results. */
  get terminal(): boolean {
    return this.#results.terminal;
  }

  /** Milliseconds since anything was shown. */
  get silence(): number {
    return performance.now() - this.#shared.shown;
  }

  get #results(): Sink {
    return this.#shared.passing?.results ?? this.#shared.results;
  }

  /** Width of the terminal that the results go to. */
  get columns(): number {
    return this.#results.columns();
  }

  /** Height of the terminal that the results go to. */
  get rows(): number {
    return this.#results.rows();
  }

  /** Whether results are coloured. */
  get colour(): boolean {
    return wantsColour(this.#preferences.colour, this.environment, this.#results.terminal);
  }

  /** The same output with some preferences changed. */
  with(changes: Partial<Preferences>): Output {
    const preferences = { ...this.#preferences, ...changes };
    return new Output(this.#shared.results, this.#shared.remarks, preferences, this.environment, this);
  }

  /** Sends results to a file of the user's own from now on; without one, to where they went at first. */
  redirect(results?: Sink): void {
    this.flush();
    if (this.#shared.results !== this.#shared.standard) this.#shared.results.close?.();
    this.#shared.results = results ?? this.#shared.standard;
  }

  /**
   * Passes results through a pager or another program while `command` runs.
   * @param remarks Whether remarks go there too, to keep their place.
   */
  async through<Result>(results: Sink, remarks: boolean, command: () => Promise<Result>): Promise<Result> {
    this.flush();
    this.#shared.passing = { results, remarks };
    try {
      return await command();
    } finally {
      this.#shared.passing = undefined;
    }
  }

  /** Puts everything that `command` prints into objects: for `--batch`. */
  async enveloped<Result>(envelope: Envelope, command: () => Promise<Result>): Promise<Result> {
    this.#shared.envelope = envelope;
    try {
      return await command();
    } finally {
      this.#shared.envelope = undefined;
    }
  }

  /**
   * Waits until whoever reads the results has taken them, so that a slow reader slows the command down.
   * @throws {BrokenPipeError} if nobody reads them any more.
   */
  async drained(): Promise<void> {
    const { drained } = this.#results;
    if (!drained) return;
    this.flush();
    await drained.call(this.#results);
  }

  /** One line of results for people. */
  line(...parts: Part[]): void {
    const { colour } = this;
    const text = parts.map((part) => rendered(part, colour)).join("");
    if (this.#envelop({ text })) return;
    this.#write(encoder.encode(text + "\n"));
  }

  /** One row of results for programs. */
  row(value: object): void {
    if (this.#envelop({ row: value })) return;
    const mode = this.#preferences.mode;
    if (this.#shared.format?.mode !== mode) {
      this.endRows();
      this.#shared.format = { mode, rows: rowFormat(mode, this.terminal) };
    }
    this.#write(encoder.encode(this.#shared.format?.rows.row(value) ?? ""));
  }

  /**
   * Ends the rows of a command.
   * @param expected Whether an empty list is to be told where there were no rows.
   */
  endRows(expected = false): void {
    const { format } = this.#shared;
    this.#shared.format = undefined;
    if (format) this.#write(encoder.encode(format.rows.end()));
    else if (expected && !this.#shared.envelope && this.#preferences.mode === "json") {
      this.#write(encoder.encode("[]\n"));
    }
  }

  /** A file's text, on a terminal: its own lines, but none of its control characters. */
  text(text: string): void {
    this.bytes(encoder.encode(printableText(text)));
  }

  /** Results as they are. */
  bytes(bytes: Uint8Array): void {
    if (!this.#envelop({ data: bytes.toBase64() })) this.#write(bytes);
  }

  /** Whether something has been put into an object of its own instead. */
  #envelop(content: Parameters<Envelope>[0]): boolean {
    const { envelope } = this.#shared;
    if (envelope) this.#write(encoder.encode(jsonLine(envelope(content)) + "\n"));
    return envelope !== undefined;
  }

  #write(bytes: Uint8Array): void {
    this.clearProgress();
    this.#shared.parts.push(bytes.slice());
    this.#shared.length += bytes.length;
    if (this.#shared.length >= flushAt) this.flush();
  }

  /**
   * Writes out what is held back.
   * @throws {BrokenPipeError} if nobody reads it any more.
   */
  flush(): void {
    const { parts } = this.#shared;
    this.#shared.parts = [];
    this.#shared.length = 0;
    if (parts.length > 0) this.#shared.shown = performance.now();
    for (const part of joined(parts)) writeAll(this.#results, part);
  }

  /** A remark that is no result (`12 files extracted`); not with `--quiet` or `--json`. */
  remark(...parts: Part[]): void {
    if (!this.#preferences.quiet && !this.json) this.#tell(parts);
  }

  /** Something the user should know although the command goes on; `--quiet` does not hide it. */
  warning(message: string): void {
    if (this.#envelop({ warning: message })) return;
    if (isJson(this.#preferences.mode)) this.#tellRaw(jsonLine({ warning: { message } }));
    else this.#tell([{ text: "warning:", style: "heading" }, ` ${message}`]);
  }

  /** Tells why a command failed, on standard error; one JSON object with `--json`. */
  failure(failure: Failure, place?: { file: string; line: number }): void {
    if (isJson(this.#preferences.mode)) return this.#tellRaw(jsonLine({ error: { ...failure, ...place } }));
    const where = place ? `${place.file}:${place.line}: ` : "";
    this.#tell([{ text: "pakfs:", style: "error" }, ` ${where}${failure.message}`]);
  }

  /** Shows how far a command is, on a terminal; replaced by the next call and removed by any other output. */
  progress(text: string): void {
    if (!this.#shared.remarks.terminal || this.#preferences.quiet || this.json) return;
    this.flush();
    writeAll(this.#shared.remarks, encoder.encode(`\r\x1b[K${rendered(text, false)}`));
    this.#shared.progress = true;
    this.#shared.shown = performance.now();
  }

  /** Takes away what {@linkcode progress} shows. */
  clearProgress(): void {
    if (!this.#shared.progress) return;
    this.#shared.progress = false;
    writeAll(this.#shared.remarks, encoder.encode("\r\x1b[K"));
  }

  #tell(parts: readonly Part[]): void {
    const colour = wantsColour(this.#preferences.colour, this.environment, this.#shared.remarks.terminal);
    this.#tellRaw(parts.map((part) => rendered(part, colour)).join(""));
  }

  #tellRaw(line: string): void {
    const { passing, remarks } = this.#shared;
    this.clearProgress();
    this.flush();
    this.#shared.shown = performance.now();
    writeAll(passing?.remarks ? passing.results : remarks, encoder.encode(line + "\n"));
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array[] {
  if (parts.length < 2) return [...parts];
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return [whole];
}

function terminalSize(): { columns: number; rows: number } {
  try {
    return Deno.consoleSize();
  } catch {
    return { columns: 80, rows: 24 };
  }
}

/** Standard output or standard error as a {@linkcode Sink}. */
export function standardSink(stream: typeof Deno.stdout | typeof Deno.stderr): Sink {
  return {
    terminal: stream.isTerminal(),
    columns: () => terminalSize().columns,
    rows: () => terminalSize().rows,
    write: (bytes) => stream.writeSync(bytes),
  };
}
