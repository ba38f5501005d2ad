/**
 * Measures pakfs side by side with its peers and the native filesystem, on the same data in one run. How to read the
 * figures stands in README.md beside this file.
 * @module
 */
import { availableParallelism, cpus, release } from "node:os";
import { join } from "node:path";
import { parseArgs } from "@std/cli";
import type { Measurement } from "./clients.ts";
import { type BenchData, fullSize, type Packing, prepareData, quickSize, readThrough } from "./data.ts";
import { availableSubjects, labelOf, mounters, mountSubject, native, type Subject } from "./peers.ts";
import { type Columns, makeReport, renderReport, Samples } from "./report.ts";
import { type Group, groups, mountRow, readingRowName, residentRow, rows, valueOf } from "./rows.ts";

const usage = `Usage: deno task bench [--quick] [--rounds N] [--pinned] [--only NAME,NAME] [--json FILE] [--data DIR]

  --quick       small data and one round: whether it works, not how fast it is
  --rounds N    how often everything is measured (3; with --quick 1)
  --pinned      everything on the first processor alone, as figures swing less without wake-ups across processors
  --only NAMES  only these of native, ${mounters.map(({ name }) => name).join(", ")}
  --json FILE   write all samples there
  --data DIR    where the data is kept (default: pakfs-bench in $XDG_CACHE_HOME or ~/.cache)
`;

/** The command line makes no sense. */
class UsageError extends Error {}

interface Options {
  readonly isQuick: boolean;
  readonly isPinned: boolean;
  readonly rounds: number;
  readonly only: readonly string[];
  readonly json: string | undefined;
  readonly cache: string;
}

function print(text: string, stream: typeof Deno.stdout | typeof Deno.stderr = Deno.stdout): void {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) written += stream.writeSync(bytes.subarray(written));
}

function tell(text: string): void {
  print(`bench: ${text}\n`, Deno.stderr);
}

