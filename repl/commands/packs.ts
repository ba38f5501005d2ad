/**
 * Packs and the checksums by which engines identify them: `packs`, `checksum`, `pure`, `names`.
 * @module
 */
import { quoted, UsageError } from "../../system/mod.ts";
import type { ChecksumResult, PackRow, PureRow } from "../../protocol/rows.ts";
import { ask, command, inView, namedView, rowsOf } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { bar, counted, grouped, humanSize, humanTime } from "../output/human.ts";
import { oneRow, tableOf, textOnly } from "../output/results.ts";
import type { Column } from "../output/table.ts";

/** Length of the bar of the largest pack, in characters. */
const barWidth = 8;

function packColumns(rows: readonly PackRow[]): readonly Column<PackRow>[] {
  const maxSize = rows.reduce((max, { size }) => Math.max(max, size), 0);
  const isOneGame = rows.every(({ game }) => game === rows[0]?.game);
  return [
    { title: "GAME", isOptional: isOneGame, cell: (row) => row.game },
    { title: "GAME DIRECTORY", cell: (row) => row.gameDirectory },
    { title: "PACK", cell: (row) => row.usable ? row.pack : { text: row.pack, style: "unusable" } },
    { title: "FORMAT", isOptional: true, cell: (row) => ({ text: row.format, style: "dim" }) },
    { title: "FILES", align: "right", cell: (row) => grouped(row.files) },
    { title: "WINS", align: "right", cell: ({ wins }) => wins === null ? { text: "-", style: "dim" } : grouped(wins) },
    { title: "SIZE", align: "right", isOptional: !isOneGame, cell: (row) => humanSize(row.size) },
    { title: "", isOptional: true, onlyOnTerminal: true, cell: (row) => bar(row.size, maxSize, barWidth) },
    { title: "MODIFIED", isOptional: true, cell: (row) => humanTime(row.mtime) },
    { title: "", isProse: true, cell: packRemarks },
  ];
}

function packRemarks({ usable, reason, warnings, source }: PackRow): string {
  const because = reason?.replace(`${source}: `, "") ?? "no reason given";
  return [...usable ? [] : [`not used: ${because}`], ...warnings].join("; ");
}

export const packs = command({
  name: "packs",
  group: "Ask",
  scope: "anywhere",
  rows: ["PackRow"],
  summary: "list the packs, and why some are not used",
  arguments: [{ name: "VIEW", kind: "view", optional: true }],
  options: [
    {
      name: "checksum",
      value: "N",
      summary: "only the pk3 with this Quake III checksum, signed or unsigned",
    },
    { name: "fully-shadowed", summary: "only packs in use whose files all lose" },
  ],
  examples: [
    { line: "packs quake3/baseq3", does: "the packs as one view uses them, and how many of their files win" },
    { line: "packs quake3/baseq3 --fully-shadowed", does: "packs from which the engine loads no file" },
    { line: "packs --checksum 1566731103", does: "find the pack of a server's pure list" },
  ],
  async *run(context, input) {
    const wanted = input.options.value("checksum");
    const rows = await Array.fromAsync(rowsOf(context, "packs", {
      ...namedView(context, input),
      ...wanted === undefined ? {} : { checksum: parseInteger32("checksum", wanted) },
      ...input.options.flag("fully-shadowed") ? { fullyShadowed: true } : {},
    }));
    yield tableOf(rows, packColumns(rows));
    if (wanted !== undefined && rows.length === 0) throw new CommandError(`no pack has the checksum ${wanted}`);
  },
});

/**
 * A 32-bit integer, signed or unsigned.
 * @throws {UsageError} if `text` is no such number.
 */
