/**
 * Commands that move through views and directories: `use`, `cd`, `pwd`, `exit`.
 * @module
 */
import { ask, command, type Context } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { oneRow } from "../output/results.ts";
import { resolveQpath } from "../command/session.ts";

/** @throws {CommandError} before the first `use` or `cd`. */
function previousOf({ session }: Context): { readonly view: string | undefined; readonly directory: string } {
  if (session.previous) return session.previous;
  throw new CommandError("no earlier view or directory to go back to");
}

export const use = command({
  name: "use",
  group: "Move about",
  scope: "session",
  rows: ["UseRow"],
  summary: "switch to a view",
  arguments: [{ name: "VIEW", kind: "view" }],
  options: [],
  details: [
    "VIEW may also be the name of a game, for its base view, or of a game directory that only one game has.",
    "GAME/A+B stacks game directories, the last searched first; mission packs stay below mods.",
    "use - returns to the previous view.",
  ],
  examples: [
    { line: "use quake/hipnotic", does: "later commands use this view" },
    { line: "use quake/hipnotic+mymod", does: "mymod over hipnotic over id1" },
  ],
  async *run(context, { words: [typed = ""] }) {
    const wanted = typed === "-" ? previousOf(context).view : typed;
    const { rows } = await ask(context, "path", { ...wanted === undefined ? {} : { view: wanted }, limit: 1 });
    const view = rows[0]?.view ?? wanted ?? "";
    context.session.switchTo(view, "");
    yield oneRow({ view });
  },
});

export const cd = command({
  name: "cd",
  group: "Move about",
  scope: "session",
  rows: ["DirectoryChangeRow"],
  summary: "switch to a directory; without PATH, the root of the view",
  arguments: [{ name: "PATH", kind: "qpath", optional: true }],
  options: [],
  examples: [
    { line: "cd maps", does: "later names are relative to maps" },
    { line: "cd ..", does: "the directory above" },
    { line: "cd -", does: "the previous directory, in its view" },
  ],
  async *run(context, { words: [typed = "/"] }) {
    const { session } = context;
    const goesBack = typed === "-";
    const view = goesBack ? previousOf(context).view : context.view;
    const qpath = goesBack ? previousOf(context).directory : resolveQpath(context.directory, typed);
    let directory = "";
    if (qpath !== "") {
      const row = await ask(context, "stat", { ...view === undefined ? {} : { view }, qpath });
      if (row.type !== "directory") throw new CommandError(`${row.qpath}: not a directory`);
      directory = row.qpath;
    }
    session.switchTo(goesBack ? view : session.view, directory);
    yield oneRow({ directory });
  },
});

export const pwd = command({
  name: "pwd",
  group: "Move about",
  scope: "anywhere",
  rows: ["PlaceRow"],
  summary: "print the current view and directory",
  arguments: [],
  options: [],
  examples: [{ line: "pwd", does: "for example quake/hipnotic:/maps" }],
  async *run(context) {
    const { directory } = context;
    const view = context.view ?? (await ask(context, "path", { limit: 1 })).rows[0]?.view ?? "";
    yield oneRow({ view, directory }, (page) => page.line(`${view}:/${directory}`));
  },
});

export const exit = command({
  name: "exit",
  aliases: ["quit", "q"],
  group: "Move about",
  scope: "session",
  summary: "leave the REPL or end the script",
  arguments: [],
  options: [],
  examples: [{ line: "exit", does: "same as Ctrl-D" }],
  run: ({ session }) => {
    session.ended = true;
  },
});
