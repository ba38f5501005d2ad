import { assertEquals, assertStringIncludes } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import { pak } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { jsonRows, runLine } from "./harness.ts";

const files = { "id1/pak0.pak": pak([["gfx/a.lmp", "AAAA"], ["gfx/b.lmp", "\x1b"], ["x.cfg", ""]]), "run": "" };

async function opened() {
  const root = await installation(files);
  const connection = await openLocal({ sources: [root.path], profile: "quake", game: "q" });
  const run = (line: string, more: { terminal?: boolean } = {}) => runLine(line, { connection, ...more });
  return {
    path: root.path,
    run,
    async [Symbol.asyncDispose]() {
      await connection.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

Deno.test("sql prints a result in every mode, with a name for each column", async () => {
  await using here = await opened();
  const statement = "SELECT path, size, path, NULL AS gone FROM files WHERE size < 4 ORDER BY size";
  assertEquals((await here.run(statement)).out.split("\n"), [
    "path       size  path:1     gone",
    "x.cfg         0  x.cfg      null",
    "gfx/b.lmp     1  gfx/b.lmp  null",
    "",
  ]);
  assertEquals(jsonRows((await here.run(`sql "${statement}" --json`)).out), [
    { path: "x.cfg", size: 0, "path:1": "x.cfg", gone: null },
    { path: "gfx/b.lmp", size: 1, "path:1": "gfx/b.lmp", gone: null },
  ]);
  const csv = await here.run("sql 'SELECT path, size FROM files ORDER BY 1' --mode csv");
  assertEquals(csv.out, "path,size\ngfx/a.lmp,4\ngfx/b.lmp,1\nx.cfg,0\n");
  assertEquals((await here.run("sql 'SELECT 2, 10, 1, 2' --mode csv")).out, "(2),(10),(1),(2):1\n2,10,1,2\n");
  const none = await here.run("sql 'SELECT path FROM files WHERE size > 9'");
  assertEquals([none.out, none.err, none.code], ["", "no rows\n", 0]);
  const wrong = await here.run("sql 'SELECT nowhere FROM files'");
  assertEquals([wrong.out, wrong.code], ["", 2]);
  assertStringIncludes(wrong.err, "no such column: nowhere");
  const quoted = await here.run(`sql 'SELECT 1 FROM files WHERE path = "x in y"'`);
  assertEquals([quoted.err, quoted.code], ['pakfs: no such column: "x in y"; strings are in single quotes\n', 2]);
  const hostile = await here.run("sql \"SELECT char(27) || '[2J' AS a\"", { terminal: true });
  assertEquals(hostile.out.includes("\x1b[2J"), false);
});

Deno.test("a script holds statements over several lines, and errors name the first of them", async () => {
  await using here = await opened();
  await Deno.writeTextFile(`${here.path}/run`, "pwd\nSELECT count(*)\n# no comment\nAS n FROM files;\n");
  const failed = await here.run(`.read ${here.path}/run`);
  assertStringIncludes(failed.err, `${here.path}/run:2: `);
  await Deno.writeTextFile(`${here.path}/run`, "SELECT count(*)\n\n  AS n -- ;\nFROM files;\npwd\nVALUES (1)");
  assertEquals((await here.run(`.read ${here.path}/run`)).out, "n\n3\nq/id1:/\ncolumn1\n      1\n");
});
