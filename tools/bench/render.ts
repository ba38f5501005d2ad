/**
 * Reports as text for a terminal and for tools/bench/README.md, and the short table of docs/performance.md.
 * @module
 */
import type { Subject } from "./peers.ts";
import { type Cell, type Comparison, median, type Report, speedRatio } from "./report.ts";
import { mountRow, names } from "./rows.ts";
import { Figures, targets } from "./targets.ts";

/** The results of one way to run, under its name. */
export interface NamedReport {
  readonly name: string;
  readonly isPinned: boolean;
  readonly report: Report;
}

const isMountOfArchives = ({ kind, mounter }: Subject) => kind === "own" || kind === "archive" || mounter === null;
const isThrough = ({ kind }: Subject) => kind !== "archive";

/** Everything: figures, ratios, what failed, targets. */
export function renderReports(reports: readonly NamedReport[], subjects: readonly Subject[]): string {
  return [...reports.map((report) => renderReport(report, subjects)), renderTargets(reports), ""].join("\n\n");
}

function renderReport({ name, report }: NamedReport, subjects: readonly Subject[]): string {
  const parts = [
    `=== ${name} ===\n\nMedians, ± half the range of all rounds. ~: of a part, as far as the time limit let it.`,
    `Mounts of archives:\n${renderFigures(report, subjects.filter(isMountOfArchives))}`,
  ];
  if (subjects.some((subject) => isThrough(subject) && !isMountOfArchives(subject))) {
    parts.push(`Passing files of the native filesystem through:\n${renderFigures(report, subjects.filter(isThrough))}`);
  }
  if (subjects.length > 1) parts.push(...renderRatios(report, subjects));
  parts.push(...renderInflating(report), ...renderFailures(report));
  return parts.join("\n\n");
}

function renderRatios(report: Report, subjects: readonly Subject[]): string[] {
  return [
    "Speed in parts of another's (1.00 is as fast, less is slower); peers are the fastest that did the whole work.\n" +
    renderOwnRatios(report, subjects),
    `Speed of the others in parts of native's:\n${renderPeerRatios(report, subjects)}`,
  ];
}

/** A name over two lines: the program, and how the archive is packed. */
function headings(labels: readonly string[]): string[][] {
  const words = labels.map((label) => label.split(" "));
  return [["", ...words.map(([first = ""]) => first)], ["", ...words.map(([, second = ""]) => second)]];
}

function renderFigures({ rows }: Report, subjects: readonly Subject[]): string {
  const labels = subjects.map(({ label }) => label);
  return renderTable([
    ...headings(labels),
    ...rows.map((row) => [`${row.name} [${row.unit}]`, ...labels.map((label) => renderFigure(row.cells[label]))]),
  ]);
}

function renderFigure(cell: Cell | undefined): string {
  if (!cell) return "";
  const { median, minimum, maximum, samples, isPartial, failures } = cell;
  if (median === null || minimum === null || maximum === null) return failures.length > 0 ? "FAILED" : "-";
  const percent = Math.round((maximum - minimum) / 2 / median * 100);
  const spread = samples.length < 2 ? "" : ` ±${percent > 99 ? ">99" : percent}%`;
  return `${isPartial ? "~" : ""}${renderNumber(median)}${spread}${failures.length > 0 ? " !" : ""}`;
}

function renderNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : 2);
}

function renderRatio(ratio: number | null | undefined): string {
  return ratio === null || ratio === undefined ? "-" : ratio.toFixed(2);
}

function renderComparison(comparison: Comparison | null | undefined): string {
  return comparison ? `${renderRatio(comparison.ratio)} ${comparison.peer.split(" ")[0]}` : "-";
}

/** Our own ratios, to native and to the best of each kind of peers. */
function renderOwnRatios({ rows }: Report, subjects: readonly Subject[]): string {
  const labels = subjects.filter(({ kind }) => kind === "own").map(({ label }) => label);
  return renderTable([
    ["", ...labels.flatMap((label) => [label, "", ""])],
    ["parts of", ...labels.flatMap(() => ["native", "archive mount", "passing through"])],
    ...rows.map(({ name, cells }) => [
      name,
      ...labels.map((label) => cells[label]).flatMap((cell) => [
        renderRatio(cell?.ofNative),
        renderComparison(cell?.besideArchives),
        renderComparison(cell?.besideThrough),
      ]),
    ]),
  ]);
}

/** The ratios of all others to native. */
function renderPeerRatios({ rows }: Report, subjects: readonly Subject[]): string {
  const labels = subjects.filter(({ kind, mounter }) => kind !== "own" && mounter !== null).map(({ label }) => label);
  if (labels.length === 0) return "";
  return renderTable([
    ...headings(labels),
    ...rows.map(({ name, cells }) => [name, ...labels.map((label) => renderRatio(cells[label]?.ofNative))]),
  ]);
}

/** Names to the left, figures to the right unless said otherwise. */
function renderTable(table: readonly (readonly string[])[], figures: "left" | "right" = "right"): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  return table.map((line) =>
    line.map((text, column) => {
      const width = widths[column] ?? 0;
      return column === 0 || figures === "left" ? text.padEnd(width) : text.padStart(width);
    }).join("  ")
      .trimEnd()
  ).join("\n");
}

