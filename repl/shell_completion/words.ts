/**
 * Words for completion in shells, from the command table: the same for every shell.
 * @module
 */
import type { ArgumentKind, OptionSpec } from "../../system/mod.ts";
import type { Command } from "../command/command.ts";
import { localKinds } from "../command/names.ts";
import { commonOptions, connectionOptions } from "../command/global_options.ts";

/** A word, and its meaning. */
export interface CompletedWord {
  readonly word: string;
  readonly summary: string;
}

/** Value of an option, or an argument. */
export interface CompletedValue {
  readonly kind: ArgumentKind;
  /** All values, if there are few. */
  readonly choices: readonly string[];
}

/** One option as typed. */
export interface CompletedOption extends CompletedWord {
  readonly name: string;
  readonly short: string | null;
  /** Null for a flag. */
  readonly value: CompletedValue | null;
}

/** One argument of a command. */
export interface CompletedArgument {
  readonly kind: ArgumentKind;
  /** Whether it is repeated for all following words. */
  readonly repeated: boolean;
}

/** A command, with one of its names. */
export interface CompletedCommand extends CompletedWord {
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedArgument[];
}

function completedOption(option: OptionSpec): CompletedOption {
  const { name, short, summary, value, kind = "none", choices = [] } = option;
  return {
    word: `--${name}`,
    name,
    short: short ?? null,
    summary,
    value: value === undefined ? null : { kind, choices },
  };
}

/** Options of every command. */
export const everywhere: readonly CompletedOption[] = [...commonOptions, ...connectionOptions].map(completedOption);

/** Returns the commands that can be typed in a shell, by name. */
export function completedCommands(commands: readonly Command[]): CompletedCommand[] {
  return commands.filter(({ scope, hidden }) => scope !== "session" && !hidden).flatMap((command) => {
    const own = command.options.map(completedOption);
    const shared = everywhere.filter(({ name }) => !own.some((option) => option.name === name));
    const positional = command.arguments.map(({ kind, repeated = false }) => ({ kind, repeated }));
    return [command.name, ...command.aliases ?? []].map((word) => ({
      word,
      summary: command.summary,
      options: [...own, ...command.scope === "launcher" ? [] : shared],
      arguments: positional,
    }));
  }).sort((a, b) => a.word < b.word ? -1 : 1);
}

/** Kinds of values that pakfs completes itself. */
export const askedKinds = ["qpath", "view", "pack", "source", "shader", ...localKinds] as const;

/** Returns whether pakfs completes values of a kind itself. */
export function isAsked(kind: ArgumentKind): boolean {
  return askedKinds.some((asked) => asked === kind);
}

/** Quotes a string for a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
