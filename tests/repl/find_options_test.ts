/** Options of `find` for programs and several packs, and times in CSV. */
import { crc32 } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Session } from "../../repl/command/session.ts";
import { continuedCommand } from "../../repl/output/human.ts";
import { openLocal } from "../../service/local.ts";
import { shellWord } from "../../system/mod.ts";
import { installation, pakOf, zipOf } from "../index/fixtures.ts";
import { jsonRows, runLine } from "./harness.ts";

const files = {
  "baseq3/map1.pk3": zipOf("maps/one.bsp", "a b"),
  "baseq3/map2.pk3": zipOf("maps/two.bsp"),
  "baseq3/other.pk3": zipOf("x"),
  "mod/map3.pk3": zipOf("maps/three.bsp"),
};

Deno.test("find -0 ends each name with NUL, and --in takes patterns of packs", async () => {
  await using root = await installation(files);
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3", game: "q3" });
  const run = (line: string) => runLine(line, { connection });
  for (const line of ["find --in map1.pk3 -0", "find --in 'MAP1.*' --null", "find --in map1.pk3 -0 --sort name"]) {
    // deno-lint-ignore no-await-in-loop -- to see which one fails
    const { out, err } = await run(`${line} --view q3`);
    assertEquals(out + err, "a b\0maps/one.bsp\0", line);
  }
  const qpaths = async (line: string) =>
    (jsonRows((await run(`${line} --json`)).out) as { qpath: string }[]).map(({ qpath }) => qpath);
  assertEquals(await qpaths("find --in 'map[12].pk3' --view q3/mod"), ["a b", "maps/one.bsp", "maps/two.bsp"]);
  assertEquals(await qpaths("find --in 'mod/*' --view q3/mod"), ["maps/three.bsp"]);
  assertEquals(await qpaths("find --in 'm?d' --view q3/mod"), ["maps/three.bsp"]);
  assertEquals(await qpaths("find --in 'none*' --view q3/mod"), []);
  const refused = await run("find -0 -l --view q3");
  assertEquals([refused.code, refused.out], [2, ""]);
});

Deno.test("without a pattern the current directory is searched, for overridden files too", async () => {
  const packs = { "id1/pak0.pak": pakOf("maps/a", "gfx/b"), "id1/pak1.pak": pakOf("maps/a", "gfx/b") };
  await using root = await installation(packs);
  await using connection = await openLocal({ sources: [root.path], profile: "quake", game: "q" });
  const session = new Session(() => Promise.resolve(connection));
  await runLine("cd maps", { session });
  for (const line of ["find", "find --shadowed"]) {
    // deno-lint-ignore no-await-in-loop -- one line after the other
    assertEquals((await runLine(line, { session })).out, "maps/a\n", line);
  }
});

Deno.test("a command that is wrapped is the same command to a shell", async () => {
  const command = ["printf %s", ...["a b|", "it's c d|", "/e f/g|"].map(shellWord)].join(" ");
  const printed = async (script: string) =>
    new TextDecoder().decode((await new Deno.Command("sh", { args: ["-c", script] }).output()).stdout);
  const lines = continuedCommand(command, 14);
  assert(lines.length > 2);
  assertEquals(await printed(lines.join("\n")), await printed(command));
});

Deno.test("times are ISO 8601 in CSV, and numbers in JSON", async () => {
  await using root = await installation({ ...files, "baseq3/x.cfg": "x" });
  await Deno.utime(
    `${root.path}/baseq3/x.cfg`,
    new Date("2020-02-29T12:34:56.789Z"),
    new Date("2020-02-29T12:34:56.789Z"),
  );
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3", game: "q3" });
  const csv = await runLine("find x.cfg --view q3 --mode csv", { connection });
  assertMatch(csv.out, /,2020-02-29T12:34:56\.78[89]Z,/);
  const [row] = jsonRows((await runLine("find x.cfg --view q3 --json", { connection })).out) as { mtime: number }[];
  assertEquals(Math.round((row?.mtime ?? 0) / 10), Math.round(Date.UTC(2020, 1, 29, 12, 34, 56, 789) / 10));
});

Deno.test("find --fields prints the chosen fields and no others, in every mode and order", async () => {
  await using root = await installation(files);
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3", game: "q3" });
  const crc = (text: string) => crc32(text).toString(16).padStart(8, "0");
  const run = async (line: string) => {
    const { out, err } = await runLine(`find ${line} --view q3`, { connection });
    return out + err;
  };
  assertEquals(await run("--in map1.pk3 --fields size,qpath"), "SIZE  QPATH\n3     a b\n12    maps/one.bsp\n");
  assertEquals(
    await run("--in map1.pk3 --fields crc32 --fields qpath --sort size --mode csv"),
    `qpath,crc32\nmaps/one.bsp,${crc("maps/one.bsp")}\na b,${crc("a b")}\n`,
  );
  assertEquals(await run("--in map1.pk3 --fields member --json --limit 1"), '{"member":"a b"}\n');
  assertMatch(await run("--fields sizes"), /^pakfs: rows of files have no field sizes; they have type, qpath, view, /);
  assertMatch(await run("--fields size -0"), /^pakfs: --fields cannot be combined with --long, --null, /);
});
