/**
 * Words of commands that messages print.
 * @module
 */

/** Quotes a word for a shell if it needs that. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
