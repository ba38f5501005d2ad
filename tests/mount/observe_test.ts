import { assert, assertEquals, assertMatch } from "@std/assert";
import { crc32 } from "node:zlib";
import { zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { run, workspace } from "./mounting.ts";

/** A line of the log. */
interface Line {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly source?: string;
  readonly game?: string;
}

Deno.test("a pack full of errors does not fill the log, and status counts its failed reads", async () => {
  await using here = await workspace();
  const member = (name: string) => ({ name, content: "other bytes", crc: crc32("these bytes") });
  await writeFiles(here.path, {
    "q3/baseq3/pak0.pk3": zip([{ name: "sound.txt", content: "sound" }]),
    "q3/baseq3/pak1.pk3": zip(Array.from({ length: 50 }, (_, number) => member(`damaged${number}.txt`))),
  });
  await here.mount("--profile", "ioquake3", `${here.path}/q3`);
  const view = `${here.mountPoint}/q3/baseq3`;
  const { stderr } = await run("sh", ["-c", 'cat "$1"/*.txt >/dev/null', "sh", view]);
  assertEquals(stderr.split("\n").filter((line) => line.includes("Input/output error")).length, 50);
  const { errors, problems, counters } = await here.status();
  assertEquals(errors.map(({ source }) => source), [`${here.path}/q3/baseq3/pak1.pk3`]);
  const [worst] = errors;
  assert(worst && worst.reads >= 50 && worst.reads === counters.failedReads, JSON.stringify([worst, counters]));
  assertEquals(problems.filter((problem) => problem.includes("pak1.pk3")).length, 50);
  const log = await Deno.readTextFile(`${here.path}/state/pakfs/pakfs.log`);
  assertEquals(log.split("\n").filter((line) => line.includes("pak1.pk3")).length, 10);
  assertMatch((await here.pakfs("status")).stdout, /pak1\.pk3: \d+ reads failed/);
  // Counters continue when a new index replaces this one.
  await writeFiles(here.path, { "q3/baseq3/new.txt": "new" });
  await here.pakfs("refresh", "-q");
  await run("cat", [`${view}/damaged3.txt`]);
  assert(((await here.status()).errors[0]?.reads ?? 0) > worst.reads);
  await here.stop();
});

Deno.test("--debug-fuse logs each request with its path and outcome, --log-format json one object a line", async () => {
  await using here = await workspace();
  const large = "large ".repeat(40_000);
  await writeFiles(here.path, {
    "q3/baseq3/pak0.pk3": zip([
      { name: "dir/small.txt", content: "small" },
      { name: "dir/bad.txt", content: "bad bytes", crc: 1 },
      { name: "large.txt", content: large, method: 8 },
    ]),
  });
  const debug = ["--debug-fuse", "--log-format", "json", "--profile", "ioquake3"];
  const { finished } = await here.foreground("mount", "-f", ...debug, `${here.path}/q3`, here.mountPoint);
  const view = `${here.mountPoint}/q3/baseq3`;
  assertEquals((await run("cat", [`${view}/dir/small.txt`])).stdout, "small");
  await run("cat", [`${view}/dir/bad.txt`]);
  await run("cat", [`${view}/large.txt`]);
  await run("ls", ["-l", here.mountPoint, `${view}/dir`, `${view}/absent`]);
  await here.stop();
  const text = (await finished).stderr;
  const lines: Line[] = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.filter(({ time }) => new Date(time).toISOString() !== time), []);
  const requests = lines.filter(({ level }) => level === "debug").map(({ message }) => message);
  for (
    const expected of [
      /^fuse: lookup \/ "q3": node \d+\.\d+, 4096 bytes \(\d+ microseconds\)$/,
      /^fuse: lookup \/q3 "baseq3": node/,
      /^fuse: lookup \/q3\/baseq3 "dir": node/,
      /^fuse: lookup \/q3\/baseq3\/dir "small\.txt": node \d+\.\d+, 5 bytes/,
      /^fuse: lookup \/q3\/baseq3 "absent": ENOENT/,
      /^fuse: read \/q3\/baseq3\/dir\/small\.txt \d+ bytes at 0: 5 bytes/,
      /^fuse: read \/q3\/baseq3\/dir\/bad\.txt \d+ bytes at 0: EIO/,
      /^fuse: read \/q3\/baseq3\/large\.txt \d+ bytes at 0: left to a decoder/,
      /^fuse: readdir(plus)? \/q3\/baseq3\/dir from 0: \d+ bytes of names/,
    ]
  ) {
    assert(requests.some((line) => expected.test(line)), `${expected}: ${requests.join("\n")}`);
  }
  const problem = lines.find(({ level }) => level === "warning");
  assertMatch(problem?.message ?? "", /bad\.txt/);
  assertEquals([problem?.source, problem?.game], [`${here.path}/q3/baseq3/pak0.pk3`, "q3"]);
  assertEquals(lines.at(-1)?.message, "stopped");
});
