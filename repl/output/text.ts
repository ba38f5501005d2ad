/**
 * Text that is safe and aligned on a terminal: names come from hostile archives and are never printed raw.
 * @module
 */
import { unicodeWidth } from "@std/cli";
import { isPlain, printable, withShortHome } from "../../system/mod.ts";
import { withoutColours } from "./colour.ts";

/** Style of a piece of text in colour. */
export type Style = "directory" | "winner" | "unusable" | "dim" | "heading" | "error" | "match";

/** A piece of output: plain text, or styled text. Control characters in it are always escaped. */
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

/** Returns a part with the home directory as `~`. */
export function withHome(part: Part, home: string | undefined): Part {
  if (typeof part === "string") return withShortHome(part, home);
  return { ...part, text: withShortHome(part.text, home) };
}

/** Returns a part, escaped, and styled if `colour`. */
export function rendered(part: Part, colour: boolean): string {
  if (typeof part === "string") return printable(part);
  const text = printable(part.text);
  return colour && text !== "" ? `\x1b[${sgr[part.style]}m${text}\x1b[0m` : text;
}

/** Returns the width of a part on a terminal. */
export function widthOf(part: Part): number {
  const text = typeof part === "string" ? part : part.text;
  return isPlain(text) ? text.length : unicodeWidth(printable(text));
}

/** A run of spaces, or of other characters, of one part. */
interface Run {
  readonly text: string;
  readonly style: Style | undefined;
  readonly width: number;
  readonly isBlank: boolean;
}

function runsOf(parts: readonly Part[]): Run[] {
  return parts.flatMap((part) => {
    const style = typeof part === "string" ? undefined : part.style;
    const text = printable(typeof part === "string" ? part : part.text);
    return (text.match(/ +|[^ ]+/g) ?? []).map((run): Run => (
      { text: run, style, width: unicodeWidth(run), isBlank: run.startsWith(" ") }
    ));
  });
}

function partsOf(runs: readonly Run[]): Part[] {
  return runs.map(({ text, style }) => style === undefined ? text : { text, style });
}

/**
 * Wraps a line at spaces. A word that is wider than the screen is not split.
 * @param indent Spaces before the second and later lines; default: two more than before the first.
 */
export function wrappedParts(parts: readonly Part[], columns: number, indent?: number): Part[][] {
  if (parts.reduce((sum, part) => sum + widthOf(part), 0) <= columns) return [[...parts]];
  const lines: Run[][] = [];
  const runs = runsOf(parts);
  const lead = indent ?? (runs[0]?.isBlank ? runs[0].width : 0) + 2;
  const space: Run = { text: " ".repeat(lead), style: undefined, width: lead, isBlank: true };
  let line: Run[] = [];
  let width = 0;
  let hasWord = false;
  let word: Run[] = [];
  // Adjacent parts are one word.
  const addWord = () => {
    const wordWidth = word.reduce((sum, run) => sum + run.width, 0);
    if (hasWord && width + wordWidth > columns) {
      if (line.at(-1)?.isBlank) line.pop();
      lines.push(line);
      line = lead > 0 ? [space] : [];
      width = lead;
    }
    line.push(...word);
    width += wordWidth;
    hasWord ||= word.length > 0;
    word = [];
  };
  for (const run of runs) {
    if (!run.isBlank) {
      word.push(run);
      continue;
    }
    addWord();
    line.push(run);
    width += run.width;
  }
  addWord();
  return [...lines, line].map(partsOf);
}

/** Shortens a string in its middle to at most `columns`; control characters are escaped. */
export function shortenedText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const characters = Array.from(printable(text));
  const half = (columns - 1) / 2;
  const start = fitting(characters, Math.ceil(half));
  const end = fitting(characters.toReversed(), Math.floor(half));
  return `${start.join("")}…${end.toReversed().join("")}`;
}

/** Shortens a part like {@linkcode shortenedText}. */
export function shortened(part: Part, columns: number): Part {
  return typeof part === "string" ? shortenedText(part, columns) : { ...part, text: shortenedText(part.text, columns) };
}

/** Returns the first characters that fit into `columns`. */
function fitting(characters: readonly string[], columns: number): string[] {
  let left = columns;
  const end = characters.findIndex((character) => (left -= unicodeWidth(character)) < 0);
  return end < 0 ? [...characters] : characters.slice(0, end);
}

/** Returns the number of lines that text fills on the screen. */
export function screenLines(text: string, columns: number): number {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.reduce((sum, line) => {
    return sum + Math.max(1, Math.ceil(unicodeWidth(withoutColours(line)) / Math.max(1, columns)));
  }, 0);
}
