/**
 * How the REPL or a script prints, and running files: `.mode`, `.timer`, `.output`, `.read`.
 * @module
 */
import { UsageError } from "../../command_line/usage.ts";
import { command, type Context } from "../command/command.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { oneRow } from "../output/results.ts";
import { type Mode, modes } from "../output/row_format.ts";
import type { Sink } from "../output/sink.ts";
import { openScript, runScript } from "../shell/script.ts";

export const dotMode = command({
  name: ".mode",
  group: "Move about",
  scope: "session",
  rows: ["ModeRow"],
  summary: "set the output mode: table, line, json, jsonlines, csv or markdown",
  arguments: [{ name: "MODE", kind: "none", choices: modes, optional: true }],
  options: [],
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

export const dotTimer = command({
  name: ".timer",
  group: "Move about",
  scope: "session",
  summary: "turn timing on or off",
  arguments: [{ name: "on|off", kind: "none", choices: ["on", "off"] }],
  options: [],
  examples: [{ line: ".timer on", does: "seconds after every command, on standard error" }],
  run: ({ session }, { words }) => {
    session.timer = words[0] === "on";
  },
});

/** Opens a file for results. */
function fileSink(path: string): Sink {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { write: true, create: true, truncate: true });
  } catch (error) {
    throw new CommandError(`cannot write ${failureOf(error).message}`, { cause: error });
  }
  return {
    terminal: false,
    columns: () => 80,
    rows: () => 24,
    write: (bytes) => file.writeSync(bytes),
    close: () => file.close(),
  };
}

export const dotOutput = command({
  name: ".output",
  group: "Move about",
  scope: "session",
  summary: "send results to FILE; without FILE, back to the screen",
  arguments: [{ name: "FILE", kind: "file", optional: true }],
  options: [],
  examples: [
    { line: ".output maps.csv", does: "write the results of later commands to maps.csv" },
    { line: ".output", does: "back to the terminal" },
  ],
  run: (context, { words: [path] }) => context.output.redirect(path === undefined ? undefined : fileSink(path)),
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

export const dotRead = command({
  name: ".read",
  group: "Move about",
  scope: "session",
  summary: "run the command lines of a file",
  arguments: [{ name: "FILE", kind: "file" }],
  options: [],
  details: ["Stops at the first error. What it changes (view, directory, mode) stays changed."],
  examples: [{ line: ".read tour.pakfs", does: "same as -f tour.pakfs in a shell" }],
  run: (context, { words: [path = ""] }) => {
    if (path === "-") throw new UsageError(".read takes a file");
    return readFile(context, path);
  },
});
