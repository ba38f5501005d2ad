/**
 * Describes errors of the file system by the name that a user knows, never by that of a temporary file.
 * @module
 */

/** Returns whether a disk or quota is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/**
 * Describes an error of writing `partial`, a file on its way to its final name, without naming it. `undefined` if the
 * error is about something else.
 */
export function writeProblem(error: unknown, partial: string): string | undefined {
  if (!(error instanceof Error) || error instanceof Deno.errors.NotCapable) return undefined;
  const system = /^.*?\(os error \d+\)/.exec(error.message)?.[0];
  if (system !== undefined && (error.message === system || error.message.includes(partial))) {
    return `cannot be written: ${system}`;
  }
  return undefined;
}
