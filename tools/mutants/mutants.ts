/**
 * Subtle mistakes: finds where they can be put, puts one into a copy of the tree, and looks whether tests notice.
 * @module
 */
import { basename, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { numbersFrom } from "../../tests/support/chance.ts";
import { denoDirectory } from "../../tests/support/deno_directory.ts";
import { makeSandbox } from "../../tests/support/leftovers.ts";
import { TextLineStream } from "../../tests/support/harness.ts";
import { ImportGraph } from "./imports.ts";
import type { Room } from "./rooms.ts";
import type { Mutation } from "./sites.ts";

/** Maximum milliseconds without output for tests without a mistake. */
const maxBaselineSilence = 5 * 60_000;

/** A mistake and its location. */
export interface Mutant extends Mutation {
  /** Path below the root of the tree. */
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Range of bytes that is replaced. */
  readonly start: number;
  readonly end: number;
}

/** Result of a test run. */
export interface Outcome {
  /**
   * A run that falls silent counts as noticed, if it does so twice and the tests pass in that time without the mistake.
   * What the compiler refuses is no mistake that tests must notice.
   */
  readonly kind: "killed" | "timed out" | "survived" | "refused by the compiler";
  /** First test that failed, or the file that fell silent. */
  readonly test: string;
}

/** Result and duration of one or more test files. */
interface Run {
  readonly outcome: Outcome;
  /** File that ran last: the one that failed, if one did. */
  readonly lastFile: string;
  /** Seconds per file. */
  readonly seconds: ReadonlyMap<string, number>;
  /** Longest time without output per file, in milliseconds. */
  readonly silences: ReadonlyMap<string, number>;
}

/** How a test file runs without a mistake. */
interface Baseline {
  /** Whether it passes: one that fails, as some do on a busy machine, notices nothing. */
  readonly passes: boolean;
  readonly seconds: number;
  /** Longest time without output, in milliseconds. */
  readonly silence: number;
}

interface Diagnostic {
  readonly filename: string;
  readonly message: string;
  readonly range: {
    readonly start: { readonly line: number; readonly bytePos: number };
    readonly end: { readonly bytePos: number };
  };
}

/**
 * Lists every mutant of some files and directories, in the order of files and lines.
 *
 * @throws {Error} if the linter cannot read them.
 */
export async function listMutants(root: string, sources: readonly string[]): Promise<Mutant[]> {
  const config = new URL("lint.json", import.meta.url).pathname;
  const lint = new Deno.Command(Deno.execPath(), {
    args: ["lint", "--config", config, "--json", ...sources],
    cwd: root,
    stderr: "null",
  });
  const report = JSON.parse(new TextDecoder().decode((await lint.output()).stdout)) as {
    diagnostics: Diagnostic[];
    errors: unknown[];
  };
  if (report.errors.length > 0) throw new Error(`deno lint: ${JSON.stringify(report.errors)}`);
  return report.diagnostics.map(({ filename, message, range }) => ({
    ...JSON.parse(message) as Mutation,
    file: relative(root, fileURLToPath(filename)),
    line: range.start.line,
    start: range.start.bytePos,
    end: range.end.bytePos,
  })).sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start);
}

/** Returns `count` elements, or all if there are fewer, in the order that `seed` gives (Fisher and Yates). */
export function sample<T>(all: readonly T[], count: number, seed: number): T[] {
  const next = numbersFrom(seed);
  const rest = [...all];
  const chosen: T[] = [];
  while (chosen.length < count && rest.length > 0) {
    const index = next(rest.length);
    const last = rest.pop();
    if (last === undefined) break;
    if (index < rest.length) chosen.push(...rest.splice(index, 1, last));
    else chosen.push(last);
  }
  return chosen;
}

/** A copy of the tree in which mistakes are made, one after the other. */
export class MutantTree implements AsyncDisposable {
  /** Directory of the copy. */
  readonly root: string;
  /** Commit that was copied. */
  readonly commit: string;
  readonly #room: Room;
  readonly #tests: readonly string[];
  readonly #denoDirectory: string;
  readonly #imports: ImportGraph;
  readonly #baselines = new Map<string, Baseline>();

  private constructor(
    { root, commit }: Pick<MutantTree, "root" | "commit">,
    room: Room,
    tests: readonly string[],
    denoDirectory: string,
  ) {
    this.root = root;
    this.commit = commit;
    this.#room = room;
    this.#tests = tests;
    this.#denoDirectory = denoDirectory;
    this.#imports = new ImportGraph(root);
  }

