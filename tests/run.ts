// deno-lint-ignore-file no-await-in-loop -- the output of a run is read part by part
/**
 * The test runner of `./pakfs test [FILTER]`: formatting, lint, types, documentation, then the tests, and at the end a
 * look at what they left behind. The last line is `N passed, N failed`.
 *
 * With `PAKFS_TEST_COMPLETE=1`, as in `.ci/run`, it first fetches the packages that tests compare pakfs with, and fails
 * if a test was ignored.
 * @module
 */
import { denoDirectory } from "./support/deno_directory.ts";
import { makeSandbox } from "./support/leftovers.ts";
import { fetchUnpacked, isMet, requirements } from "./support/programs.ts";

const root = new URL("..", import.meta.url).pathname;
const documented = [
  "mod.ts",
  "formats/mod.ts",
  "deno-fuse-ffi/mod.ts",
  "system/std/assert/mod.ts",
  "system/std/cli/mod.ts",
  "system/std/fs/mod.ts",
];

/**
 * Maximum time without output, in milliseconds: no test takes so long unless it hangs. The slowest packs a release: half a
 * minute on an idle machine, minutes on one that is busy.
 */
const maxSilence = 1_200_000;

/** Deno colours output to a pipe unless NO_COLOR is set. */
const plain: Record<string, string> = Deno.stdout.isTerminal() ? {} : { NO_COLOR: "1" };

/** Whether every test must run, as in `.ci/run`. */
const isComplete = Deno.env.get("PAKFS_TEST_COMPLETE") === "1";

interface Score {
  passed: number;
  failed: number;
  ignored: number;
}

const total: Score = { passed: 0, failed: 0, ignored: 0 };

/** Counts one check that is not a test of `deno test`, and shows its details if it failed. */
function count(name: string, ok: boolean, details: string): void {
  if (ok) total.passed++;
  else total.failed++;
  print(`${name} ... ${ok ? "ok" : "FAILED"}\n${ok ? "" : details + "\n"}`);
}

function print(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) written += Deno.stdout.writeSync(bytes.subarray(written));
}

async function check(args: string[]): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args, "--quiet"],
    cwd: root,
    env: plain,
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  count(`deno ${args.join(" ")}`, success, decoder.decode(stdout) + decoder.decode(stderr));
}

async function existing(paths: string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => Deno.stat(root + path).then(() => [path], () => [])));
  return found.flat();
}

/** Returns every second file of tests of mounts, from the first or the second: they take as long as those of two lanes. */
function halfOfMounts(remainder: number): string[] {
  const names = Array.from(Deno.readDirSync(`${root}tests/mount`), ({ name }) => name);
  return names.filter((name) => name.endsWith("_test.ts")).sort().filter((_, index) => index % 2 === remainder)
    .map((name) => `tests/mount/${name}`);
}

/** Directories of the lanes; the last has all others. The lanes take about as long as one another. */
const directories: readonly (readonly string[])[] = [
  ["tests/launcher", "tests/web", "tests/docs"],
  ["tests/repl"],
  ["tests/system", "tests/questions", "tests/games", "tests/service", "tests/media"],
];

/** Tests that run at the same time, each lane in a process and a sandbox of its own: many wait for other programs. */
const lanes: readonly (readonly string[])[] = [
  ...directories.map((lane, number) => number < 2 ? [...lane, ...halfOfMounts(number)] : lane),
  ["--doc", `--ignore=tests/mount,${directories.flat().join(",")},.tools`],
];

/** The processes of the lanes. */
const running = new Set<Deno.ChildProcess>();

