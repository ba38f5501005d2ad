/**
 * Takes the measurements: round by round, everything on one processor and on all, one subject after the other.
 * @module
 */
import { type Decoder, inflateAlone, type Measurement, readWholeTree } from "./clients.ts";
import { type BenchData, readThrough } from "./data.ts";
import { mountSubject, type Subject } from "./peers.ts";
import type { Affinity, Mode } from "./affinity.ts";
import { makeReport, type Report, Samples } from "./report.ts";
import { type Group, groups, mountRow, names, parallelRow, residentRow, rows, rowsOf, type Step } from "./rows.ts";

/** Options of a run. */
export interface RunOptions {
  readonly data: BenchData;
  readonly subjects: readonly Subject[];
  readonly modes: readonly Mode[];
  readonly rounds: number;
  readonly isQuick: boolean;
  /** After this time nothing is measured a second time; after part of it no peer is. */
  readonly minutes: number;
  /** A directory for mount points. */
  readonly work: string;
  readonly affinity: Affinity;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
}

/** How often a warm step is done on one mount: they are short enough for a passing disturbance to spoil one. */
const warmRepeats = 3;
/** Steps that take longer are not repeated on one mount; seconds. */
const repeatSeconds = 0.5;
/** A peer that has spent this on one group takes no part in further rounds of it; seconds. */
const peerSeconds = 3;
/** The part of the time after which only we and the limits are measured again. */
const peerPart = 0.6;
const decoders: readonly Decoder[] = ["libdeflate", "zlib"];

/** Measures everything and answers with a report for each way to run. */
export async function measureAll(options: RunOptions): Promise<Map<Mode, Report>> {
  const runs = new Map(options.modes.map((mode) => [mode, new Run(options, mode)]));
  for (let round = 0; round < options.rounds; round++) {
    for (const run of runs.values()) {
      // deno-lint-ignore no-await-in-loop -- one after the other is the point
      await run.round(round);
    }
  }
  return new Map(Array.from(runs, ([mode, run]) => [mode, run.report()]));
}

/** All rounds of one way to run. */
class Run {
  readonly #options: RunOptions;
  readonly #mode: Mode;
  readonly #samples = new Samples();
  readonly #inflating = new Map<Decoder, Measurement[]>();
  /** Seconds that subjects have spent on groups. */
  readonly #spent = new Map<Group, Map<Subject, number>>();
  readonly #began = performance.now();

  constructor(options: RunOptions, mode: Mode) {
    this.#options = options;
    this.#mode = mode;
  }