  /**
   * Copies the last commit of the repository at `from`, with the tests of `room`: files of the work tree may change
   * while they are copied.
   * @throws {Error} if git cannot read it.
   */
  static async make(from: string, room: Room): Promise<MutantTree> {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pakfs-mutants-" }));
    try {
      const commit = (await git(from, ["rev-parse", "HEAD"])).trim();
      const index = { GIT_INDEX_FILE: `${root}/.index` };
      await git(from, ["read-tree", commit], index);
      await git(from, ["checkout-index", "--all", `--prefix=${root}/`], index);
      await Deno.remove(`${root}/.index`);
      // Programs that set-up has installed are not in git.
      await Deno.symlink(`${from}/.tools`, `${root}/.tools`);
      const paths = await git(from, ["ls-tree", "-r", "-z", "--name-only", commit, "--", ...room.tests]);
      const tests = paths.split("\0").filter((path) => path.endsWith("_test.ts"));
      return new MutantTree({ root, commit }, room, tests, await denoDirectory(from));
    } catch (error) {
      await Deno.remove(root, { recursive: true });
      throw error;
    }
  }

  /** Seconds of each test file that was run without a mistake, and whether it passed. */
  get baselines(): ReadonlyMap<string, Baseline> {
    return this.#baselines;
  }

  /**
   * Makes the mistake, runs the tests that concern its file for `maxSeconds` of what they take without it, and takes it
   * back.
   */
  async try(mutant: Mutant, maxSeconds = Infinity): Promise<Outcome> {
    const waves = await this.#wavesFor(mutant.file, maxSeconds);
    const path = `${this.root}/${mutant.file}`;
    const source = await Deno.readFile(path);
    const replacement = new TextEncoder().encode(mutant.replacement);
    const changed = new Uint8Array([
      ...source.subarray(0, mutant.start),
      ...replacement,
      ...source.subarray(mutant.end),
    ]);
    await Deno.writeFile(path, changed);
    try {
      let isCompiled = false;
      for (const wave of waves) {
        // deno-lint-ignore no-await-in-loop -- one after the other, until one notices
        const { outcome, lastFile } = await this.#notice(wave);
        if (outcome.kind === "survived") {
          // Before the slower ones are run.
          // deno-lint-ignore no-await-in-loop -- as above
          isCompiled ||= await this.#compiles(mutant.file);
          if (isCompiled) continue;
          return { kind: "refused by the compiler", test: "" };
        }
        if (outcome.kind !== "timed out") return outcome;
        // On a busy machine tests may fall silent twice: they must pass now without the mistake.
        // deno-lint-ignore no-await-in-loop -- as above
        await Deno.writeFile(path, source);
        // deno-lint-ignore no-await-in-loop -- as above
        const { outcome: sound } = await this.#run([lastFile], this.#timeoutFor([lastFile]));
        if (sound.kind === "survived") return outcome;
        // deno-lint-ignore no-await-in-loop -- as above
        await Deno.writeFile(path, changed);
      }
      return { kind: "survived", test: "" };
    } finally {
      await Deno.writeFile(path, source);
    }
  }

