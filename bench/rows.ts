/**
 * The rows of the table: what is measured, in which unit, on how fresh a mount.
 * @module
 */
import { catAll, type ClientTask, type Measurement, readAll, readSequentially, statAll, walk } from "./clients.ts";

/** Units of the table. */
export type Unit = "ms" | "files/s" | "MB/s" | "MB";

/** One row. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly isBetter: "lower" | "higher";
}

/** A row that a client measures. */
export interface ClientRow extends Row {
  readonly run: (task: ClientTask) => Promise<Measurement>;
}

/** Rows measured one after the other on one mount: the first finds its caches empty. */
export type Group = readonly ClientRow[];

const seconds = { unit: "ms", isBetter: "lower" } as const;
const files = { unit: "files/s", isBetter: "higher" } as const;
const bytes = { unit: "MB/s", isBetter: "higher" } as const;

/** From starting the command until a member answers. */
export const mountRow: Row = { ...seconds, name: "mount" };
/** Memory after reading all small files. */
export const residentRow: Row = { name: "resident after reading all", unit: "MB", isBetter: "lower" };

/** Name of the row after which memory is looked at. */
export const readingRowName = "open+read+close, warm";

/** The groups, each of which gets a mount of its own. */
export const groups: readonly Group[] = [
  [{ ...seconds, name: "walk, cold", run: walk }, { ...seconds, name: "walk, warm", run: walk }],
  [{ ...files, name: "stat, cold", run: statAll }, { ...files, name: "stat, warm", run: statAll }],
  [
    { ...files, name: "open+read+close, cold", run: (task) => readAll(task) },
    { ...files, name: readingRowName, run: (task) => readAll(task) },
  ],
  [{ ...files, name: "the same, 4 readers, cold", run: (task) => readAll(task, 4) }],
  [{ ...files, name: "cat into a pipe, cold", run: catAll }, { ...files, name: "cat into a pipe, warm", run: catAll }],
  [
    { ...bytes, name: "large file, cold", run: readSequentially },
    { ...bytes, name: "large file, warm", run: readSequentially },
  ],
];

/** All rows, as the table shows them. */
export const rows: readonly Row[] = [mountRow, ...groups.flat(), residentRow];

/** A measurement in the unit of its row. */
export function valueOf(row: Row, { seconds, done }: Measurement): number {
  if (row.unit === "ms") return seconds * 1000;
  return row.unit === "MB/s" ? done / 1e6 / seconds : done / seconds;
}
