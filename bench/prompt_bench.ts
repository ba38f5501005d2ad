/**
 * How long people wait for the REPL: from its command to the first prompt, in a terminal, against a daemon that runs;
 * beside it a one-shot command and the minimum of a program on Deno.
 *
 * ```sh
 * deno run -A bench/prompt_bench.ts [ROUNDS]     # default: 15
 * ```
 * @module
 */
import { writeDemoInstallation } from "../demo/installation.ts";
import { median } from "./report.ts";
import { print } from "../tests/support/harness.ts";

const root = new URL("..", import.meta.url).pathname;
const launcher = `${root}pakfs`;
const rounds = Number(Deno.args[0] ?? 15);

async function output(home: string, command: string, ...args: string[]): Promise<string> {
  const env = { HOME: home, XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: "", XDG_STATE_HOME: "", PAKFS_SOCKET: "" };
  const { success, stdout } = await new Deno.Command(command, { args, env, stdin: "null", stderr: "inherit" }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
  return new TextDecoder().decode(stdout);
}

async function measure(home: string, what: string, wanted: string, ...command: string[]): Promise<void> {
  const program = `${root}bench/clients/first_prompt.py`;
  const printed = await output(home, "python3", program, String(rounds), wanted, ...command);
  const times = printed.trim().split("\n").map(Number);
  const [min, max] = [Math.min(...times), Math.max(...times)];
  const middle = (median(times) ?? NaN).toFixed(0).padStart(4);
  print(`${what.padEnd(34)} ${middle} ms   ${min.toFixed(0)} to ${max.toFixed(0)}`);
}

const home = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
try {
  await writeDemoInstallation(`${home}/games`);
  await Deno.mkdir(`${home}/mount`);
  await output(home, launcher, "mount", `${home}/games/quake`, `${home}/mount`);
  await Deno.writeTextFile(`${home}/empty.ts`, 'console.log("here");');
  print(`Medians of ${rounds}, load ${Deno.loadavg()[0]?.toFixed(2)}:`);
  await measure(home, "first prompt (at most 150 ms)", "quake/id1> ", launcher);
  await measure(home, "pakfs ls gfx", "palette.lmp", launcher, "ls", "gfx");
  await measure(home, "a program of one line on Deno", "here", Deno.execPath(), "run", `${home}/empty.ts`);
} finally {
  await output(home, launcher, "unmount", "-q", `${home}/mount`).catch(() => undefined);
  await Deno.remove(home, { recursive: true });
}
