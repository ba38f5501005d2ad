/**
 * The numbers by which Quake III's engines know a pack: `checksum`.
 * @module
 */
import { ask, inView, type RunnableCommand } from "../command/command.ts";
import type { ChecksumResult } from "../../protocol/rows.ts";
import { UsageError } from "../../command_line/usage.ts";
import { CommandError } from "../output/failure.ts";
import { Table } from "../output/render.ts";

/**
 * A 32-bit integer, written with a sign or without.
 * @throws {UsageError} if `text` is none.
 */
export function parseInteger32(option: string, text: string): number {
  const number = /^-?\d{1,10}$|^0x[0-9a-f]{1,8}$/i.test(text) ? Number(text) : Number.NaN;
  if (number >= -(2 ** 31) && number < 2 ** 32) return number;
  throw new UsageError(`--${option} takes a whole number of 32 bits, not "${text}"`);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

async function ofFile(path: string, feed: number): Promise<ChecksumResult> {
  const { fileChecksum } = await import("../../service/archive_checks.ts");
  const result = fileChecksum(path, feed);
  if (result) return result;
  throw new CommandError(`${path}: not a zip; only pk3 and its like have such a checksum`);
}

const checksum: RunnableCommand = {
  name: "checksum",
  group: "Ask",
  scope: "anywhere",
  rows: ["ChecksumResult"],
  summary: "print the numbers by which Quake III's engines know a pk3",
  arguments: [{ name: "PACK", kind: "pack", repeated: true }],
  options: [
    { name: "feed", value: "N", summary: "the server's sv_checksumFeed, for the pure checksum; default 0" },
  ],
  details: [
    "PACK is a file, which needs no daemon, or the name of a pack that the daemon knows. The checksum is what sv_paks " +
    "and a server's list of pure packs hold; the pure checksum is what a client answers a pure server. packs " +
    "--checksum N finds the pack of a checksum.",
  ],
  examples: [
    { line: "checksum pak0.pk3", does: "both numbers, as the engine prints them" },
    { line: "checksum pak0.pk3 --feed 12345", does: "the pure checksum for one server" },
  ],
  run: async (context, { words, options }) => {
    const { output } = context;
    const feed = parseInteger32("feed", options.value("feed") ?? "0") | 0;
    const table = new Table(output, [
      { title: "CHECKSUM", align: "right" },
      { title: "PURE", align: "right" },
      { title: "PACK" },
    ]);
    for (const pack of words) {
      const result = isFile(pack)
        // deno-lint-ignore no-await-in-loop -- packs are answered in the order they were asked for
        ? await ofFile(pack, feed)
        // deno-lint-ignore no-await-in-loop -- packs are answered in the order they were asked for
        : await ask(context, "checksum", { ...inView(context), pack, feed });
      if (output.json) output.row(result);
      else table.add(String(result.checksum), String(result.pure), result.pack);
    }
    table.end();
  },
};

/** Commands of this file. */
export const checksumCommands: readonly RunnableCommand[] = [checksum];
