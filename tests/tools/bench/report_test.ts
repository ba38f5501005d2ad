import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Mounter, native, type Subject } from "../../../tools/bench/peers.ts";
import { renderPeerTable, renderReports } from "../../../tools/bench/render.ts";
import { makeReport, Samples } from "../../../tools/bench/report.ts";
import { mountRow, names, rows } from "../../../tools/bench/rows.ts";

function subject(label: string, kind: Subject["kind"]): Subject {
  const mounter: Mounter = {
    name: label,
    kind,
    program: label,
    package: label,
    compressions: ["deflated"],
    limit: 1,
    share: 1,
    source: () => null,
    command: () => [],
  };
  return { label, kind, mounter, compression: kind === "passes through" ? null : "deflated" };
}

const subjects = [
  native,
  subject("pakfs deflated", "own"),
  subject("fuse-zip deflated", "archive"),
  subject("squashfuse deflated", "archive"),
  subject("mergerfs", "passes through"),
];

function row(name: string) {
  const found = rows.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`unknown row ${name}`);
  return found;
}

function sampled(name: string, figures: Record<string, number[]>, partial: string[] = []): Samples {
  const samples = new Samples();
  for (const [label, values] of Object.entries(figures)) {
    for (const value of values) samples.add(row(name), label, { value, isPartial: partial.includes(label) });
  }
  return samples;
}

Deno.test("a report compares medians with native and with the best peer of each kind that did the whole work", () => {
  const figures = {
    native: [100, 400, 200],
    "pakfs deflated": [100],
    "fuse-zip deflated": [50],
    "squashfuse deflated": [1000],
    mergerfs: [80],
  };
  const samples = sampled(names.statWarm, figures, ["squashfuse deflated"]);
  const cell = makeReport([row(names.statWarm)], subjects, samples, {}).rows[0]?.cells["pakfs deflated"];
  assertEquals(cell?.ofNative, 0.5);
  assertEquals(cell?.besideArchives, { peer: "fuse-zip deflated", ratio: 2 });
  assertEquals(cell?.besideThrough, { peer: "mergerfs", ratio: 1.25 });
});

Deno.test("a row of times is faster where it is lower", () => {
  const samples = sampled(mountRow.name, { "pakfs deflated": [200], "fuse-zip deflated": [100] });
  const cell = makeReport([mountRow], subjects, samples, {}).rows[0]?.cells["pakfs deflated"];
  assertEquals(cell?.besideArchives, { peer: "fuse-zip deflated", ratio: 0.5 });
});

Deno.test("targets are judged, and failures are listed below the tables", () => {
  const samples = sampled(names.openWarm, { native: [100], "pakfs deflated": [79] });
  samples.add(mountRow, "pakfs deflated", { failure: "not mounted: no room" });
  const report = makeReport(rows, subjects, samples, {});
  const text = renderReports([{ name: "pinned", isPinned: true, report }], subjects);
  const line = text.split("\n").find((line) => line.startsWith("open+read+close of small files, warm")) ?? "";
  assertStringIncludes(line, "d 0.79×");
  assertStringIncludes(line, "FALLS SHORT");
  assertStringIncludes(text, "failed: pakfs deflated: not mounted: no room (mount)");
});

Deno.test("the table of README divides the speed of pakfs by that of each program that mounts zips", () => {
  const samples = sampled(mountRow.name, { "pakfs deflated": [150], "fuse-zip deflated": [100] });
  for (const [label, value] of Object.entries({ "pakfs deflated": 300, "fuse-zip deflated": 100 })) {
    samples.add(row(names.treeCold), label, { value, isPartial: false });
  }
  const report = makeReport(rows, subjects, samples, {});
  const lines = renderPeerTable({ name: "pinned", isPinned: true, report }, subjects).split("\n");
  const cells = lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assertEquals(cells[0], ["pakfs, pinned: times as fast as", "fuse-zip, deflated", "squashfuse, deflated"]);
  assertEquals(cells.find(([name]) => name?.startsWith("mount")), ["mount, until the first file answers", "0.67", "-"]);
  assertEquals(cells.find(([name]) => name === "read everything"), ["read everything", "3.00", "-"]);
});
