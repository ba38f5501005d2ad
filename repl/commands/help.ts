/**
 * `help`.
 * @module
 */
import type { Command, RunnableCommand } from "../command.ts";
import { findCommand, unknownCommand } from "../lookup.ts";
import { printCommandHelp, printOverview, usageLine } from "../help.ts";
import type { Output } from "../output.ts";

function printRow(output: Output, command: Command): void {
  const { name, aliases = [], group, summary, scope, options, details = [], examples } = command;
  const rows = command.scope === "launcher" ? [] : command.rows ?? [];
  output.row({ name, aliases, group, scope, usage: usageLine(command), summary, rows, options, details, examples });
}

const help: RunnableCommand = {
  name: "help",
  group: "Move about",
  scope: "anywhere",
  rows: ["HelpRow"],
  summary: "list the commands, or tell about one",
  arguments: [{ name: "COMMAND", kind: "command", optional: true, repeated: true }],
  options: [],
  examples: [{ line: "help find", does: "usage, options and examples of find" }],
  run: ({ output, commands }, { words }) => {
    if (words.length === 0) {
      if (output.json) { for (const command of commands) printRow(output, command); }
      else printOverview(output, commands);
      return;
    }
    const found = findCommand(commands, words);
    const family = found ? [found.command] : commands.filter(({ name }) => name.startsWith(`${words[0]} `));
    if (family.length === 0) throw unknownCommand(commands, words);
    family.forEach((command, index) => {
      if (output.json) return printRow(output, command);
      if (index > 0) output.line();
      printCommandHelp(output, command);
    });
  },
};

/** Commands of this file. */
export const helpCommands: readonly RunnableCommand[] = [help];