/** Runs the tests of a lane, adds their numbers to the score, and reports leftovers. */
async function runLane(lane: readonly string[], filter: string | undefined): Promise<string[]> {
  await using sandbox = await makeSandbox();
  // All permissions: the tests load libfuse, mount, open sockets and start the programs they compare with. What the
  // product itself is allowed is decided by the launcher, which the end-to-end tests go through.
  // Types are checked by themselves: a mistake in one file should not keep the tests of the others from running.
  const args = ["test", "--allow-all", "--no-check", ...lane, ...filter === undefined ? [] : ["--filter", filter]];
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: { ...sandbox.environment, ...plain, DENO_DIR: await denoDirectory(root) },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  running.add(child);

  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let hung = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      hung = true;
      await sandbox.clean();
      // Processes that cannot be killed, because they wait for a hung file system, must not block the run.
      await reader.cancel();
    }, maxSilence);
  };
  let score: Score = { passed: 0, failed: 0, ignored: 0 };
  let line = "";
  let started = "deno test";
  watch();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    // Deno's notes on slow tests are no progress.
    if (!part.value.includes(" has been running for over ")) watch();
    const lines = (line + part.value).split("\n");
    line = lines.pop() ?? "";
    for (const one of lines) score = summary(one) ?? score;
    started = [...lines, line].findLast((one) => one.includes(" ..."))?.replace(/ \.\.\..*/, "") ?? started;
    // Lines are written whole, so that output of two lanes does not mix.
    if (lines.length > 0) print(lines.join("\n") + "\n");
  }
  clearTimeout(timer);
  const { code, signal } = hung ? { code: 1, signal: "SIGKILL" } : await child.status;
  running.delete(child);

  const isEmpty = score.passed + score.failed + score.ignored === 0;
  if (hung) count(started, false, `it printed nothing for ${maxSilence / 1000} s and was ended`);
  else if (isEmpty && filter === undefined) count("deno test", false, `it ran no test (${signal ?? `code ${code}`})`);
  else if (code !== 0 && score.failed === 0 && !isEmpty) count("deno test", false, `it failed with code ${code}`);
  total.passed += score.passed;
  total.failed += score.failed;
  total.ignored += score.ignored;
  return await sandbox.clean();
}

/** Reads the line that ends a run of `deno test`: `ok | 26 passed (3 steps) | 0 failed | 1 ignored (916ms)`. */
function summary(line: string): Score | undefined {
  // deno-lint-ignore no-control-regex -- colours are control sequences
  const plain = line.replace(/\x1b\[[0-9;]*m/g, "");
  const [found, passed, failed] = /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed/.exec(plain) ?? [];
  if (found === undefined) return undefined;
  const ignored = / \| (\d+) ignored/.exec(plain)?.[1] ?? 0;
  return { passed: Number(passed), failed: Number(failed), ignored: Number(ignored) };
}

/** Names the missing requirements of ignored tests; an error if all tests must run. */
function reportIgnored(): void {
  const missing = requirements.filter((one) => !one.isCommon && !isMet(one));
  for (const { name, packages } of missing) {
    const [kind, unpacked] = name.split(":");
    const what = unpacked === undefined ? `${kind}: not installed` : `${unpacked}: not fetched`;
    print(`not compared with ${what} (Debian package ${packages.join(", ")})\n`);
  }
  if (Deno.uid() !== 0) print("not tested: what only root can do\n");
  if (total.ignored > 0) {
    print(`${total.ignored} tests were ignored for these reasons; .ci/run runs all of them, as root\n`);
  }
  if (isComplete) count("every comparison ran", total.ignored + missing.length === 0, `${total.ignored} did not`);
}

async function main(filter: string | undefined): Promise<void> {
  const lacking = requirements.filter((one) => one.isCommon && !isMet(one)).map(({ name }) => name);
  if (lacking.length > 0) throw new Error(`the tests need programs that are not installed: ${lacking.join(", ")}`);
  const fetched = isComplete ? fetchUnpacked() : Promise.resolve([]);
  if (filter === undefined) {
    // They run in turn, as each uses all processors.
    await check(["fmt", "--check"]);
    await check(["lint"]);
    await check(["check", "--doc"]);
    await check(["doc", "--lint", ...await existing(documented)]);
  }
  const errors = await fetched;
  if (errors.length > 0) count("the packages that tests compare with are fetched", false, errors.join("\n"));
  const ended = await Promise.allSettled(lanes.map((lane) => runLane(lane, filter)));
  for (const one of ended) if (one.status === "rejected") count("the test runner", false, Deno.inspect(one.reason));
  const left = ended.flatMap((one) => one.status === "fulfilled" ? one.value : []);
  count("nothing is left behind", left.length === 0, left.join("\n"));
  if (total.passed + total.failed + total.ignored === 1) count("deno test", false, "no test matches");
  reportIgnored();
}

// Ctrl-C ends the children too, and this cleans up after them; another signal has to be passed on.
let interrupted = 0;
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  Deno.addSignalListener(signal, () => {
    interrupted = code;
    for (const child of running) child.kill(signal);
  });
}

// Some tests show their files to other users.
Deno.umask(0o022);
try {
  await main(Deno.args[0]);
} catch (error) {
  count("the test runner", false, Deno.inspect(error));
}
print(`${total.passed} passed, ${total.failed} failed\n`);
// The listener would keep the process alive, so the code is not left for its end.
Deno.exit(interrupted || (total.failed === 0 ? 0 : 1));
