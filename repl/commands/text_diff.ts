/**
 * Comparing the text of one file in two views: `diff --text`, which loads this when it runs.
 * @module
 */
import { structuredPatch } from "diff";
import { looksBinary, textDecoder } from "../../formats/parts.ts";
import type { Context, Results } from "../command/command.ts";
import { content } from "../command/content.ts";
import { CommandError } from "../output/failure.ts";
import { eachRow, textOnly } from "../output/results.ts";
import type { Page } from "../output/page.ts";
import type { TextDiffRow } from "../rows/client_rows.ts";

/** Maximum lines that may differ before two texts count as entirely different: the time grows with their square. */
const maxEdits = 20_000;
/** Equal lines around each difference. */
const contextLines = 3;

const signs: Readonly<Record<TextDiffRow["change"], string>> = { same: " ", added: "+", removed: "-" };

function printLine(page: Page, { change, text }: TextDiffRow): void {
  const line = signs[change] + text;
  if (change === "same") return page.content(line);
  page.content({ text: line, style: change === "added" ? "winner" : "unusable" });
}

async function readText(context: Context, view: string, qpath: string): Promise<string> {
  let decoder: TextDecoder | undefined;
  let text = "";
  for await (const bytes of content({ ...context, view }, qpath)) {
    if (!decoder && looksBinary(bytes)) {
      throw new CommandError(`${qpath} is not text in ${view}; diff --compare compares bytes`);
    }
    decoder ??= textDecoder(bytes);
    text += decoder.decode(bytes, { stream: true });
  }
  return (text + (decoder?.decode() ?? "")).replaceAll("\r\n", "\n");
}

/** Yields the differences of a file from one view to another, in the format of `diff -u`. */
export async function* textDifferences(
  context: Context,
  { from, to }: { readonly from: string; readonly to: string },
  qpath: string,
): Results<TextDiffRow> {
  const [before, after] = [await readText(context, from, qpath), await readText(context, to, qpath)];
  const names = [`${from}/${qpath}`, `${to}/${qpath}`] as const;
  const options = { context: contextLines, maxEditLength: maxEdits };
  const patch = structuredPatch(...names, before, after, undefined, undefined, options);
  if (!patch) throw new CommandError(`${qpath}: more than ${maxEdits} lines differ; extract both to compare them`);
  if (patch.hunks.length === 0) return context.output.remark(`${qpath} is the same text in both views`);
  yield textOnly((page) => {
    page.line({ text: `--- ${names[0]}`, style: "heading" });
    page.line({ text: `+++ ${names[1]}`, style: "heading" });
  });
  for (const { oldStart, oldLines, newStart, newLines, lines } of patch.hunks) {
    yield textOnly((page) =>
      page.line({ text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, style: "dim" })
    );
    yield eachRow(numbered(lines, oldStart, newStart), printLine);
  }
}

/** Yields the lines of a hunk with their numbers. */
function* numbered(lines: readonly string[], oldStart: number, newStart: number): Generator<TextDiffRow> {
  let [before, after] = [oldStart, newStart];
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith("+")) yield { change: "added", before: null, after: after++, text };
    else if (line.startsWith("-")) yield { change: "removed", before: before++, after: null, text };
    else if (line.startsWith(" ")) yield { change: "same", before: before++, after: after++, text };
    // The remaining lines state that the last line has no newline.
  }
}