  /**
   * Runs tests. One that fails or falls silent must do the same twice: on a busy machine it may without a mistake.
   */
  async #notice(tests: readonly string[]): Promise<Pick<Run, "outcome" | "lastFile">> {
    const first = await this.#run(tests, this.#timeoutFor(tests));
    if (first.outcome.kind === "survived") return first;
    const { lastFile } = first;
    let before: Outcome["kind"] = first.outcome.kind;
    for (let repeated = 0; repeated < 2; repeated++) {
      // deno-lint-ignore no-await-in-loop -- the third run decides between two that differ
      const again = await this.#run([lastFile], 2 * this.#timeoutFor([lastFile]));
      if (again.outcome.kind === before) return again;
      before = again.outcome.kind;
      if (before === "survived") break;
    }
    const rest = tests.slice(tests.indexOf(lastFile) + 1);
    return rest.length === 0 ? { outcome: { kind: "survived", test: "" }, lastFile } : await this.#notice(rest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.root, { recursive: true });
  }

  /** Returns whether the types of a file and of what it imports are right. */
  async #compiles(file: string): Promise<boolean> {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", file],
      cwd: this.root,
      env: { DENO_DIR: this.#denoDirectory },
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  }

  /** Returns the tests that concern a file and pass without a mistake, in groups that run together. */
  async #wavesFor(file: string, maxSeconds: number): Promise<string[][]> {
    const listed = this.#room.concerning?.find(([source]) => file.startsWith(source))?.[1];
    const namesakes = this.#tests.filter((test) => basename(test, "_test.ts") === basename(file, ".ts"));
    const ordered = listed ? new Set([...namesakes, ...listed]) : await this.#nearest(file);
    const tests: string[] = [];
    let sum = 0;
    for (const test of ordered) {
      // deno-lint-ignore no-await-in-loop -- those that would take too long are not even measured
      const { passes, seconds } = await this.#measure(test);
      if (!passes) continue;
      sum += seconds;
      if (sum > maxSeconds && tests.length > 0) break;
      tests.push(test);
    }
    // Loading every file takes longer than noticing a typical mistake.
    return [tests.slice(0, 1), tests.slice(1, 5), tests.slice(5)].filter((wave) => wave.length > 0);
  }

  /** Returns the tests of the room that load a file, the nearest and fastest first. */
  async #nearest(file: string): Promise<string[]> {
    const seconds = new Map<string, number>();
    // deno-lint-ignore no-await-in-loop -- one at a time, to measure it
    for (const test of this.#tests) seconds.set(test, (await this.#measure(test)).seconds);
    return this.#imports.testsOf(file, this.#tests, seconds);
  }

  /** Runs a test file without a mistake, once. */
  async #measure(test: string): Promise<Baseline> {
    const known = this.#baselines.get(test);
    if (known) return known;
    const { outcome, seconds, silences } = await this.#run([test], maxBaselineSilence);
    const baseline = {
      passes: outcome.kind === "survived",
      seconds: sumOf(seconds),
      silence: Math.max(0, ...silences.values()),
    };
    this.#baselines.set(test, baseline);
    return baseline;
  }

  /** Returns how long tests may be silent, in milliseconds: some times as long as without a mistake. */
  #timeoutFor(tests: readonly string[]): number {
    return 3 * Math.max(...tests.map((test) => this.#baselines.get(test)?.silence ?? 0)) + 20_000;
  }

  /** Runs test files in this order until one fails, or prints nothing for `maxSilence` milliseconds. */
  async #run(tests: readonly string[], maxSilence: number): Promise<Run> {
    // Daemons and mounts that a mistake leaves behind end with the sandbox.
    await using sandbox = await makeSandbox();
    const child = new Deno.Command(Deno.execPath(), {
      // Most mistakes are ones that the compiler cannot see; the others are found by `#compiles`.
      args: ["test", "--allow-all", "--no-check", "--fail-fast", ...tests],
      cwd: this.root,
      env: { ...sandbox.environment, DENO_DIR: this.#denoDirectory, NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const seconds = new Map<string, number>();
    let isLate = false;
    const silences = new Map<string, number>();
    let lastOutput = performance.now();
    let file = tests[0] ?? "";
    let firstFailure: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isLate = true;
        child.kill("SIGKILL");
      }, maxSilence);
    };
    restartTimer();
    // A process that a test has left may hold the output open.
    const ended = new AbortController();
    let ending: ReturnType<typeof setTimeout> | undefined;
    const status = child.status.finally(() => ending = setTimeout(() => ended.abort(), 1000));
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream(), ended);
    const reader = lines.getReader();
    const next = () => reader.read().then(({ value }) => value, () => undefined);
    // deno-lint-ignore no-await-in-loop -- lines come one after the other
    for (let line = await next(); line !== undefined; line = await next()) {
      restartTimer();
      const now = performance.now();
      silences.set(file, Math.max(silences.get(file) ?? 0, now - lastOutput));
      seconds.set(file, (seconds.get(file) ?? 0) + (now - lastOutput) / 1000);
      lastOutput = now;
      file = /^running \d+ tests? from \.\/(.+)$/.exec(line)?.[1] ?? file;
      const failure = /^(.*) \.\.\. FAILED/.exec(line)?.[1];
      if (failure !== undefined) firstFailure ??= `${file}: ${failure}`;
    }
    clearTimeout(timer);
    const { success } = await status;
    clearTimeout(ending);
    const kind = success ? "survived" : isLate ? "timed out" : "killed";
    const outcome: Outcome = { kind, test: success ? "" : firstFailure ?? `${file}: no result` };
    return { outcome, lastFile: file, seconds, silences };
  }
}

function sumOf(seconds: ReadonlyMap<string, number>): number {
  return Array.from(seconds.values()).reduce((sum, number) => sum + number, 0);
}

/**
 * Returns what git prints.
 * @throws {Error} if it fails, with what it says.
 */
async function git(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args: [...args], cwd, env }).output();
  if (!success) throw new Error(`git ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
