/**
 * Parts of all fault runs: their bounds, readers and daemons, and what they report.
 * @module
 */
import { TextLineStream } from "../../tests/support/harness.ts";
import { text } from "../../tests/formats/bytes.ts";
import { isRunning, mountsBelow, run, until, type Workspace } from "../../tests/mount/mounting.ts";

/** How far a run goes: until either bound is reached. */
export interface Bounds {
  /** Rounds at most; what a round is differs. */
  readonly rounds: number;
  readonly minutes: number;
  /** Readers at a time. */
  readonly readers: number;
  readonly seed: number;
}

/** Result of a run. */
export interface Findings {
  readonly figures: Record<string, number | string>;
  /** A sentence for each violation; empty if none. */
  readonly failures: readonly string[];
}

/** One kind of fault. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  /** Rounds of a whole soak. */
  readonly rounds: number;
  run(bounds: Bounds): Promise<Findings>;
}

/** Ends a run at its bounds. */
export class Rounds {
  readonly #bounds: Bounds;
  readonly #end: number;
  done = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.#end = performance.now() + bounds.minutes * 60_000;
  }

  /** Counts a round; returns false if none is left. */
  next(): boolean {
    if (this.done >= this.#bounds.rounds || performance.now() >= this.#end) return false;
    this.done++;
    return true;
  }
}

/** Resources of a process at one time. */
interface Sample {
  /** Since the gauge was made. */
  readonly hour: number;
  readonly megabytes: number;
  readonly descriptors: number;
}

/** Watches the memory and the descriptors of a process until it is disposed of. */
export class ProcessGauge implements Disposable {
  readonly #pid: number;
  readonly #start = performance.now();
  #samples: Sample[] = [];
  readonly #timer: ReturnType<typeof setInterval>;

  /** Measures for the first time at once: let the process do some of its work before. */
  constructor(pid: number) {
    this.#pid = pid;
    this.measure();
    this.#timer = setInterval(() => this.measure(), 1000);
  }

  /** Looks now. */
  measure(): void {
    try {
      const status = Deno.readTextFileSync(`/proc/${this.#pid}/status`);
      const descriptors = [...Deno.readDirSync(`/proc/${this.#pid}/fd`)].length;
      const megabytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
      if (Number.isNaN(megabytes)) return; // it is ending
      this.#samples.push({ hour: (performance.now() - this.#start) / 3_600_000, megabytes, descriptors });
    } catch {
      // It has ended, which others notice.
    }
  }

  /** Forgets what it has measured: the process has only now done some of its work. */
  restart(): void {
    this.#samples = [];
    this.measure();
  }

