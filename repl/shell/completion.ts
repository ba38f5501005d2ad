/**
 * Completion with Tab: commands and options from the command table, names from the daemon, files from the disk.
 * @module
 */
import type { Caller } from "../../protocol/mod.ts";
import type { Command } from "../command/command.ts";
import { commonOptions } from "../command/global_options.ts";
import { isSql, quoteWord, splitPartial } from "./grammar.ts";
import { localNames } from "../command/names.ts";
import { findCommand } from "../command/lookup.ts";
import { type ArgumentKind, hostPath, type OptionSpec } from "../../system/mod.ts";
import { resolveQpath } from "../command/session.ts";
import { sqlTables } from "../../questions/mod.ts";

/** Collaborators of completion. */
export interface CompletionContext {
  readonly commands: readonly Command[];
  readonly session: Caller & { readonly view: string | undefined; readonly directory: string };
  readonly signal?: AbortSignal;
}

/** Completions of the end of a line. */
export interface Completion {
  /** Replacements for the line from {@linkcode Completion.start} on, quoted if necessary. */
  matches: string[];
  /** Offset of the word being completed, in UTF-16 units. */
  start: number;
}

/** Maximum names of one completion. */
const maxMatches = 500;

/** Kind of the word at the cursor. */
interface Target {
  kind: ArgumentKind | "option" | "choice";
  /** Choices, for options and enumerated values. */
  words?: readonly string[];
  /** Text before the completed part: `--view=`. */
  lead: string;
  prefix: string;
}

function optionTarget(option: OptionSpec, lead: string, prefix: string): Target {
  if (option.choices) return { kind: "choice", words: option.choices, lead, prefix };
  return { kind: option.kind ?? "none", lead, prefix };
}

/** Returns the option of `word`, if its value is the next word. */
function waitingOption(word: string | undefined, options: readonly OptionSpec[]): OptionSpec | undefined {
  if (word === undefined || !word.startsWith("-") || word.includes("=")) return undefined;
  const option = word.startsWith("--")
    ? options.find(({ name }) => `--${name}` === word)
    : options.find(({ short }) => short !== undefined && word.endsWith(short));
  return option?.value === undefined ? undefined : option;
}

/** Returns the words that are neither options nor their values. */
export function argumentsAmong(words: readonly string[], options: readonly OptionSpec[]): string[] {
  return words.filter((word, index) => !word.startsWith("-") && !waitingOption(words[index - 1], options));
}

function commandWords(commands: readonly Command[], before: readonly string[]): string[] {
  const lead = before.map((word) => `${word} `).join("");
  const names = commands.filter(({ scope, hidden }) => scope !== "launcher" && !hidden).flatMap((
    { name, aliases = [] },
  ) => [name, ...aliases]);
  const next = names.filter((name) => name.startsWith(lead)).map((name) => name.slice(lead.length).split(" ")[0] ?? "");
  return [...new Set(next)].sort();
}

function targetOf(commands: readonly Command[], words: readonly string[], last: string): Target {
  const isCommand = words.length === 0 || (words.length === 1 && !findCommand(commands, words));
  if (isCommand) return { kind: "command", words: commandWords(commands, words), lead: "", prefix: last };
  const found = findCommand(commands, words);
  if (!found) return { kind: "none", lead: "", prefix: last };
  const { command, rest } = found;
  const options = [...command.options, ...commonOptions];
  const waiting = waitingOption(rest.at(-1), options);
  if (waiting) return optionTarget(waiting, "", last);
  const assigned = /^--([^=]+)=(.*)$/s.exec(last);
  if (assigned) {
    const option = options.find(({ name }) => name === assigned[1]);
    if (option) return optionTarget(option, `--${option.name}=`, assigned[2] ?? "");
  }
  if (last.startsWith("-")) {
    return { kind: "option", words: options.map(({ name }) => `--${name}`), lead: "", prefix: last };
  }
  const given = argumentsAmong(rest, options);
  const argument = command.arguments[given.length] ?? command.arguments.find(({ repeated }) => repeated);
  if (argument?.kind === "command") {
    return { kind: "command", words: commandWords(commands, given), lead: "", prefix: last };
  }
  if (argument?.choices) return { kind: "choice", words: argument.choices, lead: "", prefix: last };
  return { kind: argument?.kind ?? "none", lead: "", prefix: last };
}

