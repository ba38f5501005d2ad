/**
 * Commands that check a whole game for its engine: `limits`, `registered`.
 * @module
 */
import type { LimitRow, RegisteredResult } from "../../protocol/rows.ts";
import { ask, command, namedView, rowsOf, type RunnableCommand } from "../command/command.ts";
import { grouped } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { oneRow, tableOf, textOnly } from "../output/results.ts";

function printOffenders(page: Page, row: LimitRow): void {
  page.line("");
  page.line({ text: row.title, style: "heading" }, `: at most ${grouped(row.most)}. ${row.effect}`);
  for (const { source, member, value } of row.offenders) {
    page.line(`  ${grouped(value)}  ${source}${member === null ? "" : ` : ${member}`}`);
  }
  const more = row.over - row.offenders.length;
  if (more > 0) page.line(`  and ${grouped(more)} more`);
  if (row.enforced) page.line("  left out, because the game is indexed with --strict-engine");
}

const limits = command({
  name: "limits",
  group: "Ask",
  scope: "anywhere",
  rows: ["LimitRow"],
  summary: "check a view against its engine's limits",
  arguments: [{ name: "VIEW", kind: "view", optional: true }],
  options: [],
  details: [
    "Files beyond a limit are only reported; mount --strict-engine (strict = true in the configuration) hides those that " +
    "the engine would not load, with the reason.",
  ],
  examples: [{ line: "limits quake/mymod", does: "check a mod against the original engine" }],
  async *run(context, input) {
    const rows = await Array.fromAsync(rowsOf(context, "limits", namedView(context, input)));
    yield tableOf(rows, [
      { title: "LIMIT", cell: (row) => row.title },
      { title: "MAX", align: "right", cell: (row) => grouped(row.most) },
      { title: "HERE", align: "right", cell: (row) => grouped(row.largest) },
      { title: "BEYOND", align: "right", cell: ({ over }) => over > 0 ? { text: grouped(over), style: "error" } : "0" },
    ]);
    if (rows.length === 0) context.output.remark("no limits of this engine are known");
    yield textOnly((page) => rows.filter(({ over }) => over > 0).forEach((row) => printOffenders(page, row)));
  },
});

const states: Readonly<Record<RegisteredResult["state"], string>> = {
  registered: "registered version",
  shareware: "shareware version",
  corrupt: "corrupt data",
  unchecked: "no check",
};

function printRegistered(page: Page, result: RegisteredResult): void {
  page.line({ text: states[result.state], style: "heading" }, `  ${result.view}, rules of ${result.profile}`);
  page.line(`  ${result.because}`);
  if (result.modified !== null) {
    page.line({ text: result.modified ? "modified data" : "unmodified data", style: "heading" });
    for (const sentence of result.modifications) page.line(`  ${sentence}`);
    for (const { source, known } of result.packs) if (known !== null) page.line(`  ${source} is id's, of ${known}.`);
  }
  if (result.consequences.length === 0) return;
  page.line({ text: "consequences", style: "heading" });
  for (const sentence of result.consequences) page.line(`  ${sentence}`);
}

const registered = command({
  name: "registered",
  group: "Ask",
  scope: "anywhere",
  rows: ["RegisteredResult"],
  summary: "show whether Quake sees the registered version and unmodified data",
  arguments: [{ name: "VIEW", kind: "view", optional: true }],
  options: [],
  details: [
    "Quake compares gfx/pop.lmp with the registered version's, and every pack with id's own pak0.pak. If the " +
    "first differs, it does not start with modified data.",
  ],
  examples: [{ line: "registered quake/id1", does: "find out why the engine refuses to start a mod" }],
  async *run(context, input) {
    const result = await ask(context, "registered", namedView(context, input));
    yield oneRow(result, (page) => printRegistered(page, result));
  },
});

/** Commands about an engine's view of a game, in the order of the help. */
export const engineCommands: readonly RunnableCommand[] = [limits, registered];
