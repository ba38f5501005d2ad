/**
 * Exit codes of every command, and the error of a command line that cannot be parsed.
 * @module
 */

/** Exit codes of every pakfs command. */
export const exitCodes = {
  ok: 0,
  /** The command failed or found nothing. */
  failed: 1,
  /** The command line cannot be parsed. */
  usage: 2,
  /** A script stopped at an error. */
  scriptStopped: 3,
  /** No daemon replies. */
  unreachable: 4,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
  /** The reader of the output has closed it. */
  brokenPipe: 141,
} as const;

/** Returns a word for a message, in quotes if it is empty or contains whitespace. */
export function quoted(word: string): string {
  return /^\S+$/.test(word) ? word : `"${word}"`;
}

/** Returns a word as typed in a shell: quoted if a shell would change it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a string with the home directory as `~` at the beginning of words, where a shell would expand it; not in
 * quotes.
 * @param home Path of the home directory; without it the text is returned unchanged.
 */
export function withShortHome(text: string, home: string | undefined): string {
  if (!home || home === "/" || !text.includes(home)) return text;
  const [first = "", ...others] = text.split(home);
  let shown = first;
  for (const [index, next] of others.entries()) {
    const before = index === 0 ? first : others[index - 1] ?? "";
    const isStart = before === "" ? index === 0 : /[\s(,]$/.test(before);
    shown += (isStart && /^(?:$|[/\s,;:)])/.test(next) ? "~" : home) + next;
  }
  return shown;
}

/** A command line that cannot be parsed. The message has the error and a suggestion. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
