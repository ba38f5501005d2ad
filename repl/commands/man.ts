/**
 * `man`: manual pages.
 * @module
 */
import type { RunnableCommand } from "../command/command.ts";
import { findCommand, unknownCommand } from "../command/lookup.ts";

const man: RunnableCommand = {
  name: "man",
  group: "Start",
  scope: "anywhere",
  rows: ["ManualPageRow"],
  summary: "print the manual page of pakfs, of one command, or of the configuration (config-file), for man",
  arguments: [{ name: "COMMAND", kind: "command", optional: true, repeated: true }],
  options: [],
  examples: [
    { line: "man find | man -l -", does: "read the page of find" },
    { line: "man > ~/.local/share/man/man1/pakfs.1", does: "so that man pakfs finds it" },
  ],
  run: async ({ output, commands }, { words }) => {
    const { commandPage, configPage, programPage } = await import("../help/man_page.ts");
    const page = () => {
      if (words.length === 0) return programPage(commands);
      if (words.join(" ") === "config-file") return configPage();
      const found = findCommand(commands, words);
      if (!found || found.command.hidden) throw unknownCommand(commands, words);
      return commandPage(found.command);
    };
    const text = page();
    if (output.json) output.row({ page: text });
    else output.bytes(new TextEncoder().encode(text));
  },
};

/** Commands of this file. */
export const manCommands: readonly RunnableCommand[] = [man];
