/**
 * `watch`: prints changes on disk as they happen.
 * @module
 */
import type { ChangeKind, RefreshedEvent, ViewChanges } from "../../protocol/rows.ts";
import { exitCodes } from "../../system/mod.ts";
import { command } from "../command/command.ts";
import { changesText, counted, humanClock } from "../output/human.ts";
import type { Output } from "../output/output.ts";
import type { Part } from "../output/text.ts";
import type { Page } from "../output/page.ts";
import { eachRow } from "../output/results.ts";
import type { WatchedFileRow, WatchedPackRow, WatchedRefreshRow } from "../rows/client_rows.ts";

const signs: Readonly<Record<ChangeKind, string>> = { added: "+", removed: "-", changed: "~" };
const kinds: readonly ChangeKind[] = ["added", "removed", "changed"];

function printEvent(page: Page, output: Output, event: RefreshedEvent): void {
  const { time, dropped, packs, packPaths, files, views } = event;
  const problems = problemsOf(event);
  if (dropped > 0) output.warning(`${counted(dropped, "refresh was", "refreshes were")} missed here`);
  const found = [["packs", changesText(packs)], ["files", changesText(files)]]
    .flatMap(([what, text]) => text ? [`${what}: ${text}`] : []);
  page.line({ text: humanClock(time), style: "heading" }, ` ${found.join("; ") || "no visible change"}`);
  for (const kind of kinds) {
    for (const path of packPaths[kind]) {
      const problem = problems.get(path);
      const damage: Part[] = problem === undefined ? [] : [": ", { text: problem, style: "unusable" }];
      page.line(`  ${signs[kind]} ${path}`, ...damage);
    }
  }
  for (const view of views) printView(page, view);
}

function printView(page: Page, { view, change, files, sample }: ViewChanges): void {
  const what = change === "changed" ? changesText(files) ?? "" : `${change}, ${changesText(files) ?? "no files"}`;
  page.line("  ", { text: view, style: "directory" }, `: ${what}`);
  for (const { qpath, change: kind } of sample) page.line(`    ${signs[kind]} ${qpath}`);
  const more = files.added + files.removed + files.changed - sample.length;
  if (more > 0) page.line("    ", { text: `and ${counted(more, "more file", "more files")}`, style: "dim" });
}

/** Returns the reasons why packs are damaged, by path. */
function problemsOf({ packProblems }: RefreshedEvent): ReadonlyMap<string, string> {
  return new Map(packProblems.map(({ source, problem }) => [source, problem]));
}

function packRow(change: ChangeKind, source: string, problem: string | undefined): WatchedPackRow {
  return { type: "pack", change, source, ...(problem !== undefined && { problem }) };
}

/** Returns a row for each change, followed by one for the whole refresh. */
function eventRows(event: RefreshedEvent): (WatchedPackRow | WatchedFileRow | WatchedRefreshRow)[] {
  const { time, milliseconds, dropped, packs, packPaths, files, views } = event;
  const problems = problemsOf(event);
  return [
    ...kinds.flatMap((change) => packPaths[change].map((source) => packRow(change, source, problems.get(source)))),
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
  summary: "show changes on disk as the mount picks them up",
  arguments: [],
  options: [
    { name: "sample", value: "N", summary: "files to list per view; default 20" },
    { name: "limit", value: "N", summary: "stop after N refreshes" },
  ],
  details: [
    "Press Ctrl-C to stop. A file that is being written is shown when it appears, and again when it has not changed for " +
    "1.5 seconds, or has been changing for 30; a damaged pack with the reason. With --view it reports that view, otherwise all. + added, - removed, ~ changed. With --json " +
    "there is one line per change (type pack or file), and after each refresh one of type refresh.",
  ],
  examples: [
    { line: "watch", does: "added, removed and changed packs and files" },
    { line: "watch --view quake/id1 --limit 1", does: "wait for the next change in this view" },
  ],
  async *run({ session, signal, output }, { options }) {
    const sample = options.count("sample");
    const limit = options.count("limit");
    const view = options.value("view");
    const params = {
      settle: true,
      ...(view === undefined ? {} : { views: [view] }),
      ...(sample === undefined ? {} : { sample }),
    };
    const events = await session.subscribe(params, { signal });
    output.remark("watching; press Ctrl-C to stop");
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
