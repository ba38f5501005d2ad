/** Answers of `pakfs web` with conversions: never the answer to another request, nor one from before a refresh. */
// deno-lint-ignore-file no-await-in-loop -- the order of requests is what is tested
import { assert, assertEquals, assertRejects } from "@std/assert";
import { encodeTga } from "../../daemon/demo/image.ts";
import type { Caller } from "../../protocol/connection.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { MediaError } from "../../media/core/reader.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { openLocalGames } from "../../service/local.ts";
import { PageConversions } from "../../web/conversions.ts";
import type { Wanted } from "../../media/conversions/conversions.ts";
import { zip } from "../formats/bytes.ts";
import { installation, nextTimeStamp, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";

Deno.test("conversions that differ in view, path, candidate or format are others, also after a refresh", async () => {
  const picture = (shade: number) =>
    encodeTga({ width: 300, height: 2, rgba: new Uint8Array(2400).map((_, index) => index % 4 === 3 ? 255 : shade) });
  const pack = (shade: number) => zip([{ name: "Red.tga", content: picture(shade) }]);
  await using root = await installation({
    "q/baseq3/pak0.pk3": zip([{ name: "Red.tga", content: picture(1) }, { name: "blue.tga", content: picture(40) }]),
    "q/baseq3/pak1.pk3": pack(80),
    "q/mod/pak0.pk3": pack(120),
  });
  await using connection = await openLocalGames([{ sources: [`${root.path}/q`], profile: "ioquake3", name: "q" }]);
  const requests = ["q/baseq3", "q/mod"].flatMap((view) =>
    [["red.tga", 1], ["red.tga", 2], ["blue.tga", 1]].flatMap(([qpath, candidate]) =>
      (["png", "thumbnail"] as const).map((to: Wanted) =>
        [{ view, qpath: String(qpath), candidate: Number(candidate) }, to] as const
      )
    )
  );
  const never = new AbortController().signal;
  const alone = async () => {
    using conversions = new PageConversions(connection);
    const results: Uint8Array[] = [];
    // Both views have some equal candidates, so only 8 results differ.
    for (const [address, to] of requests) {
      conversions.refresh();
      results.push(await conversions.get(address, to, never));
    }
    return results;
  };
  const expected = await alone();
  assertEquals(new Set(expected.map((bytes) => bytes.toBase64())).size, 8);
  using conversions = new PageConversions(connection);
  const chance = numbersFrom(seed);
  const askAll = async (results: readonly Uint8Array[]) => {
    for (let step = 0; step < 60; step++) {
      const numbers = Array.from({ length: 1 + chance(3) }, () => chance(requests.length));
      const found = await Promise.all(numbers.map((number) => {
        const request = requests[number];
        assert(request);
        return conversions.get(...request, never);
      }));
      assertEquals(found, numbers.map((number) => results[number]), `${numbers}, PAKFS_SEED=${seed}`);
    }
  };
  await askAll(expected);
  for (const [number, request] of requests.entries()) {
    const next = number % 2 === 0 ? number + 1 : number - 1;
    const other = requests[next];
    assert(other);
    conversions.refresh();
    const found = await Promise.all([request, other].map((one) => conversions.get(...one, never)));
    assertEquals(found, [expected[number], expected[next]], "two formats of one file at the same time");
  }
  const events = await connection.subscribe({});
  await nextTimeStamp();
  await writeFiles(root.path, { "q/baseq3/pak1.pk3": pack(200) });
  await connection.call("refresh", {});
  await events.next();
  conversions.refresh();
  const after = await alone();
  assert(after.some((bytes, index) => bytes.toBase64() !== expected[index]?.toBase64()));
  await askAll(after);
  await events.return?.();
});

/** Answers reads with the files of one moment, when the test releases them. */
class HeldReads {
  files: Readonly<Record<string, Uint8Array>> = {};
  held: PromiseWithResolvers<void> | undefined;

  readonly call = async (_method: string, params: { qpath: string }) => {
    const bytes = this.files[params.qpath];
    await this.held?.promise;
    if (!bytes) throw new RpcError({ code: errorCodes.notFound, message: "missing" });
    return { data: bytes.toBase64(), size: bytes.length, end: true, version: "" };
  };
}

Deno.test("what was begun before a refresh is not kept after it, neither results nor palettes", async () => {
  const palette = (shade: number) => new Uint8Array(768).fill(shade);
  const lump = (index: number) => Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, index);
  const caller = new HeldReads();
  using conversions = new PageConversions(caller as unknown as Caller);
  const shadeOf = async (qpath: string) => {
    const bytes = await conversions.get({ view: "v", qpath, candidate: 1 }, "png", new AbortController().signal);
    return decodePng(bytes).rgba[0];
  };
  caller.files = { "a.lmp": lump(1), "b.lmp": lump(1), "gfx/palette.lmp": palette(10) };
  caller.held = Promise.withResolvers();
  const begun = shadeOf("a.lmp");
  conversions.refresh();
  caller.held.resolve();
  assertEquals(await begun, 10);
  assertEquals(await shadeOf("b.lmp"), 10);
  caller.files = { ...caller.files, "gfx/palette.lmp": palette(20) };
  assertEquals([await shadeOf("b.lmp")], [10], "nothing was refreshed");
  assertEquals(await shadeOf("a.lmp"), 10, "the palette that was read after the refresh");
  conversions.refresh();
  assertEquals([await shadeOf("a.lmp"), await shadeOf("b.lmp")], [20, 20]);
  const picture = (shade: number) => encodeTga({ width: 1, height: 1, rgba: Uint8Array.of(shade, shade, shade, 255) });
  caller.files = { "a.tga": picture(1) };
  caller.held = Promise.withResolvers();
  const late = shadeOf("a.tga");
  caller.files = { "a.tga": picture(2) };
  conversions.refresh();
  caller.held.resolve();
  assertEquals(await late, 1);
  assertEquals(await shadeOf("a.tga"), 2);
});

Deno.test("the palette of the user counts instead of those of views, in views without one too", async () => {
  const caller = new HeldReads();
  const lump = Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 5);
  const palette = { colours: new Uint8Array(768).fill(30), origin: "given.lmp" };
  const shadeOf = async (given: typeof palette | undefined) => {
    using conversions = new PageConversions(caller as unknown as Caller, undefined, given);
    const address = { view: "v", qpath: "a.lmp", candidate: 1 };
    return decodePng(await conversions.get(address, "png", new AbortController().signal)).rgba[0];
  };
  caller.files = { "a.lmp": lump };
  await assertRejects(() => shadeOf(undefined), MediaError, "no palette");
  assertEquals(await shadeOf(palette), 30);
  caller.files = { "a.lmp": lump, "gfx/palette.lmp": new Uint8Array(768).fill(10) };
  assertEquals(await Promise.all([shadeOf(undefined), shadeOf(palette)]), [10, 30]);
});