/** Completes a qpath as typed: `../gfx/p` becomes `../gfx/palette.lmp`. */
async function completeQpath({ session, signal }: CompletionContext, typed: string): Promise<string[]> {
  const cut = typed.lastIndexOf("/") + 1;
  const directory = resolveQpath(session.directory, typed.slice(0, cut));
  const depth = directory === "" ? 0 : directory.split("/").length;
  const prefix = (directory === "" ? "" : `${directory}/`) + typed.slice(cut);
  const { matches } = await session.call("complete", {
    kind: "qpath",
    prefix,
    limit: maxMatches,
    ...(session.view === undefined ? {} : { view: session.view }),
  }, signal ? { signal } : {});
  return matches.map((match) => typed.slice(0, cut) + match.split("/").slice(depth).join("/"));
}

async function completeName(
  context: CompletionContext,
  kind: "view" | "pack" | "source" | "shader",
  prefix: string,
): Promise<string[]> {
  const { session, signal } = context;
  const view = kind !== "view" && session.view !== undefined ? { view: session.view } : {};
  const params = { ...view, kind, prefix, limit: maxMatches };
  return (await session.call("complete", params, signal ? { signal } : {})).matches;
}

async function completeFile(typed: string): Promise<string[]> {
  if (typed === "~") return ["~/"];
  const cut = typed.lastIndexOf("/") + 1;
  const directory = typed.slice(0, cut);
  const start = typed.slice(cut);
  const matches: string[] = [];
  for await (const entry of Deno.readDir(directory === "" ? "." : hostPath(directory))) {
    if (!entry.name.startsWith(start) || (start === "" && entry.name.startsWith("."))) continue;
    matches.push(directory + entry.name + (entry.isDirectory ? "/" : ""));
    if (matches.length === maxMatches) break;
  }
  return matches.sort();
}

function candidates(context: CompletionContext, { kind, words = [], prefix }: Target): Promise<string[]> | string[] {
  if (kind === "qpath") return completeQpath(context, prefix);
  if (kind === "view" || kind === "pack" || kind === "source" || kind === "shader") {
    return completeName(context, kind, prefix);
  }
  if (kind === "profile" || kind === "mount") return localNames(kind, prefix);
  if (kind === "file") return completeFile(prefix);
  return words.filter((word) => word.startsWith(prefix));
}

/** Completes a word of SQL to tables and columns; after `TABLE.` to columns of that table. */
function completeSql(line: string): Completion {
  const [, table, typed = ""] = /(?:(\w+)\.)?(\w*)$/.exec(line) ?? [];
  const tables = table === undefined ? sqlTables : sqlTables.filter(({ name }) => name === table);
  const columns = tables.flatMap((known) => known.columns.map(({ name }) => name));
  const names = table === undefined ? [...sqlTables.map(({ name }) => name), ...columns] : columns;
  const matches = [...new Set(names)].filter((name) => name.startsWith(typed.toLowerCase())).sort();
  return { matches: typed === "" && table === undefined ? [] : matches, start: line.length - typed.length };
}

/**
 * Returns the completions of the end of `line`. A single match ends with a space, unless it is a directory.
 * @throws {RpcError} and connection errors, when the daemon is needed and does not reply.
 */
export async function complete(line: string, context: CompletionContext): Promise<Completion> {
  if (isSql(line)) return completeSql(line);
  const { words, last, start, quote, isOfShell } = splitPartial(line);
  const target: Target = isOfShell ? { kind: "file", lead: "", prefix: last } : targetOf(context.commands, words, last);
  const found = await candidates(context, target);
  const matches = found.map((match) => {
    const isDirectory = match.endsWith("/") && (target.kind === "qpath" || target.kind === "file");
    const word = quoteWord(target.lead + match, quote);
    const open = isDirectory && /["']$/.test(word) ? word.slice(0, -1) : word;
    return found.length === 1 && !isDirectory ? `${open} ` : open;
  });
  return { matches, start };
}
