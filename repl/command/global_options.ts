/**
 * Options of every command, and options that select the daemon or index.
 * @module
 */
import { nameOptions } from "../../daemon/mod.ts";
import type { OptionSpec, OptionValues } from "../../system/mod.ts";
import type { ColourChoice } from "../output/colour.ts";
import type { Preferences } from "../output/output.ts";
import { type Mode, modes } from "../output/row_format.ts";

/** Options of every command line, in a shell, the REPL and scripts. */
export const commonOptions: readonly OptionSpec[] = [
  { name: "view", value: "GAME/MOD[+MOD]", kind: "view", summary: "use this view" },
  { name: "json", summary: "one JSON object per line; errors too, on standard error" },
  {
    name: "mode",
    value: "MODE",
    choices: modes,
    summary: "output mode: table, line, json, jsonlines, csv, markdown",
  },
  { name: "color", value: "WHEN", choices: ["auto", "always", "never"], summary: "auto, always or never" },
  { name: "no-pager", summary: "do not page long output" },
  { name: "quiet", short: "q", summary: "suppress informational messages" },
  { name: "help", short: "h", summary: "show help" },
];

/** Options of the program: the daemon or index to use. */
export const connectionOptions: readonly OptionSpec[] = [
  {
    name: "socket",
    value: "PATH",
    kind: "file",
    summary: "the daemon's socket; default: $PAKFS_SOCKET, else its default path",
  },
  {
    name: "source",
    value: "DIR",
    kind: "file",
    repeatable: true,
    summary: "index this directory instead of using a daemon; may be repeated, the first wins",
  },
  { name: "profile", value: "PROFILE", kind: "profile", summary: "with --source: engine rules; default: detected" },
  { name: "game", value: "NAME", summary: "with --source: name of the game" },
  { name: "base", value: "NAME", summary: "with --source: base game directory; default: the profile's" },
  ...nameOptions.map((option) => ({ ...option, summary: `with --source: ${option.summary}` })),
  { name: "strict-engine", summary: "with --source: hide files beyond the engine's limits" },
  { name: "follow-symlinks", summary: "with --source: follow links that lead out of the directory" },
  { name: "no-index-cache", summary: "with --source: read all packs again, and do not cache the index" },
];

/** Options before any command. */
export const entryOptions: readonly OptionSpec[] = [
  ...commonOptions,
  ...connectionOptions,
  { name: "command", short: "c", value: "CMD", repeatable: true, summary: "run this command line" },
  { name: "file", short: "f", value: "FILE", kind: "file", summary: "run the command lines of a file" },
  { name: "batch", summary: "answer each command line of standard input as JSON, with its line number" },
  { name: "version", short: "V", summary: "print the version" },
];

/** Returns the output preferences in these options. */
export function preferencesFrom(options: OptionValues): Partial<Preferences> {
  const colour = options.value("color");
  const mode = options.flag("json") ? "jsonlines" : options.value("mode");
  return {
    ...(mode === undefined ? {} : { mode: mode as Mode }),
    ...(options.flag("quiet") ? { quiet: true } : {}),
    ...(colour === undefined ? {} : { colour: colour as ColourChoice }),
  };
}
