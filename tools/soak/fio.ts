/**
 * fio, the storage tester of Jens Axboe and others, reads what it has written before, in packs and next to them, and checks
 * each block by the checksum that it carries. Used where it is installed; otherwise decompressed from Debian's package.
 * @module
 */
import { pak } from "../../tests/formats/bytes.ts";
import { output, run, workspace } from "../../tests/mount/mounting.ts";
import { debianLibraries, fetchPackage } from "../../tests/support/debian_data.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { type Bounds, type Findings, Rounds, type Scenario } from "./scenario.ts";

/** Bytes of the file. Half as much packed. */
const size = 64 * 1024 * 1024;

const zips = `
import sys, zipfile
data = open(sys.argv[1] + "/loose", "rb").read()
for name, method in (("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
    with zipfile.ZipFile(sys.argv[1] + "/" + name + ".pk3", "w", method) as archive:
        archive.writestr(name, data)
`;

/** Every block of 4 KiB has a checksum of its own, so reads of any multiple can be checked. */
const verify = [
  "--verify=crc32c",
  "--verify_interval=4k",
  "--verify_state_save=0",
  `--size=${size}`,
  "--output-format=json",
];

/** Six at a time: from the beginning to the end, at random, through memory maps and asynchronously. */
const jobs = [
  ["--name=sequential", "--rw=read", "--bs=128k"],
  ["--name=random", "--rw=randread", "--bs=4k", "--numjobs=3"],
  ["--name=map", "--ioengine=mmap", "--rw=randread", "--bs=64k", "--numjobs=1"],
  ["--name=asynchronous", "--ioengine=libaio", "--iodepth=8", "--rw=randread", "--bs=32k"],
].flat();

interface Program {
  readonly path: string;
  readonly environment: Record<string, string>;
}

async function fio(): Promise<Program> {
  const there = await run("sh", ["-c", "command -v fio"]);
  if (there.code === 0) return { path: there.stdout.trim(), environment: {} };
  const path = `${await fetchPackage("fio", true)}/usr/bin/fio`;
  return { path, environment: { LD_LIBRARY_PATH: (await debianLibraries("fio")).join(":") } };
}

async function runFio(bounds: Bounds): Promise<Findings> {
  await using here = await workspace();
  const program = await fio();
  const below = numbersFrom(bounds.seed + 1);
  const rounds = new Rounds(bounds);
  const failures: string[] = [];
  let checked = 0;
  const game = `${here.path}/game`;
  await Deno.mkdir(game);
  while (rounds.next()) {
    const written = ["--name=written", "--rw=write", "--bs=4k", "--do_verify=0", `--randseed=${below(1e9)}`];
    const packable = ["--buffer_compress_percentage=50", "--refill_buffers", `--filename=${game}/loose`];
    // deno-lint-ignore no-await-in-loop -- one round after the other
    const made = await run(program.path, [...verify, ...written, ...packable], program);
    if (made.code !== 0) throw new Error(`fio cannot write: ${made.stderr}`);
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.writeFile(`${game}/a.pak`, pak([["pak", await Deno.readFile(`${game}/loose`)]]));
    // deno-lint-ignore no-await-in-loop -- as above
    await output("python3", "-c", zips, game);
    // deno-lint-ignore no-await-in-loop -- as above
    await here.mount("--profile", "generic", game);
    for (const name of ["loose", "pak", "stored", "deflated"]) {
      // deno-lint-ignore no-await-in-loop -- as above
      const file = (await output("find", here.mountPoint, "-name", name)).trim();
      const parameters = ["--readonly", "--verify_fatal=1", ...verify, `--filename=${file}`, ...jobs];
      // deno-lint-ignore no-await-in-loop -- as above
      const { code, stdout, stderr } = await run(program.path, parameters, program);
      if (code !== 0) failures.push(`${name}: fio ended with ${code}: ${stderr.trim().slice(0, 1000)}`);
      checked += bytesRead(stdout);
    }
    // deno-lint-ignore no-await-in-loop -- as above
    await here.stop();
  }
  return { figures: { rounds: rounds.done, "MB checked": Math.round(checked / 1e6) }, failures };
}

/** Returns the bytes that all jobs of fio have read, from its JSON, which lines of text may precede. */
function bytesRead(printed: string): number {
  const result: { jobs: { read: { io_bytes: number } }[] } = JSON.parse(printed.slice(printed.indexOf("{")));
  return result.jobs.reduce((sum, job) => sum + job.read.io_bytes, 0);
}

/** See above. */
export const verified: Scenario = {
  name: "fio",
  summary: "fio --verify reads loose, packed and decompressed files at random, in six jobs at a time",
  rounds: 20,
  run: runFio,
};
