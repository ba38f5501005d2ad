/**
 * Pure servers: `pure`.
 * @module
 */
import { ask, inView, type RunnableCommand } from "../command/command.ts";
import { counted, Table } from "../output/render.ts";

const pure: RunnableCommand = {
  name: "pure",
  group: "Ask",
  scope: "anywhere",
  rows: ["PureResult"],
  summary: "make the view of a pure server's packs, or print the list such a server would send",
  arguments: [{ name: "PACK", kind: "pack", optional: true, repeated: true }],
  options: [],
  details: [
    "The list is what a server's sv_paks holds: checksums, signed or not, or names of packs, first searched first. " +
    "Packs that are not on it cannot be used, and of loose files only configurations and the like. Every pack that is " +
    "missing is reported, and the exit code is 1. The view has a name of its own, by which any command finds it, and " +
    "under which it is a directory of the mount.",
  ],
  examples: [
    { line: "pure", does: "the packs of the current view as a pure server would announce them" },
    { line: "pure pak0.pk3 -1059476049", does: "the view of these two packs, the first searched first" },
  ],
  run: async (context, { words }) => {
    const { output } = context;
    const list = words.flatMap((word) => word.split(/[,\s]+/)).filter((word) => word !== "");
    const result = await ask(context, "pure", { ...inView(context), ...(list.length === 0 ? {} : { list }) });
    if (output.json) output.row(result);
    else {
      output.line({ text: result.view, style: "heading" }, `  ${counted(result.packs.length, "pack")}`);
      const table = new Table(output, [{ title: "RANK", align: "right" }, { title: "CHECKSUM", align: "right" }, {
        title: "PACK",
      }]);
      for (const { rank, checksum, source, wanted } of result.packs) {
        const place = source ?? { text: `missing: no pack is "${wanted}"`, style: "unusable" as const };
        table.add(String(rank), checksum === null ? "" : String(checksum), place);
      }
      table.end();
    }
    return result.missing > 0 ? 1 : 0;
  },
};

/** Commands of this file. */
export const pureCommands: readonly RunnableCommand[] = [pure];
