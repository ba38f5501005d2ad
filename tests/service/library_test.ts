import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodePng } from "../../media/pictures/png.ts";
import { storedPng } from "../../media/pictures/png_writer.ts";
import { encodePcx, encodeTga } from "../../daemon/demo/image.ts";
import { demoPalette } from "../../daemon/demo/palette.ts";
import { ExtractionError, openIndex, RpcError, type View } from "../../mod.ts";
import { join, pak, u32, zip } from "../formats/bytes.ts";
import { firstPixel, readGlb } from "../media/convert/gltf.ts";
import { installation } from "../index/fixtures.ts";
import { floorMap } from "../media/handmade_maps.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const latin = Uint8Array.from([0x52, 0xfc, 0x62, 0x65]);

async function* openedView(): AsyncGenerator<View, void, void> {
  await using directory = await installation({
    "id1/pak0.pak": pak([["utf8.txt", "Rübe\n"], ["latin.txt", latin], ["a/b/c.json", '{"lanterns":[1,2]}']]),
  });
  await using index = await openIndex({ sources: [directory.path], profile: "quake" });
  yield index.view();
}

Deno.test("a view gives text in the encodings of old and new games, and the values of JSON", async () => {
  for await (const view of openedView()) {
    assertEquals([await view.text("utf8.txt"), await view.text("latin.txt")], ["Rübe\n", "Rübe"]);
    assertEquals(await view.json("a/b/c.json"), { lanterns: [1, 2] });
    await assertRejects(() => view.json("utf8.txt"), SyntaxError);
  }
});

Deno.test("a view sums up its directories", async () => {
  for await (const view of openedView()) {
    const sums = (rows: { qpath: string; size: number; files: number }[]) =>
      rows.map(({ qpath, size, files }) => [qpath, size, files]);
    assertEquals(sums(await Array.fromAsync(view.usage())), [["", 28, 3], ["a", 18, 1]]);
    assertEquals(sums(await Array.fromAsync(view.usage("a", { depth: 0 }))), [["a", 18, 1]]);
    assertEquals(sums(await Array.fromAsync(view.usage("", { depth: 2 }))).at(-1), ["a/b", 18, 1]);
  }
});

Deno.test("a view gives a part of a file", async () => {
  for await (const view of openedView()) {
    assertEquals(await view.read("latin.txt", { offset: 1, length: 2 }), latin.subarray(1, 3));
    assertEquals((await view.read("latin.txt", { offset: 4 })).length, 0);
  }
});

Deno.test("a view extracts whole files, and reports those that cannot be read or written", async () => {
  await using directory = await installation({
    "baseq3/pak0.pk3": zip([
      { name: "sound/good.wav", content: "good" },
      { name: "sound/bad.wav", content: "bad", crc: 1 },
      { name: "sound/taken.wav", content: "x" },
      { name: "sound/linked/a.wav", content: "x" },
      { name: "maps/a.bsp", content: "x" },
    ]),
  });
  await using index = await openIndex({ sources: [directory.path], profile: "ioquake3" });
  await using target = await temporaryDirectory();
  const out = `${target.path}/new/out`;
  await Deno.mkdir(`${out}/sound/taken.wav`, { recursive: true });
  await Deno.writeTextFile(`${out}/sound/good.wav`, "an older file");
  await Deno.symlink(target.path, `${out}/sound/linked`);
  const steps: (readonly number[])[] = [];
  const onProgress = (...step: readonly number[]) => steps.push(step);
  const { files, bytes, problems } = await index.view().extract("*.wav", out, { onProgress });
  assertEquals([files, bytes, steps.at(-1)], [1, 4, [4, 4]]);
  assertEquals(problems.map(({ qpath }) => qpath), ["sound/bad.wav", "sound/linked/a.wav", "sound/taken.wav"]);
  assertMatch(
    problems.map(({ problem }) => problem).join("\n"),
    /checksum is .*\nsound\/linked\/a.wav .*not followed\nsound\/taken.wav .*Is a directory/,
  );
  assertEquals(await Deno.readTextFile(`${out}/sound/good.wav`), "good");
  const names = await Array.fromAsync(Deno.readDir(`${out}/sound`), ({ name }) => name);
  assertEquals(names.sort(), ["good.wav", "linked", "taken.wav"], "no part of a file is left");
  const none = await index.view().extract("*", out, { filters: { minSize: 1000 } });
  assertEquals(none, { files: 0, bytes: 0, problems: [] });
});

