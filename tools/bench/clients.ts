/**
 * Runs the client programs: they do to a mount what users' programs do, take the time themselves, so that their own
 * start does not count, and check what they have read.
 * @module
 */
import { join } from "node:path";
import type { BenchData } from "./data.ts";

/** Measurement of a client. */
export interface Measurement {
  readonly seconds: number;
  /** Amount of work done: less than `total` if the time limit came first. */
  readonly done: number;
  readonly total: number;
  /** Median duration of single reads, in µs. */
  readonly p50?: number;
  /** 99th percentile of the duration of single reads, in µs. */
  readonly p99?: number;
  /** Seconds spent on one member of particular interest. */
  readonly memberSeconds?: number;
}

/** A client failed, or read wrong bytes. */
export class ClientError extends Error {
  override readonly name = "ClientError";
}

/** Task of a client. */
export interface ClientTask {
  readonly root: string;
  readonly data: BenchData;
  /** Seconds after which a client stops; its work until then counts. */
  readonly limit: number;
  /** Number of small files to read or stat. */
  readonly share: number;
  readonly signal: AbortSignal;
}

/** Task of a client that goes through the whole tree. */
export interface WalkTask extends Pick<ClientTask, "root" | "limit" | "signal"> {
  readonly data: Pick<BenchData, "totalFiles" | "totalBytes">;
}

const folder = join(import.meta.dirname ?? ".", "clients");
/** Beyond its limit, a client has this many seconds for reading once more and checking. */
const checkingSeconds = 60;

/** `find` with sizes over the whole tree. */
export function walk({ data, ...task }: WalkTask): Promise<Measurement> {
  return run("walk.py", task, [data.totalFiles, data.totalBytes]);
}

/** `find -type f` over the whole tree: names and types. */
export function listNames({ data, ...task }: WalkTask): Promise<Measurement> {
  return run("names.py", task, [data.totalFiles]);
}

/** `stat` of the small files by their paths. */
export function statAll({ data, share, ...task }: ClientTask): Promise<Measurement> {
  return run("stat_all.py", task, [data.list, share]);
}

/** Opens, reads and closes the small files, with `readers` readers at once. */
export function readAll({ data, share, ...task }: ClientTask, readers = 1): Promise<Measurement> {
  return run("read_all.py", task, [data.list, share, readers]);
}

/** Reads every file of the tree from beginning to end, with `readers` readers at once; `done` is in bytes. */
export function readWholeTree({ data, ...task }: ClientTask, readers = 1): Promise<Measurement> {
  return run("whole_tree.py", task, [data.wholeList, readers]);
}

/** The largest file from begin to end; `done` is in bytes. */
export function readSequentially({ data, ...task }: ClientTask): Promise<Measurement> {
  return run("sequential.py", task, [data.largePath, data.largeBytes, data.largeChecksum]);
}

const randomReads = 1000;

/** 4 KiB at random offsets of the largest file. `fresh`: the kernel forgets the file's pages before. */
export function readRandomly({ data, ...task }: ClientTask, fresh: boolean): Promise<Measurement> {
  const original = join(data.tree, data.largePath);
  return run("random_reads.py", task, [data.largePath, original, randomReads, fresh ? 1 : 0]);
}

/** Open and the last 4 KiB of the second largest file. */
export function readLastBytes({ data, ...task }: ClientTask): Promise<Measurement> {
  return run("last_bytes.py", task, [data.secondPath, join(data.tree, data.secondPath)]);
}

/** A library that inflates. */
export type Decoder = "libdeflate" | "zlib";

/**
 * Inflates the deflated archive in one process, from memory to memory; `done` is in bytes, `memberSeconds` what the
 * second largest file took of it.
 */
export function inflateAlone(data: BenchData, decoder: Decoder, signal: AbortSignal): Promise<Measurement> {
  return run("inflate.py", { signal, limit: 60 }, [data.archives.deflated, data.secondPath, decoder]);
}

type RunTask = Partial<Pick<ClientTask, "root">> & Pick<ClientTask, "limit" | "signal">;

async function run(program: string, task: RunTask, args: (string | number)[]): Promise<Measurement> {
  const { root, limit, signal } = task;
  signal.throwIfAborted();
  const child = new Deno.Command("python3", {
    args: [
      "-B",
      "-E",
      "-S",
      join(folder, program),
      ...(root === undefined ? [] : [root, String(limit)]),
      ...args.map(String),
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const overdue = AbortSignal.timeout((limit + checkingSeconds) * 1000);
  const kill = () => killGroup(child.pid);
  const end = AbortSignal.any([signal, overdue]);
  end.addEventListener("abort", kill);
  try {
    const { success, stdout, stderr } = await child.output();
    signal.throwIfAborted();
    if (overdue.aborted) throw new ClientError(`${program} hung and was ended`);
    if (!success) throw new ClientError(`${program}: ${lastLine(stderr)}`);
    return parse(new TextDecoder().decode(stdout));
  } finally {
    end.removeEventListener("abort", kill);
  }
}

/** A client and all processes that it has started. */
function killGroup(leader: number): void {
  try {
    Deno.kill(-leader, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) Deno.kill(leader, "SIGKILL");
  }
}

function parse(line: string): Measurement {
  const { problem, ...measurement } = JSON.parse(line);
  if (typeof problem === "string") throw new ClientError(problem);
  return measurement;
}

function lastLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim().split("\n").at(-1) ?? "it failed without a word";
}
