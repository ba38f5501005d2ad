/**
 * Long listings of files, for `ls -l`, `find -l` and `unique -l`.
 * @module
 */
import { basename } from "@std/path";
import type { DirectoryRow, FileRow } from "../../protocol/rows.ts";
import { counted, humanSize, humanTime } from "../output/human.ts";
import type { Column } from "../output/table.ts";
import type { Part } from "../output/text.ts";

/** Members that a long listing shows. */
export const longFields = [
  "type",
  "qpath",
  "size",
  "mtime",
  "source",
  "format",
  "shadows",
  "damaged",
  "entries",
] as const;
type LongFileRow = Pick<FileRow, typeof longFields[number] & keyof FileRow>;
type LongRow = LongFileRow | Pick<DirectoryRow, typeof longFields[number] & keyof DirectoryRow>;

/** Returns the last name of the pack or directory that a file comes from. */
function shortSource({ format, source }: LongFileRow): string {
  return format === "loose" ? `${basename(source)}/` : basename(source);
}

function sourceCell(row: LongRow): Part {
  if (row.type === "directory") return { text: counted(row.entries, "name"), style: "dim" };
  return { text: shortSource(row) + (row.shadows > 0 ? ` (+${row.shadows})` : ""), style: "dim" };
}

function nameCell(row: LongRow, name: string): Part {
  if (row.type === "directory") return { text: `${name}/`, style: "directory" };
  return row.damaged === undefined ? name : { text: `${name}  damaged: ${row.damaged}`, style: "unusable" };
}

/**
 * Returns the columns of a long listing.
 * @param nameOf Returns the name to show for a row.
 */
export function longColumns(nameOf: (row: LongRow) => string): readonly Column<LongRow>[] {
  return [
    { title: "SIZE", align: "right", cell: (row) => row.type === "directory" ? "-" : humanSize(row.size) },
    { title: "MODIFIED", cell: (row) => row.type === "directory" ? "" : humanTime(row.mtime) },
    { title: "FROM", cell: sourceCell },
    { title: "NAME", cell: (row) => nameCell(row, nameOf(row)) },
  ];
}

/** Members of files that {@linkcode longColumns} shows. */
export const longFileFields = longFields.filter((name) => name !== "entries");

/** Returns the path of a file. */
export function qpathOf({ qpath }: Pick<FileRow, "qpath">): string {
  return qpath;
}
