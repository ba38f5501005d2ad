/**
 * What the engine makes of the game as a whole: `limits`, `registered`.
 * @module
 */
import type { LimitRow, RegisteredResult } from "../../protocol/rows.ts";
import { ask, inView, rowsOf, type RunnableCommand } from "../command/command.ts";
import type { Output } from "../output/output.ts";
import { grouped, Table } from "../output/render.ts";

function printOffenders(output: Output, row: LimitRow): void {
  output.line("");
  output.line({ text: row.title, style: "heading" }, `: at most ${grouped(row.most)}. ${row.effect}`);
  for (const { source, member, value } of row.offenders) {
    output.line(`  ${grouped(value)}  ${source}${member === null ? "" : ` : ${member}`}`);
  }
  const more = row.over - row.offenders.length;
  if (more > 0) output.line(`  and ${grouped(more)} more`);
  if (row.enforced) output.line("  left out, because the game is indexed with --strict-engine");
}

const limits: RunnableCommand = {
  name: "limits",
  group: "Ask",
  scope: "anywhere",
  rows: ["LimitRow"],
  summary: "tell how near a view is to the limits of its engine, and what is beyond them",
  arguments: [{ name: "VIEW", kind: "view", optional: true }],
  options: [],
  details: [
    "What is beyond a limit is only reported; mount --strict-engine (strict = true in the configuration) leaves it out, " +
    "where it can be told what the engine leaves out, and which gives the reason.",
  ],
  examples: [{ line: "limits quake/mymod", does: "will the mod run in the original engine?" }],
  run: async (context, { words }) => {
    const { output } = context;
    const [view] = words;
    const rows: LimitRow[] = [];
    const table = new Table(output, [
      { title: "LIMIT" },
      { title: "MOST", align: "right" },
      { title: "HERE", align: "right" },
      { title: "BEYOND", align: "right" },
    ]);
    for await (const row of rowsOf(context, "limits", view === undefined ? inView(context) : { view })) {
      rows.push(row);
      if (output.json) output.row(row);
      else {
        const over = grouped(row.over);
        table.add(
          row.title,
          grouped(row.most),
          grouped(row.largest),
          row.over > 0 ? { text: over, style: "error" } : over,
        );
      }
    }
    table.end();
    if (output.json) return;
    if (rows.length === 0) output.remark("no limits of this engine are known");
    for (const row of rows) if (row.over > 0) printOffenders(output, row);
  },
};

const states: Readonly<Record<RegisteredResult["state"], string>> = {
  registered: "registered version",
  shareware: "shareware version",
  corrupt: "corrupt data",
  unchecked: "no check",
};

function printRegistered(output: Output, result: RegisteredResult): void {
  output.line({ text: states[result.state], style: "heading" }, `  ${result.view}, rules of ${result.profile}`);
  output.line(`  ${result.because}`);
  if (result.modified !== null) {
    output.line({ text: result.modified ? "modified data" : "unmodified data", style: "heading" });
    for (const sentence of result.modifications) output.line(`  ${sentence}`);
    for (const { source, known } of result.packs) if (known !== null) output.line(`  ${source} is id's, of ${known}.`);
  }
  if (result.consequences.length === 0) return;
  output.line({ text: "what follows", style: "heading" });
  for (const sentence of result.consequences) output.line(`  ${sentence}`);
}

const registered: RunnableCommand = {
  name: "registered",
  group: "Ask",
  scope: "anywhere",
  rows: ["RegisteredResult"],
  summary: "tell whether Quake takes the game for its registered version, and the data for modified",
  arguments: [{ name: "VIEW", kind: "view", optional: true }],
  options: [],
  details: [
    "Quake compares gfx/pop.lmp with what the registered version has, and every pack with id's own pak0.pak. Where the " +
    "first fails it does not start with modified data.",
  ],
  examples: [{ line: "registered quake/id1", does: "why does the engine refuse to start my mod?" }],
  run: async (context, { words }) => {
    const { output } = context;
    const [view] = words;
    const result = await ask(context, "registered", view === undefined ? inView(context) : { view });
    if (output.json) output.row(result);
    else printRegistered(output, result);
  },
};

/** Commands of this file. */
export const engineCommands: readonly RunnableCommand[] = [limits, registered];
