import { assertEquals } from "@std/assert";
import type { GameOptions } from "../../index/columns/game.ts";
import { choiceSentences, engineClauses } from "../../questions/engine_choice.ts";
import { namedDifference } from "../../questions/diff.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { type Files, installation, pakOf, scan, zipOf } from "../index/fixtures.ts";

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

Deno.test("the first line names the game, its engine, and a command that lists what others would answer", async () => {
  const start = "detected Quake III Arena (baseq3), engine rules: ioquake3";
  const compares = `"pakfs detect ROOT" compares other engines`;
  assertEquals(await sentences(quake3), [
    `${start}; 2 files differ under other engines: "pakfs diff --engine quake3e" lists them`,
  ]);
  assertEquals(await sentences({ "baseq3/pak0.pk3": zipOf("a") }), [`${start}; no file differs under other engines`]);
  assertEquals(await sentences(quake3, {}, false), [`${start}; ${compares}`]);
  assertEquals(await sentences({ "baseq3/pak0.pk3": zipOf("a"), "baseq3/x.pk3dir/b": "b" }), [
    `${start}; 1 file differs under other engines: "pakfs diff --engine quake3" lists them`,
  ]);
});

Deno.test("of engines that differ in different numbers of files the one with the most is named", async () => {
  const files = {
    "id1/pak0.pak": pakOf("a", "b", "c"),
    "id1/pak2.pak": pakOf("a", "b"),
    "id1/x.pk3": zipOf("c"),
    "quakespasm.pak": pakOf("d"),
  };
  const [sentence = ""] = await sentences(files);
  const [, count, engine = ""] =
    /^detected Quake \(id1\), engine rules: quakespasm; up to (\d) files differ .* --engine (\w+)"/
      .exec(sentence) ?? [];
  await using root = await installation(files);
  const catalog = scan(root.path, { name: "game" });
  const numbers = ["quake", "ironwail", "vkquake", "qss", "darkplaces", "ftequake", "ezquake"].map((profile) => {
    const { before } = namedDifference(catalog, { from: "game", to: `game:profile=${profile}` });
    return [profile, before.length] as const;
  });
  const most = Math.max(...numbers.map(([, number]) => number));
  assertEquals([Number(count), numbers.find(([, number]) => number === most)?.[0]], [most, engine], sentence);
});

Deno.test("games of several roots or next to others are told apart, and paths are quoted for the shell", async () => {
  await using root = await installation({
    "my games/id1/pak0.pak": pakOf("a"),
    "my games/id1/pak2.pak": pakOf("a"),
    "above/id1/a": "",
  });
  const [upper = "", lower = ""] = ["above", "my games"].map((name) => `${root.path}/${name}`);
  const both = scanCatalog([{ sources: [upper, lower] }]);
  const detected = `detected Quake (id1) in ${upper} and ${lower}, engine rules: quake`;
  assertEquals(choiceSentences(both, false), [`${detected}; "pakfs detect '${lower}'" compares other engines`]);
  const two = scanCatalog([{ sources: [lower] }, { sources: [upper] }]);
  assertEquals(choiceSentences(two, true), [
    `my games: detected Quake (id1), engine rules: quake; 2 files differ under other engines: ` +
    `"pakfs diff 'my games' --engine qss" lists them`,
    "above: detected Quake (id1), engine rules: quake; no file differs under other engines",
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
    "detected Jedi Outcast (base), engine rules: openjk",
  ]);
  assertEquals(await sentences({ "base/assets0.pk3": zipOf("a"), "base/assets3.pk3": zipOf("a") }), [
    "detected Jedi Academy (base), engine rules: openjk",
  ]);
  assertEquals(await sentences({ "config/version.cfg": "", "data/maps/a.mpz": "", "redeclipse.sh": "" }), [
    "detected Red Eclipse, engine rules: redeclipse",
  ]);
  assertEquals(await sentences({ "stuff/readme.txt": "x" }), [
    "detected no known game, engine rules: generic, as no engine's directories were found; " +
    '"pakfs profiles" lists the engines for --profile',
  ]);
  assertEquals(await sentences({ "disk/sp_pak1.pk3": zipOf("a"), "disk/mp_pak0.pk3": zipOf("a") }), [
    "detected no known game, engine rules: generic, as ROOT/disk has packs of Return to Castle Wolfenstein, whose " +
    "engines look for them in main; rename it, or choose rules with --profile; " +
    '"pakfs profiles" lists the engines for --profile',
  ]);
  assertEquals(await sentences({ "id1/pak0.pak": pakOf("a") }, { profile: "quake" }), []);
});
