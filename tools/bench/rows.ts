/**
 * The rows of the table: what is measured, in which unit, on how fresh a mount.
 * @module
 */
import {
  type ClientTask,
  listNames,
  type Measurement,
  readAll,
  readLastBytes,
  readRandomly,
  readSequentially,
  readWholeTree,
  statAll,
  walk,
} from "./clients.ts";

/** Units of the table. */
export type Unit = "ms" | "µs" | "files/s" | "MB/s" | "MB" | "×";

/** One row. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly isBetter: "lower" | "higher";
}

/** A row that comes out of what a client has measured. */
export interface Result {
  readonly row: Row;
  /** The figure in the row's unit; `mountSeconds` is what the mount took that the client worked on. */
  readonly valueOf: (measurement: Measurement, mountSeconds: number) => number;
}

/** One run of a client, and the rows that come out of it. */
export interface Step {
  readonly run: (task: ClientTask) => Promise<Measurement>;
  readonly results: readonly Result[];
  /** Memory is looked at afterwards. */
  readonly endsReading?: boolean;
}

/** Steps taken one after the other on one mount: the first finds its caches empty. */
export interface Group {
  readonly steps: readonly Step[];
  /** Whether the same steps ran on an earlier mount, whose program may have left a cache for this one. */
  readonly isSecondMount?: boolean;
}

function inMilliseconds(name: string): Result {
  return { row: { name, unit: "ms", isBetter: "lower" }, valueOf: ({ seconds }) => seconds * 1000 };
}

function inFiles(name: string): Result {
  return { row: { name, unit: "files/s", isBetter: "higher" }, valueOf: ({ done, seconds }) => done / seconds };
}

function inMegabytes(name: string): Result {
  return { row: { name, unit: "MB/s", isBetter: "higher" }, valueOf: ({ done, seconds }) => done / 1e6 / seconds };
}

function withMount(name: string): Result {
  return {
    row: { name, unit: "MB/s", isBetter: "higher" },
    valueOf: ({ done, seconds }, mountSeconds) => done / 1e6 / (seconds + mountSeconds),
  };
}

function inMicroseconds(name: string, part: "p50" | "p99"): Result {
  return { row: { name, unit: "µs", isBetter: "lower" }, valueOf: (measurement) => measurement[part] ?? NaN };
}

/** From starting the command until a member answers. */
export const mountRow: Row = { name: "mount", unit: "ms", isBetter: "lower" };
/** Memory after the whole tree was read. */
export const residentRow: Row = { name: "resident after reading all", unit: "MB", isBetter: "lower" };
/** Speed of four readers relative to one; derived from two other rows. */
export const parallelRow: Row = { name: "4 readers / 1 reader", unit: "×", isBetter: "higher" };
/** The names of the rows that targets are about. */
export const names = {
  namesCold: "names, cold",
  walkCold: "walk, cold",
  walkWarm: "walk, warm",
  statCold: "stat, cold",
  statWarm: "stat, warm",
  openCold: "open+read+close, cold",
  openWarm: "open+read+close, warm",
  treeCold: "whole tree, cold",
  treeWithMount: "whole tree, mount included",
  treeWarm: "whole tree, warm",
  treeParallel: "whole tree, cold, 4 readers",
  largeCold: "large file, cold",
  largeWarm: "large file, warm",
  randomMedian: "random 4 KiB, decoded, p50",
  lastBytes: "last 4 KiB of second file",
  lastBytesAgain: "last 4 KiB of second file, second mount",
} as const;

/** The steps of the groups that a first mount gets. */
const firstMounts: readonly (readonly Step[])[] = [
  [
    { run: listNames, results: [inMilliseconds(names.namesCold)] },
    { run: listNames, results: [inMilliseconds("names, warm")] },
  ],
  [
    { run: walk, results: [inMilliseconds(names.walkCold)] },
    { run: walk, results: [inMilliseconds(names.walkWarm)] },
  ],
  [
    { run: statAll, results: [inFiles(names.statCold)] },
    { run: statAll, results: [inFiles(names.statWarm)] },
  ],
  [
    { run: (task) => readAll(task), results: [inFiles(names.openCold)] },
    { run: (task) => readAll(task), results: [inFiles(names.openWarm)] },
  ],
  [
    { run: (task) => readWholeTree(task), results: [inMegabytes(names.treeCold), withMount(names.treeWithMount)] },
    { run: (task) => readWholeTree(task), results: [inMegabytes(names.treeWarm)], endsReading: true },
  ],
  [{ run: (task) => readWholeTree(task, 4), results: [inMegabytes(names.treeParallel)] }],
  [
    { run: readSequentially, results: [inMegabytes(names.largeCold)] },
    { run: readSequentially, results: [inMegabytes(names.largeWarm)] },
    {
      run: (task) => readRandomly(task, false),
      results: [inMicroseconds("random 4 KiB, warm, p50", "p50"), inMicroseconds("random 4 KiB, warm, p99", "p99")],
    },
    {
      run: (task) => readRandomly(task, true),
      results: [inMicroseconds(names.randomMedian, "p50"), inMicroseconds("random 4 KiB, decoded, p99", "p99")],
    },
  ],
  [{ run: readLastBytes, results: [inMilliseconds(names.lastBytes)] }],
];

/** The groups; each gets a mount of its own. */
export const groups: readonly Group[] = [
  ...firstMounts.map((steps) => ({ steps })),
  { steps: [{ run: readLastBytes, results: [inMilliseconds(names.lastBytesAgain)] }], isSecondMount: true },
];

/** The rows that come out of a group. */
export function rowsOf({ steps }: Group): Row[] {
  return steps.flatMap(({ results }) => results.map(({ row }) => row));
}

/** All rows, as the table shows them. */
export const rows: readonly Row[] = [
  mountRow,
  ...groups.flatMap((group) => {
    const own = rowsOf(group);
    return own.some(({ name }) => name === names.treeParallel) ? [...own, parallelRow] : own;
  }),
  residentRow,
];
