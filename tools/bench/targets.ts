/**
 * Targets of the figures, and whether they are met.
 * @module
 */
import { type Cell, type Comparison, median, type Report } from "./report.ts";
import { mountRow, names, parallelRow, residentRow } from "./rows.ts";

/** How a target was met in one way to run; null where it was not measured. */
export interface Verdict {
  /** The figures, in words. */
  readonly text: string;
  readonly holds: boolean;
}

/** A target, and the figure compared with it. */
export interface Target {
  readonly what: string;
  readonly target: string;
  readonly judge: (figures: Figures) => Verdict | null;
}

/** A required figure. */
interface Check {
  readonly text: string;
  readonly holds: boolean;
}

const deflated = "pakfs deflated";
const stored = "pakfs stored";

/** Looks figures of a report up. */
export class Figures {
  /** Measured figures. */
  readonly report: Report;
  /** Everything ran on one processor. */
  readonly isPinned: boolean;

  /** The figures of a report. */
  constructor(report: Report, isPinned: boolean) {
    this.report = report;
    this.isPinned = isPinned;
  }

  /** Returns the result of a subject in a row; undefined if it did not take part. */
  cell(row: string, label: string): Cell | undefined {
    return this.report.rows.find(({ name }) => name === row)?.cells[label];
  }

  /** The median of seconds of inflating alone, of the whole archive or the second largest file. */
  inflating(library: string, part: "seconds" | "memberSeconds"): number | null {
    return median((this.report.inflating[library] ?? []).flatMap((measurement) => measurement[part] ?? []));
  }
}

const decimals = 2;
const shortNames = new Map([[deflated, "d"], [stored, "s"]]);

function shortName(label: string): string {
  return shortNames.get(label) ?? label;
}

/** Checks that the time is at most `max` times native's. */
function timesNative(figures: Figures, row: string, label: string, max: number): Check | null {
  const ofNative = figures.cell(row, label)?.ofNative ?? null;
  if (ofNative === null) return null;
  return { text: `${shortName(label)} ${(1 / ofNative).toFixed(decimals)}×`, holds: 1 / ofNative <= max };
}

/** Checks that the speed is at least `min` times native's. */
function ofNative(figures: Figures, row: string, label: string, min: number, note = ""): Check | null {
  const ratio = figures.cell(row, label)?.ofNative ?? null;
  return ratio === null
    ? null
    : { text: `${note}${shortName(label)} ${ratio.toFixed(decimals)}×`, holds: ratio >= min };
}

function ahead(label: string, comparison: Comparison | null | undefined): Check | null {
  if (!comparison) return null;
  const { ratio, peer } = comparison;
  return { text: `${shortName(label)} ${ratio.toFixed(decimals)}× ${peer.split(" ")[0]}`, holds: ratio >= 1 };
}

function slowestComparison(cell: Cell | undefined): Comparison | null {
  const all = [cell?.besideArchives, cell?.besideThrough].filter((comparison) => !!comparison);
  return all.toSorted((a, b) => a.ratio - b.ratio)[0] ?? null;
}

function atMost(value: number | null | undefined, max: number, text: (value: string) => string): Check | null {
  return typeof value === "number" ? { text: text(value.toFixed(0)), holds: value <= max } : null;
}

function all(...checks: (Check | null)[]): Verdict | null {
  const measured = checks.filter((check) => check !== null);
  if (measured.length === 0) return null;
  return { text: measured.map(({ text }) => text).join(", "), holds: measured.every(({ holds }) => holds) };
}

/** Speed relative to fuse-zip's on an archive of the same kind. */
function besideFuseZip(figures: Figures, row: string, label: string): number | null {
  const own = figures.cell(row, label)?.median ?? null;
  const peer = figures.cell(row, label.replace("pakfs", "fuse-zip"))?.median ?? null;
  return own === null || peer === null ? null : own / peer;
}

function lastBytesBeyond(figures: Figures): Check | null {
  const touch = figures.cell(names.lastBytes, deflated)?.median ?? null;
  const decoding = figures.inflating("libdeflate", "memberSeconds") ?? figures.inflating("zlib", "memberSeconds");
  if (touch === null || decoding === null) return null;
  const beyond = touch - decoding * 1000;
  return { text: `${touch.toFixed(0)} ms, ${beyond.toFixed(0)} beyond decoding`, holds: beyond <= 15 };
}

