/**
 * `watch`: what changes on disk, as it comes.
 * @module
 */
import type { ChangeKind, RefreshedEvent, ViewChanges } from "../../protocol/rows.ts";
import { exitCodes } from "../../command_line/usage.ts";
import type { Context, RunnableCommand } from "../command/command.ts";
import { changesText, counted, humanClock } from "../output/render.ts";

const signs: Readonly<Record<ChangeKind, string>> = { added: "+", removed: "-", changed: "~" };
const kinds: readonly ChangeKind[] = ["added", "removed", "changed"];

function printEvent({ output }: Context, event: RefreshedEvent): void {
  const { time, dropped, packs, packPaths, files, views } = event;
  if (dropped > 0) output.warning(`${counted(dropped, "refresh was", "refreshes were")} left out here`);
  const found = [["packs", changesText(packs)], ["files", changesText(files)]]
    .flatMap(([what, text]) => text ? [`${what}: ${text}`] : []);
  output.line({ text: humanClock(time), style: "heading" }, ` ${found.join("; ") || "nothing that counts"}`);
  for (const kind of kinds) for (const path of packPaths[kind]) output.line(`  ${signs[kind]} ${path}`);
  for (const view of views) printView(output, view);
}

function printView(output: Context["output"], { view, change, files, sample }: ViewChanges): void {
  const what = change === "changed" ? changesText(files) ?? "" : `${change}, ${changesText(files) ?? "no files"}`;
  output.line("  ", { text: view, style: "directory" }, `: ${what}`);
  for (const { qpath, change: kind } of sample) output.line(`    ${signs[kind]} ${qpath}`);
  const more = files.added + files.removed + files.changed - sample.length;
  if (more > 0) output.line("    ", { text: `and ${counted(more, "more file", "more files")}`, style: "dim" });
}

/** One object for each change, and one for the refresh as a whole after them. */
function printRows({ output }: Context, event: RefreshedEvent): void {
  const { time, milliseconds, dropped, packs, packPaths, files, views } = event;
  for (const change of kinds) for (const source of packPaths[change]) output.row({ type: "pack", change, source });
  for (const { view, sample } of views) for (const row of sample) output.row({ type: "file", view, ...row });
  output.row({
    type: "refresh",
    time,
    milliseconds,
    packs,
    files,
    views: views.map(({ view, change, files }) => ({ view, change, files })),
    dropped,
  });
}

const watch: RunnableCommand = {
  name: "watch",
  live: true,
  group: "Daemon",
  scope: "anywhere",
  rows: ["WatchedPackRow", "WatchedFileRow", "WatchedRefreshRow"],
  summary: "show what changes on disk, as soon as the mount shows it",
  arguments: [],
  options: [
    { name: "sample", value: "N", summary: "files to name of each view; default 20" },
    { name: "limit", value: "N", summary: "end after so many refreshes" },
  ],
  details: [
    "Ctrl-C ends it. With --view it tells of that view, else of all. + is new, - is gone, ~ is other bytes. " +
    "With --json a line for each change (type pack or file), and one of type refresh after those of each refresh.",
  ],
  examples: [
    { line: "watch", does: "packs and files that come, go and change" },
    { line: "watch --view quake/id1 --limit 1", does: "wait for the next change there" },
  ],
  run: async (context, { options }) => {
    const sample = options.count("sample");
    const limit = options.count("limit");
    const view = options.value("view");
    const { session, signal, output } = context;
    const params = { ...(view === undefined ? {} : { views: [view] }), ...(sample === undefined ? {} : { sample }) };
    const events = await session.subscribe(params, { signal });
    output.remark("watching; Ctrl-C ends it");
    let seen = 0;
    for await (const event of events) {
      if (view !== undefined && event.views.length === 0) continue;
      if (output.json) printRows(context, event);
      else printEvent(context, event);
      output.flush();
      if (++seen === limit) return exitCodes.ok;
    }
    return exitCodes.interrupted;
  },
};

/** Commands of this file. */
export const watchCommands: readonly RunnableCommand[] = [watch];
