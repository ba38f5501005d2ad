/**
 * Manual pages, generated from the command table and the settings, like the help. In the language of man(7).
 * @module
 */
import { groups, type OptionSpec } from "../../system/mod.ts";
import { type ConfigKey, gameKeys, topKeys } from "../../daemon/mod.ts";
import { version } from "../../protocol/mod.ts";
import type { Command } from "../command/command.ts";
import { commonOptions, connectionOptions } from "../command/global_options.ts";
import { usageLine } from "./help.ts";

/** Escapes text: `\`, `-` and quotes are special, and so are `.` and `'` at the beginning of a line. */
function plain(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq").replaceAll("`", "\\(ga")
    .replaceAll("~", "\\(ti").replaceAll("^", "\\(ha").replace(/^(?=[.'])/, "\\&").replaceAll("'", "\\(aq");
}

function heading(name: string, section: number): string {
  return `.TH ${name.toUpperCase().replaceAll("-", "\\-")} ${section} "" "pakfs ${plain(version)}" "pakfs"`;
}

function tagged(tag: string, text: string): string {
  return `.TP\n.B ${tag}\n${plain(text)}`;
}

function optionItem({ name, short, value, summary }: OptionSpec): string {
  const words = [...short === undefined ? [] : [`-${short}`], `--${name}`].map(plain).join(", ");
  return tagged(`${words}${value === undefined ? "" : ` ${plain(value)}`}`, `${capitalised(summary)}.`);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the part about one command, without headings. */
function commandBody({ summary, aliases, details = [], options, examples }: Command): string[] {
  return [
    plain(`${capitalised(summary)}.${aliases ? ` Also called ${aliases.join(", ")}.` : ""}`),
    ...details.flatMap((paragraph) => [".PP", plain(paragraph)]),
    ...options.map(optionItem),
    ...examples.flatMap((
      { line, does },
    ) => [".PP", `${plain(capitalised(does))}:`, ".PP", ".EX", `    ${plain(`pakfs ${line}`)}`, ".EE"]),
  ];
}

const exits = [
  "0: success",
  "1: failed or not found",
  "2: wrong usage",
  "3: a script stopped at an error",
  "4: no daemon",
  "130: interrupted",
  "141: the output was closed",
].map((line) => line.split(": ") as [string, string]);

const variables: readonly (readonly [name: string, text: string])[] = [
  ["PAKFS_SOCKET", "The daemon's socket."],
  ["PAKFS_CONFIG", "The configuration file."],
  ["PAKFS_INDEX_CACHE", "The directory of the index cache; off turns it off."],
  ["PAKFS_NO_INSTALL", "1: the launcher installs nothing, and prints the command that does."],
  ["NPM_CONFIG_REGISTRY", "Registry from which the first run fetches Deno and packages; default: .npmrc, else npm's."],
  ["DENO", "The Deno to use."],
  ["NO_COLOR, FORCE_COLOR", "Whether output is coloured."],
];

const files: readonly (readonly [name: string, text: string])[] = [
  ["~/.config/pakfs/config.toml", "The configuration; see pakfs\\-config(5)."],
  ["$XDG_RUNTIME_DIR/pakfs/pakfs.sock", "The daemon's socket."],
  ["~/.cache/pakfs/index", "Cached indexes."],
  ["~/.local/state/pakfs/pakfs.log", "The log of a daemon in the background."],
];

/** `pakfs(1)`: all commands. */
export function programPage(commands: readonly Command[]): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  return [
    heading("pakfs", 1),
    ".SH NAME",
    "pakfs \\- game archives as one ordinary folder, as the engine sees them",
    ".SH SYNOPSIS",
    ".B pakfs",
    "[options]",
    ".I COMMAND",
    "[arguments]",
    ".br",
    ".B pakfs",
    plain("[options] [repl] [-c CMD]... [-f FILE]"),
    ".SH DESCRIPTION",
    plain(
      "Indexes the packs and loose files of games and mods, works out which copy of a file each engine would load, " +
        "mounts the result read-only, and answers where a file comes from, what it hides and why. Commands ask a " +
        "daemon, which pakfs mount and pakfs daemon start, or with --source a temporary index.",
    ),
    ...groups.flatMap((group) => [
      `.SH ${group.toUpperCase()}`,
      ...shown.filter((command) => command.group === group).flatMap((command) => [
        `.SS pakfs ${plain(usageLine(command))}`,
        ...commandBody(command),
      ]),
    ]),
    ".SH OPTIONS OF EVERY COMMAND",
    ...commonOptions.map(optionItem),
    ".SH OPTIONS OF THE PROGRAM",
    ...connectionOptions.map(optionItem),
    ".SH EXIT STATUS",
    ...exits.map(([code, text]) => tagged(code, capitalised(text) + ".")),
    ".SH ENVIRONMENT",
    ...variables.map(([name, text]) => tagged(name, text)),
    ".SH FILES",
    ...files.map(([name, text]) => `.TP\n.B ${plain(name)}\n${text}`),
    ".SH SEE ALSO",
    ".BR pakfs\\-config (5),",
    ".BR fusermount3 (1)",
    "",
  ].join("\n");
}

/** `pakfs-COMMAND(1)`: one command. */
export function commandPage(command: Command): string {
  const name = `pakfs-${command.name.replaceAll(" ", "-")}`;
  return [
    heading(name, 1),
    ".SH NAME",
    `${plain(name)} \\- ${plain(command.summary)}`,
    ".SH SYNOPSIS",
    `.B ${plain(`pakfs ${usageLine(command)}`)}`,
    ".SH DESCRIPTION",
    ...commandBody(command),
    ...command.scope === "launcher" ? [] : [".SH OPTIONS OF EVERY COMMAND", ...commonOptions.map(optionItem)],
    ".SH SEE ALSO",
    ".BR pakfs (1)",
    "",
  ].join("\n");
}

function keyItem({ name, sentence, takes }: ConfigKey): string {
  return tagged(plain(name), `${sentence} Takes ${takes}.`);
}

/** `pakfs-config(5)`: the configuration. */
export function configPage(): string {
  return [
    heading("pakfs-config", 5),
    ".SH NAME",
    "pakfs\\-config \\- configuration of the pakfs daemon",
    ".SH SYNOPSIS",
    plain("~/.config/pakfs/config.toml"),
    ".SH DESCRIPTION",
    plain(
      "A TOML file that pakfs daemon serves. --config or PAKFS_CONFIG names another. Unknown keys are errors. pakfs " +
        "init writes one, pakfs config prints the one in effect. Relative paths are relative to the file, ~ is the home.",
    ),
    ".SH KEYS",
    ...topKeys.map(keyItem),
    ".SH KEYS OF [[game]]",
    ...gameKeys.map(keyItem),
    ".SH EXAMPLE",
    ".EX",
    ...['mount = "~/games"', "", "[[game]]", 'name = "quake"', 'sources = ["~/quake"]'].map(plain),
    ".EE",
    ".SH SEE ALSO",
    ".BR pakfs (1)",
    "",
  ].join("\n");
}
