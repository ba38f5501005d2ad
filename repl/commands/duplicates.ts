/**
 * Files with the same bytes: `duplicates`.
 * @module
 */
import { basename } from "@std/path";
import { exitCodes, UsageError } from "../../system/mod.ts";
import type { DuplicateFile, DuplicateRow } from "../../protocol/rows.ts";
import { command, inView, slowRowsOf } from "../command/command.ts";
import { counted, humanSize } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { eachRow } from "../output/results.ts";
import { limited, parseSizeRange } from "./find.ts";

function fileText({ source, member, game, gameDirectory }: DuplicateFile): string {
  const name = basename(source);
  const place = name === gameDirectory ? "" : `${name}${member === "" ? "" : " : "}`;
  return `${game}/${gameDirectory}/${place}${member}`;
}

function print(page: Page, { sha256, size, count, wasted, files, problem }: DuplicateRow): void {
  const [first] = files;
  if (problem !== undefined) {
    page.line({ text: `${first ? fileText(first) : ""}  cannot be read: ${problem}`, style: "unusable" });
    return;
  }
  page.line(
    { text: `${humanSize(wasted)} wasted`, style: "heading" },
    `  ${counted(count, "file")} of ${humanSize(size)}`,
    { text: `  ${sha256}`, style: "dim" },
  );
  for (const file of files) page.line(`  ${fileText(file)}`);
  if (count > files.length) page.line(`  and ${counted(count - files.length, "more", "more")}`);
}

export const duplicates = command({
  name: "duplicates",
  group: "Ask",
  scope: "anywhere",
  rows: ["DuplicateRow"],
  summary: "list files with the same bytes, in all packs and game directories",
  arguments: [],
  options: [
    { name: "packs", summary: "compare whole packs, not their files" },
    { name: "everything", summary: "all games, even if a view is current" },
    { name: "size", value: "+SIZE", summary: "only files of this size or more: +1M" },
    { name: "limit", value: "N", summary: "stop after N groups" },
  ],
  details: [
    "Searches all games, with --view the search path of one view; files that lose to others count too. The groups " +
    "that waste most come first. Files are read if others have the same size and, if the archive stores it, the same " +
    "CRC-32; their hashes are cached as by hash. Files that cannot be read come last, and the exit code is 1.",
  ],
  examples: [
    { line: "duplicates --limit 10", does: "the ten most wasteful groups of files" },
    { line: "duplicates --packs", does: "packs that exist twice" },
    { line: "duplicates --view quake3/mymod", does: "files of a mod that the game has too" },
  ],
  async *run(context, input) {
    const { options } = input;
    const size = options.value("size");
    const { minSize, maxSize } = size === undefined ? {} : parseSizeRange(size);
    if (maxSize !== undefined) throw new UsageError("--size takes a minimum size: +1M");
    const sums = { groups: 0, wasted: 0, unreadable: 0 };
    const found = slowRowsOf(context, "duplicates", {
      ...options.flag("everything") ? {} : inView(context),
      ...options.flag("packs") ? { packs: true } : {},
      ...minSize === undefined ? {} : { minSize },
    });
    const rows = limited(found, input).filter(({ wasted, problem }) => {
      if (problem === undefined) sums.groups++;
      else sums.unreadable++;
      sums.wasted += wasted;
      return true;
    });
    yield eachRow(rows, print);
    const unreadable = sums.unreadable === 0 ? "" : `, ${counted(sums.unreadable, "file")} cannot be read`;
    const groups = sums.groups === 0
      ? "no duplicates"
      : `${counted(sums.groups, "group")}, ${humanSize(sums.wasted)} wasted`;
    context.output.remark(`${groups}${unreadable}`);
    return sums.unreadable > 0 ? exitCodes.failed : exitCodes.ok;
  },
});
