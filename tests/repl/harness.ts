/**
 * Runs command lines in this process against a `FakeConnection` and returns their output.
 * @module
 */
import type { Connection } from "../../protocol/connection.ts";
import { commandTable } from "../../repl/commands/table.ts";
import { runLine as runTypedLine } from "../../repl/shell/line.ts";
import { Output } from "../../repl/output/output.ts";
import type { OutputEnvironment } from "../../repl/output/page.ts";
import type { Sink } from "../../repl/output/sink.ts";
import { Session } from "../../repl/command/session.ts";
import { FakeConnection } from "./fake_connection.ts";

/** Keeps what is written to it. */
export class MemorySink implements Sink {
  readonly terminal: boolean;
  readonly #columns: number;
  readonly #parts: Uint8Array[] = [];

  constructor(terminal = false, columns = 60) {
    this.terminal = terminal;
    this.#columns = columns;
  }

  columns(): number {
    return this.#columns;
  }

  rows(): number {
    return 24;
  }

  write(bytes: Uint8Array): number {
    this.#parts.push(bytes.slice());
    return bytes.length;
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#parts.flatMap((part) => [...part]));
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }
}

/** Outcome of a command line. */
export interface Outcome {
  code: number;
  out: string;
  err: string;
  bytes: Uint8Array;
}

/** Environment of command lines. */
export interface Setting {
  connection?: Connection;
  session?: Session;
  terminal?: boolean;
  /** Width of the terminal. */
  columns?: number;
  /**
   * Whether progress is printed: standard error is a terminal of 100 columns, and each read of the clock takes a
   * second.
   */
  progress?: boolean;
  remembers?: boolean;
  signal?: AbortSignal;
  environment?: OutputEnvironment;
}

function slowClock(): Disposable {
  const { now } = performance;
  let time = now.call(performance);
  performance.now = () => time += 1000;
  return { [Symbol.dispose]: () => void (performance.now = now) };
}

/** Progress that a command showed. */
export function progressIn(err: string): string[] {
  // deno-lint-ignore no-control-regex -- each display begins so, and ends with the next or with other output
  return Array.from(err.matchAll(/\r\x1b\[K([^\r\n]+)(?=\r)/g), ([, shown = ""]) => shown);
}

/** Runs one command line, as the REPL and scripts do. */
export async function runLine(line: string, setting: Setting = {}): Promise<Outcome> {
  const results = new MemorySink(setting.terminal, setting.columns);
  const remarks = new MemorySink(setting.progress, 100);
  using _clock = setting.progress ? slowClock() : undefined;
  const output = new Output(
    results,
    remarks,
    { mode: "table", colour: "auto", quiet: false },
    setting.environment ?? {},
  );
  const connection = setting.connection ?? new FakeConnection();
  const session = setting.session ?? new Session(() => Promise.resolve(connection));
  const signal = setting.signal ?? new AbortController().signal;
  const surroundings = { commands: commandTable, session, output, signal, remembers: setting.remembers ?? true };
  const code = await runTypedLine(line, surroundings);
  return { code, out: results.text, err: remarks.text, bytes: results.bytes };
}

/** The lines of a `--json` output as values. */
export function jsonRows(text: string): unknown[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
