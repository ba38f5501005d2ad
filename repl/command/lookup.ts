/**
 * Finds a command by the typed words.
 * @module
 */
import type { Command } from "./command.ts";
import { commandAdvice, didYouMean, nearest, quoted, UsageError } from "../../system/mod.ts";

/** A command and the words after its name. */
export interface FoundCommand {
  command: Command;
  rest: readonly string[];
}

function isNamed(command: Command, name: string): boolean {
  return command.name === name || (command.aliases?.includes(name) ?? false);
}

/** Returns the command that `words` begin with, if any; names of two words are tried first. */
export function findCommand(commands: readonly Command[], words: readonly string[]): FoundCommand | undefined {
  for (const length of [2, 1]) {
    if (words.length < length) continue;
    const name = words.slice(0, length).join(" ");
    const command = commands.find((candidate) => isNamed(candidate, name));
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
}

/** Returns the error for words without a command, with the nearest command. */
export function unknownCommand(commands: readonly Command[], words: readonly string[]): UsageError {
  const [first = "", second] = words;
  for (const typed of [...second === undefined ? [] : [`${first} ${second}`], first]) {
    const advice = commandAdvice(typed);
    if (advice !== undefined) return new UsageError(`unknown command ${typed}; ${advice}`);
  }
  const family = commands.map(({ name }) => name).filter((name) => name.startsWith(`${first} `));
  if (family.length > 0) {
    const verb = second === undefined ? undefined : nearest(second, family.map((name) => name.slice(first.length + 1)));
    const hint = verb === undefined ? `choose one of ${family.join(", ")}` : `did you mean ${first} ${verb}?`;
    return new UsageError(
      second === undefined ? `${first} needs a verb; ${hint}` : `unknown command ${first} ${second}; ${hint}`,
    );
  }
  const verbs = commands.flatMap(({ name }) => name.endsWith(` ${first}`) ? [name] : []);
  if (verbs.length > 0) return new UsageError(`unknown command ${first}; did you mean ${verbs.join(" or ")}?`);
  const names = commands.flatMap(({ name, aliases = [] }) => [name.split(" ")[0] ?? name, ...aliases]);
  return new UsageError(`unknown command ${quoted(first)}${didYouMean(first, names) || "; see help"}`);
}
