/**
 * Writes TOML: what a user could have written by hand into the configuration file.
 * @module
 */

/** Columns after which a list is written over several lines. */
const widest = 100;

/** Returns a string in quotes. */
export function tomlString(text: string): string {
  // JSON's escapes are TOML's, but for DEL, which TOML wants escaped too; half a surrogate pair cannot be written.
  return JSON.stringify(text.toWellFormed()).replaceAll("\x7f", "\\u007F");
}

/** Returns a list of values that are written already. */
export function tomlList(items: readonly string[]): string {
  const line = `[${items.join(", ")}]`;
  return line.length <= widest ? line : tomlLines(items);
}

/** Returns a list of strings. */
export function tomlTexts(texts: readonly string[]): string {
  return tomlList(texts.map(tomlString));
}

/** Returns a list of strings, each on a line of its own if there are several. */
export function tomlPaths(texts: readonly string[]): string {
  return texts.length < 2 ? `[${texts.map(tomlString).join("")}]` : tomlLines(texts.map(tomlString));
}

function tomlLines(items: readonly string[]): string {
  return `[\n${items.map((item) => `  ${item},\n`).join("")}]`;
}

/** Returns a table in one line, of values that are written already. */
export function tomlInlineTable(values: readonly (readonly [key: string, value: string])[]): string {
  return `{ ${values.map(([key, value]) => `${key} = ${value}`).join(", ")} }`;
}

/** Returns text for a comment, without the control characters that would end it. */
export function tomlCommentText(text: string): string {
  // deno-lint-ignore no-control-regex -- TOML does not allow control characters in comments
  return text.replaceAll(/[\x00-\x1f\x7f]+/g, " ");
}
