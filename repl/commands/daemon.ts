/**
 * Commands about the daemon: `status`, `refresh`, `reload`, `stop`.
 * @module
 */
import type { RefreshResult, StatusResult, WatchRow } from "../../protocol/rows.ts";
import type { ParamsOf, ResultOf } from "../../protocol/mod.ts";
import { ask, command, type Context } from "../command/command.ts";
import { exitCodes } from "../../system/mod.ts";
import { CommandError } from "../output/failure.ts";
import { changesText, counted, grouped, humanDuration, humanSize } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { oneRow } from "../output/results.ts";

/** Returns `failed reads` for `failedReads`. */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function printStatus(page: Page, result: StatusResult): void {
  const { games, views, packs, files, counters, problems } = result;
  // Daemons before this field listed all problems.
  const problemCount = result.problemCount ?? problems.length;
  page.fields([
    ["daemon", `pakfs ${result.version}, process ${result.pid}, up ${humanDuration(Date.now() - result.started)}`],
    ["mount", result.mounts.map(({ mount }) => mount).join(", ") || "none"],
    ["socket", result.socket === "" ? "none" : result.socket],
    [
      "index",
      [counted(games, "game"), counted(views, "view"), counted(packs, "pack"), counted(files, "file")].join(", "),
    ],
    ["memory", `${humanSize(result.residentBytes)}, of it ${humanSize(result.indexBytes)} index`],
    ["clients", grouped(result.clients)],
    ["changes", watchText(result)],
    ...Object.entries(counters).map(([name, count]) => [wordsOf(name), grouped(count)] as const),
    ["problems", problemCount === 0 ? "none" : grouped(problemCount)],
  ]);
  for (const { path, because } of result.watch) {
    if (because !== null) page.line("  ", { text: `${path}: ${because}`, style: "dim" });
  }
  for (const { source, reads } of result.errors) {
    page.line("  ", { text: `${source}: ${counted(reads, "read")} failed`, style: "unusable" });
  }
  for (const problem of problems) page.line("  ", { text: problem, style: "unusable" });
  if (problemCount > problems.length) {
    page.line("  ", `and ${grouped(problemCount - problems.length)} more; see the log`);
  }
}

/** Returns the number of watched paths by mode, and the time of the last refresh. */
function watchText({ watch, refreshed }: StatusResult): string {
  const modes = [["events", "watched"], ["polling", "polled"], ["missing", "missing"]] as const;
  const count = (mode: WatchRow["mode"]) => watch.filter((row) => row.mode === mode).length;
  const parts = modes.flatMap(([mode, text]) => count(mode) > 0 ? [`${counted(count(mode), "path")} ${text}`] : []);
  const last = refreshed === null ? "" : `; refreshed ${humanDuration(Date.now() - refreshed)} ago`;
  return (parts.join(", ") || "not watched") + last;
}

export const status = command({
  name: "status",
  group: "Daemon",
  scope: "anywhere",
  rows: ["StatusResult"],
  summary: "show the state of the daemon and its games",
  arguments: [],
  options: [],
  examples: [{ line: "status --json", does: "one JSON object: pid, version, mount, socket, ..." }],
  async *run(context) {
    const result = await ask(context, "status", {});
    yield oneRow(result, (page) => printStatus(page, result));
  },
});

export const refresh = command({
  name: "refresh",
  group: "Daemon",
  scope: "anywhere",
  rows: ["RefreshResult"],
  summary: "update the index from disk",
  arguments: [],
  options: [],
  details: [
    "Only changed packs and directories are read. Queries and the mount show the result when the command returns.",
  ],
  examples: [{ line: "refresh", does: "added, removed and changed packs and files" }],
  async *run(context) {
    const result = await ask(context, "refresh", {});
    yield oneRow(result);
    context.output.remark(refreshText(result));
  },
});

function refreshText({ packs, files, milliseconds }: RefreshResult): string {
  const changes = [["packs", changesText(packs)], ["files", changesText(files)]] as const;
  const found = changes.flatMap(([what, text]) => text === null ? [] : [`${what}: ${text}`]);
  return `${found.join("; ") || "nothing has changed"} (${Math.max(1, Math.round(milliseconds))} ms)`;
}

const withoutConfiguration = "this daemon was started by mount and has no configuration; " +
  "a service reads its own with: systemctl --user reload pakfs";

export const reload = command({
  name: "reload",
  group: "Daemon",
  scope: "anywhere",
  rows: ["ReloadResult"],
  summary: "reload the configuration without unmounting",
  arguments: [],
  options: [],
  details: [
    "Added, removed and changed games have taken effect when the command returns. If the configuration is wrong, " +
    "nothing changes. Mount point, socket and memory for decompressed files need a restart of the daemon; the " +
    "command names those that have changed.",
    "The daemon reloads the configuration that it was started with. A daemon that mount started has none, and the " +
    "exit code is 1. A service that mounts through another daemon reads its own with: systemctl --user reload pakfs",
  ],
  examples: [{ line: "reload", does: "added, removed and changed packs and files" }],
  async *run(context) {
    const { output } = context;
    const result = await ask(context, "reload", {});
    yield oneRow(result, () => {
      if (result.config === null) output.warning(withoutConfiguration);
      else output.remark(`${result.config}: ${refreshText(result)}`);
      for (const sentence of result.needsRestart) output.warning(sentence);
    });
    return result.config === null ? exitCodes.failed : exitCodes.ok;
  },
});

export const stop = command({
  name: "stop",
  group: "Daemon",
  scope: "anywhere",
  rows: ["StopRow"],
  summary: "unmount and end the daemon",
  arguments: [],
  options: [],
  examples: [{ line: "stop", does: "the mount point is an empty directory again" }],
  async *run(context) {
    const result = await askInTime(context, "stop", {});
    await context.session.disconnect();
    yield oneRow(result);
    context.output.remark("the daemon is stopping");
  },
});

/** A daemon that has its socket, but does not reply. */
export class SilentDaemonError extends CommandError {}

/** Time within which a healthy daemon replies; milliseconds. */
export const answerTime = 3000;

/**
 * Like {@linkcode ask}, for commands that must return even if the daemon hangs.
 * @throws {SilentDaemonError} if it does not reply in time.
 */
export async function askInTime<M extends "status" | "stop" | "unmount">(
  context: Context,
  method: M,
  params: ParamsOf<M>,
): Promise<ResultOf<M>> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    controller.abort();
    late.reject(new SilentDaemonError("the daemon does not answer; detach its mount with: pakfs unmount MOUNTPOINT"));
  }, answerTime);
  const signal = AbortSignal.any([context.signal, controller.signal]);
  const asked = ask({ ...context, signal }, method, params);
  asked.catch(() => {}); // too late
  try {
    return await Promise.race([late.promise, asked]);
  } finally {
    clearTimeout(timer);
  }
}
