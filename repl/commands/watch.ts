/**
 * `watch`: what changes on disk, as it comes.
 * @module
 */
import type { ChangeKind, RefreshedEvent, ViewChanges } from "../../protocol/rows.ts";
import { exitCodes } from "../../command_line/usage.ts";
import { command } from "../command/command.ts";
import { changesText, counted, humanClock } from "../output/human.ts";
import type { Output } from "../output/output.ts";
import type { Page } from "../output/page.ts";
import { eachRow } from "../output/results.ts";
import type { WatchedFileRow, WatchedPackRow, WatchedRefreshRow } from "../rows/client_rows.ts";

const signs: Readonly<Record<ChangeKind, string>> = { added: "+", removed: "-", changed: "~" };
const kinds: readonly ChangeKind[] = ["added", "removed", "changed"];

function printEvent(page: Page, output: Output, event: RefreshedEvent): void {
  const { time, dropped, packs, packPaths, files, views } = event;
  if (dropped > 0) output.warning(`${counted(dropped, "refresh was", "refreshes were")} left out here`);
  const found = [["packs", changesText(packs)], ["files", changesText(files)]]
    .flatMap(([what, text]) => text ? [`${what}: ${text}`] : []);
  page.line({ text: humanClock(time), style: "heading" }, ` ${found.join("; ") || "nothing that counts"}`);
  for (const kind of kinds) for (const path of packPaths[kind]) page.line(`  ${signs[kind]} ${path}`);
  for (const view of views) printView(page, view);
}

function printView(page: Page, { view, change, files, sample }: ViewChanges): void {
  const what = change === "changed" ? changesText(files) ?? "" : `${change}, ${changesText(files) ?? "no files"}`;
  page.line("  ", { text: view, style: "directory" }, `: ${what}`);
  for (const { qpath, change: kind } of sample) page.line(`    ${signs[kind]} ${qpath}`);
  const more = files.added + files.removed + files.changed - sample.length;
  if (more > 0) page.line("    ", { text: `and ${counted(more, "more file", "more files")}`, style: "dim" });
}

/** Returns one row for each change, and one for the refresh as a whole after them. */
function eventRows(event: RefreshedEvent): (WatchedPackRow | WatchedFileRow | WatchedRefreshRow)[] {
  const { time, milliseconds, dropped, packs, packPaths, files, views } = event;
  return [
    ...kinds.flatMap((change) => packPaths[change].map((source) => ({ type: "pack", change, source } as const))),
    ...views.flatMap(({ view, sample }) => sample.map((row) => ({ type: "file", view, ...row } as const))),
    {
      type: "refresh",
      time,
      milliseconds,
      packs,
      files,
      views: views.map(({ view, change, files }) => ({ view, change, files })),
      dropped,
    },
  ];
}

export const watch = command({
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
  async *run({ session, signal, output }, { options }) {
    const sample = options.count("sample");
    const limit = options.count("limit");
    const view = options.value("view");
    const params = { ...(view === undefined ? {} : { views: [view] }), ...(sample === undefined ? {} : { sample }) };
    const events = await session.subscribe(params, { signal });
    output.remark("watching; Ctrl-C ends it");
    let seen = 0;
    for await (const event of events) {
      if (view !== undefined && event.views.length === 0) continue;
      yield eachRow(eventRows(event), () => {}, (page) => printEvent(page, output, event));
      output.flush();
      if (++seen === limit) return exitCodes.ok;
    }
    return exitCodes.interrupted;
  },
});