  report(): Report {
    const { subjects } = this.#options;
    const labels = subjects.map(({ label }) => label);
    this.#samples.divide(parallelRow, names.treeParallel, names.treeCold, labels);
    return makeReport(rows, subjects, this.#samples, Object.fromEntries(this.#inflating));
  }

  /** Native comes first, as its cold figures empty the caches of all; the others take turns group by group. */
  async round(round: number): Promise<void> {
    const { subjects, affinity, report, rounds } = this.#options;
    if (subjects.every((subject) => groups.every((group) => !this.#hasTime(subject, group)))) return;
    await affinity.use(this.#mode);
    report(`round ${round + 1} of ${rounds}, ${this.#mode}`);
    const [natives, others] = [true, false].map((isNative) =>
      subjects.filter(({ mounter }) => (mounter === null) === isNative)
    );
    for (const subject of natives ?? []) {
      for (const group of groups) {
        // deno-lint-ignore no-await-in-loop -- one after the other is the point
        if (this.#hasTime(subject, group)) await this.#measureGroup(subject, group);
      }
    }
    if (round === 0) await this.#inflateAlone();
    await this.#warmUp(others ?? []);
    for (const group of groups) {
      for (let turn = 0; turn < (others?.length ?? 0); turn++) {
        const subject = others?.[(turn + round) % others.length];
        // deno-lint-ignore no-await-in-loop -- one after the other is the point
        if (subject && this.#hasTime(subject, group)) await this.#measureGroup(subject, group);
      }
    }
  }

  /** Whether a subject has time left for a group; the first time always, as every row needs a figure. */
  #hasTime(subject: Subject, group: Group): boolean {
    const spent = this.#spent.get(group)?.get(subject);
    if (spent === undefined) return true;
    const passed = (performance.now() - this.#began) / 1000 / 60 / this.#options.minutes;
    const isPeer = subject.kind === "archive" || subject.kind === "passes through";
    return isPeer ? passed < peerPart && spent < peerSeconds : passed < 1;
  }

  async #inflateAlone(): Promise<void> {
    const { data, signal, report } = this.#options;
    for (const decoder of decoders) {
      try {
        // deno-lint-ignore no-await-in-loop -- one after the other is the point
        const measurement = await inflateAlone(data, decoder, signal);
        this.#inflating.set(decoder, [...this.#inflating.get(decoder) ?? [], measurement]);
      } catch (error) {
        signal.throwIfAborted();
        report(`inflating alone: ${messageOf(error)}`);
      }
    }
  }

  /** Reads back the caches that were dropped for native: the data, and the pages of the programs. */
  async #warmUp(subjects: readonly Subject[]): Promise<void> {
    const { data, signal, work } = this.#options;
    const sources = new Set(subjects.map(({ mounter, compression }) => mounter?.source(data, compression)));
    for (const source of sources) {
      // deno-lint-ignore no-await-in-loop -- one after the other
      if (source && source !== data.tree) await readThrough(source);
    }
    await readWholeTree({ root: data.tree, data, limit: 60, share: data.files, signal });
    for (const subject of subjects) {
      try {
        // deno-lint-ignore no-await-in-loop -- one after the other
        await using _mounted = await mountSubject(subject, data, await Deno.makeTempDir({ dir: work }), signal);
      } catch (_error) {
        // The same failure is reported when the subject is measured.
        signal.throwIfAborted();
      }
    }
  }

  /** Measures one group of one subject. Failures become part of the report. */
  async #measureGroup(subject: Subject, group: Group): Promise<void> {
    const { data, signal, work } = this.#options;
    const began = performance.now();
    const { mounter, label } = subject;
    const isCold = mounter === null ? await dropKernelCaches() : true;
    try {
      if (group.isSecondMount) await this.#prepareMount(subject, group);
      await using mounted = await mountSubject(subject, data, await Deno.makeTempDir({ dir: work }), signal);
      if (mounter !== null) this.#samples.add(mountRow, label, { value: mounted.seconds * 1000, isPartial: false });
      for (const [index, step] of group.steps.entries()) {
        // deno-lint-ignore no-await-in-loop -- one after the other is the point
        await this.#takeStep(subject, step, mounted, { isWarm: index > 0, counts: index > 0 || isCold });
        if (!step.endsReading || mounter === null || mounter.program === "mount") continue;
        // deno-lint-ignore no-await-in-loop -- once
        this.#samples.add(residentRow, label, { value: await mounted.residentBytes() / 1e6, isPartial: false });
      }
    } catch (error) {
      signal.throwIfAborted();
      for (const row of [mountRow, ...rowsOf(group)]) this.#samples.add(row, label, { failure: messageOf(error) });
    }
    const spent = this.#spent.get(group) ?? new Map<Subject, number>();
    this.#spent.set(group, spent.set(subject, (spent.get(subject) ?? 0) + (performance.now() - began) / 1000));
  }

  /** Takes the steps of a group, unmeasured, on a mount that ends before the next begins. */
  async #prepareMount(subject: Subject, { steps }: Group): Promise<void> {
    const { data, signal, work } = this.#options;
    await using mounted = await mountSubject(subject, data, await Deno.makeTempDir({ dir: work }), signal);
    for (const { run } of steps) {
      // deno-lint-ignore no-await-in-loop -- one after the other
      await run({ root: mounted.root, data, limit: subject.mounter?.limit ?? 60, share: data.files, signal });
    }
  }

  async #takeStep(
    { mounter, label }: Subject,
    { run, results }: Step,
    mounted: { readonly root: string; readonly seconds: number },
    { isWarm, counts }: { readonly isWarm: boolean; readonly counts: boolean },
  ): Promise<void> {
    const { data, signal, isQuick } = this.#options;
    const share = Math.ceil(data.files * (mounter?.share ?? 1));
    const limit = (mounter?.limit ?? 60) * (isQuick ? 0.25 : 1);
    const task = { root: mounted.root, data, limit, share, signal };
    try {
      const measurements = await repeat(() => run(task), isWarm && !isQuick ? warmRepeats : 1);
      for (const measurement of counts ? measurements : []) {
        const { done, total } = measurement;
        const isPartial = done < total || (total === share && share < data.files);
        for (const { row, valueOf } of results) {
          this.#samples.add(row, label, { value: valueOf(measurement, mounted.seconds), isPartial });
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      for (const { row } of results) this.#samples.add(row, label, { failure: messageOf(error) });
    }
  }
}

async function repeat(run: () => Promise<Measurement>, times: number): Promise<Measurement[]> {
  const measurements = [await run()];
  while (measurements.length < times && (measurements[0]?.seconds ?? 0) < repeatSeconds) {
    // deno-lint-ignore no-await-in-loop -- one after the other is the point
    measurements.push(await run());
  }
  return measurements;
}

/** Native's caches are the kernel's, which only root may drop. */
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
