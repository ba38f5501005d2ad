import { assertEquals, assertRejects } from "@std/assert";
import { openIndex, type View } from "../../mod.ts";
import { pak } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";

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
