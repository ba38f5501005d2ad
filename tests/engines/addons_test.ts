/**
 * Addons of Doom 3, which name the packs that they need by checksum: worked out from neo/framework/FileSystem.cpp of
 * dhewm3, `ParseAddonDef` and `FollowAddonDependencies`. dhewm3 1.5.2 was run with such packs, and `devmap` of a map in
 * an addon: it printed our checksums, searched what a needed pack needs, of two copies the one that sorts last, and
 * discarded a list in single quotes.
 */
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { sourcesNamed } from "../../questions/named_sources.ts";
import { QuestionError } from "../../questions/question.ts";
import { pk3Checksum } from "../../index/checksums/pk3_checksum.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { whichCandidates } from "../../views/which.ts";
import { openArchive } from "../../formats/archive.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { zip } from "../formats/bytes.ts";
import { anHourLater, installation, scan, winner, writeFiles, zipOf } from "../index/fixtures.ts";

/** A pack of files whose content is their name and the pack's, with a definition of an addon. */
function addon(name: string, files: readonly string[], definition: string | null): Uint8Array {
  const content = files.map((file) => ({ name: file, content: `${file} of ${name}` }));
  return zip([...content, ...definition === null ? [] : [{ name: "addon.conf", content: definition, method: 8 }]]);
}

/** The number that Doom 3 prints for a pack. */
async function checksumOf(bytes: Uint8Array): Promise<string> {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/a.pk4`;
  await Deno.writeFile(path, bytes);
  using archive = openArchive(path);
  return (pk3Checksum(archive.table, { ofEmpty: null }).checksum >>> 0).toString(16);
}

const last = addon("last", ["x"], "");
const lastSum = await checksumOf(last);
const needsLast = addon("ytex", [], `addonDef { "${lastSum.toUpperCase()}" }`);
const needsLastSum = await checksumOf(needsLast);
const loop = addon("loop", [], `addonDef\n{\n"0x${needsLastSum}" "0x${lastSum}"\n}\n`);

/** Packs of the first directory of a game, and the words that a view chooses. */
const rows: readonly [title: string, definition: string, packs: Record<string, Uint8Array>, wins: string | null][] = [
  ["a pack that is needed", `addonDef { "0x${lastSum}" }`, { "base/a.pk4": last }, "base/a.pk4"],
  ["a pack that a needed one needs", `addonDef { "${needsLastSum}" }`, {
    "base/a.pk4": last,
    "base/b.pk4": needsLast,
  }, "base/a.pk4"],
  ["of two copies the one that is searched first", `addonDef { "${lastSum}" }`, {
    "base/a.pk4": last,
    "base/b.pk4": last,
  }, "base/b.pk4"],
  ["a pack in the mod's place of one in the base", `addonDef { "${lastSum}" }`, {
    "base/z.pk4": last,
    "mod/a.pk4": last,
  }, "mod/a.pk4"],
  ["no pack of a mod that is not played", `addonDef { "${lastSum}" }`, { "other/a.pk4": last }, null],
  ["no pack of a definition with a word out of quotes", `addonDef { "${lastSum}" 0x12 }`, { "base/a.pk4": last }, null],
  ["no pack of a definition in single quotes", `addonDef { '${lastSum}' }`, { "base/a.pk4": last }, null],
  ["no pack of a definition that does not end", `addonDef { "${lastSum}"`, { "base/a.pk4": last }, null],
  ["a pack before definitions of maps", `addonDef { "${lastSum}" } mapDef game/x { "name" "X" "n" 1 }`, {
    "base/a.pk4": last,
  }, "base/a.pk4"],
  ["no pack where a definition of a map is wrong", `addonDef { "${lastSum}" } mapDef game/x { name "X" }`, {
    "base/a.pk4": last,
  }, null],
  ["a pack after comments and other words", `// addonDef {}\nother 1.5 { addonDef { "\t0x${lastSum} it is" }`, {
    "base/a.pk4": last,
  }, "base/a.pk4"],
  ["no pack of a word in capitals", `ADDONDEF { "${lastSum}" }`, { "base/a.pk4": last }, null],
];

for (const [title, definition, packs, wins] of rows) {
  Deno.test(`dhewm3: ${title} is searched with an addon`, async () => {
    const chosen = addon("map", ["y"], definition);
    await using root = await installation({
      ...packs,
      "mod/y": "",
      "base/pak000.pk4": zipOf("z"),
      "base/map.pk4": chosen,
    });
    const catalog = scan(root.path, { profile: "dhewm3", name: "game" });
    assertEquals(winner(root.path, catalog.view("game/mod:with=map"), "x"), wins);
    assertEquals(winner(root.path, catalog.view("game/mod"), "x"), null);
    assertEquals(winner(root.path, catalog.view("game/mod:with=map"), "y"), "loose mod");
  });
}

