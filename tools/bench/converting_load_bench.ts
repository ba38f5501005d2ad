/**
 * Measures how much small reads of a mount are slowed while it converts files on all its threads: the time of `open`,
 * `read` and `close` of files of 4 KiB whose pages the kernel has dropped, in short rounds in turns: alone, and while 8
 * readers have pictures converted that were not converted before. The small reads are pinned to one processor.
 *
 * ```sh
 * deno run -A tools/bench/converting_load_bench.ts [--rounds N]     # default: 15 rounds of each kind
 * ```
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { encodeTga } from "../../daemon/demo/image.ts";
import { pause, print } from "../../tests/support/harness.ts";
import { processorTime } from "./daemon_index.ts";
import { median } from "./report.ts";

const launcher = join(import.meta.dirname ?? ".", "..", "..", "pakfs");
const clients = join(import.meta.dirname ?? ".", "clients");
const smallFiles = 2000;
const readsOfRound = 1000;
const picturesOfRound = 300;
const side = 512;

/** Runs a client; returns what it prints. */
async function answerOf(command: string, ...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command(command, { args, stderr: "inherit" }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
  return new TextDecoder().decode(stdout).trim();
}

async function writeGame(directory: string, pictures: number): Promise<void> {
  await Deno.mkdir(join(directory, "small"), { recursive: true });
  await Deno.mkdir(join(directory, "pics"));
  const small = new Uint8Array(4096).fill(7);
  for (let file = 0; file < smallFiles; file++) {
    // deno-lint-ignore no-await-in-loop -- one file at a time
    await Deno.writeFile(join(directory, "small", `${file}.dat`), small);
  }
  const rgba = Uint8Array.from({ length: side * side * 4 }, (_, index) => Math.imul(index, 2654435761) >>> 24);
  const first = join(directory, "pics", "0.tga");
  await Deno.writeFile(first, encodeTga({ width: side, height: side, rgba }));
  // Each name is converted by itself, whatever file it is.
  for (let file = 1; file < pictures; file++) {
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.link(first, join(directory, "pics", `${file}.tga`));
  }
}

/** Returns the median microseconds of the small reads of a round. */
async function smallReads(directory: string, seed: number): Promise<number> {
  const args = ["-c", "1", "python3", join(clients, "small_reads.py"), directory, String(readsOfRound), String(seed)];
  return Number(await answerOf("taskset", ...args));
}

const { values } = parseArgs({ options: { rounds: { type: "string" } } });
const rounds = Number(values.rounds ?? 15);
const home = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
const [game, mountPoint] = [join(home, "game"), join(home, "mount")];
await writeGame(game, rounds * picturesOfRound);
await Deno.mkdir(mountPoint);
const daemon = new Deno.Command(launcher, {
  args: [
    ...["mount", "--foreground", "--quiet", "--profile", "generic", "--show-as"],
    ...["--socket", join(home, "socket"), game, mountPoint],
  ],
  env: { XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home },
  stdin: "null",
}).spawn();
try {
  const smallDirectory = () => answerOf("find", mountPoint, "-name", "small", "-type", "d").catch(() => "");
  let small = "";
  // deno-lint-ignore no-await-in-loop -- until it answers
  while ((small = (await smallDirectory()).split("\n")[0] ?? "") === "") await pause(20);
  const pics = (await answerOf("find", join(mountPoint, ".as"), "-name", "pics", "-type", "d")).split("\n")[0] ?? "";
  await smallReads(small, 0);
  const [alone, loaded]: [number[], number[]] = [[], []];
  let spent = 0;
  let converted = 0;
  for (let round = 0; round < rounds; round++) {
    // deno-lint-ignore no-await-in-loop -- in turns is the point
    alone.push(await smallReads(small, round));
    const list = Array.from({ length: picturesOfRound }, (_, index) => `${round * picturesOfRound + index}.tga.png`);
    // deno-lint-ignore no-await-in-loop -- as above
    const before = await processorTime(daemon.pid);
    const load = new Deno.Command("python3", {
      args: [join(clients, "first_bytes.py"), pics, "8", ...list],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const lines = load.stdout.pipeThrough(new TextDecoderStream()).getReader();
    // The first picture is converted.
    // deno-lint-ignore no-await-in-loop -- as above
    await lines.read();
    // deno-lint-ignore no-await-in-loop -- as above
    loaded.push(await smallReads(small, round));
    // Files are converted until then, so that the small reads lay within the conversions.
    // deno-lint-ignore no-await-in-loop -- as above
    await load.stdin.close();
    // deno-lint-ignore no-await-in-loop -- as above
    for (let read = await lines.read(); !read.done; read = await lines.read()) {
      converted = Number(read.value) || converted;
    }
    // deno-lint-ignore no-await-in-loop -- as above
    spent += await processorTime(daemon.pid) - before;
  }
  const ratios = alone.map((time, round) => (loaded[round] ?? 0) / time);
  const spread = (times: readonly number[]) =>
    `median ${(median(times) ?? 0).toFixed(0)} us (${Math.min(...times).toFixed(0)} to ${
      Math.max(...times).toFixed(0)
    })`;
  print(`small reads alone             ${spread(alone)}`);
  print(`small reads while converting  ${spread(loaded)}`);
  print(`ratio of rounds               median ${(median(ratios) ?? 0).toFixed(2)}`);
  print(
    `daemon while converting       ${(spent / rounds).toFixed(0)} ms of processors a round, ${converted} pictures last`,
  );
} finally {
  daemon.kill();
  await daemon.status;
  await Deno.remove(home, { recursive: true });
}
