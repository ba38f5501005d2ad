/**
 * What all fault runs have in common: how long they go on, chance that can be repeated, and what they report.
 * @module
 */
import { isRunning, mountsBelow, type Place, run } from "../mount/mounting.ts";

/** How far a run goes: until either bound is reached. */
export interface Bounds {
  /** Rounds at most; what a round is differs. */
  readonly rounds: number;
  readonly minutes: number;
  /** Readers at a time. */
  readonly readers: number;
  readonly seed: number;
}

/** What a run found. */
export interface Findings {
  readonly figures: Record<string, number | string>;
  /** A sentence for each thing that must not be; none: it holds. */
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

/** Numbers that are the same again for the same seed (a multiplicative generator modulo 2^31 - 1, by Park and Miller). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed % 2147483646 + 1;
    this.below(2);
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = this.#state * 48271 % 2147483647;
    return this.#state % limit;
  }
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

  /** Counts a round; false if there is none left. */
  next(): boolean {
    if (this.done >= this.#bounds.rounds || performance.now() >= this.#end) return false;
    this.done++;
    return true;
  }
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Watches the memory and the descriptors of a process until it is disposed of. */
export class ProcessGauge implements Disposable {
  readonly #pid: number;
  readonly #start = performance.now();
  readonly #samples: { readonly minute: number; readonly megabytes: number; readonly descriptors: number }[] = [];
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
      this.#samples.push({ minute: (performance.now() - this.#start) / 60_000, megabytes, descriptors });
    } catch {
      // It has ended, which others notice.
    }
  }

  /** Start, end and slope, the slope over the second half: what is filled once does not count. */
  figures(): Record<string, number> {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    return {
      "RSS at the start (MB)": Math.round(first?.megabytes ?? 0),
      "RSS at the end (MB)": Math.round(last?.megabytes ?? 0),
      "RSS slope, second half (MB/min)": Math.round(this.#slope() * 100) / 100,
      "descriptors at the start": first?.descriptors ?? 0,
      "descriptors at the end": last?.descriptors ?? 0,
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #slope(): number {
    const half = this.#samples.slice(Math.floor(this.#samples.length / 2));
    const mean = (of: (sample: (typeof half)[number]) => number) =>
      half.reduce((sum, one) => sum + of(one), 0) / half.length;
    const [minute, megabytes] = [mean((one) => one.minute), mean((one) => one.megabytes)];
    const spread = half.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0);
    const along = half.reduce((sum, one) => sum + (one.minute - minute) * (one.megabytes - megabytes), 0);
    return spread > 0 ? along / spread : 0;
  }
}

/** A Python program that reads from a mount and prints what it found as JSON when its input ends. */
export interface Readers {
  /** Ends it; what it printed, or null if it hangs. */
  finish(): Promise<Record<string, unknown> | null>;
}

/** A reader that says nothing for so long after it was told to end hangs. */
const longestEnd = 60_000;

/** Starts a program of this directory. */
export function startReaders(script: string, ...parameters: readonly string[]): Readers {
  const path = new URL(`./${script}`, import.meta.url).pathname;
  const child = new Deno.Command("python3", {
    args: [path, ...parameters],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const printed = new Response(child.stdout).text();
  return {
    async finish() {
      await child.stdin.close();
      const timer = setTimeout(() => child.kill("SIGKILL"), longestEnd);
      const { success } = await child.status;
      clearTimeout(timer);
      const text = await printed;
      return success ? JSON.parse(text) : null;
    },
  };
}

/** A daemon in the foreground whose process is known before it answers. */
export function startMount(here: Place, ...parameters: readonly string[]): Deno.ChildProcess {
  const launcher = new URL("../../pakfs", import.meta.url).pathname;
  return new Deno.Command(launcher, {
    args: ["mount", "-f", ...parameters, here.mountPoint],
    env: here.environment,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
}

/** What a daemon that ended cleanly must not leave: a sentence for each. */
export async function leftovers(here: Place, pid: number): Promise<string[]> {
  const found: string[] = [];
  if (await isRunning(pid)) found.push(`process ${pid} still runs`);
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