Deno.test("dhewm3: an addon that no view has chosen is not on the search path, rather than not used", async () => {
  await using root = await installation({
    "base/pak000.pk4": zipOf("z"),
    "base/map.pk4": addon("map", ["y"], `addonDef { "${lastSum}" }`),
  });
  const view = scan(root.path, { profile: "dhewm3", name: "game" }).view();
  assertThrows(
    () => sourcesNamed(view, "map.pk4"),
    QuestionError,
    "base with its map.pk4 is not on the search path of game/base",
  );
});

Deno.test("dhewm3: addons that need each other are searched, and missing packs are said", async () => {
  const first = addon("first", [], 'addonDef { "0x1" "ffffffff" }');
  const second = addon("second", [], `addonDef { "${await checksumOf(first)}" }`);
  await using root = await installation({
    "base/first.pk4": first,
    "base/second.pk4": second,
    "base/loop.pk4": loop,
    "base/ytex.pk4": needsLast,
    "base/last.pk4": last,
    "base/odd.pk4": addon("odd", [], "addonDef { 12 }"),
    "base/long.pk4": addon("long", [], " ".repeat(1024 * 1024 + 1)),
  });
  using _later = anHourLater();
  const catalog = scan(root.path, { profile: "dhewm3", name: "game" });
  const searched = (name: string) => catalog.view(name).searchPath.map(({ name: pack }) => pack);
  assertEquals(searched("game/base:with=second"), ["base", "second.pk4", "first.pk4"]);
  assertEquals(searched("game/base:with=loop"), ["base", "ytex.pk4", "loop.pk4", "last.pk4"]);
  assertEquals(searched("game/base"), ["base"]);
  const short = (text: string) => text.replaceAll(`${root.path}/`, "");
  assertEquals(catalog.problems.map(short), [
    "base/long.pk4: addon.conf is not read: more than 1048576 bytes",
    'base/odd.pk4: addon.conf names no packs to search with it: line 1: "12" is no checksum in quotes',
    "base/first.pk4 needs packs that are missing, by checksum: 0x1, 0xffffffff",
  ]);
  const options: GameOptions[] = [{ sources: [root.path], profile: "dhewm3", name: "game" }];
  assertStrictEquals(scanCatalog(options, { previous: catalog }), catalog);
  await writeFiles(root.path, { "base/new.txt": "new" });
  assertEquals(scanCatalog(options, { previous: catalog }).problems, catalog.problems);
  const [row] = whichCandidates(catalog.view("game/base:with=second"), "x");
  assertEquals(
    row?.reason,
    'it is an addon, which dhewm3 searches only if it is chosen; ":with=last" after the name of a view chooses it',
  );
});

Deno.test("words of a game and words of a view choose together", async () => {
  await using root = await installation({
    "base/pak000.pk4": zipOf("x"),
    "base/za.pk4": addon("za", ["x"], ""),
    "base/zb.pk4": addon("zb", ["x"], ""),
  });
  const searched = (game: readonly string[], view: readonly string[]) => {
    const catalog = scan(root.path, { profile: "dhewm3", name: "game", with: game });
    const name = view.length === 0 ? "game/base" : `game/base:with=${view.join(",")}`;
    return catalog.view(name).searchPath.map(({ name: pack }) => pack).filter((pack) => pack.startsWith("z")).sort();
  };
  const sets = [[], ["za"], ["zb"], ["za", "zb"]];
  for (const game of sets) {
    for (const view of sets) {
      const expected = Array.from(new Set([...game, ...view]), (word) => `${word}.pk4`).sort();
      assertEquals(searched(game, view), expected, `with ${game}, :with=${view}`);
    }
  }
});

Deno.test("words that a game chooses hold in all of its views", async () => {
  await using root = await installation({
    "base/pak000.pk4": zipOf("x"),
    "base/zmap.pk4": addon("zmap", ["x"], ""),
    "mod/y": "",
  });
  const winners = (words: readonly string[]) => {
    const catalog = scan(root.path, { profile: "dhewm3", name: "game", with: words });
    return ["game/base", "game/mod"].map((view) => winner(root.path, catalog.view(view), "x"));
  };
  assertEquals(winners([]), ["base/pak000.pk4", "base/pak000.pk4"]);
  assertEquals(winners(["zmap"]), ["base/zmap.pk4", "base/zmap.pk4"]);
  assertEquals(winners(["fs_searchAddons=1"]), ["base/zmap.pk4", "base/zmap.pk4"]);
  assertEquals(scan(root.path, { profile: "dhewm3", name: "game", with: ["ymap"] }).problems, [
    "game: unknown choice ymap; known: fs_searchAddons=1, zmap.pk4",
  ]);
});
