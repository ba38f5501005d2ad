/**
 * `uninstall`: lists the files that pakfs has written on this machine, and removes them.
 * @module
 */
import { ownDirectory, programRoot, shellWord } from "../../system/mod.ts";
import { DaemonUnreachableError } from "../../protocol/mod.ts";
import { command, type Context } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { tableOf } from "../output/results.ts";
import type { WrittenPathRow } from "../rows/client_rows.ts";
import { askInTime } from "./daemon.ts";
import { removeService } from "./service.ts";
import { unitPath } from "./systemd_unit.ts";

/** Returns the command that removes the installed package of pakfs; undefined for a clone or an extracted release. */
async function packageCommand(): Promise<string | undefined> {
  return (await Deno.readTextFile(`${programRoot}/remove_command`).catch(() => undefined))?.trim();
}

/** Returns the existing files of this user, the program's last; root may remove files that all users share. */
async function writtenPaths(withConfiguration: boolean): Promise<WrittenPathRow[]> {
  const paths: [path: string | undefined, holds: string][] = [
    [unitPath(), "service"],
    [ownDirectory("CACHE"), "cached indexes and converted files, demo"],
    [ownDirectory("STATE"), "log, history"],
    [withConfiguration ? ownDirectory("CONFIG") : undefined, "configuration"],
    [await packageCommand() === undefined ? `${programRoot}/.tools` : undefined, "Deno and packages, for all users"],
  ];
  const found = await Promise.all(paths.map(async ([path, holds]) => {
    const info = path === undefined ? null : await Deno.lstat(path).catch(() => null);
    if (path === undefined || info === null) return [];
    return Deno.uid() === 0 || info.uid === Deno.uid() ? [{ path, holds, removed: false }] : [];
  }));
  return found.flat();
}

/**
 * Requires that no daemon uses the files.
 * @throws {CommandError} with the daemon and its mount.
 */
async function requireUnused(context: Context): Promise<void> {
  try {
    const { pid, mounts } = await askInTime(context, "status", {});
    const served = mounts.map(({ mount }) => `, serves ${mount}`).join("");
    throw new CommandError(`the daemon runs, process ${pid}${served}; end it with: pakfs stop`);
  } catch (error) {
    if (!(error instanceof DaemonUnreachableError)) throw error;
  }
}

export const uninstall = command({
  name: "uninstall",
  group: "Start",
  scope: "anywhere",
  rows: ["WrittenPathRow"],
  summary: "list or remove the files that pakfs has written on this machine",
  arguments: [],
  options: [
    { name: "yes", short: "y", summary: "remove what is listed" },
    { name: "all", summary: "include the configuration" },
  ],
  details: [
    "Without --yes it changes nothing. It refuses while the daemon runs. The directory of the program itself is " +
    "kept: delete it afterwards.",
  ],
  examples: [
    { line: "uninstall", does: "list caches, log, history, service and .tools" },
    { line: "uninstall --yes --all", does: "remove them and the configuration" },
  ],
  async *run(context, { options }) {
    const rows = await writtenPaths(options.flag("all"));
    const removes = options.flag("yes");
    if (removes) await requireUnused(context);
    for (const row of removes ? rows : []) {
      // deno-lint-ignore no-await-in-loop -- the program's own files last
      await (row.path === unitPath() ? removeService(context.signal) : Deno.remove(row.path, { recursive: true }));
      row.removed = true;
    }
    yield tableOf(rows, [
      { title: "PATH", cell: (row) => row.path },
      { title: "HOLDS", cell: (row) => row.holds },
    ]);
    const left = `to finish: ${await packageCommand() ?? `rm -r ${shellWord(programRoot)}`}`;
    context.output.remark(removes ? `removed; ${left}` : "nothing was removed; pakfs uninstall --yes removes these");
  },
});
