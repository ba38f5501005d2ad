/**
 * Help, made from the command table.
 * @module
 */
import { groups } from "../../command_line/command_description.ts";
import type { Command } from "../command/command.ts";
import type { HelpRow } from "../rows/json_rows.ts";
import { commonOptions, connectionOptions } from "../command/global_options.ts";
import type { OptionSpec } from "../../command_line/options.ts";
import type { Output } from "../output/output.ts";
import { Table, wrapped } from "../output/render.ts";

/** Words of the usage line of a command, without the program's name: `find [PATTERN...] [options]`. */
export function usageLine(command: Command): string {
  const parts = command.arguments.map(({ name, optional, repeated }) => {
    const shown = repeated ? `${name}...` : name;
    return optional ? `[${shown}]` : shown;
  });
  return [command.name, ...parts, ...(command.options.length > 0 ? ["[options]"] : [])].join(" ");
}

function spelled(option: OptionSpec): string {
  const short = option.short === undefined ? "    " : `-${option.short}, `;
  return `${short}--${option.name}${option.value === undefined ? "" : ` ${option.value}`}`;
}

function printOptions(output: Output, title: string, options: readonly OptionSpec[]): void {
  if (options.length === 0) return;
  output.line();
  output.line({ text: title, style: "heading" });
  const table = new Table(output, [{ title: "" }, { title: "" }]);
  for (const option of options) table.add(`  ${spelled(option)}`, option.summary);
  table.end();
}

function where(command: Command): string | undefined {
  if (command.scope === "session") return "For the REPL and scripts.";
  if (command.scope === "launcher") return "To be given in a shell, not in the REPL.";
  return undefined;
}

function helpRow(command: Command): HelpRow {
  const { name, aliases = [], group, summary, scope, options, details = [], examples } = command;
  const rows = command.scope === "launcher" ? [] : command.rows ?? [];
  return {
    name,
    aliases: [...aliases],
    group,
    scope,
    usage: usageLine(command),
    summary,
    rows: [...rows],
    options: [...options],
    details: [...details],
    examples: [...examples],
  };
}

/** Prints the help of one command. */
export function printCommandHelp(output: Output, command: Command): void {
  if (output.json) return output.row(helpRow(command));
  const paragraphs = [...(command.details ?? []), where(command)].filter((paragraph) => paragraph !== undefined);
  output.line({ text: "Usage: ", style: "heading" }, `pakfs ${usageLine(command)}`);
  output.line();
  output.line(`${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`);
  if (command.aliases) output.line(`Also called ${command.aliases.join(", ")}.`);
  for (const paragraph of paragraphs) {
    output.line();
    for (const line of wrapped(paragraph, Math.min(output.columns, 100))) output.line(line);
  }
  printOptions(output, "Options", command.options);
  if (command.scope !== "launcher") printOptions(output, "Options of every command", commonOptions);
  if (command.examples.length === 0) return;
  output.line();
  output.line({ text: "Examples", style: "heading" });
  const table = new Table(output, [{ title: "" }, { title: "" }]);
  for (const example of command.examples) table.add(`  ${example.line}`, { text: example.does, style: "dim" });
  table.end();
}

/** Prints the list of all commands. */
export function printOverview(output: Output, commands: readonly Command[]): void {
  if (output.json) return commands.forEach((command) => output.row(helpRow(command)));
  output.line({ text: "Usage: ", style: "heading" }, "pakfs [options] COMMAND [arguments]");
  output.line("       pakfs [options] [repl] [-c CMD]... [-f FILE]");
  for (const group of groups) {
    output.line();
    output.line({ text: group, style: "heading" });
    const table = new Table(output, [{ title: "" }, { title: "" }]);
    for (const command of commands) {
      if (command.group === group && !command.hidden) {
        table.add(`  ${usageLine(command).replace(" [options]", "")}`, command.summary);
      }
    }
    table.end();
  }
  printOptions(output, "Options of every command", commonOptions);
  printOptions(output, "Options of the program", [
    ...connectionOptions,
    { name: "version", summary: "print the version" },
  ]);
  output.line();
  output.line("Exit codes: 0 ok, 1 failed or not found, 2 usage, 3 script stopped at an error, 4 no daemon,");
  output.line("130 interrupted. help COMMAND tells more about a command.");
}
