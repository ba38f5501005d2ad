/**
 * Reports a ready mount: one line for people, or one JSON object for programs.
 * @module
 */
import { jsonLine, shellWord } from "../../system/mod.ts";
import type { MountRow } from "../../protocol/rows.ts";
import type { LauncherPipe } from "./launcher_pipe.ts";

/** How a mount is reported; `nothing` with `--quiet`. */
export type Announcement = "sentence" | "json" | "nothing";

/** The daemon that serves a mount. */
export interface Server {
  readonly socket: string;
  /** Process id of the daemon. */
  readonly pid: number;
}

/** Reports a mount to the user. */
export function announceMount(
  launcher: LauncherPipe,
  how: Announcement,
  row: MountRow,
  choices: readonly string[],
  { socket, pid }: Server,
): void {
  if (how === "json") launcher.result(jsonLine({ ...row, socket, pid }));
  if (how !== "sentence") return;
  for (const sentence of [...choices, mountedSentence(row)]) launcher.message(sentence);
}

function mountedSentence({ mount, rootView, games, views, packs, files }: MountRow): string {
  const shown = rootView ?? listed(games);
  const counts = [counted(views, "view"), counted(packs, "pack"), counted(files, "file")].join(", ");
  return `mounted ${shown} at ${mount}: ${counts}; to unmount: pakfs unmount ${shellWord(mount)}`;
}

/** Maximum number of games that are named. */
const maxNamed = 5;

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return more > 0 ? `${names.slice(0, maxNamed).join(", ")} and ${more} more` : names.join(", ");
}

function counted(count: number, noun: string): string {
  // Loading Deno's localization takes longer than a mount may take.
  const number = String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return `${number} ${count === 1 ? noun : `${noun}s`}`;
}
