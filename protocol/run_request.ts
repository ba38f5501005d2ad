/**
 * The parameters of `run`: a command line, and the facts of this process that decide how its results look.
 * @module
 */
import type { ParamsOf } from "./methods.ts";
import { program } from "./version.ts";

/** Variables that decide about colour and how paths are shown. */
const variables = ["NO_COLOR", "FORCE_COLOR", "TERM", "HOME"] as const;

/**
 * Returns the time zone of this process: its offsets in winter and summer. Its name would take ten times as long, since
 * it loads the names of all zones.
 */
export function timeZone(): string {
  const years = Array.from({ length: 12 }, (_, index) => 1992 + 4 * index);
  return years.flatMap((year) => [0, 6].map((month) => new Date(year, month).getTimezoneOffset())).join();
}

/** Returns the size of the terminal, or a common one where no terminal is. */
export function terminalSize(): { columns: number; rows: number } {
  const isOnTerminal = [Deno.stdin, Deno.stdout, Deno.stderr].some((stream) => stream.isTerminal());
  try {
    // Its error takes long to make.
    if (isOnTerminal) return Deno.consoleSize();
  } catch {
    // As without a terminal.
  }
  return { columns: 80, rows: 24 };
}

/** Returns the request to run `words` as this process would. */
export function runRequest(words: string[]): ParamsOf<"run"> {
  return {
    version: program,
    words,
    environment: variables.flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [`${name}=${value}`];
    }),
    zone: timeZone(),
    ...terminalSize(),
    isTerminal: Deno.stdout.isTerminal(),
    isErrorTerminal: Deno.stderr.isTerminal(),
  };
}
