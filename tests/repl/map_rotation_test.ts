import { assertEquals, assertMatch } from "@std/assert";
import { rotationMaps } from "../../repl/commands/map_rotation.ts";
import { openLocal } from "../../service/local.ts";
import { zip } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { quake3Map } from "../media/handmade.ts";
import { jsonRows, runLine } from "./harness.ts";

Deno.test("a rotation has maps alone, after comments, or in commands of a server's configuration", () => {
  const written = `
# a comment
q3dm1            // the first
  maps/q3dm2.bsp # the second
map q3dm3
set d1 "map q3dm4; set nextmap vstr d2"
seta d2 "set g_gametype 4 ; MAP q3ctf1 ; set nextmap vstr d1"
set d3 "devmap \\"q3dm5\\""
set sv_maplist "base1 base2"
campgrounds|ffa
crossfire "\\mp_timelimit\\20"
vstr d1
set fraglimit 20
sv_hostname map of the day
`;
  assertEquals(rotationMaps(written).map(({ line, name }) => `${line} ${name}`), [
    ...["3 q3dm1", "4 q3dm2", "5 q3dm3", "6 q3dm4", "7 q3ctf1", "8 q3dm5", "9 base1", "9 base2"],
    ...["10 campgrounds", "11 crossfire"],
  ]);
});

Deno.test("needs --list adds up the packs that clients must download beyond those of the base game", async () => {
  const map = (...textures: string[]) => quake3Map("", textures.map((name) => [name, 1]));
  await using root = await installation({
    "baseq3/pak0.pk3": zip([
      { name: "maps/q3dm1.bsp", content: map("textures/a") },
      { name: "textures/a.tga", content: "a" },
    ]),
    "baseq3/one.pk3": zip([
      { name: "maps/one.bsp", content: map("textures/a", "textures/b", "textures/c") },
      { name: "maps/two.bsp", content: map("textures/b") },
      { name: "textures/b.tga", content: "bb" },
    ]),
    "baseq3/shared.pk3": zip([{ name: "textures/c.tga", content: "ccc" }]),
    "baseq3/unneeded.pk3": zip([{ name: "textures/d.tga", content: "dddd" }]),
    "baseq3/maps/loose.bsp": map("textures/c", "textures/lost"),
    "all.txt": "q3dm1\none\ntwo\none\nloose\n",
    "good.txt": 'set d1 "map one; set nextmap vstr d2"\nset d2 "map q3dm1"\n',
    "bad.txt": "one\ngone\ntextures/a\n",
    "empty.txt": "# nothing\n",
  });
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3", game: "q3" });
  const run = (line: string) => runLine(line, { connection });
  const path = (name: string) => `${root.path}/baseq3/${name}`;
  const size = async (name: string) => (await Deno.stat(path(name))).size;
  const all = await run(`needs --list ${root.path}/all.txt --json`);
  const looseSize = await size("maps/loose.bsp");
  const mapSizes = map("textures/a", "textures/b", "textures/c").length + map("textures/b").length;
  assertEquals(jsonRows(all.out), [
    {
      source: `${root.path}/baseq3`,
      kind: "loose",
      gameDirectory: "baseq3",
      size: looseSize,
      files: 1,
      needed: looseSize,
      maps: ["loose"],
    },
    {
      source: path("one.pk3"),
      kind: "pack",
      gameDirectory: "baseq3",
      size: await size("one.pk3"),
      files: 3,
      needed: mapSizes + 2,
      maps: ["one", "two"],
    },
    {
      source: path("shared.pk3"),
      kind: "pack",
      gameDirectory: "baseq3",
      size: await size("shared.pk3"),
      files: 1,
      needed: 3,
      maps: ["one", "loose"],
    },
  ]);
  assertEquals(all.code, 1);
  assertMatch((await run(`needs --list ${root.path}/all.txt`)).err, /2 packs, 1 loose file, .* for 4 maps; 1 missing/);
  const good = await run(`needs --list ${root.path}/good.txt`);
  assertEquals(good.out.split("\n").map((line) => line.split("/").at(-1)?.trim()), [
    "SIZE  NEEDED  FILES  MAPS  PACK",
    "one.pk3",
    "shared.pk3",
    "",
  ]);
  assertEquals(good.code, 0, good.err);
  const bad = await run(`needs --list ${root.path}/bad.txt`);
  assertEquals([bad.code, bad.err.split("\n").slice(0, 2)], [
    1,
    [
      `warning: ${root.path}/bad.txt:2: map not found: gone`,
      `warning: ${root.path}/bad.txt:3: map not found: textures/a`,
    ],
  ]);
  for (
    const [line, code] of [[`--list ${root.path}/empty.txt`, 1], ["--list x --tree", 2], ["--list x one", 2], ["", 2]]
  ) {
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which one fails
    assertEquals((await run(`needs ${line}`)).code, code, `needs ${line}`);
  }
});
