/**
 * From samples to medians, spreads, ratios, a table and JSON.
 * @module
 */
import type { Row } from "./rows.ts";

/** One measured value, or why there is none. */
export type Sample = { readonly value: number; readonly isPartial: boolean } | { readonly failure: string };

/** What became of one subject in one row. */
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
  /** Speed in parts of the fastest peer's with the same packing that did the whole work; null for peers. */
  readonly ofBestPeer: number | null;
  readonly bestPeer: string | null;
}

/** All results. */
export interface Report {
  readonly rows: readonly (Row & { readonly cells: Readonly<Record<string, Cell>> })[];
}

/** Which subjects there are, and against whom each is held. */
export interface Columns {
  readonly labels: readonly string[];
  readonly native: string;
  /** The peers of a subject; none for peers. */
  readonly peersOf: (label: string) => readonly string[];
}

/** Collects samples by row and subject. */
export class Samples {
  readonly #samples = new Map<string, Sample[]>();

  add(row: Row, label: string, sample: Sample): void {
    const key = `${row.name}\0${label}`;
    const known = this.#samples.get(key);
    if (known) known.push(sample);
    else this.#samples.set(key, [sample]);
  }

  of(row: Row, label: string): readonly Sample[] {
    return this.#samples.get(`${row.name}\0${label}`) ?? [];
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
export function speedRatio(row: Row, value: number | null, reference: number | null): number | null {
  if (value === null || reference === null || value === 0 || reference === 0) return null;
  return row.isBetter === "higher" ? value / reference : reference / value;
}

/** Computes all cells. */
export function makeReport(rows: readonly Row[], columns: Columns, samples: Samples): Report {
  return { rows: rows.map((row) => ({ ...row, cells: cellsOf(row, columns, samples) })) };
}

function cellsOf(row: Row, { labels, native, peersOf }: Columns, samples: Samples): Record<string, Cell> {
  const summaries = new Map(labels.map((label) => [label, summarize(samples.of(row, label))]));
  const medianOf = (label: string) => summaries.get(label)?.median ?? null;
  const cells: Record<string, Cell> = {};
  for (const [label, summary] of summaries) {
    // A part of the work may be the easy part.
    const whole = peersOf(label).filter((peer) => summaries.get(peer)?.isPartial === false);
    const best = fastest(row, whole.map((peer) => [peer, medianOf(peer)]));
    cells[label] = {
      ...summary,
      ofNative: speedRatio(row, summary.median, medianOf(native)),
      ofBestPeer: best === null ? null : speedRatio(row, summary.median, medianOf(best)),
      bestPeer: best,
    };
  }
  return cells;
}

function fastest(row: Row, candidates: readonly (readonly [string, number | null])[]): string | null {
  let best: readonly [string, number | null] = ["", null];
  for (const candidate of candidates) {
    if (best[1] === null || (speedRatio(row, candidate[1], best[1]) ?? 0) > 1) best = candidate;
  }
  return best[1] === null ? null : best[0];
}

function summarize(samples: readonly Sample[]): Omit<Cell, "ofNative" | "ofBestPeer" | "bestPeer"> {
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

/** The report as text: figures, then ratios, then what failed. */
export function renderReport(report: Report, columns: Columns): string {
  const { labels, native } = columns;
  const figures = report.rows.map((row) => [
    `${row.name} [${row.unit}]`,
    ...labels.map((label) => renderFigure(row.cells[label])),
  ]);
  const compared = labels.filter((label) => label !== native);
  const ratios = report.rows.map((row) => [
    row.name,
    ...compared.map((label) => renderRatio(row.cells[label])),
  ]);
  return [
    "Medians, ± half the range of all rounds. ~: of a part, as far as the time limit let it.",
    renderTable([["", ...labels], ...figures]),
    "",
    "Speed in parts of native's (1.00 is as fast, less is slower) / of the best peer's.",
    renderTable([["", ...compared], ...ratios]),
    ...renderFailures(report),
    "",
  ].join("\n");
}

function renderFigure(cell: Cell | undefined): string {
  if (!cell) return "";
  const { median, minimum, maximum, isPartial, failures } = cell;
  if (median === null || minimum === null || maximum === null) return failures.length > 0 ? "FAILED" : "-";
  const percent = Math.round((maximum - minimum) / 2 / median * 100);
  const spread = percent > 100 ? ">100" : String(percent);
  return `${isPartial ? "~" : ""}${renderNumber(median)} ±${spread}%${failures.length > 0 ? " !" : ""}`;
}

function renderNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : 2);
}

function renderRatio(cell: Cell | undefined): string {
  if (!cell) return "";
  const { ofNative, ofBestPeer } = cell;
  if (ofNative === null && ofBestPeer === null) return "-";
  const part = ofNative === null ? "-" : ofNative.toFixed(2);
  return ofBestPeer === null ? part : `${part} / ${ofBestPeer.toFixed(2)}`;
}

/** Names to the left, figures to the right. */
function renderTable(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  return table.map((line) =>
    line.map((text, column) => column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)).join(
      "  ",
    )
      .trimEnd()
  ).join("\n");
}

function renderFailures({ rows }: Report): string[] {
  const rowsByFailure = new Map<string, string[]>();
  for (const row of rows) {
    for (const [label, { failures }] of Object.entries(row.cells)) {
      for (const failure of new Set(failures)) {
        const key = `${label}: ${failure}`;
        rowsByFailure.set(key, [...rowsByFailure.get(key) ?? [], row.name]);
      }
    }
  }
  const lines = [...rowsByFailure].map(([failure, names]) => `failed: ${failure} (${names.join("; ")})`);
  return lines.length === 0 ? [] : ["", ...lines];
}
