/**
 * A walk through the demo installation: `tour`. The launcher runs it after `demo`.
 * @module
 */
import { join } from "node:path";
import { demoHighlights } from "../../demo/highlights.ts";
import { ask, type Context, type RunnableCommand } from "../command/command.ts";
import { prepare, run } from "../shell/execute.ts";
import { exitCodes } from "../../command_line/usage.ts";
import { CommandError } from "../output/failure.ts";

/** Lines of another program's output that are shown. */
const maxLines = 12;

function heading({ output }: Context, text: string, shown: string): void {
  if (output.json) return output.row({ shows: text, command: shown });
  output.line();
  output.line({ text, style: "heading" });
  output.line({ text: `$ ${shown}`, style: "dim" });
}

/** Runs another program on the mount, as a user would in a shell. */
async function showProgram(context: Context, text: string, program: string, args: readonly string[]): Promise<void> {
  const command = [program, ...args].join(" ");
  if (!context.output.json) heading(context, text, command);
  const { stdout, stderr, success } = await new Deno.Command(program, { args: [...args], stdin: "null" }).output();
  if (!success) throw new CommandError(`${program} failed: ${new TextDecoder().decode(stderr).trim()}`);
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  if (context.output.json) return context.output.row({ shows: text, command, lines });
  for (const line of lines.slice(0, maxLines)) context.output.line(line);
  if (lines.length > maxLines) context.output.line({ text: `... ${lines.length - maxLines} more`, style: "dim" });
}

/** Runs a command of pakfs. */
async function showCommand(context: Context, text: string, words: readonly string[]): Promise<void> {
  heading(context, text, ["pakfs", ...words].join(" "));
  const { commands, session, output, signal } = context;
  const code = await run(prepare(words, commands, []), { commands, session, output, signal, remembers: false });
  if (code !== exitCodes.ok) throw new CommandError(`"${words.join(" ")}" failed`);
}

async function takeTour(context: Context): Promise<void> {
  const { mount, games, packs, files } = await ask(context, "status", {});
  if (mount === null) throw new CommandError("the daemon has nothing mounted that the tour could walk through");
  const { contested, contestedPk3, word } = demoHighlights;
  const view = `${contested.game}/${contested.mod}`;
  if (!context.output.json) {
    context.output.line(`${games} games, ${packs} packs and ${files} files are mounted at ${mount}.`);
  }
  await showProgram(context, "Every game and mod is an ordinary folder:", "ls", [
    join(mount, contested.game),
    join(mount, view),
  ]);
  await showProgram(context, "Any program can read it, through all packs at once:", "grep", [
    "-rl",
    word,
    join(mount, view),
  ]);
  await showCommand(context, "Where does this file come from, and why not from elsewhere?", [
    "which",
    contested.qpath,
    "--view",
    view,
  ]);
  await showCommand(context, "Each engine has its own rules:", [
    "which",
    contestedPk3.qpath,
    "--view",
    `${contestedPk3.game}/${contestedPk3.mod}`,
  ]);
  await showCommand(context, "Find files by name, size or pack:", ["find", "*.wav", "--view", view, "--limit", "5"]);
  if (context.output.json) return;
  context.output.line();
  context.output.line(
    `It stays mounted. Look around with any program, or with pakfs; "pakfs help" lists what it can do.`,
  );
  context.output.line(`To end it: pakfs unmount ${mount}`);
}

/** Commands of this file. */
export const tourCommands: readonly RunnableCommand[] = [{
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
}];
