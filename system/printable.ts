/**
 * Makes text safe for a terminal: names come from hostile archives, and replies from other processes.
 * @module
 */

// Characters other than C0, DEL and C1 that reorder, hide or break the text around them.
const unsafe =
  // deno-lint-ignore no-control-regex -- control characters are what must be found
  /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

const plain = /^[ -~]*$/;

/** Returns whether a string consists of ASCII characters that every terminal displays. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (character === "\r") return "\\r";
  const code = character.codePointAt(0) ?? 0;
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

function escapedInText(character: string): string {
  return character === "\n" || character === "\t" ? character : escaped(character);
}

/** Escapes every character that a terminal might interpret instead of display. */
export function printable(text: string): string {
  return isPlain(text) ? text : text.replaceAll(unsafe, escaped);
}

/** Escapes like {@linkcode printable}, except line breaks and tabs. */
export function printableText(text: string): string {
  return text.replaceAll(unsafe, escapedInText);
}

/** Returns one line of JSON that also escapes characters that a terminal interprets. It parses to the same value. */
export function jsonLine(value: unknown): string {
  return safeJson(JSON.stringify(value));
}

/** Escapes characters of JSON that a terminal interprets. */
export function safeJson(json: string): string {
  if (isPlain(json)) return json;
  return json.replaceAll(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
