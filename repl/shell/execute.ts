/**
 * Parses and runs a command line.
 * @module
 */
import type { Command, Context, ExitCode, Input, Results, RunnableCommand } from "../command/command.ts";
import {
  didYouMean,
  exitCodes,
  hostPath,
  type OptionSpec,
  parseOptions,
  quoted,
  UsageError,
} from "../../system/mod.ts";
import { failureOf } from "../output/failure.ts";
import { BrokenPipeError } from "../output/sink.ts";
import { commonOptions, preferencesFrom } from "../command/global_options.ts";
import { commandHelp, usageLine } from "../help/help.ts";
import { findCommand, unknownCommand } from "../command/lookup.ts";
import type { Output, ScriptLine } from "../output/output.ts";
import type { TerminalLoan } from "../output/shell_pipe.ts";
import type { Session } from "../command/session.ts";

/** A parsed command line. */
export interface Prepared {
  readonly command: Command;
  readonly input: Input;
}

/**
 * Parses a command line.
 * @param extra Options that are allowed in addition to the command's and the common ones.
 * @throws {UsageError} for unknown commands and options.
 */
export function prepare(
  words: readonly string[],
  commands: readonly Command[],
  extra: readonly OptionSpec[],
): Prepared {
  const global = [...commonOptions, ...extra];
  const before = parseOptions(words, global, true);
  const found = findCommand(commands, before.words.length === 0 ? ["help"] : before.words);
  if (!found) throw unknownCommand(commands, before.words);
  const { command, rest } = found;
  const after = parseOptions(
    rest,
    withoutShadowed(global, command).concat(command.options),
    command.endsOptions,
    command.name,
  );
  return { command, input: { words: hostPaths(command, after.words), options: before.options.and(after.options) } };
}

/** Returns the arguments with `~` expanded in paths of the host. */
function hostPaths({ arguments: specs }: Command, words: readonly string[]): string[] {
  return words.map((word, index) => {
    const kind = argumentAt(specs, index)?.kind;
    return kind === "file" || kind === "mount" ? hostPath(word) : word;
  });
}

/** Returns the argument at an index; the last one may be repeated. */
function argumentAt(specs: Command["arguments"], index: number): Command["arguments"][number] | undefined {
  return specs[index] ?? (specs.at(-1)?.repeated ? specs.at(-1) : undefined);
}

/** Returns the global options except those that the command overrides. */
function withoutShadowed(global: readonly OptionSpec[], command: Command): OptionSpec[] {
  const names = new Set(command.options.map((option) => option.name));
  const letters = new Set(command.options.map((option) => option.short));
  return global.filter((option) => !names.has(option.name)).map((option) => {
    if (option.short === undefined || !letters.has(option.short)) return option;
    const { short: _short, ...unlettered } = option;
    return unlettered;
  });
}

function requireArguments(command: RunnableCommand, words: readonly string[]): void {
  words.forEach((word, index) => {
    const choices = argumentAt(command.arguments, index)?.choices;
    if (choices === undefined || choices.includes(word)) return;
    throw new UsageError(
      `${command.name} takes one of ${choices.join(", ")}, not ${quoted(word)}${didYouMean(word, choices)}`,
    );
  });
  const least = command.arguments.filter((argument) => !argument.optional).length;
  const missing = command.arguments[words.length];
  const hint = `usage: ${usageLine(command)}`;
  if (words.length < least && missing) throw new UsageError(`${command.name} needs ${missing.name}; ${hint}`);
  if (command.arguments.some((argument) => argument.repeated)) return;
  const extra = words[command.arguments.length];
  if (extra === undefined) return;
  if (command.arguments.length === 0) throw new UsageError(`${command.name} takes no arguments`);
  throw new UsageError(`unexpected argument ${quoted(extra)}; ${hint}`);
}

function requireScope(command: Command, remembers: boolean): asserts command is RunnableCommand {
  if (command.scope === "launcher") {
    throw new UsageError(`run ${command.name} in a shell: pakfs ${usageLine(command)}`);
  }
  if (command.scope === "session" && !remembers) {
    const option = {
      use: "--view GAME/MOD",
      cd: "paths from the view's root",
      ".mode": "--mode MODE",
      ".read": "pakfs --batch < FILE",
    }[command.name];
    const instead = option === undefined ? "" : `; use ${option} instead`;
    throw new UsageError(`${command.name} works only in the REPL and scripts${instead}`);
  }
}

