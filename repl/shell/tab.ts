/**
 * Candidates of Tab: their common prefix, and the listed names.
 * @module
 */
import type { Completion } from "./completion.ts";

/** Returns the longest common prefix of `words`. */
export function commonStart(words: readonly string[]): string {
  const [first = "", ...others] = words;
  let length = first.length;
  for (const word of others) {
    while (!word.startsWith(first.slice(0, length))) length--;
  }
  // Half of a surrogate pair is not inserted.
  return /[\ud800-\udbff]$/.test(first.slice(0, length)) ? first.slice(0, length - 1) : first.slice(0, length);
}

/** Returns candidates for display: the last component of a path, with its slash. */
export function listedNames({ matches }: Pick<Completion, "matches">): string[] {
  const shared = commonStart(matches);
  const directory = shared.slice(0, shared.lastIndexOf("/") + 1);
  return matches.map((match) => match.slice(directory.length).trimEnd());
}
