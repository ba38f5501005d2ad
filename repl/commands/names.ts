/**
 * Packs that hold no names: `names`.
 * @module
 */
import { inView, rowsOf, type RunnableCommand } from "../command/command.ts";
import { grouped, Table } from "../output/render.ts";

/** Hits by chance, of which only the order of magnitude matters. */
function chance(expected: number): string {
  return expected < 0.001 ? "<0.001" : expected.toPrecision(2);
}

const names: RunnableCommand = {
  name: "names",
  group: "Ask",
  scope: "anywhere",
  rows: ["NamesRow"],
  summary: "tell for packs that hold no names how many were found, and how",
  arguments: [{ name: "PACK", kind: "pack", optional: true }],
  options: [],
  details: [
    "Hashed packs know their files by a hash of the name. Names are found by hashing all that may be one, in every " +
    "way that games hash: lists of --names or of the configuration, the names of the game's other files, and strings in " +
    "its scripts, maps and programs. Files without a name are in unknown/, called after their hash. BY CHANCE is how " +
    "many hits so many names give where none is right.",
  ],
  examples: [{ line: "names", does: "a line for each hashed pack of the current game" }],
  run: async (context, { words }) => {
    const { output } = context;
    const [pack] = words;
    const table = new Table(output, [
      { title: "NAMED", align: "right" },
      { title: "FILES", align: "right" },
      { title: "TRIED", align: "right" },
      { title: "BY CHANCE", align: "right" },
      { title: "HASH" },
      { title: "PACK" },
    ]);
    const collisions: string[] = [];
    for await (const row of rowsOf(context, "names", { ...inView(context), ...(pack === undefined ? {} : { pack }) })) {
      if (output.json) {
        output.row(row);
        continue;
      }
      table.add(
        grouped(row.named),
        grouped(row.files),
        grouped(row.tried),
        { text: chance(row.expected), style: "dim" },
        row.hash ?? { text: "not found", style: "unusable" },
        row.source,
      );
      collisions.push(
        ...row.collisions.map(({ hash, names: same }) => `${row.pack}: ${hash} is ${same.join(" and ")}`),
      );
    }
    table.end();
    for (const collision of collisions) output.warning(collision);
  },
};

/** Commands of this file. */
export const nameCommands: readonly RunnableCommand[] = [names];
