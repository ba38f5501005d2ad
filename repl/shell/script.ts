/**
 * Runs command lines one after another: `-c`, `-f`, standard input.
 * @module
 */
import { exitCodes } from "../../system/mod.ts";
import type { Surroundings } from "./execute.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { isBlank, isOpenSql } from "./grammar.ts";
import { runLine } from "./line.ts";

/** Lines of a script as they arrive. */
export interface Script {
  /** Name in messages: a file name, `-c` or `standard input`. */
  readonly file: string;
  readonly lines: AsyncIterable<string> | Iterable<string>;
}

function scriptExitCode(code: number): number {
  const own: readonly number[] = [exitCodes.unreachable, exitCodes.interrupted, exitCodes.brokenPipe];
  return own.includes(code) ? code : exitCodes.scriptStopped;
}

/**
 * Runs a script until its end, its `exit`, or its first error, which it reports with file and line.
 * @returns The exit code: 0, 3 for an error, or a more specific code (4, 130, 141).
 */
export async function runScript(script: Script, surroundings: Surroundings): Promise<number> {
  for await (const { text, line } of wholeLines(script.lines)) {
    const code = await runLine(text, surroundings, { file: script.file, line });
    if (code !== exitCodes.ok) return scriptExitCode(code);
    if (surroundings.session.ended) break;
  }
  return exitCodes.ok;
}

/** Yields non-empty lines with their numbers; the lines of an SQL statement are joined. */
async function* wholeLines(lines: Script["lines"]): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  let number = 0;
  let open: { text: string; line: number } | undefined;
  for await (const text of lines) {
    number++;
    if (!open && isBlank(text)) continue;
    open = open ? { ...open, text: `${open.text}\n${text}` } : { text, line: number };
    if (isOpenSql(open.text)) continue;
    yield open;
    open = undefined;
  }
  if (open) yield open;
}

/** Yields the lines of a byte stream, without their line breaks. */
async function* textLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  if (rest !== "") yield rest;
}

/**
 * Opens the script in a file; `-` is standard input.
 * @throws {CommandError} if it cannot be read.
 */
export async function openScript(file: string): Promise<Script> {
  if (file === "-") return { file: "standard input", lines: textLines(Deno.stdin.readable) };
  try {
    const { readable } = await Deno.open(file);
    return { file, lines: textLines(readable) };
  } catch (error) {
    throw new CommandError(`cannot read the script ${failureOf(error).message}`, { cause: error });
  }
}