/** Collaborators of all commands of a run. */
export interface Surroundings {
  readonly commands: readonly Command[];
  readonly session: Session;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Whether later commands follow, so that `use` and `cd` have an effect. */
  readonly remembers: boolean;
  /** The terminal's keyboard, if the REPL has it. */
  readonly terminal?: TerminalLoan;
  /** Runs a command whose results go to the screen, through the pager if they are longer. */
  readonly paged?: (prepared: Prepared, command: () => Promise<number>) => Promise<number>;
}

/** Returns the output for the errors of a line that may not have been parsed. */
export function outputFor(words: readonly string[], { output, session }: Surroundings): Output {
  return output.with({ ...session.preferences, ...asksForJson(words) ? { mode: "jsonlines" } : {} });
}

/** Prints all results of a command, and reports printing errors to it; returns the exit code. */
async function finished(results: Results<object> | Promise<ExitCode> | ExitCode, output: Output): Promise<ExitCode> {
  if (typeof results !== "object" || !(Symbol.asyncIterator in results)) return results;
  for (let next = results.next();;) {
    // deno-lint-ignore no-await-in-loop -- results are printed in order
    const { done, value } = await next;
    if (done) return value;
    try {
      // deno-lint-ignore no-await-in-loop -- results are printed in order
      await output.print(value);
      next = results.next();
    } catch (error) {
      next = results.throw(error);
    }
  }
}

/**
 * Runs a parsed command.
 * @returns Its exit code.
 * @throws errors of the command, and {@linkcode UsageError} for a wrong number of arguments.
 */
export async function run({ command, input }: Prepared, surroundings: Surroundings): Promise<number> {
  const { commands, session, signal, terminal } = surroundings;
  const output = surroundings.output.with({ ...session.preferences, ...preferencesFrom(input.options) });
  const began = performance.now();
  const stopWatching = watchSilence(() => showWaiting(output, began));
  try {
    if (input.options.flag("help")) {
      await output.print(commandHelp(command));
      return exitCodes.ok;
    }
    requireScope(command, surroundings.remembers);
    requireArguments(command, input.words);
    const view = input.options.value("view") ?? session.view;
    const directory = view === session.view ? session.directory : "";
    const context: Context = { output, session, view, directory, signal, commands, ...terminal && { terminal } };
    const code = await finished(command.run(context, input), output) ?? exitCodes.ok;
    // A session command that only changes state prints no list.
    output.endRows(command.rows !== undefined && command.scope !== "session");
    return code;
  } finally {
    stopWatching();
    output.clearProgress();
    output.endRows();
    output.flush();
    if (session.timer) output.with({ mode: "table" }).remark(`${((performance.now() - began) / 1000).toFixed(3)} s`);
  }
}

/** Time without output after which a command shows that it is running; milliseconds. */
const longSilence = 1000;

/** Calls `look` twice a second, first after half a second; returns a function that stops this. */
function watchSilence(look: () => void): () => void {
  let waiting: ReturnType<typeof setInterval> | undefined;
  // A short command does not start the interval, since Deno loads modules at the first `setInterval`.
  const start = AbortSignal.timeout(500);
  const begin = () => {
    look();
    waiting = setInterval(look, 500);
  };
  start.addEventListener("abort", begin);
  return () => {
    start.removeEventListener("abort", begin);
    if (waiting !== undefined) clearInterval(waiting);
  };
}

function showWaiting(output: Output, began: number): void {
  if (output.silence < longSilence) return;
  output.progress(`${Math.round((performance.now() - began) / 1000)} s; Ctrl-C stops it`);
}

/** Returns whether a command line requests JSON, even if it is invalid. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).includes("--json");
}

/**
 * Reports an error, except a closed pipe or Ctrl-C.
 * @returns The exit code for it.
 */
export function report(error: unknown, output: Output, at?: ScriptLine): number {
  const failure = failureOf(error);
  if (failure.kind === "brokenPipe" || failure.kind === "cancelled") return failure.exitCode;
  try {
    output.failure(failure, at);
  } catch (second) {
    if (second instanceof BrokenPipeError) return exitCodes.brokenPipe;
    throw second;
  }
  return failure.exitCode;
}
