import { assertEquals } from "@std/assert";
import type { GameOptions } from "../../../index/profiles/game.ts";
import { choiceSentences, engineClauses } from "../../../index/questions/engine_choice.ts";
import { type Files, installation, pakOf, scan, zipOf } from "../fixtures.ts";

/** The sentences about the choice of an engine for the game `game`, without the path of its root. */
async function sentences(files: Files, options: Omit<GameOptions, "sources"> = {}, compares = true): Promise<string[]> {
  await using root = await installation(files);
  const catalog = scan(root.path, { name: "game", ...options });
  return choiceSentences(catalog, compares).map((sentence) => sentence.replaceAll(root.path, "ROOT"));
}

const quake3: Files = {
  "baseq3/pak0.pk3": zipOf("a", "b", "c"),
  "baseq3/a": "loose",
  "baseq3/b": "loose",
  "mod/c": "loose",
};

Deno.test("a game is named with its engine and the files that other engines would answer otherwise", async () => {
  const start = "game: Quake III Arena, rules of ioquake3, as ROOT/baseq3 has pk3 files";
  assertEquals(await sentences(quake3), [
    `${start}; 2 files would differ under quake3e, 2 under quake3: "pakfs diff --engine quake3e" lists them; ` +
    "none under chomenor, spearmint",
  ]);
  assertEquals(await sentences({ "baseq3/pak0.pk3": zipOf("a") }), [
    `${start}; none under quake3e, quake3, chomenor, spearmint`,
  ]);
  assertEquals(await sentences(quake3, {}, false), [
    `${start}; also played by quake3e, quake3, chomenor, spearmint: "pakfs diff --engine quake3e" compares`,
  ]);
});

Deno.test("an engine whose packs the index has not read is not compared", async () => {
  const [sentence = ""] = await sentences({ "baseq3/pak0.pk3": zipOf("a"), "baseq3/x.pk3dir/b": "b" }, {
    profile: "quake3",
    base: "baseq3",
  });
  assertEquals(sentence, "", "the user chose");
  await using root = await installation({ "baseq3/pak0.pk3": zipOf("a"), "baseq3/x.pk3dir/b": "b" });
  assertEquals(engineClauses(scan(root.path, { profile: "quake3" })), [
    "not compared: ioquake3, quake3e, chomenor, spearmint",
  ]);
});

Deno.test("a game of one engine, no known game, and games that share a base directory are named", async () => {
  assertEquals(await sentences({ "base/assets0.pk3": zipOf("a"), "base/assets5.pk3": zipOf("a") }), [
    "game: Jedi Outcast, rules of openjk, as ROOT/base has assets0.pk3",
  ]);
  assertEquals(await sentences({ "base/assets0.pk3": zipOf("a"), "base/assets3.pk3": zipOf("a") }), [
    "game: Jedi Academy, rules of openjk, as ROOT/base has assets0.pk3",
  ]);
  assertEquals(await sentences({ "stuff/readme.txt": "x" }), [
    "game: no known game, rules of generic, as no engine's directories were found; --profile chooses an engine's",
  ]);
  assertEquals(await sentences({ "disk/sp_pak1.pk3": zipOf("a"), "disk/mp_pak0.pk3": zipOf("a") }), [
    "game: no known game, rules of generic, as ROOT/disk has packs of Return to Castle Wolfenstein, whose engines look " +
    "for them in main; rename it, or choose rules with --profile; --profile chooses an engine's",
  ]);
  assertEquals(await sentences({ "id1/pak0.pak": pakOf("a") }, { profile: "quake" }), []);
});
