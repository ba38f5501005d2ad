import { assertEquals } from "@std/assert";
import { hashName } from "../../formats/core/name_hashes.ts";
import { variantNamed } from "../../formats/mod.ts";
import { openIndex } from "../../mod.ts";
import { text } from "../formats/bytes.ts";
import { hashedPack } from "../formats/hashed.ts";
import { installation } from "../index/fixtures.ts";

function packOf(...paths: readonly string[]): Uint8Array {
  const variant = variantNamed("djb2");
  if (!variant) throw new Error("no such variant");
  return hashedPack(
    paths.map((path) => ({ hash: hashName(path, variant), data: text(path) })).sort((a, b) => a.hash - b.hash),
  );
}

Deno.test("names shows for every hashed pack how its names were found, with collisions", async () => {
  await using root = await installation({
    "game/a.pack": packOf("maps/Aa", "maps/other", "hidden"),
    "game/b.pack": packOf("nothing", "known"),
    "names": "maps/Aa\nmaps/other\nmaps/B@\n",
  });
  await using index = await openIndex({
    sources: [`${root.path}/game`],
    profile: "hashed",
    names: [`${root.path}/names`],
  });
  const rows = await Array.fromAsync(index.names());
  assertEquals(
    rows.map(({ game, gameDirectory, pack, hash, files, named }) => [game, gameDirectory, pack, hash, files, named]),
    [
      ["game", "game", "a.pack", "djb2", 3, 2],
      ["game", "game", "b.pack", null, 2, 0],
    ],
  );
  assertEquals(rows[0]?.collisions.map(({ names }) => names), [["maps/Aa", "maps/B@"]]);
  assertEquals(rows[0]?.tried, 5); // the list's three, and the two packs' own names
  assertEquals(rows[0]?.expected, 15 / 2 ** 32);
  const warnings = (await Array.fromAsync(index.packs())).flatMap((pack) => pack.warnings);
  assertEquals(warnings.length, 1);
});
