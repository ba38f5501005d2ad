// deno-lint-ignore-file no-await-in-loop -- one after the other is the point
/**
 * Measures listings of very many files in one archive: `find -type f` on a mount that nothing was asked of before, once
 * more, with sizes, and `pakfs find '*'`; pinned to one processor, compared with other programs that mount zips.
 *
 * ```sh
 * deno run -A tools/bench/listing_bench.ts [--rounds N] [--data DIR] [FILES...]  # default: 3 rounds, 82000 206000 806000
 * ```
 * @module
 */
import { join } from "@std/path";
import { parseArgs } from "node:util";
import { formatNamed } from "../../formats/table.ts";
import { pause, print } from "../../tests/support/harness.ts";
import { Affinity } from "./affinity.ts";
import { listNames, walk } from "./clients.ts";
import { type MountData, mounters, mountSubject, type Subject } from "./peers.ts";
import { median } from "./report.ts";

/** Version of the archives. Raise it when their content changes. */
const generation = 1;
const content = new TextEncoder().encode("a few bytes\n");
const launcher = join(import.meta.dirname ?? ".", "..", "..", "pakfs");
/** Pause after mounting, so that work which a program does after a mount does not count; milliseconds. */
const settling = 2000;
const limit = 120;

function pathOf(number: number): string {
  const [set, group] = [Math.floor(number / 20_000), Math.floor(number / 200)];
  return `textures/set${set}/group${group}/picture${String(number).padStart(6, "0")}.jpg`;
}

/** Returns the path of a zip with that many files, 200 in a directory; makes it if it is missing. */
async function prepareArchive(cache: string, files: number): Promise<string> {
  const path = join(cache, `listing-${files}-${generation}.pk3`);
  if (await Deno.stat(path).then(() => true, () => false)) return path;
  print(`making ${path}`, Deno.stderr);
  await Deno.mkdir(cache, { recursive: true });
  const write = formatNamed("zip")?.write;
  if (!write) throw new Error("Zips cannot be written");
  const entries = Array.from({ length: files }, (_, number) => ({
    path: pathOf(number),
    content: () => content,
    mtime: 1e12,
  }));
  await Deno.writeFile(`${path}.part`, ReadableStream.from(write(entries, { path, method: "store" })));
  await Deno.rename(`${path}.part`, path);
  return path;
}

/** Runs `pakfs find '*'` into a file and returns its seconds. */
async function findAll(work: string, files: number): Promise<number> {
  const listing = join(work, "listing");
  const begin = performance.now();
  const { success } = await new Deno.Command("sh", {
    args: ["-c", 'exec "$0" find --socket "$1" "*" >"$2"', launcher, join(work, "socket"), listing],
    stdin: "null",
  }).output();
  const seconds = (performance.now() - begin) / 1000;
  const lines = (await Deno.readTextFile(listing)).split("\n").length - 1;
  if (!success || lines !== files) throw new Error(`pakfs find printed ${lines} of ${files} lines`);
  return seconds;
}

/** Measures everything on one fresh mount; answers with milliseconds by row. */
async function measure(subject: Subject, data: MountData, files: number): Promise<Map<string, number>> {
  const { signal } = new AbortController();
  const work = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
  const times = new Map<string, number>();
  const sized = { totalFiles: files, totalBytes: files * content.length };
  try {
    await using mounted = await mountSubject(subject, data, work, signal);
    times.set("mount", mounted.seconds * 1000);
    await pause(settling);
    const task = { root: mounted.root, limit, signal, data: sized };
    if (subject.kind === "own") {
      times.set("pakfs find '*', first", await findAll(work, files) * 1000);
      times.set("pakfs find '*'", await findAll(work, files) * 1000);
    }
    times.set("names, cold", (await listNames(task)).seconds * 1000);
    times.set("names, warm", (await listNames(task)).seconds * 1000);
    times.set("sizes, names known", (await walk(task)).seconds * 1000);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
  const other = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
  try {
    await using mounted = await mountSubject(subject, data, other, signal);
    await pause(settling);
    times.set("sizes, cold", (await walk({ root: mounted.root, limit, signal, data: sized })).seconds * 1000);
  } finally {
    await Deno.remove(other, { recursive: true });
  }
  return times;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { rounds: { type: "string", default: "3" }, data: { type: "string" } },
    allowPositionals: true,
  });
  const cache = values.data ?? join(Deno.env.get("HOME") ?? "/var/tmp", ".cache", "pakfs-bench");
  const sizes = positionals.length > 0 ? positionals.map(Number) : [82_000, 206_000, 806_000];
  const subjects = mounters.filter(({ name }) => ["pakfs", "mount-zip", "fuse-zip"].includes(name))
    .map((mounter): Subject => ({ label: mounter.name, kind: mounter.kind, mounter, compression: "stored" }));
  const archives: string[] = [];
  for (const files of sizes) archives.push(await prepareArchive(cache, files));
  const affinity = await Affinity.open();
  if (affinity === null) throw new Error("taskset is missing (package util-linux)");
  await affinity.use("pinned");
  for (const [index, files] of sizes.entries()) {
    const archive = archives[index] ?? "";
    const data = { tree: "", archives: { deflated: archive, stored: archive }, images: null, firstPath: pathOf(0) };
    const samples = new Map<string, Map<string, number[]>>();
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const subject of subjects) {
        try {
          for (const [row, time] of await measure(subject, data, files)) {
            const cells = samples.get(row) ?? new Map<string, number[]>();
            samples.set(row, cells.set(subject.label, [...cells.get(subject.label) ?? [], time]));
          }
        } catch (error) {
          print(`${subject.label}: ${error instanceof Error ? error.message : String(error)}`, Deno.stderr);
        }
      }
    }
    print(
      `\n${files.toLocaleString("en-US")} files, ms, medians of ${values.rounds}, load ${
        Deno.loadavg()[0]?.toFixed(1)
      }`,
    );
    print("".padEnd(24) + subjects.map(({ label }) => label.padStart(12)).join(""));
    for (const [row, cells] of samples) {
      const shown = subjects.map(({ label }) => median(cells.get(label) ?? [])?.toFixed(0) ?? "-");
      print(row.padEnd(24) + shown.map((text) => text.padStart(12)).join(""));
    }
  }
}

if (import.meta.main) await run();
