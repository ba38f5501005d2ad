/**
 * `help` and manual pages: `help`, `man`.
 * @module
 */
import { command } from "../command/command.ts";
import { findCommand, unknownCommand } from "../command/lookup.ts";
import { commandHelp, overview } from "../help/help.ts";
import { oneRow, textOnly } from "../output/results.ts";
import { version } from "../../protocol/mod.ts";

export const help = command({
  name: "help",
  group: "Move about",
  scope: "anywhere",
  rows: ["HelpRow"],
  summary: "list commands, or explain one",
  arguments: [{ name: "COMMAND", kind: "command", optional: true, repeated: true }],
  options: [],
  examples: [{ line: "help find", does: "usage, options and examples of find" }],
  async *run({ commands }, { words }) {
    if (words.length === 0) {
      yield overview(commands);
      return;
    }
    const found = findCommand(commands, words);
    const family = found ? [found.command] : commands.filter(({ name }) => name.startsWith(`${words[0]} `));
    if (family.length === 0) throw unknownCommand(commands, words);
    for (const [index, one] of family.entries()) {
      if (index > 0) yield textOnly((page) => page.line());
      yield commandHelp(one);
    }
  },
});

export const showVersion = command({
  name: "version",
  group: "Move about",
  scope: "anywhere",
  rows: ["VersionRow"],
  summary: "print the version of pakfs",
  arguments: [],
  options: [],
  examples: [{ line: "version", does: "same as pakfs --version in a shell" }],
  async *run() {
    yield oneRow({ version }, (page) => page.line(`pakfs ${version}`));
  },
});

export const man = command({
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
  async *run({ commands }, { words }) {
    const { commandPage, configPage, programPage } = await import("../help/man_page.ts");
    const pageText = () => {
      if (words.length === 0) return programPage(commands);
      if (words.join(" ") === "config-file") return configPage();
      const found = findCommand(commands, words);
      if (!found || found.command.hidden) throw unknownCommand(commands, words);
      return commandPage(found.command);
    };
    const manualPage = pageText();
    yield oneRow({ page: manualPage }, (page) => page.bytes(new TextEncoder().encode(manualPage)));
  },
});