Deno.test("a view prefers its own pack among packs of one name", async () => {
  const files = (word: string) => zip([{ name: "a.txt", content: word }]);
  await using directory = await installation({
    "baseq3/x.pk3": files("base"),
    "mod/x.pk3": files("modified"),
    "baseq3/y.pk3": files("base"),
  });
  await using index = await openIndex({ sources: [directory.path], profile: "ioquake3" });
  const own = await index.view("baseq3").checksum("x.pk3");
  assertEquals(own.source, `${directory.path}/baseq3/x.pk3`);
  assertEquals(own.checksum, (await index.checksum("y.pk3")).checksum);
});

Deno.test("a view converts pictures with its palette, and says why it cannot", async () => {
  const palette = Uint8Array.from({ length: 768 }, (_, index) => index % 251);
  const lmp = (...pixels: number[]) => join(u32(2, 1), Uint8Array.from(pixels));
  await using directory = await installation({
    "id1/pak0.pak": pak([["gfx/palette.lmp", palette], ["gfx/a.lmp", lmp(1, 2)], ["gfx/cut.lmp", lmp(1)]]),
  });
  await using index = await openIndex({ sources: [directory.path], profile: "quake" });
  const view = index.view();
  const { to, bytes } = await view.convert("gfx/a.lmp");
  assertEquals([to, decodePng(bytes).rgba.toHex()], ["png", "030405ff060708ff"]);
  await assertRejects(() => view.convert("gfx/cut.lmp"), ExtractionError, "gfx/cut.lmp: a picture of 2 x 1");
  await assertRejects(() => view.convert("gfx/a.lmp", { to: "wav" }), ExtractionError, "not converted to wav");
  await assertRejects(() => view.convert("gfx/b.lmp"), RpcError);
});

Deno.test("a map shows its textures, or the pictures that the engine shows instead", async () => {
  const [colours, red] = [demoPalette(), Uint8Array.of(255, 0, 0, 255)];
  const picture = { width: 1, height: 1, rgba: red };
  const indices = join(new Uint8Array(32), u32(16, 16, 100), new Uint8Array(56), new Uint8Array(256).fill(7));
  // The first pixel of the texture in the map of Quake is 0, all of the one in that of Quake 2 are 7.
  const own = { id1: `${colours.subarray(0, 3).toHex()}ff`, baseq2: `${colours.subarray(21, 24).toHex()}ff` };
  const games = {
    id1: pak([["gfx/palette.lmp", colours], ["maps/a.bsp", floorMap("quake")], [
      "textures/floor.png",
      storedPng(picture),
    ]]),
    baseq2: pak([
      ["pics/colormap.pcx", encodePcx(picture, colours)],
      ["maps/a.bsp", floorMap("quake2")],
      ["textures/floor.wal", indices],
      ["textures/floor.tga", encodeTga(picture)],
    ]),
  };
  const expected = { id1: { quake: false, ironwail: true }, baseq2: { quake2: false, yquake2: true } };
  for (const base of ["id1", "baseq2"] as const) {
    // deno-lint-ignore no-await-in-loop -- one game after the other
    await using directory = await installation({ [`${base}/pak0.pak`]: games[base] });
    for (const [profile, isReplaced] of Object.entries(expected[base])) {
      // deno-lint-ignore no-await-in-loop -- one engine after the other
      await using index = await openIndex({ sources: [directory.path], profile });
      // deno-lint-ignore no-await-in-loop -- one engine after the other
      const glb = readGlb((await index.view().convert("maps/a.bsp")).bytes);
      const material = base === "baseq2" ? "textures/floor.wal" : isReplaced ? "textures/floor" : "floor";
      assertEquals(firstPixel(glb, material), isReplaced ? "ff0000ff" : own[base], profile);
    }
  }
});
