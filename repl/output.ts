/**
 * The one writer. All output of the client goes through here, so that a closed pipe ends the program quietly, colour
 * and `--json` are decided once, and nothing reaches a terminal unescaped.
 * @module
 */
import { BrokenPipeError, type Failure } from "./failure.ts";
import type { TerminalEnvironment } from "./preview/graphics.ts";
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
}

/** When to use colour. */
export type ColourChoice = "auto" | "always" | "never";

/** How output is to look. */
export interface Preferences {
  /** One JSON object per line instead of text for people. */
  json: boolean;
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

/** Where the results, remarks and errors of commands go. */
export class Output {
  readonly #results: Sink;
  readonly #remarks: Sink;
  /** The environment variables that tell what can be shown. */
  readonly environment: OutputEnvironment;
  readonly #preferences: Preferences;
  /** Shared by all views of the same sinks, so that order is kept. */
  readonly #held: { parts: Uint8Array[]; length: number; progress: boolean };

  /**
   * @param results Standard output.
   * @param remarks Standard error.
   */
  constructor(results: Sink, remarks: Sink, preferences: Preferences, environment: OutputEnvironment, shared?: Output) {
    this.#results = results;
    this.#remarks = remarks;
    this.#preferences = preferences;
    this.environment = environment;
    this.#held = shared ? shared.#held : { parts: [], length: 0, progress: false };
  }

  /** Whether results are JSON. */
  get json(): boolean {
    return this.#preferences.json;
  }

  /** Whether a person is looking at the results. */
  get terminal(): boolean {
    return this.#results.terminal;
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
    return new Output(this.#results, this.#remarks, preferences, this.environment, this);
  }

  /** One line of results for people. */
  line(...parts: Part[]): void {
    const { colour } = this;
    this.bytes(encoder.encode(parts.map((part) => rendered(part, colour)).join("") + "\n"));
  }

  /** One row of results for programs. */
  row(value: object): void {
    this.bytes(encoder.encode(jsonLine(value) + "\n"));
  }

  /** A file's text, on a terminal: its own lines, but none of its control characters. */
  text(text: string): void {
    this.bytes(encoder.encode(printableText(text)));
  }

  /** Results as they are. */
  bytes(bytes: Uint8Array): void {
    this.clearProgress();
    this.#held.parts.push(bytes.slice());
    this.#held.length += bytes.length;
    if (this.#held.length >= flushAt) this.flush();
  }

  /**
   * Writes out what is held back.
   * @throws {BrokenPipeError} if nobody reads it any more.
   */
  flush(): void {
    const { parts } = this.#held;
    this.#held.parts = [];
    this.#held.length = 0;
    for (const part of joined(parts)) writeAll(this.#results, part);
  }

  /** A remark that is no result (`12 files extracted`); not with `--quiet` or `--json`. */
  remark(...parts: Part[]): void {
    if (!this.#preferences.quiet && !this.json) this.#tell(parts);
  }

  /** Something the user should know although the command goes on; `--quiet` does not hide it. */
  warning(message: string): void {
    if (this.json) this.#tellRaw(jsonLine({ warning: { message } }));
    else this.#tell([{ text: "warning:", style: "heading" }, ` ${message}`]);
  }

  /** Tells why a command failed, on standard error; one JSON object with `--json`. */
  failure(failure: Failure, place?: { file: string; line: number }): void {
    if (this.json) return this.#tellRaw(jsonLine({ error: { ...failure, ...place } }));
    const where = place ? `${place.file}:${place.line}: ` : "";
    this.#tell([{ text: "pakfs:", style: "error" }, ` ${where}${failure.message}`]);
  }

  /** Shows how far a command is, on a terminal; replaced by the next call and removed by any other output. */
  progress(text: string): void {
    if (!this.#remarks.terminal || this.#preferences.quiet || this.json) return;
    this.flush();
    writeAll(this.#remarks, encoder.encode(`\r\x1b[K${rendered(text, false)}`));
    this.#held.progress = true;
  }

  /** Takes away what {@linkcode progress} shows. */
  clearProgress(): void {
    if (!this.#held.progress) return;
    this.#held.progress = false;
    writeAll(this.#remarks, encoder.encode("\r\x1b[K"));
  }

  #tell(parts: readonly Part[]): void {
    const colour = wantsColour(this.#preferences.colour, this.environment, this.#remarks.terminal);
    this.#tellRaw(parts.map((part) => rendered(part, colour)).join(""));
  }

  #tellRaw(line: string): void {
    this.clearProgress();
    this.flush();
    writeAll(this.#remarks, encoder.encode(line + "\n"));
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