  /** Megabytes that the process has more than at first. */
  get growth(): number {
    return (this.#samples.at(-1)?.megabytes ?? 0) - (this.#samples[0]?.megabytes ?? 0);
  }

  /** Start, end and slopes, these over the second half: what is filled once does not count. */
  figures(): Record<string, number> {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    return {
      "RSS at the start (MB)": Math.round(first?.megabytes ?? 0),
      "RSS at the end (MB)": Math.round(last?.megabytes ?? 0),
      "RSS at most (MB)": Math.round(this.#samples.reduce((max, { megabytes }) => Math.max(max, megabytes), 0)),
      "RSS slope, second half (MB/hour)": Math.round(this.#slope(({ megabytes }) => megabytes) * 10) / 10,
      "descriptors at the start": first?.descriptors ?? 0,
      "descriptors at the end": last?.descriptors ?? 0,
      "descriptor slope, second half (/hour)": Math.round(this.#slope(({ descriptors }) => descriptors) * 10) / 10,
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Returns the slope by least squares. */
  #slope(quantity: (sample: Sample) => number): number {
    const half = this.#samples.slice(Math.floor(this.#samples.length / 2));
    const mean = (of: (sample: Sample) => number) => half.reduce((sum, one) => sum + of(one), 0) / half.length;
    const [hour, middle] = [mean((one) => one.hour), mean(quantity)];
    const spread = half.reduce((sum, one) => sum + (one.hour - hour) ** 2, 0);
    const along = half.reduce((sum, one) => sum + (one.hour - hour) * (quantity(one) - middle), 0);
    return spread > 0 ? along / spread : 0;
  }
}

/** A Python program that reads from a mount and prints what it found as JSON when its input ends. */
export interface Readers {
  /** Ends it; what it printed, or null if it hangs. */
  finish(): Promise<Record<string, unknown> | null>;
}

/** Maximum time until a reader answers or ends; one that takes longer hangs. */
const maxEnd = 60_000;

/** Names violations that readers found. */
export function judgeReaders(result: Record<string, unknown> | null): string[] {
  if (!result) return ["the readers hang"];
  const noted = ["wrong", "stale", "other errors"].flatMap((key) => {
    const notes = result[key];
    return Array.isArray(notes) && notes.length > 0 ? [`${key}: ${notes.join("; ")}`] : [];
  });
  return result.hangs === 0 ? noted : [...noted, `${result.hangs} readers hang`];
}

/** Counts of readers, as figures. */
export function figuresOf(result: Record<string, unknown> | null): Record<string, number> {
  return Object.fromEntries(
    Object.entries(result ?? {}).map(([key, value]) => [key, Array.isArray(value) ? value.length : Number(value)]),
  );
}

/** Content of a version of a file, as `readers.py` expects it. */
export function versionedContent(name: string, version: number, lines: number): Uint8Array {
  const stamp = String(version).padStart(8, "0");
  const lineOf = (_value: unknown, line: number) => `${name} ${stamp} ${String(line).padStart(6, "0")}\n`;
  return text(Array.from({ length: lines }, lineOf).join(""));
}

/**
 * Writes for readers which version of each file the mount shows, null for a missing one: change `begun` has begun, and
 * `settled` is the last one that has ended.
 */
export async function writeFloors(
  path: string,
  begun: number,
  settled: number,
  files: Readonly<Record<string, number | null>>,
): Promise<void> {
  await Deno.writeTextFile(`${path}.new`, JSON.stringify({ begun, settled, files }));
  await Deno.rename(`${path}.new`, path);
}

/** Starts a program of this directory. */
export function startReaders(script: string, ...parameters: readonly string[]): Readers {
  const path = new URL(`./${script}`, import.meta.url).pathname;
  const child = new Deno.Command("python3", {
    args: ["-B", path, ...parameters],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const printed = new Response(child.stdout).text();
  return {
    async finish() {
      await child.stdin.close();
      const timer = setTimeout(() => child.kill("SIGKILL"), maxEnd);
      const { success } = await child.status;
      clearTimeout(timer);
      const text = await printed;
      return success ? JSON.parse(text) : null;
    },
  };
}

/** Result of reading a directory. */
export interface Walk {
  /** Files read to their end, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Files that could not be read, by the error. */
  readonly EIO: number;
  readonly ENOENT: number;
  readonly ESTALE: number;
  /** Any other violation. */
  readonly wrong: readonly string[];
}

/** A program that reads all files of a directory on request. */
export interface Walker extends AsyncDisposable {
  /**
   * Reads everything once.
   * @throws {Error} if it hangs or has ended.
   */
  walk(): Promise<Walk>;
}

/** Starts a walker of a directory. */
export function startWalker(root: string): Walker {
  const path = new URL("./tree_walker.py", import.meta.url).pathname;
  const child = new Deno.Command("python3", { args: [path, root], stdin: "piped", stdout: "piped", stderr: "inherit" })
    .spawn();
  const writer = child.stdin.getWriter();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
  return {
    async walk() {
      const timer = setTimeout(() => child.kill("SIGKILL"), maxEnd);
      try {
        await writer.write(new Uint8Array([10]));
        const { value } = await lines.read();
        if (value === undefined) throw new Error("the reader of all files has ended, or was killed because it hung");
        return JSON.parse(value);
      } finally {
        clearTimeout(timer);
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      const timer = setTimeout(() => child.kill("SIGKILL"), maxEnd);
      await writer.close().catch(() => {});
      await lines.cancel();
      await child.status;
      clearTimeout(timer);
    },
  };
}

const launcher = new URL("../../pakfs", import.meta.url).pathname;

/** Starts a daemon in the foreground, whose process is known before it answers. */
export function startMount(here: Workspace, ...parameters: readonly string[]): Deno.ChildProcess {
  return start(here, [launcher, "mount", "-f", ...parameters, here.mountPoint]);
}

/** Starts the daemon of the configuration in the foreground; it answers when this is resolved. */
export async function startDaemon(here: Workspace): Promise<Deno.ChildProcess> {
  const child = start(here, ["setsid", launcher, "daemon"]);
  await until("the daemon answers", () => here.status().then(() => true, () => false));
  return child;
}

function start({ environment }: Workspace, [program = "", ...args]: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(program, { args, env: environment, stdin: "null", stdout: "null", stderr: "null" }).spawn();
}

/** Names everything that a daemon has left although it ended cleanly. */
export async function leftovers(here: Workspace, pid: number): Promise<string[]> {
  const found: string[] = [];
  if (isRunning(pid)) found.push(`process ${pid} still runs`);
  const mounts = await mountsBelow(here.path);
  if (mounts.length > 0) found.push(`${mounts.join(", ")} is still mounted`);
  const listed = await run("ls", [here.mountPoint]);
  if (listed.code !== 0) found.push(`the mount point is dead: ${listed.stderr.trim()}`);
  const sockets = await Array.fromAsync(Deno.readDir(`${here.path}/run/pakfs`), ({ name }) => name).catch(() => []);
  if (sockets.length > 0) found.push(`${sockets.join(", ")} is still there`);
  return found;
}

/** Whether this user may mount other file systems, which some faults need. */
export function canMount(): boolean {
  return Deno.uid() === 0;
}
