/**
 * Searching the text files of a view: `grep`.
 * @module
 */
import type { GrepRow } from "../../protocol/rows.ts";
import { exitCodes, UsageError } from "../../system/mod.ts";
import { command, firstWord, type Input, inView, slowRowsOf } from "../command/command.ts";
import { counted } from "../output/human.ts";
import { eachRow } from "../output/results.ts";
import type { Part } from "../output/text.ts";
import { filterOptions, nothingMatches, parseFilters, patternFrom } from "./find.ts";

/** Maximum shown characters of a long line. */
const maxShown = 240;

/**
 * @throws {UsageError} if the expression is invalid.
 */
function expressionOf({ words, options }: Input): RegExp {
  const typed = firstWord(words);
  const source = options.flag("fixed-strings") ? typed.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&") : typed;
  try {
    return new RegExp(source, options.flag("ignore-case") ? "iu" : "u");
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /, "") : "";
    throw new UsageError(`not a regular expression: ${reason}; -F searches for literal text`, { cause: error });
  }
}

/** Returns a line with its match marked; for a long line, the part around it. */
function shownLine({ qpath, line, text }: GrepRow, expression: RegExp): Part[] {
  const found = expression.exec(text);
  const start = Math.max(0, Math.min((found?.index ?? 0) - maxShown / 4, text.length - maxShown));
  const shown = text.slice(start, start + maxShown);
  const at = (found?.index ?? 0) - start;
  const matched = found?.[0].slice(0, maxShown - at) ?? "";
  return [
    { text: `${qpath}:${line}: `, style: "dim" },
    (start > 0 ? "…" : "") + shown.slice(0, at),
    ...matched === "" ? [] : [{ text: matched, style: "match" } as const],
    shown.slice(at + matched.length) + (start + maxShown < text.length ? "…" : ""),
  ];
}

export const grep = command({
  name: "grep",
  group: "Browse",
  scope: "anywhere",
  rows: ["GrepRow"],
  summary: "search the text files of the view for a regular expression",
  arguments: [
    { name: "REGEX", kind: "none" },
    { name: "PATTERN", kind: "qpath", optional: true, repeated: true },
  ],
  options: [
    { name: "ignore-case", short: "i", summary: "ignore case" },
    { name: "fixed-strings", short: "F", summary: "REGEX is literal text" },
    { name: "recursive", short: "r", summary: "accepted; directories are always searched" },
    { name: "line-number", short: "n", summary: "accepted; lines always have their number" },
    { name: "files-with-matches", short: "l", summary: "only the first match of each file; its name alone" },
    ...filterOptions,
  ],
  details: [
    "REGEX is a JavaScript regular expression. PATTERNs and filters work as in find; without them pictures, " +
    "models, maps and sounds are skipped by their extension. Binary files, and files over 16M, are skipped.",
    "The exit code is 1 if nothing matches.",
  ],
  examples: [
    { line: "grep -i rocket --ext cfg,txt", does: "lines that mention rockets" },
    { line: "grep 'surfaceparm +sky' 'scripts/*.shader'", does: "shaders of skies" },
  ],
  async *run(context, input) {
    const { words, options } = input;
    const { output } = context;
    const expression = expressionOf(input);
    const patterns = words.slice(1).map((word) => patternFrom(context.directory, word));
    const filters = parseFilters(input);
    let [searched, found, failed] = [0, 0, 0];
    const rows = slowRowsOf(context, "grep", {
      ...inView(context),
      expression: expression.source,
      ...options.flag("ignore-case") && { ignoreCase: true },
      ...options.flag("files-with-matches") && { first: true },
      ...patterns.length > 0 && { patterns },
      ...Object.keys(filters).length > 0 && { filters },
    }, ({ total }) => searched = total).filter((row) => {
      if (row.problem === undefined) return ++found > 0;
      failed++;
      output.failure({ kind: "unreadable", message: row.problem, exitCode: exitCodes.failed });
      return false;
    });
    yield eachRow(
      rows,
      (page, row) =>
        options.flag("files-with-matches") ? page.line(row.qpath) : page.content(...shownLine(row, expression)),
    );
    if (found === 0) {
      const isChosen = patterns.length > 0 || filters.extensions !== undefined;
      const files = { ...input, words: words.slice(1) };
      const isNoFile = isChosen && searched === 0;
      output.remark(isNoFile ? await nothingMatches(context, files) : `no match in ${counted(searched, "file")}`);
    }
    return found === 0 || failed > 0 ? exitCodes.failed : exitCodes.ok;
  },
});
