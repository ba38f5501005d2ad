// deno-lint-ignore-file no-await-in-loop -- one command after the other
import { assertEquals, assertMatch } from "@std/assert";
import { openArchive } from "../../formats/mod.ts";
import { openLocal } from "../../service/local.ts";
import { zip } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { quake3Map } from "../media/handmade.ts";
import { jsonRows, runLine } from "./harness.ts";

async function opened() {
  const root = await installation({
    "baseq3/pak0.pk3": zip([{ name: "textures/b.tga", content: "12345" }]),
    "mod/licence.txt": "free",
    "baseq3/zz.pk3": zip([
      { name: "maps/m.bsp", content: quake3Map("", [["textures/a", 1], ["textures/lost", 1]]) },
      { name: "scripts/a.shader", content: "textures/a\n{\n{ map textures/b.tga }\n}\n" },
      { name: "scripts/self.shader", content: "textures/self\n{\n{ map textures/self }\n}\n" },
    ]),
  });
  const connection = await openLocal({ sources: [root.path], profile: "ioquake3", game: "q3" });
  return {
    path: root.path,
    run: (line: string) => runLine(line, { connection }),
    async [Symbol.asyncDispose](): Promise<void> {
      await connection.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

Deno.test("needs prints a table, a tree or a graph, counts files once, and fails if anything is missing", async () => {
  await using here = await opened();
  const table = await here.run("needs m");
  assertEquals(table.out.split("\n"), [
    "KIND     NAME                           FROM             WHY        FOR",
    "map      maps/m.bsp                     baseq3/zz.pk3    requested",
    "shader   textures/a (scripts/a.shader)  baseq3/zz.pk3    surface    maps/m.bsp",
    "texture  textures/lost                  missing          surface    maps/m.bsp",
    "image    textures/b.tga                 baseq3/pak0.pk3  stage      textures/a",
    "",
  ]);
  assertEquals([table.code, table.err.split(", ").at(-1)], [1, "1 missing\n"]);
  assertEquals((await here.run("needs m --tree")).out.split("\n"), [
    "maps/m.bsp  baseq3/zz.pk3",
    "├── textures/a (scripts/a.shader)  baseq3/zz.pk3",
    "│   └── textures/b.tga  baseq3/pak0.pk3",
    "└── textures/lost  missing",
    "",
  ]);
  // A shader and its missing image may have one name.
  assertEquals((await here.run("needs textures/self --tree")).out.split("\n"), [
    "textures/self (scripts/self.shader)  baseq3/zz.pk3",
    "└── textures/self  missing",
    "",
  ]);
  const graph = (await here.run("needs m --dot")).out;
  for (const edge of ['"maps/m.bsp" -> "textures/lost";', '"textures/a" -> "textures/b.tga";']) {
    assertEquals(graph.includes(edge), true, graph);
  }
  assertEquals((await here.run("needs textures/a --own")).out.includes("textures/b.tga"), false);
  const [row] = jsonRows((await here.run("needs m --missing --json")).out) as { name: string; tried: string[] }[];
  assertEquals([row?.name, row?.tried[0]], ["textures/lost", "textures/lost.png"]);
  assertEquals((await here.run("needs textures/a")).code, 0);
  assertEquals((await here.run("needs textures/a --missing")).err, "nothing missing\n");
  assertEquals((await here.run("needs m --tree --dot")).code, 2);
});

Deno.test("needs, missing and archives fail if something is missing, if something cannot be read, and if both are", async () => {
  const map = (...textures: string[]) => quake3Map("", textures.map((name) => [name, 1]));
  await using root = await installation({
    "baseq3/pak0.pk3": zip([
      { name: "textures/b.tga", content: "12345" },
      { name: "maps/sound.bsp", content: map("textures/b") },
      { name: "maps/lacking.bsp", content: map("textures/lost") },
    ]),
    "baseq3/broken.pk3": zip([{ name: "maps/broken.bsp", content: map("textures/b").subarray(0, 40) }]),
  });
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3", game: "q3" });
  const rows: [files: string, code: number, remark: RegExp][] = [
    ["maps/sound.bsp", 0, /nothing missing\n$/],
    ["maps/lacking.bsp", 1, /1 missing\n$/],
    ["maps/broken.bsp", 1, /nothing missing, 1 cannot be read\n$/],
    ["maps/broken.bsp maps/lacking.bsp", 1, /1 missing, 1 cannot be read\n$/],
  ];
  for (const [files, code, remark] of rows) {
    const result = await runLine(`needs ${files}`, { connection });
    assertEquals(result.code, code, files);
    assertMatch(result.err, remark);
    assertEquals((await runLine(`needs ${files} --dot`, { connection })).code, code, `${files} --dot`);
  }
  const unreadable = await runLine("missing broken.pk3", { connection });
  assertEquals([unreadable.code, unreadable.err], [1, "nothing missing, 1 cannot be read\n"]);
});

Deno.test("used-by and missing print what refers to a file, and what lacks one", async () => {
  await using here = await opened();
  const users = await here.run("used-by textures/b.tga");
  assertEquals(users.out.split("\n").slice(1), [
    "map     maps/m.bsp                     baseq3/zz.pk3  surface  textures/a",
    "shader  textures/a (scripts/a.shader)  baseq3/zz.pk3  stage",
    "",
  ]);
  const missing = await here.run("missing");
  assertEquals([missing.code, missing.out, missing.err], [
    1,
    "maps/m.bsp  baseq3/zz.pk3\n  textures/lost  surface\n" +
    "textures/self (scripts/self.shader)  baseq3/zz.pk3\n  textures/self  stage\n",
    "2 missing, in 2 files or shaders\n",
  ]);
  const clean = await here.run("missing pak0.pk3");
  assertEquals([clean.code, clean.out, clean.err], [0, "", "nothing missing\n"]);
});

Deno.test("archive create --needs packs what a map needs and another view lacks, and says why", async () => {
  await using here = await opened();
  const out = `${here.path}/out.pk3`;
  const create = (options: string) => here.run(`archive create ${out} --needs m ${options}`);
  const contents = () => {
    using archive = openArchive(out);
    return Array.from(archive, ({ qpath }) => [qpath, new TextDecoder().decode(archive.read(qpath)).slice(0, 5)]);
  };
  const all = await create("--view q3/mod --with *.txt");
  assertEquals([all.code, all.err.split("\n")[0]], [1, "warning: missing: textures/lost"]);
  assertEquals(contents(), [
    ["licence.txt", "free"],
    ["maps/m.bsp", "IBSP."],
    ["scripts/a.shader", "textu"],
    ["textures/b.tga", "12345"],
  ]);
  assertEquals(all.out.split("\n").map((line) => line.trim().split(/ {2,}/).slice(1)), [
    ["FILE", "FROM", "WHY", "FOR"],
    ["maps/m.bsp", "zz.pk3", "requested"],
    ["scripts/a.shader", "zz.pk3", "surface", "maps/m.bsp"],
    ["textures/b.tga", "pak0.pk3", "stage", "textures/a"],
    ["licence.txt", "mod", "--with"],
    [],
  ]);
  const own = jsonRows((await create("--own --json")).out) as { qpath?: string; files?: number }[];
  assertEquals(own.map(({ qpath, files }) => qpath ?? files), ["maps/m.bsp", "scripts/a.shader", 2]);
  assertEquals(contents().map(([name]) => name), ["maps/m.bsp", "scripts/a.shader"]);

  const nothing = await create("--without q3/baseq3");
  assertEquals([nothing.code, nothing.err.split("\n")[0]], [1, "pakfs: nothing to archive: no needed file is left"]);
  for (const wrong of [`${out}`, `${out} ${here.path} --needs m`, `${out} ${here.path} --without q3/mod`]) {
    assertEquals((await here.run(`archive create ${wrong}`)).code, 2, wrong);
  }
});

Deno.test("missing --library names the downloads that make a map whole, and fails if something stays missing", async () => {
  await using here = await opened();
  await Deno.mkdir(`${here.path}/got`);
  await Deno.writeFile(`${here.path}/got/lost.pk3`, zip([{ name: "textures/lost.tga", content: "x" }]));
  await Deno.writeTextFile(`${here.path}/got/torn.pk3`, "no archive");
  const whole = await here.run(`missing m --library ${here.path}/got`);
  assertEquals(whole.out.replaceAll(here.path, "~").split("\n").map((line) => line.replace(/ {2}\d+$/, "  N")), [
    "* ~/got/lost.pk3  N",
    "    textures/lost",
    '~/got/torn.pk3  cannot be read: not an archive of a known format (it starts with "no a"); "pakfs formats" lists them',
    "",
  ]);
  assertEquals(whole.code, 0);
  assertMatch(whole.err, /^\*: 1 archive, \d+; nothing missing then\n$/);
  const [row] = jsonRows((await here.run(`missing m --library ${here.path}/got --json`)).out) as {
    provides: string[];
  }[];
  assertEquals(row?.provides, ["textures/lost"]);
  // Without a map, the whole game directory is checked, also a shader whose image is missing.
  const all = await here.run(`missing --library ${here.path}/got`);
  assertEquals([all.code, all.out.includes("nothing provides  textures/self")], [1, true]);
  assertEquals((await here.run(`missing textures/a --library ${here.path}/got/lost.pk3`)).err, "nothing missing\n");
  assertEquals((await here.run(`missing m --library ${here.path}/none`)).code, 1);
});
