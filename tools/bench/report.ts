/**
 * From samples to medians, spreads and ratios.
 * @module
 */
import type { Measurement } from "./clients.ts";
import type { Compression } from "./data.ts";
import type { Subject } from "./peers.ts";
import type { Row } from "./rows.ts";

/** One measured value, or the reason why it is missing. */
export type Sample = { readonly value: number; readonly isPartial: boolean } | { readonly failure: string };

/** How a subject compares with a peer. */
export interface Comparison {
  readonly peer: string;
  /** Speed in parts of the peer's: 1 is as fast, more is faster. */
  readonly ratio: number;
}

/** Result of one subject in one row. */
export interface Cell {
  /** In the unit of the row; null if no sample succeeded. */
  readonly median: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly samples: readonly number[];
  /** A time limit came before the end of the work: the figure is of a part. */
  readonly isPartial: boolean;
  readonly failures: readonly string[];
  /** Speed in parts of native's: 1 is as fast, less is slower. Null without native. */
  readonly ofNative: number | null;
  /** Compared with the fastest peer that mounts such an archive and did the whole work; null for all but pakfs. */
  readonly besideArchives: Comparison | null;
  /** Compared with the fastest peer that passes files through and did the whole work; null for all but pakfs. */
  readonly besideThrough: Comparison | null;
}

/** A row with its figures, by the labels of subjects. */
export type ReportRow = Row & { readonly cells: Readonly<Record<string, Cell>> };

/** Measurements of inflating the archive alone, by the name of the library. */
export type InflatingAlone = Readonly<Record<string, readonly Measurement[]>>;

/** All results of one way to run. */
export interface Report {
  readonly rows: readonly ReportRow[];
  readonly inflating: InflatingAlone;
}

/** Collects samples by row and subject. */
export class Samples {
  readonly #samples = new Map<string, Sample[]>();

  /** One more. */
  add(row: Row, label: string, sample: Sample): void {
    const key = `${row.name}\0${label}`;
    const known = this.#samples.get(key);
    if (known) known.push(sample);
    else this.#samples.set(key, [sample]);
  }

  /** All samples of a subject in a row. */
  of({ name }: Pick<Row, "name">, label: string): readonly Sample[] {
    return this.#samples.get(`${name}\0${label}`) ?? [];
  }

  /** Fills a row with the quotients of two others, round by round. */
  divide(row: Row, dividend: string, divisor: string, labels: readonly string[]): void {
    for (const label of labels) {
      const divisors = this.of({ name: divisor }, label);
      for (const [round, above] of this.of({ name: dividend }, label).entries()) {
        const below = divisors[round];
        if (!below || "failure" in above || "failure" in below) continue;
        const isPartial = above.isPartial || below.isPartial;
        this.add(row, label, { value: above.value / below.value, isPartial });
      }
    }
  }
}

/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** How fast a value is in parts of another. */
export function speedRatio(
  row: Pick<Row, "isBetter">,
  value: number | null,
  reference: number | null,
): number | null {
  if (value === null || reference === null || value === 0 || reference === 0) return null;
  return row.isBetter === "higher" ? value / reference : reference / value;
}

/** Computes all cells. */
export function makeReport(
  rows: readonly Row[],
  subjects: readonly Subject[],
  samples: Samples,
  inflating: InflatingAlone,
): Report {
  return { rows: rows.map((row) => ({ ...row, cells: cellsOf(row, subjects, samples) })), inflating };
}

type Summary = Omit<Cell, "ofNative" | "besideArchives" | "besideThrough">;

function cellsOf(row: Row, subjects: readonly Subject[], samples: Samples): Record<string, Cell> {
  const summaries = new Map(subjects.map(({ label }) => [label, summarize(samples.of(row, label))]));
  const medianOf = (label: string) => summaries.get(label)?.median ?? null;
  const native = subjects.find(({ mounter }) => mounter === null)?.label ?? "";
  const beside = (subject: Subject, kind: Subject["kind"], compression: Compression | null): Comparison | null => {
    if (subject.kind !== "own") return null;
    // Comparisons skip partial results, as the measured part may be the easy one.
    const comparisons = subjects.flatMap((peer) => {
      if (peer.kind !== kind || peer.compression !== compression || summaries.get(peer.label)?.isPartial !== false) {
        return [];
      }
      const ratio = speedRatio(row, medianOf(subject.label), medianOf(peer.label));
      return ratio === null ? [] : [{ peer: peer.label, ratio }];
    });
    return comparisons.toSorted((a, b) => a.ratio - b.ratio)[0] ?? null;
  };
  return Object.fromEntries(subjects.map((subject) => {
    const summary = summaries.get(subject.label) ?? summarize([]);
    const cell: Cell = {
      ...summary,
      ofNative: speedRatio(row, summary.median, medianOf(native)),
      besideArchives: beside(subject, "archive", subject.compression),
      besideThrough: beside(subject, "passes through", null),
    };
    return [subject.label, cell];
  }));
}

function summarize(samples: readonly Sample[]): Summary {
  const values = samples.flatMap((sample) => "value" in sample ? [sample.value] : []);
  return {
    median: median(values),
    minimum: values.length === 0 ? null : Math.min(...values),
    maximum: values.length === 0 ? null : Math.max(...values),
    samples: values,
    isPartial: samples.some((sample) => "value" in sample && sample.isPartial),
    failures: samples.flatMap((sample) => "failure" in sample ? [sample.failure] : []),
  };
}
