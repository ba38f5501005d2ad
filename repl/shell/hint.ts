/**
 * Hints of the prompt: the remaining arguments of a command.
 * @module
 */
import { usageWords } from "../help/help.ts";
import type { Command } from "../command/command.ts";
import { commonOptions } from "../command/global_options.ts";
import { findCommand } from "../command/lookup.ts";
import { argumentsAmong } from "./completion.ts";
import { splitPartial } from "./grammar.ts";

/**
 * Returns the arguments and options that may follow an unfinished line, in the words of its usage.
 * @returns An empty string inside a word, an option's value or a shell command.
 */
export function hintFor(line: string, commands: readonly Command[]): string {
  const { words, last, quote, isOfShell } = splitPartial(line);
  if (isOfShell || quote !== "") return "";
  const found = findCommand(commands, last === "" ? words : [...words, last]);
  if (!found || (last !== "" && found.rest.length > 0)) return "";
  const { command, rest } = found;
  if (command.scope === "launcher" || rest.at(-1)?.startsWith("-")) return "";
  const given = argumentsAmong(rest, [...command.options, ...commonOptions]).length;
  const left = command.arguments.filter(({ repeated }, index) => index >= given || repeated);
  const hint = usageWords({ ...command, arguments: left }).slice(1).join(" ");
  return hint !== "" && last !== "" ? ` ${hint}` : hint;
}
