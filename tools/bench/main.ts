/**
 * Measures pakfs side by side with its peers and the native filesystem, on the same data in one run. How to read the
 * figures is in README.md next to this file.
 * @module
 */
import { availableParallelism, cpus, release } from "node:os";
import { join } from "node:path";
import { Affinity, type Mode } from "./affinity.ts";
import { type BenchData, fullSize, prepareData, quickSize } from "./data.ts";
import { measureAll } from "./measure.ts";
import { availableSubjects, mounters, type Subject } from "./peers.ts";
import { type NamedReport, renderMarkdown, renderPeerTable, renderReports } from "./render.ts";
import { Figures, targets } from "./targets.ts";
import { print } from "../../tests/support/harness.ts";
import { readCommandLine } from "../command_line.ts";

const usage =
  `Usage: deno task bench [--table] [--quick] [--pinned] [--unpinned] [--rounds N] [--minutes N] [--only NAME,NAME]
                       [--json FILE] [--markdown FILE] [--data DIR]

  --table          the table of zips in docs/performance.md: pinned, pakfs next to fuse-zip and mount-zip
  --quick          small data and one round: whether it works, not how fast it is
  --pinned         everything on one processor, as figures swing less without wake-ups across processors
  --unpinned       on all processors, as users run it; without either flag, both in turns (--quick: this)
  --rounds N       how often everything is measured (3; with --quick 1)
  --minutes N      after this time (9) nothing is measured a second time; peers are not from six tenths of it on
  --only NAMES     only these of native, ${mounters.map(({ name }) => name).join(", ")}
  --json FILE      write all samples there
  --markdown FILE  write there the whole report, and the tables of docs/performance.md
  --data DIR       where the data is kept (default: pakfs-bench in $XDG_CACHE_HOME or ~/.cache)
`;

/** The command line is invalid. */
class UsageError extends Error {}

interface Options {
  readonly isQuick: boolean;
  readonly isTable: boolean;
  readonly modes: readonly Mode[];
  readonly rounds: number;
  readonly minutes: number;
  readonly only: readonly string[];
  readonly json: string | undefined;
  readonly markdown: string | undefined;
  readonly cache: string;
}

function report(text: string): void {
  print(`bench: ${text}`, Deno.stderr);
}

/** @throws {UsageError} if an argument makes no sense. */
function readOptions(args: string[]): Options {
  const { words, values: given, flags, mistake } = readCommandLine(
    ["rounds", "minutes", "only", "json", "markdown", "data"],
    ["table", "quick", "pinned", "unpinned"],
    args,
  );
  if (mistake !== undefined) throw new UsageError(mistake);
  if (words.length > 0) throw new UsageError(`unknown argument ${words.join(" ")}`);
  const rounds = Number(given.rounds ?? (flags.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new UsageError("--rounds takes a number from 1 on");
  const minutes = Number(given.minutes ?? 9);
  if (!(minutes > 0)) throw new UsageError("--minutes takes a number above 0");
  const cacheHome = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/var/tmp", ".cache");
  const modes = (["pinned", "unpinned"] as const).filter((mode) => flags[mode] || (flags.table && mode === "pinned"));
  return {
    isQuick: flags.quick,
    isTable: flags.table,
    modes: modes.length > 0 ? modes : flags.quick ? ["unpinned"] : ["pinned", "unpinned"],
    rounds,
    minutes,
    only: given.only?.split(",") ?? (flags.table ? ["pakfs", "fuse-zip", "mount-zip"] : []),
    json: given.json,
    markdown: given.markdown,
    cache: given.data ?? join(cacheHome, "pakfs-bench"),
  };
}

async function readLoad(): Promise<string> {
  return (await Deno.readTextFile("/proc/loadavg")).trim();
}

async function describeMachine({ rounds, modes }: Options, data: BenchData, loadBefore: string) {
  const { files, fileBytes, middleFiles, largeBytes, secondBytes, totalFiles, totalBytes, archiveBytes } = data;
  return {
    date: new Date().toISOString(),
    processor: cpus()[0]?.model ?? "unknown",
    processors: availableParallelism(),
    kernel: release(),
    deno: Deno.version.deno,
    modes,
    rounds,
    loadBefore,
    loadAfter: await readLoad(),
    data: { files, fileBytes, middleFiles, largeBytes, secondBytes, totalFiles, totalBytes, archiveBytes },
  };
}

/** The subjects of this run. The own one comes with all that it is compared to unless `--only` says otherwise. */
async function chooseSubjects({ only }: Options, data: BenchData): Promise<Subject[]> {
  const available = await availableSubjects(data, report);
  const chosen = available.filter(({ mounter }) => only.length === 0 || only.includes(mounter?.name ?? "native"));
  if (chosen.length === 0) throw new UsageError("--only leaves nothing to measure");
  return chosen;
}

async function measureInModes(
  options: Options,
  data: BenchData,
  subjects: readonly Subject[],
  signal: AbortSignal,
): Promise<NamedReport[]> {
  const affinity = await Affinity.open();
  if (affinity === null) throw new UsageError("taskset is missing (package util-linux)");
  const work = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
  try {
    const { modes, rounds, minutes, isQuick } = options;
    const run = { data, subjects, modes, rounds, minutes, isQuick, work, affinity, signal, report };
    const reports = await measureAll(run);
    const words = { pinned: "pinned to one processor", unpinned: `on ${availableParallelism()} processors` };
    return Array.from(reports, ([mode, report]) => ({ name: words[mode], isPinned: mode === "pinned", report }));
  } finally {
    await affinity.use("unpinned");
    // Only what is empty or ours: `rm` through a mount that could not be undone must not happen, and it would fail.
    await Deno.remove(work, { recursive: true }).catch((error) => report(`${work} stays behind: ${error.message}`));
  }
}

async function run(options: Options, signal: AbortSignal): Promise<void> {
  const loadBefore = await readLoad();
  if (Number.parseFloat(loadBefore) >= 1) {
    report(`other programs are at work here (load ${loadBefore}): figures will swing`);
  }
  const began = performance.now();
  const data = await prepareData(options.cache, options.isQuick ? quickSize : fullSize, report);
  const subjects = await chooseSubjects(options, data);
  const reports = await measureInModes(options, data, subjects, signal);
  const machine = await describeMachine(options, data, loadBefore);
  report(`done after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (options.isTable) print(reports.map((one) => renderPeerTable(one, subjects)).join("\n\n"));
  else print(`${JSON.stringify(machine)}\n\n${renderReports(reports, subjects)}`);
  if (options.json !== undefined) {
    const judged = reports.map((named) => ({
      ...named,
      targets: targets.map(({ what, target, judge }) => (
        { what, target, verdict: judge(new Figures(named.report, named.isPinned)) }
      )),
    }));
    await Deno.writeTextFile(options.json, `${JSON.stringify({ ...machine, reports: judged }, null, 1)}\n`);
  }
  if (options.markdown !== undefined) {
    await Deno.writeTextFile(options.markdown, renderMarkdown(reports, subjects));
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
      report("interrupted; everything is unmounted");
      Deno.exit(130);
    }
    if (!(error instanceof UsageError)) throw error;
    print(`bench: ${error.message}\n${usage}`, Deno.stderr);
    Deno.exit(2);
  }
  Deno.exit(0);
}
