import { assertEquals, assertRejects } from "@std/assert";
import { gamesOf } from "../../protocol/library/options.ts";
import { openLocalGames } from "../../service/local.ts";
import { openIndex, RpcError } from "../../mod.ts";
import { pak, zip } from "../formats/bytes.ts";
import { type Files, installation } from "../index/fixtures.ts";

const files: Files = {
  "baseq3/pak0.pk3": zip([
    { name: "scripts/" },
    { name: "scripts/walls.shader", content: "textures/wall/a\n{\n}\ntextures/wall/b\n{\n}\n", method: 8 },
  ]),
  "baseq3/pak1.pk3": zip([{ name: "scripts/more.shader", content: "textures/wall/a { }\ngfx/x { }\n" }]),
  "baseq3/odd.pak": pak([["a.txt", "a"]]),
  "mod/pak1.pk3": zip([{ name: "scripts/broken.shader", content: "gfx/x { }\ngfx/y{ }\n" }]),
};

async function opened() {
  const root = await installation(files);
  const index = await openIndex({ sources: [root.path], profile: "ioquake3", name: "q3" });
  return {
    path: root.path,
    index,
    async [Symbol.asyncDispose](): Promise<void> {
      await index.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

Deno.test("shader shows every definition, the winner first", async () => {
  await using here = await opened();
  const { definitions, ...answer } = await here.index.view("q3/baseq3").shader("textures/WALL/a.tga");
  assertEquals(answer, {
    name: "textures/WALL/a.tga",
    view: "q3/baseq3",
    profile: "ioquake3",
    rules: "ioquake3",
    warnings: [],
    answers: "shader",
    because: null,
    images: [],
  });
  assertEquals(definitions, [
    {
      rank: 1,
      type: "shader",
      qpath: "scripts/walls.shader",
      source: `${here.path}/baseq3/pak0.pk3`,
      member: "scripts/walls.shader",
      offset: 0,
      length: 19,
      line: 1,
      usable: true,
      reason: null,
      decidedBy: null,
      because: null,
    },
    {
      rank: 2,
      type: "shader",
      qpath: "scripts/more.shader",
      source: `${here.path}/baseq3/pak1.pk3`,
      member: "scripts/more.shader",
      offset: 0,
      length: 19,
      line: 1,
      usable: true,
      reason: null,
      decidedBy: "last-listed-shader-file",
      because: "ioquake3 lists scripts/walls.shader after scripts/more.shader, and the file that it lists last wins.",
    },
  ]);
  assertEquals((await here.index.view("q3/baseq3").shader("nothing")).definitions, []);
});

Deno.test("shaders lists names in pages, each view its own", async () => {
  await using here = await opened();
  const base = await Array.fromAsync(here.index.view("q3/baseq3").shaders());
  assertEquals(base.map(({ name, definitions }) => [name, definitions]), [
    ["gfx/x", 1],
    ["textures/wall/a", 2],
    ["textures/wall/b", 1],
  ]);
  const mod = await Array.fromAsync(here.index.view("q3/mod").shaders("gfx/*"));
  assertEquals(mod.map(({ name, qpath, dropped }) => [name, qpath, dropped !== undefined]), [
    ["gfx/x", "scripts/more.shader", false],
  ], "gfx/y{ is a word without a block");
  const { definitions, warnings } = await here.index.view("q3/mod").shader("gfx/x");
  assertEquals(definitions.map(({ usable }) => usable), [true, false]);
  assertEquals(warnings, [
    'scripts/broken.shader line 2: shader "gfx/y{" has no opening { but "}"; ioquake3 ignores this whole file',
  ]);
});

Deno.test("checksum finds a pack by its name, by more of its path, and says when several are meant", async () => {
  await using here = await opened();
  const { index } = here;
  const pak0 = await index.checksum("pak0.pk3", 12345);
  assertEquals([pak0.pack, pak0.source, pak0.feed], ["pak0.pk3", `${here.path}/baseq3/pak0.pk3`, 12345]);
  assertEquals(pak0.unsigned, pak0.checksum >>> 0);
  assertEquals((await index.checksum("baseq3/pak1.pk3")).source, `${here.path}/baseq3/pak1.pk3`);
  assertEquals((await index.checksum(`${here.path}/mod/pak1.pk3`)).source, `${here.path}/mod/pak1.pk3`);
  await assertRejects(() => index.checksum("pak1.pk3"), RpcError, '"pak1.pk3" is ambiguous');
  await assertRejects(() => index.checksum("pak9.pk3"), RpcError, 'no pack "pak9.pk3"');
  await assertRejects(() => index.checksum("pak0.pk3", 2 ** 40), RpcError, "32 bits");
});

Deno.test("packs show their checksums, and are found by them, with a sign or without", async () => {
  await using here = await opened();
  const { index } = here;
  const packs = await Array.fromAsync(index.packs());
  const pak0 = packs.find(({ source }) => source.endsWith("baseq3/pak0.pk3"));
  const { checksum, unsigned } = await index.checksum("pak0.pk3");
  assertEquals(pak0?.checksum, checksum);
  const found = await Promise.all([checksum, unsigned].map((number) => Array.fromAsync(index.packs(number))));
  assertEquals(found.flat().map(({ source }) => source), [pak0?.source, pak0?.source]);
  assertEquals(await Array.fromAsync(index.packs(1)), []);
});

Deno.test("names of shaders are completed, whatever their case", async () => {
  const root = await installation(files);
  const connection = await openLocalGames(gamesOf({ sources: [root.path], profile: "ioquake3", name: "q3" }));
  try {
    const complete = async (prefix: string) =>
      (await connection.call("complete", { view: "q3/baseq3", kind: "shader", prefix })).matches;
    assertEquals(await complete("Textures/Wall"), ["textures/wall/a", "textures/wall/b"]);
    assertEquals(await complete("g"), ["gfx/x"]);
    assertEquals(await complete("none"), []);
  } finally {
    await connection.close();
    await root[Symbol.asyncDispose]();
  }
});
