/**
 * Help, generated from the command table.
 * @module
 */
import { groups, type OptionSpec } from "../../system/mod.ts";
import type { Command } from "../command/command.ts";
import { commonOptions, connectionOptions } from "../command/global_options.ts";
import { continuedCommand, wrapped } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { eachRow, oneRow, type Result } from "../output/results.ts";
import type { HelpRow } from "../rows/client_rows.ts";

/** Returns the usage of a command without the program's name: `find [PATTERN...] [options]`. */
export function usageLine(command: Command): string {
  return usageWords(command).join(" ");
}

/** Returns the words of the usage: the command's name, its arguments, and `[options]` if allowed. */
export function usageWords(command: Pick<Command, "name" | "arguments" | "options" | "endsOptions">): string[] {
  const parts = command.arguments.map(({ name, optional, repeated }) => {
    const shown = repeated ? `${name}...` : name;
    return optional ? `[${shown}]` : shown;
  });
  const options = command.options.length > 0 ? ["[options]"] : [];
  return command.endsOptions ? [command.name, ...options, ...parts] : [command.name, ...parts, ...options];
}

function spelled(option: OptionSpec): string {
  const short = option.short === undefined ? "    " : `-${option.short}, `;
  return `${short}--${option.name}${option.value === undefined ? "" : ` ${option.value}`}`;
}

function printOptions(page: Page, title: string, options: readonly OptionSpec[]): void {
  if (options.length === 0) return;
  page.line();
  page.line({ text: title, style: "heading" });
  page.cells(options.map((option) => [`  ${spelled(option)}`, option.summary]));
}

function scopeSentence(command: Command): string | undefined {
  if (command.scope === "session") return "REPL and scripts only.";
  if (command.scope === "launcher") return "Shell only.";
  return undefined;
}

/** Returns whether a command queries a view: commands for archives, daemons and machines do not. */
function usesView({ group, name }: Command): boolean {
  return !["Archives", "Daemon", "Start"].includes(group) || name === "watch";
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

/** Width beyond which paragraphs are hard to read. */
const maxParagraph = 100;

function printCommand(page: Page, command: Command): void {
  const { aliases, details = [], examples, options, scope, summary } = command;
  const paragraphs = [...details, scopeSentence(command)].filter((paragraph) => paragraph !== undefined);
  page.line({ text: "Usage: ", style: "heading" }, `${scope === "session" ? "" : "pakfs "}${usageLine(command)}`);
  page.line();
  printParagraph(page, `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  if (aliases) page.line(`Also called ${aliases.join(", ")}.`);
  for (const paragraph of paragraphs) {
    page.line();
    printParagraph(page, paragraph);
  }
  printOptions(page, "Options", options);
  const common = usesView(command) ? commonOptions : commonOptions.filter(({ name }) => name !== "view");
  if (scope !== "launcher") printOptions(page, "Options of every command", common);
  if (examples.length === 0) return;
  page.line();
  page.line({ text: "Examples", style: "heading" });
  printExamples(page, examples);
}

function printParagraph(page: Page, paragraph: string): void {
  for (const line of wrapped(paragraph, Math.min(page.screen.columns, maxParagraph))) page.line(line);
}

/** Minimum width of explanations next to their examples. */
const minExplanation = 24;

/**
 * Prints examples side by side with their explanations; an example that does not fit is printed above its explanation,
 * with shell line continuations.
 */
function printExamples(page: Page, examples: Command["examples"]): void {
  const { columns, terminal } = page.screen;
  const width = examples.reduce((max, { line }) => Math.max(max, line.length), 0);
  if (!terminal || width + minExplanation + 4 <= columns) {
    return page.cells(examples.map(({ line, does }) => [`  ${line}`, { text: does, style: "dim" }]));
  }
  for (const { line, does } of examples) {
    for (const part of continuedCommand(line, columns - 2)) page.line(`  ${part}`);
    for (const line of wrapped(does, columns - 6)) page.line("      ", { text: line, style: "dim" });
  }
}

/** Returns the help of one command. */
export function commandHelp(command: Command): Result<HelpRow> {
  return oneRow(() => helpRow(command), (page) => printCommand(page, command));
}

function printOverview(page: Page, commands: readonly Command[]): void {
  page.line({ text: "Usage: ", style: "heading" }, "pakfs [options] COMMAND [arguments]");
  page.line("       pakfs [options] [repl] [-c CMD]... [-f FILE]");
  for (const group of groups) {
    page.line();
    page.line({ text: group, style: "heading" });
    const shown = commands.filter((command) => command.group === group && !command.hidden);
    page.cells(shown.map((command) => [`  ${usageLine(command).replace(" [options]", "")}`, command.summary]));
  }
  printOptions(page, "Options of every command", commonOptions);
  printOptions(page, "Options of the program", [
    ...connectionOptions,
    { name: "version", summary: "print the version" },
  ]);
  page.line();
  page.line(
    "Exit codes: 0 ok, 1 failed or not found, 2 usage, 3 script stopped at an error, 4 no daemon, 130 interrupted.",
  );
  page.line("help COMMAND explains a command.");
}

/** Returns the list of all commands. */
export function overview(commands: readonly Command[]): Result<HelpRow> {
  return eachRow(commands.map(helpRow), () => {}, (page) => printOverview(page, commands));
}
