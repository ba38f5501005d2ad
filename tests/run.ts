/**
 * The test runner behind `./pakfs test [FILTER]`: formatting, lint, types, documentation, then the tests, and at the
 * end a look at what they left behind. The last line is `N passed, N failed`.
 * @module
 */
import { denoDirectory } from "./support/deno_directory.ts";
import { makeSandbox } from "./support/leftovers.ts";

const root = new URL("..", import.meta.url).pathname;
const documented = [
  "mod.ts",
  "formats/mod.ts",
  "deno-fuse-ffi/mod.ts",
  "std/assert/mod.ts",
  "std/cli/mod.ts",
  "std/fs/mod.ts",
];

/** Maximum time without output; a test run that prints nothing for longer hangs. */
const maxSilence = 10 * 60 * 1000;

/** Deno colours what it writes to a pipe unless NO_COLOR is set. */
const plain: Record<string, string> = Deno.stdout.isTerminal() ? {} : { NO_COLOR: "1" };

interface Score {
  passed: number;
  failed: number;
}

const score: Score = { passed: 0, failed: 0 };

/** Counts one check that is not a test of `deno test`, and shows its details if it failed. */
function count(name: string, ok: boolean, details: string): void {
  if (ok) score.passed++;
  else score.failed++;
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

/** Runs the tests and adds their numbers to the score. */
async function runTests(filter: string | undefined, environment: Record<string, string>): Promise<void> {
  // All permissions: the tests load libfuse, mount, open sockets and start the programs they compare with. What the
  // product itself is allowed is decided by the launcher, which the end-to-end tests go through.
  const args = ["test", "--allow-all", "--doc"];
  // Without a filter types were checked before; a mistake in one file should not keep the tests of the others from running.
  args.push(...filter === undefined ? ["--no-check"] : ["--filter", filter]);
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: environment,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();

  let hung = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      hung = true;
      child.kill("SIGKILL");
    }, maxSilence);
  };
  let tail = "";
  watch();
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    watch();
    print(text);
    tail = (tail + text).slice(-4096);
  }
  clearTimeout(timer);
  const { code, signal } = await child.status;

  const result = parseSummary(tail);
  if (result !== undefined) {
    score.passed += result.passed;
    score.failed += result.failed;
  }
  if (hung) count("deno test", false, "it printed nothing for ten minutes and was ended");
  else if (result === undefined) count("deno test", false, `it ended without a summary (${signal ?? `code ${code}`})`);
  else if (result.passed + result.failed === 0) count("deno test", false, "no test matches");
  else if (code !== 0 && result.failed === 0) count("deno test", false, `it failed with code ${code}, but no test did`);
}

/** Reads the line that ends a run of `deno test`: `ok | 26 passed (3 steps) | 0 failed | 1 ignored (916ms)`. */
function parseSummary(output: string): Score | undefined {
  // deno-lint-ignore no-control-regex -- colours are control sequences
  const plain = output.replace(/\x1b\[[0-9;]*m/g, "");
  const lines = [...plain.matchAll(/^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed/gm)];
  const last = lines.at(-1);
  return last === undefined ? undefined : { passed: Number(last[1]), failed: Number(last[2]) };
}

async function main(filter: string | undefined): Promise<void> {
  await using sandbox = await makeSandbox();
  if (filter === undefined) {
    // One after the other: each uses all processors.
    await check(["fmt", "--check"]);
    await check(["lint"]);
    await check(["check", "--doc"]);
    await check(["doc", "--lint", ...await existing(documented)]);
  }
  await runTests(filter, { ...sandbox.environment, ...plain, DENO_DIR: await denoDirectory(root) });
  const left = await sandbox.clean();
  count("nothing is left behind", left.length === 0, left.join("\n"));
}

// The terminal sends Ctrl-C to the children too: they end, and this cleans up after them.
let interrupted = false;
Deno.addSignalListener("SIGINT", () => {
  interrupted = true;
});

try {
  await main(Deno.args[0]);
} catch (error) {
  count("the test runner", false, Deno.inspect(error));
}
print(`${score.passed} passed, ${score.failed} failed\n`);
// The listener would keep the process alive, so the code is not left for its end.
Deno.exit(interrupted ? 130 : score.failed === 0 ? 0 : 1);