export function parseInteger32(option: string, text: string): number {
  const number = /^-?\d{1,10}$|^0x[0-9a-f]{1,8}$/i.test(text) ? Number(text) : Number.NaN;
  if (number >= -(2 ** 31) && number < 2 ** 32) return number;
  throw new UsageError(`--${option} takes a whole number of 32 bits, not ${quoted(text)}`);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

async function checksumOfFile(path: string, feed: number): Promise<ChecksumResult> {
  const { fileChecksum } = await import("../../service/archive_checks.ts");
  const result = fileChecksum(path, feed);
  if (result) return result;
  throw new CommandError(`${path}: not a zip; only pk3 and similar packs have this checksum`);
}

export const checksum = command({
  name: "checksum",
  group: "Ask",
  scope: "anywhere",
  rows: ["ChecksumResult"],
  summary: "print the checksums by which Quake III engines identify a pk3",
  arguments: [{ name: "PACK", kind: "pack", repeated: true }],
  options: [
    { name: "feed", value: "N", summary: "the server's sv_checksumFeed, for the pure checksum; default 0" },
  ],
  details: [
    "PACK is a file, which needs no daemon, or the name of a pack that the daemon knows. sv_paks and a server's list " +
    "of pure packs hold the checksum; a client sends the pure checksum to a pure server. packs --checksum N finds " +
    "the pack of a checksum.",
  ],
  examples: [
    { line: "checksum pak0.pk3", does: "both numbers, as the engine prints them" },
    { line: "checksum pak0.pk3 --feed 12345", does: "the pure checksum for one server" },
  ],
  async *run(context, { words, options }) {
    const feed = parseInteger32("feed", options.value("feed") ?? "0") | 0;
    const results = async function* (): AsyncGenerator<ChecksumResult> {
      for (const pack of words) {
        // deno-lint-ignore no-await-in-loop -- packs are answered in the order they were requested
        yield isFile(pack) ? await checksumOfFile(pack, feed) : await ask(context, "checksum", {
          ...inView(context),
          pack,
          feed,
        });
      }
    };
    yield tableOf(results(), [
      { title: "CHECKSUM", align: "right", cell: (row) => String(row.checksum) },
      { title: "PURE", align: "right", cell: (row) => String(row.pure) },
      { title: "PACK", cell: (row) => row.pack },
    ]);
  },
});

const pureColumns: readonly Column<PureRow>[] = [
  { title: "RANK", align: "right", cell: (row) => String(row.rank) },
  { title: "CHECKSUM", align: "right", cell: (row) => row.checksum === null ? "" : String(row.checksum) },
  {
    title: "PACK",
    cell: ({ source, wanted }) => source ?? { text: `missing: no pack is "${wanted}"`, style: "unusable" },
  },
];

export const pure = command({
  name: "pure",
  group: "Ask",
  scope: "anywhere",
  rows: ["PureResult"],
  summary: "show the view of a pure server's packs, or print the list that such a server would send",
  arguments: [{ name: "PACK", kind: "pack", optional: true, repeated: true }],
  options: [],
  details: [
    "The list has the form of a server's sv_paks: checksums, signed or unsigned, or names of packs, in search order. " +
    "Other packs are not used, nor are loose files except configurations and the like. Missing packs are reported, " +
    "and the exit code is 1. The view has its own name, which other commands accept and which is a directory of the " +
    "mount.",
  ],
  examples: [
    { line: "pure", does: "the packs of the current view as a pure server would announce them" },
    { line: "pure pak0.pk3 -1059476049", does: "the view of these two packs, searched in this order" },
  ],
  async *run(context, { words }) {
    const list = words.flatMap((word) => word.split(/[,\s]+/)).filter((word) => word !== "");
    const result = await ask(context, "pure", { ...inView(context), ...(list.length === 0 ? {} : { list }) });
    yield oneRow(result, (page) => {
      page.line({ text: result.view, style: "heading" }, `  ${counted(result.packs.length, "pack")}`);
      page.table(result.packs, pureColumns);
    });
    return result.missing > 0 ? 1 : 0;
  },
});

/** Formats the hits by chance as an order of magnitude. */
function chance(expected: number): string {
  return expected < 0.001 ? "<0.001" : expected.toPrecision(2);
}

export const names = command({
  name: "names",
  group: "Ask",
  scope: "anywhere",
  rows: ["NamesRow"],
  summary: "show how many names of hashed packs were recovered",
  arguments: [{ name: "PACK", kind: "pack", optional: true }],
  options: [],
  details: [
    "Hashed packs hold a hash of each name. Names are recovered with the hash functions of all games: from lists of " +
    "--names or of the configuration, the names of the game's other files, and strings in its scripts, maps and " +
    "programs. Files without a known name are in unknown/, named by hash. BY CHANCE is the number of hits to expect " +
    "if no candidate is right.",
  ],
  examples: [{ line: "names", does: "one line per hashed pack of the current game" }],
  async *run(context, { words: [pack] }) {
    const rows = rowsOf(context, "names", { ...inView(context), ...(pack === undefined ? {} : { pack }) });
    const collisions: string[] = [];
    const noted = async function* () {
      for await (const row of rows) {
        yield row;
        for (const { hash, names: same } of row.collisions) {
          collisions.push(`${row.pack}: ${hash} is ${same.join(" and ")}`);
        }
      }
    };
    yield tableOf(noted(), [
      { title: "NAMED", align: "right", cell: (row) => grouped(row.named) },
      { title: "FILES", align: "right", cell: (row) => grouped(row.files) },
      { title: "TRIED", align: "right", cell: (row) => grouped(row.tried) },
      { title: "BY CHANCE", align: "right", cell: (row) => ({ text: chance(row.expected), style: "dim" }) },
      { title: "HASH", cell: (row) => row.hash ?? { text: "not found", style: "unusable" } },
      { title: "PACK", cell: (row) => row.source },
    ]);
    yield textOnly(() => collisions.forEach((collision) => context.output.warning(collision)));
  },
});
