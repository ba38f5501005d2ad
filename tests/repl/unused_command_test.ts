import { assertEquals } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import { pak } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { quakeMap } from "../media/handmade.ts";
import { jsonRows, runLine } from "./harness.ts";

Deno.test("unused prints a table with its bytes, rows of files, or names for other tools, and what it leaves out", async () => {
  await using root = await installation({
    "id1/pak0.pak": pak([["progs.dat", "progs/ogre.mdl\0"]]),
    "mod/pak0.pak": pak([
      ["maps/one.bsp", quakeMap('{ "noise" "bell.wav" }')],
      ["maps/two.bsp", quakeMap("{}")],
      ["sound/bell.wav", "ring"],
      ["sound/clack.wav", "clack"],
      ["notes.txt", "x"],
    ]),
    "mod/progs/tree.mdl": "tree",
  });
  await using connection = await openLocal({ sources: [root.path], profile: "quakespasm", game: "q" });
  const run = (line: string) => runLine(line, { connection });
  const table = await run("unused --view q/mod");
  assertEquals(
    table.out.split("\n").map((line) => line.trim().split(/ {2,}/).filter((cell) => !/^\d{4}-/.test(cell))),
    [
      ["SIZE", "MODIFIED", "FROM", "NAME"],
      ["4", "mod/", "progs/tree.mdl"],
      ["5", "pak0.pak", "sound/clack.wav"],
      [""],
    ],
  );
  assertEquals([table.code, table.err], [
    0,
    "2 files, 9\n1 file of kinds that pakfs does not follow is not listed: .txt\n",
  ]);
  const rows = jsonRows((await run("unused one --view q/mod --json")).out) as { qpath: string; member: string }[];
  assertEquals(rows.map(({ qpath }) => qpath), ["maps/two.bsp", "progs/tree.mdl", "sound/clack.wav"]);
  const list = await run("unused --delete-list --view q/mod");
  assertEquals([list.out, list.err.split(";")[0]], [
    "progs/tree.mdl\nsound/clack.wav\n",
    "warning: files of 2 packs and directories",
  ]);
  const one = await run("unused --delete-list --in mod/pak0.pak --view q/mod");
  assertEquals([one.code, one.out, one.err.split("\n")[0]], [0, "sound/clack.wav\n", "1 file, 5"]);
  assertEquals((await run("unused none --view q/mod")).code, 1);
  assertEquals((await run("unused --view q/id1")).err, "nothing is unused\n");
});
