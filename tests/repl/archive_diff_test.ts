/** `archive diff` of archives and directories, and files with the same bytes under another name. */
import { assertEquals } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { jsonRows, runLine } from "./harness.ts";

const old = [
  { name: "maps/a.bsp", content: "map a" },
  { name: "maps/b.bsp", content: "map b" },
  { name: "same.cfg", content: "same" },
  { name: "changed.cfg", content: "old" },
  { name: "gone.cfg", content: "gone!" },
];

const files = {
  "old.pk3": zip(old),
  "old.pak": pak(old.map(({ name, content }) => [name, content] as const)),
  "new/maps/a2.bsp": "map a",
  "new/maps/b.bsp": "map b",
  "new/same.cfg": "same",
  "new/changed.cfg": "new",
  "new/more/added.cfg": "added",
  "new/empty": "",
};

Deno.test("an archive is compared with a directory, and renamed files are named on both sides", async () => {
  await using root = await installation(files);
  const { path } = root;
  const expected = [
    { change: "changed", qpath: "changed.cfg", before: 3, after: 3 },
    { change: "added", qpath: "empty", before: null, after: 0 },
    { change: "removed", qpath: "gone.cfg", before: 5, after: null },
    { change: "removed", qpath: "maps/a.bsp", before: 5, after: null, renamedTo: "maps/a2.bsp" },
    { change: "added", qpath: "maps/a2.bsp", before: null, after: 5, renamedFrom: "maps/a.bsp" },
    { change: "added", qpath: "more/added.cfg", before: null, after: 5 },
  ];
  for (const archive of ["old.pk3", "old.pak"]) {
    // deno-lint-ignore no-await-in-loop -- to see which one fails
    const { code, out } = await runLine(`archive diff ${path}/${archive} ${path}/new --json`);
    assertEquals([code, jsonRows(out)], [1, expected], archive);
  }
  const { out, err } = await runLine(`archive diff ${path}/new ${path}/old.pk3`);
  assertEquals(out.split("\n").filter((line) => line.includes("maps")), [
    "+ maps/a.bsp  5  was maps/a2.bsp",
    "- maps/a2.bsp  5  now maps/a.bsp",
  ]);
  assertEquals(err, "6 of 8 files differ\n");
  const same = await runLine(`archive diff ${path}/new ${path}/new`);
  assertEquals([same.code, same.out], [0, ""]);
});
