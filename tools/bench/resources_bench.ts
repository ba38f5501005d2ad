/**
 * Memory and processor time of a mount of the bench's deflated archive: resident after the start and after everything
 * was read, at most while the 64 MiB file is decompressed for the first time, and what it takes while nothing happens.
 *
 * ```sh
 * deno run -A tools/bench/resources_bench.ts [--quick] [--seconds N] [--data DIR]     # default: twice 60 idle seconds
 * ```
 * @module
 */
import { join } from "node:path";
import { pause, print } from "../../tests/support/harness.ts";
import { readCommandLine } from "../command_line.ts";
import { processorTime } from "./daemon_index.ts";
import { fullSize, prepareData, quickSize, readThrough } from "./data.ts";

const launcher = join(import.meta.dirname ?? ".", "..", "..", "pakfs");
/** After so long memory was given back, and nothing is left to do of the start; milliseconds. */
const settled = 15_000;

/** Returns a line of a process's status in megabytes. */
async function megabytes(pid: number, line: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(new RegExp(`^${line}:\\s+(\\d+)`, "m").exec(status)?.[1]) * 1024 / 1e6;
}

function report(name: string, value: number, unit: string): void {
  print(`${name.padEnd(56)} ${value.toFixed(unit === "%" ? 3 : 0).padStart(6)} ${unit}`);
}

const { values: given, flags } = readCommandLine(["seconds", "data"], ["quick"]);
const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/var/tmp", ".cache");
const data = await prepareData(given.data ?? join(cache, "pakfs-bench"), flags.quick ? quickSize : fullSize, print);
const seconds = Number(given.seconds ?? 60);
const home = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
const mountPoint = join(home, "mount");
await Deno.mkdir(mountPoint);
const daemon = new Deno.Command(launcher, {
  args: ["mount", "--foreground", "--quiet", "--socket", join(home, "socket"), data.archives.deflated, mountPoint],
  env: { XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home },
  stdin: "null",
}).spawn();
try {
  // deno-lint-ignore no-await-in-loop -- until it answers
  while (!await Deno.stat(join(mountPoint, data.firstPath)).then(() => true, () => false)) await pause(20);
  const { pid } = daemon;
  await pause(settled);
  report("resident after the start", await megabytes(pid, "VmRSS"), "MB");
  await readThrough(join(mountPoint, data.secondPath));
  report("at most, with the second file read for the first time", await megabytes(pid, "VmHWM"), "MB");
  for (const line of (await Deno.readTextFile(data.wholeList)).trim().split("\n")) {
    // deno-lint-ignore no-await-in-loop -- one file after the other
    await readThrough(join(mountPoint, line.slice(line.lastIndexOf("\t") + 1)));
  }
  report("at most, after everything was read", await megabytes(pid, "VmHWM"), "MB");
  await pause(settled);
  report("resident after everything was read", await megabytes(pid, "VmRSS"), "MB");
  const measureIdle = async (which: string) => {
    const before = await processorTime(pid);
    await pause(seconds * 1000);
    report(`processor time of ${which}`, (await processorTime(pid) - before) / seconds / 10, "%");
  };
  // In the first, V8 collects what reading has left.
  await measureIdle(`the first ${seconds} idle seconds`);
  await measureIdle("the next as many");
} finally {
  daemon.kill();
  await daemon.status;
  await Deno.remove(home, { recursive: true });
}
