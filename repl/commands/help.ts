/**
 * `help`.
 * @module
 */
import type { RunnableCommand } from "../command/command.ts";
import { findCommand, unknownCommand } from "../command/lookup.ts";
import { printCommandHelp, printOverview } from "../help/help.ts";

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
      printOverview(output, commands);
      return;
    }
    const found = findCommand(commands, words);
    const family = found ? [found.command] : commands.filter(({ name }) => name.startsWith(`${words[0]} `));
    if (family.length === 0) throw unknownCommand(commands, words);
    family.forEach((command, index) => {
      if (index > 0 && !output.json) output.line();
      printCommandHelp(output, command);
    });
  },
};

/** Commands of this file. */
export const helpCommands: readonly RunnableCommand[] = [help];
