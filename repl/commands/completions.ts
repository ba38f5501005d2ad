/**
 * Completion in shells: `completions`, which prints a script, and `complete`, which the script calls.
 * @module
 */
import { UsageError } from "../../system/mod.ts";
import { ask, command, inView } from "../command/command.ts";
import { localNames } from "../command/names.ts";
import { eachRow, oneRow } from "../output/results.ts";
import { askedKinds } from "../shell_completion/words.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completions = command({
  name: "completions",
  group: "Start",
  scope: "anywhere",
  rows: ["CompletionScriptRow"],
  summary: "print the completion script for a shell: bash, zsh or fish",
  arguments: [{ name: "SHELL", kind: "none" }],
  options: [],
  details: [
    "The script holds commands, options and their values; for views, packs and paths it asks the daemon, or the index of " +
    "--source on the same line. A comment in the script says where to save it.",
  ],
  examples: [
    { line: "completions bash > ~/.local/share/bash-completion/completions/pakfs", does: "for bash" },
    { line: "completions fish > ~/.config/fish/completions/pakfs.fish", does: "for fish" },
  ],
  async *run({ commands }, { words: [wanted] }) {
    const shell = shells.find((known) => known === wanted);
    if (shell === undefined) {
      throw new UsageError(`no completions for ${wanted}; choose one of ${shells.join(", ")}`);
    }
    const { fishCompletion } = await import("../shell_completion/fish.ts");
    const posix = await import("../shell_completion/posix.ts");
    const script = shell === "fish" ? fishCompletion(commands) : posix[`${shell}Completion`](commands);
    yield oneRow({ shell, script }, (page) => page.bytes(new TextEncoder().encode(script)));
  },
});

/** Maximum names of one completion. */
const maxMatches = 500;

/** Returns whether names of a kind are found without an index. */
function isLocal(kind: string): kind is "profile" | "mount" {
  return kind === "profile" || kind === "mount";
}

export const complete = command({
  name: "complete",
  hidden: true,
  group: "Start",
  scope: "anywhere",
  rows: ["MatchRow"],
  summary: "print the completions of a name, for completion scripts",
  arguments: [{ name: "KIND", kind: "none" }, { name: "PREFIX", kind: "none" }],
  options: [],
  examples: [],
  async *run(context, { words: [wanted, prefix = ""] }) {
    const kind = askedKinds.find((known) => known === wanted);
    if (kind === undefined) throw new UsageError(`unknown kind ${wanted}; choose one of ${askedKinds.join(", ")}`);
    const view = kind === "view" ? {} : inView(context);
    const matches = isLocal(kind)
      ? await localNames(kind, prefix)
      : (await ask(context, "complete", { ...view, kind, prefix, limit: maxMatches })).matches;
    yield eachRow(matches.map((match) => ({ match })), (page, { match }) => {
      // Completion is line-based, so names with a newline are omitted.
      if (!/[\n\r]/.test(match)) page.line(match);
    });
  },
});
