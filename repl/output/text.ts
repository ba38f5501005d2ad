/**
 * Text that is safe and aligned on a terminal: names come from hostile archives and are never printed raw.
 * @module
 */
import { unicodeWidth } from "@std/cli";
import { withoutColours } from "./colour.ts";

/** Style of a piece of text in colour. */
export type Style = "directory" | "winner" | "unusable" | "dim" | "heading" | "error" | "match";

/** A piece of output: plain text, or text with a style. Control characters in it are always escaped. */
export type Part = string | { readonly text: string; readonly style: Style };

const sgr: Readonly<Record<Style, string>> = {
  directory: "1;34",
  winner: "1;32",
  unusable: "31",
  dim: "2",
  heading: "1",
  error: "1;31",
  match: "1",
};

// Beyond C0, DEL and C1: marks that reorder, hide or break the text around them.
// deno-lint-ignore no-control-regex -- control characters are what must be found
const unsafe = /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (character === "\r") return "\\r";
  const code = character.codePointAt(0) ?? 0;
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

const plain = /^[ -~]*$/;

/** Returns whether a text consists of characters of ASCII that every terminal shows. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** Escapes every character that a terminal might obey instead of show. */
export function printable(text: string): string {
  return text.replaceAll(unsafe, escaped);
}

/** Escapes like {@linkcode printable}, except line breaks and tabs. */
export function printableText(text: string): string {
  return text.replaceAll(
    unsafe,
    (character) => character === "\n" || character === "\t" ? character : escaped(character),
  );
}

/** Returns a part, escaped, and styled if `colour`. */
export function rendered(part: Part, colour: boolean): string {
  if (typeof part === "string") return printable(part);
  const text = printable(part.text);
  return colour && text !== "" ? `\x1b[${sgr[part.style]}m${text}\x1b[0m` : text;
}

/** Returns the width of a part on a terminal. */
export function widthOf(part: Part): number {
  return unicodeWidth(printable(typeof part === "string" ? part : part.text));
}

/**
 * Returns one line of JSON that also escapes the characters that a terminal obeys. Parses to the same value.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the number of lines that text fills on the screen. */
export function screenLines(text: string, columns: number): number {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.reduce((sum, line) => {
    return sum + Math.max(1, Math.ceil(unicodeWidth(withoutColours(line)) / Math.max(1, columns)));
  }, 0);
}
