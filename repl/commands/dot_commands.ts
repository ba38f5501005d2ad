/**
 * Commands for output, script files and the shell: `.mode`, `.width`, `.timer`, `.pager`, `.output`, `.once`, `.show`,
 * `.read`, `.shell`, `clear`.
 * @module
 */
import { quoted, UsageError } from "../../system/mod.ts";
import { command, type Context, firstWord, type RunnableCommand } from "../command/command.ts";
import type { RowName } from "../rows/row_types.ts";
import { CommandError } from "../output/failure.ts";
import { FileSink } from "../output/file_sink.ts";
import { oneRow, textOnly } from "../output/results.ts";
import { type Mode, modes } from "../output/row_format.ts";
import { runInShell } from "../output/shell_pipe.ts";
import { openScript, runScript } from "../shell/script.ts";

/** Limits of `.width`, in columns. */
const minWidth = 20;
const maxWidth = 1000;

/** Returns a command without options that works only in the REPL and in scripts. */
function ofSession<Name extends RowName = never>(
  own: Omit<RunnableCommand<Name>, "group" | "scope" | "options">,
): RunnableCommand<Name> {
  return command<Name>({ ...own, group: "Move about", scope: "session", options: [] });
}

export const dotMode = ofSession({
  name: ".mode",
  rows: ["ModeRow"],
  summary: "set the output mode: table, line, json, jsonlines, csv or markdown",
  arguments: [{ name: "MODE", kind: "none", choices: modes, optional: true }],
  details: [
    "table is for people and differs by command; the others write every row in full. json is one array per command, " +
    "jsonlines one object per line, as with --json. Without MODE, prints the current mode.",
  ],
  examples: [{ line: ".mode csv", does: "rows as comma-separated values" }],
  async *run({ session }, { words: [wanted] }) {
    if (wanted !== undefined) {
      session.mode = wanted as Mode;
      return;
    }
    const current = session.mode ?? "table";
    yield oneRow({ mode: current }, (page) => page.line(current));
  },
});

export const dotTimer = ofSession({
  name: ".timer",
  summary: "turn timing on or off",
  arguments: [{ name: "on|off", kind: "none", choices: ["on", "off"] }],
  examples: [{ line: ".timer on", does: "seconds after every command, on standard error" }],
  run: ({ session }, { words }) => {
    session.timer = words[0] === "on";
  },
});

export const dotOutput = ofSession({
  name: ".output",
  summary: "send results to FILE; without FILE, back to the screen",
  arguments: [{ name: "FILE", kind: "file", optional: true }],
  examples: [
    { line: ".output maps.csv", does: "write the results of later commands to maps.csv" },
    { line: ".output", does: "back to the terminal" },
  ],
  run: ({ output, session }, { words: [path] }) => {
    output.redirect(path === undefined ? undefined : new FileSink(path));
    session.outputFile = path;
  },
});

export const dotOnce = ofSession({
  name: ".once",
  summary: "send the results of the next command to FILE",
  arguments: [{ name: "FILE", kind: "file" }],
  examples: [{ line: ".once maps.csv", does: "only the next command writes to maps.csv" }],
  run: ({ session }, { words }) => {
    session.once = firstWord(words);
  },
});

export const dotPager = ofSession({
  name: ".pager",
  endsOptions: true,
  summary: "turn the pager on or off, or choose another program",
  arguments: [{ name: "on|off|CMD", kind: "none", repeated: true }],
  examples: [
    { line: ".pager off", does: "long output scrolls past" },
    { line: ".pager less -S", does: "long lines are not wrapped" },
  ],
  run: ({ session }, { words }) => {
    const wanted = words.join(" ");
    session.pager = wanted === "on" ? undefined : wanted;
  },
});

export const dotWidth = ofSession({
  name: ".width",
  summary: "set the width of tables; auto is the terminal's",
  arguments: [{ name: "COLUMNS|auto", kind: "none" }],
  examples: [{ line: ".width 120", does: "tables use 120 columns" }],
  run: ({ session }, { words }) => {
    const wanted = firstWord(words);
    const columns = /^\d+$/.test(wanted) ? Number(wanted) : 0;
    if (wanted !== "auto" && (columns < minWidth || columns > maxWidth)) {
      throw new UsageError(`.width takes ${minWidth} to ${maxWidth} columns, or auto, not ${quoted(wanted)}`);
    }
    session.width = wanted === "auto" ? undefined : columns;
  },
});

export const dotShow = ofSession({
  name: ".show",
  rows: ["SettingsRow"],
  summary: "print the current settings",
  arguments: [],
  examples: [{ line: ".show", does: "view, directory, mode, width, pager, timer and output" }],
  async *run({ session, output }) {
    const settings = {
      view: session.view ?? "",
      directory: session.directory,
      mode: session.mode ?? "table",
      width: output.columns,
      pager: session.pager ?? "on",
      timer: session.timer,
      output: session.outputFile ?? null,
    };
    yield oneRow(settings, (page) => {
      page.fields([
        ["view", settings.view],
        ["directory", `/${settings.directory}`],
        ["mode", settings.mode],
        ["width", `${settings.width}${session.width === undefined ? " (auto)" : ""}`],
        ["pager", settings.pager],
        ["timer", settings.timer ? "on" : "off"],
        ["output", settings.output ?? "the screen"],
      ]);
    });
  },
});

export const dotShell = ofSession({
  name: ".shell",
  live: true,
  endsOptions: true,
  summary: "run a shell command; !CMD is short for it",
  arguments: [{ name: "CMD", kind: "file", repeated: true }],
  details: ["With !, the rest of the line goes to the shell unchanged. The exit code is CMD's."],
  examples: [{ line: "!ls -l ~/mnt", does: "list the mount with ls" }],
  run: ({ output, terminal, signal }, { words }) => {
    output.flush();
    return runInShell(words.join(" "), { terminal, signal });
  },
});

export const clear = ofSession({
  name: "clear",
  aliases: ["cls"],
  live: true,
  summary: "clear the screen",
  arguments: [],
  examples: [{ line: "clear", does: "same as Ctrl-L" }],
  async *run({ output }) {
    const home = "\x1b[H\x1b[2J\x1b[3J";
    if (output.terminal) yield textOnly((page) => page.bytes(new TextEncoder().encode(home)));
  },
});

/** Maximum depth of `.read` inside `.read`. */
const maxDepth = 16;

async function readFile(context: Context, path: string): Promise<number> {
  const { session } = context;
  if (session.reading >= maxDepth) {
    throw new CommandError(`${path}: scripts read each other more than ${maxDepth} deep`);
  }
  session.reading++;
  try {
    return await runScript(await openScript(path), { ...context, remembers: true });
  } finally {
    session.reading--;
  }
}

export const dotRead = ofSession({
  name: ".read",
  summary: "run the command lines of a file",
  arguments: [{ name: "FILE", kind: "file" }],
  details: ["Stops at the first error. Changes of view, directory and mode persist."],
  examples: [{ line: ".read tour.pakfs", does: "same as -f tour.pakfs in a shell" }],
  run: (context, { words: [path = ""] }) => {
    if (path === "-") throw new UsageError(".read takes a file");
    return readFile(context, path);
  },
});
