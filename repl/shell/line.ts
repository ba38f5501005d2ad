/**
 * Running one line of the REPL, a script or a batch.
 * @module
 */
import { exitCodes } from "../../command_line/usage.ts";
import { outputFor, prepare, report, run, type Surroundings } from "./execute.ts";
import { BrokenPipeError } from "../output/sink.ts";
import type { ScriptLine } from "../output/output.ts";
import { splitLine } from "./grammar.ts";
import { ShellPipe } from "../output/shell_pipe.ts";

/** Runs a command whose results another program reads. That program may stop reading; its exit code does not count. */
async function runInto(shell: string, { output, terminal }: Surroundings, command: () => Promise<number>) {
  terminal?.giveAway();
  try {
    const pipe = new ShellPipe(shell);
    try {
      return await output.through(pipe, false, command);
    } catch (error) {
      if (error instanceof BrokenPipeError) return exitCodes.ok;
      throw error;
    } finally {
      await pipe.end();
    }
  } finally {
    terminal?.takeBack();
  }
}

/**
 * Runs a line and reports its errors.
 * @returns The exit code.
 */
export async function runLine(line: string, surroundings: Surroundings, at?: ScriptLine): Promise<number> {
  let words: readonly string[] = [];
  try {
    const typed = splitLine(line);
    words = typed.words;
    const prepared = prepare(words, surroundings.commands, []);
    if (typed.shell === undefined) return await run(prepared, surroundings);
    return await runInto(typed.shell, surroundings, () => run(prepared, surroundings));
  } catch (error) {
    return report(error, outputFor(words, surroundings), at);
  }
}
