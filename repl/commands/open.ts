/**
 * Command that leads from a view to the mount: `open`.
 * @module
 */
import { join } from "@std/path";
import { ask, command, type Context, firstWord, inView } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { oneRow } from "../output/results.ts";
import { runInShell } from "../output/shell_pipe.ts";
import type { OpenRow } from "../rows/client_rows.ts";
import { resolveQpath } from "../command/session.ts";

async function rowOnMount(context: Context, qpath: string): Promise<OpenRow> {
  const [row, { mounts }] = await Promise.all([
    ask(context, "stat", { ...inView(context), qpath }),
    ask(context, "status", {}),
  ]);
  const [game = ""] = row.view.split("/");
  const shown = mounts.find(({ rootView, games }) => rootView === null ? games.includes(game) : rootView === row.view);
  if (shown) {
    const { mount, rootView } = shown;
    return { qpath: row.qpath, view: row.view, path: join(mount, rootView === null ? row.view : "", row.qpath) };
  }
  const [first] = mounts;
  if (!first) throw new CommandError("nothing is mounted; use cat, show or extract, or start pakfs with a mount point");
  const what = first.rootView ?? first.games.join(", ");
  throw new CommandError(`${first.mount} shows ${what} and not ${row.view}; use cat, show or extract`);
}

export const open = command({
  name: "open",
  group: "Browse",
  scope: "anywhere",
  live: true,
  rows: ["OpenRow"],
  summary: "print where a file is on the mount, or open it with a program",
  arguments: [{ name: "QPATH", kind: "qpath" }],
  options: [{ name: "run", value: "PROGRAM", summary: "run this program with the file and wait for it" }],
  details: ["PROGRAM is a shell command; the path is appended. open returns its exit code."],
  examples: [
    { line: "open maps/e1m1.bsp", does: "for example /home/me/games/quake/id1/maps/e1m1.bsp" },
    { line: "open gfx/title.lmp --run xdg-open", does: "open it with the desktop's program" },
  ],
  async *run(context, { words, options }) {
    const { output, terminal, signal } = context;
    const row = await rowOnMount(context, resolveQpath(context.directory, firstWord(words)));
    const program = options.value("run");
    if (program === undefined) {
      yield oneRow(row, (page) => page.line(row.path));
      return;
    }
    output.flush();
    return await runInShell(`${program} "$1"`, { terminal, signal }, [row.path]);
  },
});
