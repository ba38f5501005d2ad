import { assertEquals } from "@std/assert";
import { Log, type LogFormat } from "../../system/log.ts";
import { ProblemReporter } from "../../daemon/lifecycle/problem_reporter.ts";
import { HandClock } from "../support/hand_clock.ts";

function logTo(lines: string[]): Log {
  return new Log({ quiet: true, alsoTo: (line) => lines.push(line) });
}

Deno.test("of one source the first problems are logged, then one a minute and how many were left out", async () => {
  const clock = new HandClock();
  const lines: string[] = [];
  const problems = new ProblemReporter(logTo(lines), clock);
  for (let number = 0; number < 1000; number++) problems.report(`/a.pak: member ${number} is damaged`, "/a.pak");
  problems.report("/b.pak: it is gone", "/b.pak");
  for (let number = 0; number < 20; number++) problems.report("an internal error");
  assertEquals(lines.length, 10 + 1 + 20);
  assertEquals([problems.sentences.length, problems.omitted], [1000, 21], "status has the first thousand");
  await clock.advance(60_000);
  problems.report("/a.pak: the last is damaged", "/a.pak");
  assertEquals(lines.slice(-2), [
    "pakfs: /a.pak: 990 more problems were not logged one by one",
    "pakfs: /a.pak: the last is damaged",
  ]);
  problems.report("/a.pak: and another", "/a.pak");
  await clock.advance(60_000);
  problems.report("/a.pak: and one more", "/a.pak");
  assertEquals(lines.at(-2), "pakfs: /a.pak: 1 more problem was not logged one by one");
});

Deno.test("a problem is kept until a refresh finds its pack changed or gone, each once", () => {
  const versions = new Map([["/a.pak", "1"], ["/b.pak", "1"], ["/c.pak", "1"]]);
  const problems = new ProblemReporter(logTo([]));
  problems.follow({ gameOf: () => undefined, versionOf: (source) => versions.get(source) });
  for (let round = 0; round < 3; round++) {
    for (const name of ["a", "b", "c"]) problems.report(`/${name}.pak: damaged`, `/${name}.pak`);
    problems.report("/id1: cannot be read", "/id1");
    problems.report("the mount shows something old");
  }
  assertEquals(problems.sentences.length, 5);
  versions.set("/b.pak", "2");
  versions.delete("/c.pak");
  problems.refreshed();
  assertEquals(problems.sentences, ["/a.pak: damaged"]);
  for (let number = 0; number < 1500; number++) problems.report(`/a.pak: member ${number}`, "/a.pak");
  assertEquals([problems.sentences.length, problems.omitted], [1000, 501]);
  versions.set("/a.pak", "2");
  problems.refreshed();
  assertEquals([problems.sentences.length, problems.omitted], [0, 0]);
});

/** Standard error of a program that logs. */
async function logged(format: LogFormat, environment: Record<string, string> = {}): Promise<string> {
  const log = new URL("../../system/log.ts", import.meta.url).href;
  const script = `import { Log } from "${log}"; const log = new Log({ quiet: false, format: "${format}" });
    log.write("warning", "it is\\u0007 \\"odd\\"", { source: "/a.pak", game: "quake" }); log.write("error", "no");`;
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    env: { JOURNAL_STREAM: "", NO_COLOR: "1", ...environment },
  }).output();
  return new TextDecoder().decode(stderr);
}

Deno.test("the log is lines for people, or JSON with time, level, message, source and game", async () => {
  assertEquals(await logged("text"), 'pakfs: it is\\x07 "odd"\npakfs: no\n');
  const rows = (await logged("json")).trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(rows.map(({ time, ...row }) => [new Date(time).toISOString() === time, row]), [
    [true, { level: "warning", message: 'it is\u0007 "odd"', source: "/a.pak", game: "quake" }],
    [true, { level: "error", message: "no" }],
  ]);
  assertEquals(await logged("text", { JOURNAL_STREAM: "8:1" }), '<4>it is\\x07 "odd"\n<3>no\n');
});
