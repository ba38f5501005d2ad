/**
 * Completion in shells: `completions`, which prints a script, and `complete`, which the script calls.
 * @module
 */
import { UsageError } from "../../command_line/usage.ts";
import { ask, inView, type RunnableCommand } from "../command/command.ts";
import { askedKinds } from "../shell_completion/words.ts";

const shells = ["bash", "zsh", "fish"] as const;

const completions: RunnableCommand = {
  name: "completions",
  group: "Start",
  scope: "anywhere",
  rows: ["CompletionScriptRow"],
  summary: "print the completion script for a shell: bash, zsh or fish",
  arguments: [{ name: "SHELL", kind: "none" }],
  options: [],
  details: [
    "Commands, options and their values are in the script; views, packs and paths are asked of the daemon, or of the " +
    "index that --source on the same line makes. The script says where to keep it.",
  ],
  examples: [
    { line: "completions bash > ~/.local/share/bash-completion/completions/pakfs", does: "for bash" },
    { line: "completions fish > ~/.config/fish/completions/pakfs.fish", does: "for fish" },
  ],
  run: async ({ output, commands }, { words }) => {
    const [wanted] = words;
    const shell = shells.find((known) => known === wanted);
    if (shell === undefined) {
      throw new UsageError(`there are completions for ${shells.join(", ")}, not for "${wanted}"`);
    }
    const script = shell === "fish"
      ? (await import("../shell_completion/fish.ts")).fishCompletion(commands)
      : (await import("../shell_completion/posix.ts"))[`${shell}Completion`](commands);
    if (output.json) output.row({ shell, script });
    else output.bytes(new TextEncoder().encode(script));
  },
};

/** Most names that are offered at once. */
const maxMatches = 500;

const complete: RunnableCommand = {
  name: "complete",
  hidden: true,
  group: "Start",
  scope: "anywhere",
  rows: ["MatchRow"],
  summary: "print what a beginning of a name could become; completion scripts call it",
  arguments: [{ name: "KIND", kind: "none" }, { name: "PREFIX", kind: "none" }],
  options: [],
  examples: [],
  run: async (context, { words }) => {
    const [wanted, prefix = ""] = words;
    const kind = askedKinds.find((known) => known === wanted);
    if (kind === undefined) {
      throw new UsageError(`complete knows ${askedKinds.join(", ")}, not "${wanted}"`);
    }
    const view = kind === "view" ? {} : inView(context);
    const { matches } = await ask(context, "complete", { ...view, kind, prefix, limit: maxMatches });
    for (const match of matches) {
      // A name with a line end in it cannot be offered in lines.
      if (context.output.json) context.output.row({ match });
      else if (!/[\n\r]/.test(match)) context.output.line(match);
    }
  },
};

/** Commands of this file. */
export const completionCommands: readonly RunnableCommand[] = [completions, complete];