/** @throws {UsageError} if an argument makes no sense. */
function readOptions(args: string[]): Options {
  const unknown: string[] = [];
  const given = parseArgs(args, {
    boolean: ["quick", "pinned"],
    string: ["rounds", "only", "json", "data"],
    unknown: (argument: string) => {
      unknown.push(argument);
      return false;
    },
  });
  if (unknown.length > 0) throw new UsageError(`What is ${unknown.join(" ")}?`);
  const rounds = Number(given.rounds ?? (given.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new UsageError("--rounds takes a number from 1 on");
  const cacheHome = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/var/tmp", ".cache");
  return {
    isQuick: given.quick,
    isPinned: given.pinned,
    rounds,
    only: given.only?.split(",") ?? [],
    json: given.json,
    cache: given.data ?? join(cacheHome, "pakfs-bench"),
  };
}

/** Pins this process; what it starts inherits that. */
async function pin(): Promise<void> {
  const { success } = await new Deno.Command("taskset", {
    args: ["--all-tasks", "--cpu-list", "--pid", "0", String(Deno.pid)],
    stdout: "null",
  }).output();
  if (!success) throw new UsageError("--pinned needs taskset (package util-linux) and processor 0");
}

/** Native's caches are those of the kernel, which only root may empty. */
async function dropKernelCaches(): Promise<boolean> {
  try {
    await new Deno.Command("sync").output();
    await Deno.writeTextFile("/proc/sys/vm/drop_caches", "3");
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}

interface Bench {
  readonly data: BenchData;
  readonly samples: Samples;
  readonly signal: AbortSignal;
  readonly work: string;
}

/** What was dropped for native's sake is brought back: the archive, and the pages of the programs. */
async function warmUp({ data, signal, work }: Bench, subject: Subject, packing: Packing): Promise<void> {
  await readThrough(data.archives[packing]);
  await using _mounted = await mountSubject(subject, data, work, signal);
}

/** Warm rows can be had several times on one mount, and are short enough for a passing disturbance to spoil one. */
const warmRepeats = 3;
/** Not if they are slow. */
const repeatSeconds = 1;

async function repeat(run: () => Promise<Measurement>, times: number): Promise<Measurement[]> {
  const measurements = [await run()];
  while (measurements.length < times && (measurements[0]?.seconds ?? 0) < repeatSeconds) {
    // deno-lint-ignore no-await-in-loop -- one after the other is the point
    measurements.push(await run());
  }
  return measurements;
}

/** One group on one subject. What fails becomes part of the report. */
async function measureGroup({ data, samples, signal, work }: Bench, subject: Subject, group: Group): Promise<void> {
  const fail = (names: readonly (typeof rows)[number][], error: unknown) => {
    signal.throwIfAborted();
    const failure = error instanceof Error ? error.message : String(error);
    for (const row of names) samples.add(row, subject.label, { failure });
  };
  const { mounter, packing, label } = subject;
  const isCold = mounter === null ? await dropKernelCaches() : true;
  const directory = await Deno.makeTempDir({ dir: work });
  try {
    if (packing !== null) await warmUp({ data, samples, signal, work: directory }, subject, packing);
    await using mounted = await mountSubject(subject, data, directory, signal);
    if (mounter !== null) samples.add(mountRow, label, { value: mounted.seconds * 1000, isPartial: false });
    const share = Math.ceil(data.files * (mounter?.share ?? 1));
    const task = { root: mounted.root, data, limit: mounter?.limit ?? 60, share, signal };
    for (const [index, row] of group.entries()) {
      try {
        // deno-lint-ignore no-await-in-loop -- one after the other is the point
        const measurements = await repeat(() => row.run(task), index === 0 ? 1 : warmRepeats);
        for (const measurement of index > 0 || isCold ? measurements : []) {
          const { done, total } = measurement;
          const isPartial = done < total || (total === share && share < data.files);
          samples.add(row, label, { value: valueOf(row, measurement), isPartial });
        }
      } catch (error) {
        fail([row], error);
      }
      if (row.name === readingRowName && mounter !== null) {
        // deno-lint-ignore no-await-in-loop -- once
        samples.add(residentRow, label, { value: await mounted.residentBytes() / 1e6, isPartial: false });
      }
    }
  } catch (error) {
    fail([mountRow, ...group], error);
  }
}

/** All rounds: in each, every group on every subject, one subject after the other, beginning with another each time. */
async function measure(bench: Bench, subjects: readonly Subject[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const group of groups) {
      for (let turn = 0; turn < subjects.length; turn++) {
        const subject = subjects[(turn + round) % subjects.length];
        if (!subject || round >= (subject.mounter?.rounds ?? rounds)) continue;
        tell(`round ${round + 1} of ${rounds}: ${group[0]?.name}: ${subject.label}`);
        // deno-lint-ignore no-await-in-loop -- one after the other is the point
        await measureGroup(bench, subject, group);
      }
    }
  }
}

function columnsOf(subjects: readonly Subject[]): Columns {
  const [own, ...peers] = mounters;
  const labels = subjects.map(({ label }) => label);
  return {
    labels,
    native: native.label,
    peersOf: (label) => {
      const packing = subjects.find((subject) => subject.label === label && subject.mounter === own)?.packing;
      return packing ? peers.map(({ name }) => labelOf(name, packing)).filter((peer) => labels.includes(peer)) : [];
    },
  };
}

async function describeMachine({ isPinned, rounds }: Options, data: BenchData, loadBefore: string) {
  const loadAfter = (await Deno.readTextFile("/proc/loadavg")).trim();
  const { files, fileBytes, largeBytes, archiveBytes } = data;
  return {
    date: new Date().toISOString(),
    processor: cpus()[0]?.model ?? "unknown",
    processors: isPinned ? 1 : availableParallelism(),
    kernel: release(),
    deno: Deno.version.deno,
    rounds,
    isPinned,
    loadBefore,
    loadAfter,
    data: { files, fileBytes, largeBytes, archiveBytes },
  };
}

async function run(options: Options, signal: AbortSignal): Promise<void> {
  if (options.isPinned) await pin();
  const loadBefore = (await Deno.readTextFile("/proc/loadavg")).trim();
  if (Number.parseFloat(loadBefore) >= 1) {
    tell(`other programs are at work here (load ${loadBefore}): figures will swing`);
  }
  const wanted = ({ mounter }: Subject) =>
    options.only.length === 0 || options.only.includes(mounter?.name ?? "native");
  const subjects = (await availableSubjects(tell)).filter(wanted);
  if (subjects.length === 0) throw new UsageError("--only leaves nothing to measure");
  const data = await prepareData(options.cache, options.isQuick ? quickSize : fullSize, tell);
  const work = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
  const samples = new Samples();
  try {
    await measure({ data, samples, signal, work }, subjects, options.rounds);
  } finally {
    // Only what is empty or ours: `rm` through a mount that could not be undone must not happen, and it would fail.
    await Deno.remove(work, { recursive: true }).catch((error) => tell(`${work} stays behind: ${error.message}`));
  }
  const columns = columnsOf(subjects);
  const report = makeReport(rows, columns, samples);
  const machine = await describeMachine(options, data, loadBefore);
  print(`${JSON.stringify(machine)}\n\n${renderReport(report, columns)}`);
  if (options.json !== undefined) {
    await Deno.writeTextFile(options.json, `${JSON.stringify({ ...machine, ...report }, null, 1)}\n`);
  }
}

if (import.meta.main) {
  const interruption = new AbortController();
  const stop = () => interruption.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) Deno.addSignalListener(signal, stop);
  try {
    if (Deno.args.includes("--help")) print(usage);
    else await run(readOptions(Deno.args), interruption.signal);
  } catch (error) {
    if (interruption.signal.aborted) {
      tell("interrupted; everything is unmounted");
      Deno.exit(130);
    }
    if (!(error instanceof UsageError)) throw error;
    print(`bench: ${error.message}\n${usage}`, Deno.stderr);
    Deno.exit(2);
  }
  Deno.exit(0);
}