/** Speed of reading relative to inflating alone, for information. */
function besideInflating(figures: Figures): Check | null {
  const megabytes = figures.cell(names.treeCold, deflated)?.median ?? null;
  const alone = figures.inflating("libdeflate", "seconds");
  const bytes = figures.report.inflating["libdeflate"]?.[0]?.total;
  if (megabytes === null || alone === null || bytes === undefined) return null;
  return { text: `${(bytes / 1e6 / megabytes / alone).toFixed(decimals)}× inflating alone`, holds: true };
}

/** All targets that these measurements can judge. */
export const targets: readonly Target[] = [
  {
    what: "walk with a stat of every file, warm",
    target: "<= 1.3 x native",
    judge: (figures) =>
      all(
        timesNative(figures, names.walkWarm, deflated, 1.3),
        timesNative(figures, names.walkWarm, stored, 1.3),
      ),
  },
  {
    what: "the same, cold",
    target: "<= 1.5 x native; ahead of peers",
    judge: (figures) =>
      all(
        timesNative(figures, names.walkCold, deflated, 1.5),
        timesNative(figures, names.walkCold, stored, 1.5),
        ahead(deflated, slowestComparison(figures.cell(names.walkCold, deflated))),
        ahead(stored, slowestComparison(figures.cell(names.walkCold, stored))),
      ),
  },
  {
    what: "whole tree, warm",
    target: "<= 1.7 x native",
    judge: (figures) =>
      all(
        timesNative(figures, names.treeWarm, deflated, 1.7),
        timesNative(figures, names.treeWarm, stored, 1.7),
      ),
  },
  {
    what: "whole deflated tree, cold, mount included",
    target: "ahead of archive mounts",
    judge: (figures) => all(ahead(deflated, figures.cell(names.treeWithMount, deflated)?.besideArchives)),
  },
  {
    what: "whole deflated tree, cold",
    target: "<= 1.5 x native",
    judge: (figures) => all(timesNative(figures, names.treeCold, deflated, 1.5), besideInflating(figures)),
  },
  {
    what: "the same by 4 readers",
    target: ">= 1.6 x one reader",
    judge: (figures) => {
      const ratio = figures.isPinned ? null : figures.cell(parallelRow.name, deflated)?.median ?? null;
      return ratio === null ? null : { text: `d ${ratio.toFixed(decimals)}×`, holds: ratio >= 1.6 };
    },
  },
  {
    what: "large deflated file, cold",
    target: ">= 2.5 x fuse-zip",
    judge: (figures) => {
      const ratio = besideFuseZip(figures, names.largeCold, deflated);
      return ratio === null ? null : { text: `d ${ratio.toFixed(decimals)}×`, holds: ratio >= 2.5 };
    },
  },
  {
    what: "large file: stored cold; both warm",
    target: ">= 0.6; >= 0.5 x native",
    judge: (figures) =>
      all(
        ofNative(figures, names.largeCold, stored, 0.6, "cold "),
        ofNative(figures, names.largeWarm, deflated, 0.5, "warm "),
        ofNative(figures, names.largeWarm, stored, 0.5),
      ),
  },
  {
    what: "random 4 KiB of a decoded file, p50",
    target: "<= 2 x native",
    judge: (figures) => all(timesNative(figures, names.randomMedian, deflated, 2)),
  },
  {
    what: "last 4 KiB of the second deflated file",
    target: "<= 15 ms beyond inflating alone",
    judge: (figures) => all(lastBytesBeyond(figures)),
  },
  {
    what: "open+read+close of small files, warm",
    target: ">= 0.8 x native",
    judge: (figures) =>
      all(ofNative(figures, names.openWarm, deflated, 0.8), ofNative(figures, names.openWarm, stored, 0.8)),
  },
  {
    what: "mount, start of the process included",
    target: "<= 250 ms, <= 1.5 x fuse-zip",
    judge: (figures) => {
      const ratio = besideFuseZip(figures, mountRow.name, deflated);
      return all(
        atMost(figures.cell(mountRow.name, deflated)?.median, 250, (value) => `d ${value} ms`),
        ratio === null ? null : { text: `${ratio.toFixed(decimals)}×`, holds: ratio <= 1.5 },
        atMost(figures.cell(mountRow.name, stored)?.median, 250, (value) => `s ${value} ms`),
      );
    },
  },
  {
    what: "resident after reading the whole tree twice",
    target: "<= 130 MB",
    judge: (figures) =>
      all(
        atMost(figures.cell(residentRow.name, deflated)?.median, 130, (value) => `d ${value}`),
        atMost(figures.cell(residentRow.name, stored)?.median, 130, (value) => `s ${value} MB`),
      ),
  },
];
