/**
 * Long listings of files, for `ls -l`, `find -l` and `unique -l`.
 * @module
 */
import { basename } from "@std/path";
import type { DirectoryRow, FileRow } from "../../protocol/rows.ts";
import type { OptionSpec } from "../../system/mod.ts";
import type { Input } from "../command/command.ts";
import { counted, humanSize, humanTime } from "../output/human.ts";
import { type Result, RowStream, tableOf } from "../output/results.ts";
import type { Column } from "../output/table.ts";
import type { Part } from "../output/text.ts";

/** Members shown in a long listing. */
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

/** Returns the last component of a file's pack or directory. */
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
 * @param nameOf Returns the displayed name of a row.
 */
export function longColumns(nameOf: (row: LongRow) => string): readonly Column<LongRow>[] {
  return [
    { title: "SIZE", align: "right", cell: (row) => row.type === "directory" ? "-" : humanSize(row.size) },
    { title: "MODIFIED", isOptional: true, cell: (row) => row.type === "directory" ? "" : humanTime(row.mtime) },
    { title: "FROM", cell: sourceCell },
    { title: "NAME", cell: (row) => nameCell(row, nameOf(row)) },
  ];
}

/** Option of listings of files. */
export const fieldsOption: OptionSpec = {
  name: "fields",
  value: "NAME,...",
  repeatable: true,
  summary: "only these fields of each file, by their names in --json",
};

/** Returns the value of {@linkcode fieldsOption}. */
export function fieldsGiven({ options }: Input): string[] | undefined {
  const names = options.list("fields").flatMap((list) => list.split(","));
  return names.length > 0 ? names : undefined;
}

/** Returns rows with only the fields in `fields`, displayed as a table. */
export function fieldTable(rows: RowStream<object>, fields: readonly string[]): Result<FileRow> {
  const wanted = new Set(fields);
  const chosen = new RowStream(async function* () {
    for await (const page of rows.pages) {
      yield page.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name))));
    }
  }());
  const columns = fields.map((name) => ({
    title: name.toUpperCase(),
    cell: (row: FileRow) => String(row[name as keyof FileRow] ?? ""),
  }));
  // Programs get fewer fields only on request.
  return tableOf<FileRow>(chosen as RowStream<object> as RowStream<FileRow>, columns);
}

/** Members of files that {@linkcode longColumns} shows. */
export const longFileFields = longFields.filter((name) => name !== "entries");

/** Returns the path of a file. */
export function qpathOf({ qpath }: Pick<FileRow, "qpath">): string {
  return qpath;
}

/** Keys of `--sort`: the member of a row, and whether the order is descending. */
const sortings = {
  name: { field: "qpath", isDescending: false },
  size: { field: "size", isDescending: true },
  mtime: { field: "mtime", isDescending: true },
  packs: { field: "source", isDescending: false },
} as const;

/** Option of listings. All rows are buffered until the last has arrived; the client sorts them. */
export const sortOption: OptionSpec = {
  name: "sort",
  value: "KEY",
  choices: Object.keys(sortings),
  summary: "name, size (largest first), mtime (newest first) or packs",
};

/** Returns whether a listing is printed in the order of the index. */
export function isUnsorted({ options }: Input): boolean {
  return !options.flag("sort");
}

/** Returns the members that `--sort` needs besides the displayed ones. */
export function fieldsToSort(input: Input): readonly typeof sortings[keyof typeof sortings]["field"][] {
  const sorting = sortingOf(input);
  return sorting ? ["qpath", sorting.field] : [];
}

function sortingOf({ options }: Input) {
  const key = options.value("sort");
  return key === undefined ? undefined : sortings[key as keyof typeof sortings];
}

/** Returns rows sorted by `--sort`, equal ones by path, directories first. */
export function sorted<Row extends object>(rows: RowStream<Row>, input: Input): RowStream<Row> {
  const sorting = sortingOf(input);
  if (!sorting) return rows;
  const { field, isDescending } = sorting;
  const valueOf = (row: Row, name: string): unknown => (row as Record<string, unknown>)[name];
  const compared = (a: Row, b: Row, name: string): number => {
    const [one, other] = [valueOf(a, name), valueOf(b, name)];
    if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
    if (typeof one === "number" && typeof other === "number") return isDescending ? other - one : one - other;
    return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
  };
  return new RowStream(async function* () {
    const all = (await Array.fromAsync(rows.pages)).flat();
    yield all.sort((a, b) => compared(a, b, field) || compared(a, b, "qpath"));
  }());
}
