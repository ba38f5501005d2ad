/** Commands that read several archives, named alone or by their directories. */
import { assertEquals, assertMatch } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { installation, zipOf } from "../index/fixtures.ts";
import { jsonRows, runLine } from "./harness.ts";

const files = {
  "a.pk3": zip([{ name: "maps/one.bsp", content: "1" }, { name: "x.cfg", content: "cfg" }]),
  "deep/down/noending": pak([["maps/two.bsp", "22"]]),
  "deep/cut.zip": zipOf("three.bsp").slice(0, -12),
  "deep/plain.txt": "PK is not enough",
};

interface Row {
  readonly source: string;
  readonly qpath?: string;
  readonly member?: string;
  readonly ok?: boolean;
  readonly problem?: string | null;
  readonly sha256?: string | null;
}

async function rowsOf(line: string, root: string): Promise<{ code: number; rows: Row[] }> {
  const { code, out } = await runLine(`${line} --json`);
  return { code, rows: jsonRows(out.replaceAll(`${root}/`, "")) as Row[] };
}

Deno.test("archives of directories are listed, found, verified and hashed in one table, each fault as a row", async () => {
  await using root = await installation(files);
  const { path } = root;
  const listed = await rowsOf(`archive list ${path}/deep ${path}/a.pk3 ${path}/none.zip`, path);
  assertEquals(listed.code, 1);
  assertEquals(listed.rows.map(({ source, qpath, problem }) => [source, qpath, problem !== undefined]), [
    ["deep/cut.zip", undefined, true],
    ["deep/down/noending", "maps/two.bsp", false],
    ["a.pk3", "maps/one.bsp", false],
    ["a.pk3", "x.cfg", false],
    ["none.zip", undefined, true],
  ]);
  const found = await rowsOf(`archive find '*.BSP' ${path}`, path);
  assertEquals(found.rows.map(({ source, qpath }) => [source, qpath]), [
    ["a.pk3", "maps/one.bsp"],
    ["deep/cut.zip", undefined],
    ["deep/down/noending", "maps/two.bsp"],
  ]);
  assertEquals((await rowsOf(`archive find '*.bsp' ${path}/a.pk3`, path)).code, 0);
  const named = await runLine(`archive find '*.BSP' ${path} -0`);
  assertEquals([named.out, named.code], ["maps/one.bsp\0maps/two.bsp\0", 1]);
  assertMatch(named.err, /warning: .*cut\.zip/);
  const globbed = await rowsOf(`archive list '${path}/[a-b].pk3' '${path}/*/d*n' '${path}/*.none'`, path);
  assertEquals(globbed.rows.map(({ source, qpath }) => [source, qpath]), [
    ["a.pk3", "maps/one.bsp"],
    ["a.pk3", "x.cfg"],
    ["deep/down/noending", "maps/two.bsp"],
    ["*.none", undefined],
  ]);
  // As in a shell, a directory without such a file and one that cannot be read match nothing.
  await Deno.mkdir(`${path}/empty`);
  const { readDirSync } = Deno;
  const refusing: typeof readDirSync = (name) => {
    if (name === `${path}/empty`) throw new Deno.errors.PermissionDenied("Permission denied");
    return readDirSync(name);
  };
  Object.assign(Deno, { readDirSync: refusing });
  try {
    const some = await rowsOf(`archive list '${path}/*/cut.zip' '${path}/*/d*n'`, path);
    assertEquals(some.rows.map(({ source, qpath }) => [source, qpath]), [
      ["deep/cut.zip", undefined],
      ["deep/down/noending", "maps/two.bsp"],
    ]);
  } finally {
    Object.assign(Deno, { readDirSync });
  }
  assertEquals((await rowsOf(`archive find 'map*/one.*' ${path}/a.pk3`, path)).rows.length, 1);
  const verified = await rowsOf(`archive verify ${path}`, path);
  assertEquals([verified.code, verified.rows.map(({ source, member, ok }) => [source, member, ok])], [1, [
    ["a.pk3", "maps/one.bsp", true],
    ["a.pk3", "x.cfg", true],
    ["deep/cut.zip", "", false],
    ["deep/down/noending", "maps/two.bsp", true],
  ]]);
  const hashed = await rowsOf(`archive hash ${path} ${path}/none.zip`, path);
  assertEquals(hashed.code, 1);
  assertEquals(hashed.rows.map(({ source, member, sha256, problem }) => [source, member, sha256 === null, !problem]), [
    ["none.zip", "", true, false],
    ["a.pk3", "maps/one.bsp", false, true],
    ["a.pk3", "x.cfg", false, true],
    ["deep/cut.zip", "", false, false],
    ["deep/down/noending", "maps/two.bsp", false, true],
  ]);
});

Deno.test("the table of several archives names them, that of one does not", async () => {
  await using root = await installation(files);
  const { path } = root;
  const several = await runLine(`archive list ${path}/a.pk3 ${path}/deep`);
  assertMatch(several.out, /^ *SIZE .* ARCHIVE +NAME\n/);
  assertMatch(several.out, /a\.pk3 +maps\/one\.bsp\n/);
  assertMatch(several.out, /cut\.zip +cannot be read: [^/]*\n/);
  assertEquals(several.err.endsWith("3 files, 6, 3 archives, 1 of them cannot be read\n"), true, several.err);
  const one = await runLine(`archive list ${path}/a.pk3`);
  assertEquals([one.out.includes("ARCHIVE"), one.err], [false, "2 files, 4, zip\n"]);
  const none = await runLine(`archive list ${path}/none.zip`);
  assertEquals([none.code, none.out, none.err], [1, "", `pakfs: ${path}/none.zip: no such file\n`]);
  await Deno.mkdir(`${path}/empty`);
  const empty = await runLine(`archive verify ${path}/empty`);
  assertEquals([empty.code, empty.err], [1, `pakfs: no archives in ${path}/empty\n`]);
});