function renderInflating({ inflating }: Report): string[] {
  const lines = Object.entries(inflating).flatMap(([library, measurements]) => {
    const seconds = median(measurements.map((measurement) => measurement.seconds));
    const ofMember = median(measurements.flatMap(({ memberSeconds }) => memberSeconds ?? []));
    const bytes = measurements[0]?.total;
    if (seconds === null || ofMember === null || bytes === undefined) return [];
    const speed = renderNumber(bytes / 1e6 / seconds);
    const [all, one] = [seconds, ofMember].map((value) => (value * 1000).toFixed(0));
    return [`Inflating the archive alone, ${library}: ${all} ms, ${speed} MB/s; the second file of it ${one} ms`];
  });
  return lines.length === 0 ? [] : [lines.join("\n")];
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
  const lines = [...rowsByFailure].map(([failure, rows]) => `failed: ${failure} (${rows.join("; ")})`);
  return lines.length === 0 ? [] : [lines.join("\n")];
}

/** Each target and what was measured. */
function renderTargets(reports: readonly NamedReport[]): string {
  const lines = targets.flatMap(({ what, target, judge }) =>
    reports.flatMap(({ report, isPinned }, index) => {
      const verdict = judge(new Figures(report, isPinned));
      const [first, second] = index === 0 ? [what, target] : ["", ""];
      const mode = isPinned ? "pinned" : "unpinned";
      return [[first, second, mode, verdict?.text ?? "-", verdict ? (verdict.holds ? "holds" : "FALLS SHORT") : "-"]];
    })
  );
  return [
    "Targets (d: deflated, s: stored):",
    renderTable([["", "target", "", "measured", ""], ...lines], "left"),
    "Targets of the index: deno run -A tools/bench/scan_bench.ts; deno run -A tools/bench/index_bench.ts",
  ].join("\n");
}

/** Rows of the short table, by their titles. */
const shortRows: readonly (readonly [string, string])[] = [
  ["walk (`find -printf`), fresh mount", "walk, cold"],
  ["stat of every small file, fresh", names.statCold],
  ["stat of every small file, warm", names.statWarm],
  ["open, read, close every small file, fresh", names.openCold],
  ["open, read, close every small file, warm", names.openWarm],
  ["the whole tree, fresh", names.treeCold],
  ["the whole tree, warm", names.treeWarm],
  ["large file, fresh", names.largeCold],
  ["large file, warm", names.largeWarm],
];
const shortSubjects = [
  "pakfs deflated",
  "pakfs stored",
  "fuse-zip deflated",
  "fuse-zip stored",
  "squashfuse deflated",
  "mergerfs",
];

/** Short tables in Markdown, of ratios to native, as docs/performance.md shows one. */
export function renderShortTables(reports: readonly NamedReport[], subjects: readonly Subject[]): string {
  const labels = shortSubjects.filter((label) => subjects.some((subject) => subject.label === label));
  return reports.map(({ name, report }) => {
    const lines = shortRows.map(([words, rowName]) => {
      const cells = report.rows.find(({ name }) => name === rowName)?.cells ?? {};
      return [words, ...labels.map((label) => renderRatio(cells[label]?.ofNative))];
    });
    const table = [[`in parts of native ext4, ${name}`, ...labels.map((label) => label.replace(" ", ", "))], ...lines];
    return renderMarkdownTable(table);
  }).join("\n\n");
}

/** Rows of the table of zips in docs/performance.md, by their titles. */
const peerRows: readonly (readonly [string, string])[] = [
  ["mount, until the first file answers", mountRow.name],
  ["list with sizes", names.walkCold],
  ["list with sizes, again", names.walkWarm],
  ["read every small file", names.openCold],
  ["read every small file, again", names.openWarm],
  ["read everything", names.treeCold],
  ["read everything, again", names.treeWarm],
  ["read one large file", names.largeCold],
];

/** Returns that table in Markdown: pakfs' speed as a multiple of that of other programs that mount zips. */
export function renderPeerTable({ name, report }: NamedReport, subjects: readonly Subject[]): string {
  const peers = subjects.filter(({ kind }) => kind === "archive");
  const lines = peerRows.map(([words, rowName]) => {
    const row = report.rows.find((row) => row.name === rowName);
    const figures = peers.map(({ label, compression }) => {
      const own = row?.cells[`pakfs ${compression}`]?.median ?? null;
      return renderRatio(row && speedRatio(row, own, row.cells[label]?.median ?? null));
    });
    return [words, ...figures];
  });
  const heading = [`pakfs, ${name}: times as fast as`, ...peers.map(({ label }) => label.replace(" ", ", "))];
  return renderMarkdownTable([heading, ...lines]);
}

function renderMarkdownTable(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const render = (line: readonly string[]) =>
    `| ${line.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [heading = [], ...rest] = table;
  return [render(heading), render(widths.map((width) => "-".repeat(width))), ...rest.map(render)].join("\n");
}

/** Returns the whole report and the short tables for docs/performance.md. */
export function renderMarkdown(reports: readonly NamedReport[], subjects: readonly Subject[]): string {
  const whole = `\`\`\`text\n${renderReports(reports, subjects).trimEnd()}\n\`\`\``;
  return `<!-- the whole report -->\n\n${whole}\n\n<!-- docs/performance.md -->\n\n${
    renderShortTables(reports, subjects)
  }\n`;
}
