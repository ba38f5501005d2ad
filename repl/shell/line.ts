/**
 * Runs one line of the REPL, a script or a batch.
 * @module
 */
import { exitCodes, UsageError } from "../../system/mod.ts";
import { outputFor, prepare, report, run, type Surroundings } from "./execute.ts";
import { FileSink } from "../output/file_sink.ts";
import { BrokenPipeError } from "../output/sink.ts";
import type { ScriptLine } from "../output/output.ts";
import { type Destination, splitLine, type Statement } from "./grammar.ts";
import { ShellPipe } from "../output/shell_pipe.ts";

/** Runs a command whose results another program reads. That program may stop reading; its exit code is ignored. */
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

/** Returns the destination of a command's results: as in the line, else the file of `.once`. */
function destinationOf({ words, into }: Statement, { session }: Surroundings): Destination | undefined {
  const once = session.once;
  if (once === undefined || words[0] === ".once") return into;
  session.once = undefined;
  return into ?? { kind: "file", path: once, append: false };
}

async function runStatement(statement: Statement, surroundings: Surroundings): Promise<number> {
  const prepared = prepare(statement.words, surroundings.commands, []);
  const into = destinationOf(statement, surroundings);
  const runIt = () => run(prepared, surroundings);
  if (into === undefined) return await (surroundings.paged ?? ((_prepared, command) => command()))(prepared, runIt);
  if (into.kind === "program") return await runInto(into.command, surroundings, runIt);
  using file = new FileSink(into.path, into);
  return await surroundings.output.through(file, false, runIt);
}

/** Commands from prompts of other programs, and their equivalents here. */
const foreignCommands: Readonly<Record<string, string>> = { q: "exit", "?": "help", h: "help", l: "views", d: "ls" };

/**
 * @throws {UsageError} for a command of another program with a leading backslash, which parsing would remove.
 */
function refuseBackslash(line: string): void {
  const [, typed] = /^\s*\\([a-z?]+)\+?(?=\s|$)/.exec(line) ?? [];
  if (typed === undefined) return;
  const own = foreignCommands[typed];
  throw new UsageError(
    `unknown command \\${typed}; ${own === undefined ? "help lists commands" : `did you mean ${own}?`}`,
  );
}

/**
 * Runs the commands of a line and reports their errors. In a script the first failure ends the line.
 * @returns The exit code of the last command.
 */
export async function runLine(line: string, surroundings: Surroundings, at?: ScriptLine): Promise<number> {
  let words: readonly string[] = [];
  let code: number = exitCodes.ok;
  try {
    refuseBackslash(line);
    for (const [index, statement] of splitLine(line).entries()) {
      if (index > 0 && surroundings.signal.aborted) return exitCodes.interrupted;
      if (surroundings.session.ended || (at && code !== exitCodes.ok)) break;
      words = statement.words;
      try {
        // deno-lint-ignore no-await-in-loop -- commands run one after another
        code = await runStatement(statement, surroundings);
      } catch (error) {
        code = report(error, outputFor(words, surroundings), at);
        if (code === exitCodes.brokenPipe) break;
      }
    }
    return code;
  } catch (error) {
    return report(error, outputFor(words, surroundings), at);
  }
}
