/**
 * Processes of this machine, read from `/proc` by the tests themselves: `ps` and `pgrep` are not everywhere.
 * @module
 */

/** A process that has not been collected by its parent. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Process group of its session, such as that of a terminal. */
  readonly session: number;
  /** Whether it runs; a process that has ended still does while its threads run. */
  readonly isRunning: boolean;
  /** Arguments of the process, separated by spaces. */
  readonly command: string;
}

/** Returns a process, or `undefined` if there is none with that number. */
export function processOf(pid: number): Process | undefined {
  const stat = contentOf(pid, "stat");
  // The name, in parentheses, may hold anything; see proc(5).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields.length < 18) return undefined;
  const hasEnded = fields[0] === "Z" || fields[0] === "X";
  return {
    pid,
    parent: Number(fields[1]),
    session: Number(fields[3]),
    isRunning: !hasEnded || Number(fields[17]) > 1,
    command: contentOf(pid, "cmdline").replaceAll("\0", " ").trim(),
  };
}

/** Returns all processes that run. */
export function processes(): Process[] {
  const names = Array.from(Deno.readDirSync("/proc"), ({ name }) => name).filter((name) => /^\d+$/.test(name));
  return names.flatMap((name) => processOf(Number(name)) ?? []).filter(({ isRunning }) => isRunning);
}

/** Returns the processes that were started with this line in their environment, such as `HOME=/home/a`. */
export function processesWith(variable: string): Process[] {
  return processes().filter(({ pid }) => contentOf(pid, "environ").split("\0").includes(variable));
}

/** Ends processes by SIGTERM, and kills those that still run after two seconds. */
export async function endProcesses(find: () => readonly Process[]): Promise<void> {
  const end = Date.now() + 2000;
  for (const { pid } of find()) signal(pid, "SIGTERM");
  while (Date.now() < end && find().length > 0) {
    // deno-lint-ignore no-await-in-loop -- until they have ended
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const { pid } of find()) signal(pid, "SIGKILL");
}

/** Sends a signal to a process, unless it has ended. */
export function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof TypeError)) throw error;
  }
}

/** Returns a file of a process; empty if it has ended, or is another user's. */
function contentOf(pid: number, name: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${name}`);
  } catch {
    return "";
  }
}
