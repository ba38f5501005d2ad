/**
 * A walk through the demo installation: `tour`. The launcher runs it after `demo`.
 * @module
 */
import { join } from "@std/path";
import { demoHighlights } from "../../demo/highlights.ts";
import { ask, command, type Context, type Results } from "../command/command.ts";
import { prepare, run } from "../shell/execute.ts";
import { exitCodes } from "../../command_line/usage.ts";
import { CommandError } from "../output/failure.ts";
import type { Page } from "../output/page.ts";
import { oneRow, textOnly } from "../output/results.ts";
import type { TourRow } from "../rows/client_rows.ts";

/** Lines of another program's output that are shown. */
const maxLines = 12;

function printHeading(page: Page, shows: string, shown: string): void {
  page.line();
  page.line({ text: shows, style: "heading" });
  page.line({ text: `$ ${shown}`, style: "dim" });
}

/** Runs another program on the mount, as a user would in a shell. */
async function* showProgram(shows: string, program: string, args: readonly string[]): Results<TourRow> {
  const line = [program, ...args].join(" ");
  yield textOnly((page) => printHeading(page, shows, line));
  const { stdout, stderr, success } = await new Deno.Command(program, { args: [...args], stdin: "null" }).output();
  if (!success) throw new CommandError(`${program} failed: ${new TextDecoder().decode(stderr).trim()}`);
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  yield oneRow({ shows, command: line, lines }, (page) => {
    for (const printed of lines.slice(0, maxLines)) page.line(printed);
    if (lines.length > maxLines) page.line({ text: `... ${lines.length - maxLines} more`, style: "dim" });
  });
}

/** Runs a command of pakfs. */
async function* showCommand(context: Context, shows: string, words: readonly string[]): Results<TourRow> {
  const line = ["pakfs", ...words].join(" ");
  yield oneRow({ shows, command: line }, (page) => printHeading(page, shows, line));
  const { commands, session, output, signal } = context;
  const code = await run(prepare(words, commands, []), { commands, session, output, signal, remembers: false });
  if (code !== exitCodes.ok) throw new CommandError(`"${words.join(" ")}" failed`);
}

async function* takeTour(context: Context): Results<TourRow> {
  const { mount, games, packs, files } = await ask(context, "status", {});
  if (mount === null) throw new CommandError("the tour needs a mount: start pakfs demo");
  const { contested, contestedPk3, word } = demoHighlights;
  const view = `${contested.game}/${contested.mod}`;
  yield textOnly((page) => page.line(`${games} games, ${packs} packs and ${files} files are mounted at ${mount}.`));
  yield* showProgram("Every game and mod is an ordinary folder:", "ls", [
    join(mount, contested.game),
    join(mount, view),
  ]);
  yield* showProgram("Any program can read it, through all packs at once:", "grep", ["-rl", word, join(mount, view)]);
  yield* showCommand(context, "Where does this file come from, and why not from elsewhere?", [
    "which",
    contested.qpath,
    "--view",
    view,
  ]);
  yield* showCommand(context, "Each engine has its own rules:", [
    "which",
    contestedPk3.qpath,
    "--view",
    `${contestedPk3.game}/${contestedPk3.mod}`,
  ]);
  yield* showCommand(context, "Find files by name, size or pack:", ["find", "*.wav", "--view", view, "--limit", "5"]);
  yield textOnly((page) => {
    page.line();
    page.line(`It stays mounted. Look around with any program, or with pakfs; "pakfs help" lists what it can do.`);
    page.line(`To end it: pakfs unmount ${mount}`);
  });
}

export const tour = command({
  name: "tour",
  group: "Start",
  scope: "anywhere",
  live: true,
  rows: ["TourRow"],
  summary: "walk through the demo installation",
  arguments: [],
  options: [],
  details: ["Shows what can be done with the installation that demo has mounted."],
  examples: [{ line: "tour", does: "what demo shows after mounting" }],
  run: takeTour,
});
