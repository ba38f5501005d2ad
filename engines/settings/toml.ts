/**
 * Writes TOML in the style of a configuration file written by hand.
 * @module
 */

/** Column limit after which a list is split into several lines. */
const widest = 100;

/** Returns a string in quotes. */
export function tomlString(text: string): string {
  // Escapes of JSON are valid in TOML, except DEL, which TOML requires to be escaped; half a surrogate pair cannot be
  // written.
  return JSON.stringify(text.toWellFormed()).replaceAll("\x7f", "\\u007F");
}

/** Returns a list of serialized values. */
export function tomlList(items: readonly string[]): string {
  const line = `[${items.join(", ")}]`;
  return line.length <= widest ? line : tomlLines(items);
}

/** Returns a list of strings. */
export function tomlTexts(texts: readonly string[]): string {
  return tomlList(texts.map(tomlString));
}

/** Returns a list of strings, one per line if there are several. */
export function tomlPaths(texts: readonly string[]): string {
  return texts.length < 2 ? `[${texts.map(tomlString).join("")}]` : tomlLines(texts.map(tomlString));
}

function tomlLines(items: readonly string[]): string {
  return `[\n${items.map((item) => `  ${item},\n`).join("")}]`;
}

/** Returns an inline table of serialized values. */
export function tomlInlineTable(values: readonly (readonly [key: string, value: string])[]): string {
  return `{ ${values.map(([key, value]) => `${key} = ${value}`).join(", ")} }`;
}

/** Returns text for a comment, without control characters that would end it. */
export function tomlCommentText(text: string): string {
  // deno-lint-ignore no-control-regex -- TOML does not allow control characters in comments
  return text.replaceAll(/[\x00-\x1f\x7f]+/g, " ");
}
