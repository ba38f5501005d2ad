/**
 * What takes how much: `du`.
 * @module
 */
import type { UsageRow } from "../../protocol/rows.ts";
import { inView, rowsOf, type RunnableCommand } from "../command/command.ts";
import { bar, grouped, humanSize, Table } from "../output/render.ts";
import { resolveQpath } from "../command/session.ts";
import type { Part } from "../output/text.ts";

/** Characters of the longest bar. */
const barWidth = 20;

function nameOf({ qpath, depth }: UsageRow): Part {
  if (depth === 0) return { text: qpath === "" ? "." : `${qpath}/`, style: "directory" };
  const name = `${qpath.slice(qpath.lastIndexOf("/") + 1)}/`;
  return { text: "  ".repeat(depth) + name, style: "directory" };
}

const du: RunnableCommand = {
  name: "du",
  aliases: ["usage"],
  group: "Browse",
  scope: "anywhere",
  rows: ["UsageRow"],
  summary: "tell how much each directory holds, the largest first",
  arguments: [{ name: "PATH", kind: "qpath", optional: true }],
  options: [{ name: "depth", short: "d", value: "N", summary: "go down so many directories (default 1)" }],
  details: [
    "SIZE is what the files have decompressed, PACKED what they take in their packs. Bars are parts of PATH as a whole. Only " +
    "files that the engine loads count; packs tells how large the packs are.",
  ],
  examples: [
    { line: "du", does: "the directories of the view" },
    { line: "du textures -d 2", does: "two levels of one directory" },
  ],
  run: async (context, { words, options }) => {
    const { output } = context;
    const path = resolveQpath(context.directory, words[0] ?? "");
    const depth = options.count("depth") ?? 1;
    const table = new Table(output, [
      { title: "SIZE", align: "right" },
      { title: "PACKED", align: "right" },
      { title: "FILES", align: "right" },
      { title: "" },
      { title: "NAME" },
    ]);
    let whole = 0;
    for await (const row of rowsOf(context, "usage", { ...inView(context), path, depth })) {
      if (output.json) {
        output.row(row);
        continue;
      }
      if (row.depth === 0) whole = row.size;
      const drawn = bar(row.size, whole, barWidth).padEnd(barWidth);
      table.add(humanSize(row.size), humanSize(row.packedSize), grouped(row.files), drawn, nameOf(row));
    }
    table.end();
  },
};

/** Commands of this file. */
export const usageCommands: readonly RunnableCommand[] = [du];
