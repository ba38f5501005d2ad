/** Pure servers: the files that a list of packs leaves in a view, their order, and the names of such views. */
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { profileNamed } from "../../engines/table.ts";
import { zip } from "../formats/bytes.ts";
import { ViewError } from "../../views/view_error.ts";
import { parsePureList, plainSettings, settingsText, splitViewName } from "../../views/view_settings.ts";
import { packChecksum } from "../../index/checksums/pack_checksum.ts";
import { Catalog } from "../../views/catalog.ts";
import { candidates, type Files, installation, pakOf, scan, winner, zipOf } from "../index/fixtures.ts";

const quake3: Files = {
  "home/baseq3/a.txt": "home",
  "home/baseq3/server.cfg": "home",
  "home/baseq3/loose.cfg": "home",
  "home/baseq3/zz.pk3": zipOf("a.txt", "b.txt", "zz.txt"),
  "base/baseq3/pak0.pk3": zipOf("a.txt", "b.txt", "server.cfg", "pak0.txt"),
  "base/baseq3/pak1.pk3": zipOf("a.txt", "b.txt", "pak1.txt"),
  "base/baseq3/dir.pk3dir/a.txt": "dir",
  "base/baseq3/dir.pk3dir/dir.txt": "dir",
  "base/mod/mod.pk3": zipOf("a.txt", "mod.txt"),
};
const sources = ["home", "base"];

function checksumOf(catalog: Catalog, path: string): number {
  const source = catalog.packs.find((pack) => pack.path.endsWith(path));
  const checksum = source && packChecksum(catalog.snapshot, catalog.games[0]?.profile, source)?.checksum;
  if (checksum === undefined) throw new Error(`${path} has no checksum`);
  return checksum;
}

for (const profile of ["ioquake3", "quake3", "chomenor"]) {
  Deno.test(`${profile}: a pure list is searched in its own order, and nothing else but some loose files`, async () => {
    await using root = await installation(quake3);
    const catalog = scan(root.path, { sources, profile, name: "q3" });
    const checksums = ["mod/mod.pk3", "pak0.pk3", "pak1.pk3"].map((path) => checksumOf(catalog, path));
    const expected = {
      "a.txt": "base/mod/mod.pk3",
      "b.txt": "base/baseq3/pak0.pk3",
      "pak1.txt": "base/baseq3/pak1.pk3",
      "zz.txt": null,
      "dir.txt": null,
      "server.cfg": "base/baseq3/pak0.pk3",
      "loose.cfg": "loose home/baseq3",
    };
    for (const list of [checksums.join(","), "mod,pak0.pk3,baseq3/PAK1", checksums.map((sum) => sum >>> 0).join(" ")]) {
      const view = catalog.view(`q3/mod:pure=${list}`);
      const found = Object.keys(expected).map((qpath) => [qpath, winner(root.path, view, qpath)]);
      assertEquals(Object.fromEntries(found), expected, list);
    }
  });
}

Deno.test("which says what a pure list makes of each candidate", async () => {
  await using root = await installation(quake3);
  const view = scan(root.path, { sources, profile: "ioquake3", name: "q3" }).view("q3/baseq3:pure=pak1,pak0");
  const rows = candidates(root.path, view, "a.txt").map((row) =>
    `${row.rank} ${row.source} ${row.usable ? row.decidedBy ?? "winner" : "-"}: ${row.reason ?? row.because ?? ""}`
  );
  assertEquals(rows, [
    "1 base/baseq3/pak1.pk3 winner: ",
    "2 base/baseq3/pak0.pk3 pure-list: pak1.pk3 stands before pak0.pk3 on the pure list.",
    "3 home/baseq3 -: a pure server allows no loose files but *.cfg, *.menu, *.game, *.dat, *.dm_??",
    "4 home/baseq3/zz.pk3 -: zz.pk3 is not on the pure list",
    "5 base/baseq3/dir.pk3dir -: dir.pk3dir is a directory, which a pure server never allows",
    "6 base/mod/mod.pk3 -: mod is not on the search path of q3/baseq3:pure=pak1,pak0",
  ]);
});

Deno.test("of two copies of a listed pack the one searched first takes its place, and the other stays usable", async () => {
  const pack = zipOf("a.txt");
  await using root = await installation({
    "home/baseq3/copy.pk3": pack,
    "base/baseq3/pak0.pk3": pack,
    "base/baseq3/pak1.pk3": zipOf("a.txt", "b.txt"),
  });
  const catalog = scan(root.path, { sources, profile: "ioquake3", name: "q3" });
  const view = catalog.view(`q3/baseq3:pure=${checksumOf(catalog, "pak0.pk3")},pak1`);
  assertEquals(candidates(root.path, view, "a.txt").map((row) => [row.source, row.usable, row.decidedBy]), [
    ["home/baseq3/copy.pk3", true, null],
    ["base/baseq3/pak1.pk3", true, "pure-list"],
    ["base/baseq3/pak0.pk3", true, "pure-list"],
  ]);
});

Deno.test("a word of a pure list that no pack bears is missing, the others are used", async () => {
  await using root = await installation(quake3);
  const view = scan(root.path, { sources, profile: "ioquake3", name: "q3" }).view("q3/mod:pure=nowhere,12345,pak0");
  assertEquals(view.pure?.items.map(({ word, checksum, source }) => [word, checksum, source?.name ?? null]), [
    ["nowhere", null, null],
    ["12345", 12345, null],
    ["pak0", checksumOfFirst(view.searchPath, "pak0.pk3"), "pak0.pk3"],
  ]);
  function checksumOfFirst(searched: typeof view.searchPath, name: string): number | null {
    const source = searched.find((pack) => pack.name === name);
    return source ? packChecksum(view.snapshot, view.game.profile, source)?.checksum ?? null : null;
  }
});

Deno.test("a word that no pack bears allows no pack, though packs of other formats have no checksum either", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("a.txt", "b.txt"),
    "id1/pak1.pak": pakOf("a.txt"),
  });
  const { snapshot, games, problems } = scan(root.path, { profile: "quake", name: "q" });
  for (const allCopies of [false, true]) {
    const pure = { loose: [], allCopies };
    const named = games.map((game) => ({ ...game, profile: { ...game.profile, pure } }));
    const view = new Catalog({ snapshot, games: named, problems }).view("q/id1:pure=nowhere,pak0");
    assertEquals(["a.txt", "b.txt"].map((qpath) => winner(root.path, view, qpath)), ["id1/pak0.pak", "id1/pak0.pak"]);
    const packs = view.searchPath.filter(({ kind }) => kind === "pack");
    assertEquals(packs.map((pack) => view.pure?.position(pack)), [1], `copies: ${allCopies}`);
  }
});

Deno.test("views called pure use the pure list of the game's options", async () => {
  await using root = await installation(quake3);
  const catalog = scan(root.path, { sources, profile: "ioquake3", name: "q3", pure: ["pak1", "pak0"] });
  const view = catalog.view("q3/baseq3:pure");
  assertStrictEquals(view, catalog.view("baseq3:pure=pak1,pak0"));
  assertEquals(winner(root.path, view, "a.txt"), "base/baseq3/pak1.pk3");
  const without = scan(root.path, { sources, profile: "ioquake3", name: "q3" });
  assertThrows(() => without.view("q3/baseq3:pure"), ViewError, "names no pure list");
});

Deno.test("settings that an engine does not have, or that are none, are refused with a sentence", async () => {
  await using root = await installation(quake3);
  const catalog = scan(root.path, { sources, profile: "ioquake3", name: "q3" });
  assertThrows(() => catalog.view("q3/mod:map=q3dm17"), ViewError, "does not prefer the pack of the map");
  assertThrows(() => catalog.view("q3/mod:inactive=2"), ViewError, "never reads other mods");
  assertThrows(() => catalog.view("q3/mod:colour=red"), ViewError, "unknown setting colour");
  assertThrows(() => catalog.view("q3/mod:inactive=3"), ViewError, '"inactive" cannot be "3"');
  assertThrows(() => catalog.view("q3/nothing:pure=pak0"), ViewError, "unknown view q3/nothing");
  const generic = scan(root.path, { sources: ["base/baseq3"], profile: "generic", name: "g" });
  assertThrows(() => generic.view("g:pure=pak0"), ViewError, "knows no pure servers");
});

Deno.test("a view's name is the same for the same settings, and short enough for a directory", () => {
  const names = splitViewName("q3/mod:map=maps/q3dm17.bsp:pure=pak1 pak0,base%2Cq3/x%20y");
  assertEquals(names, {
    name: "q3/mod",
    settings: { ...plainSettings, pure: ["pak1", "pak0", "base,q3/x y"], map: "q3dm17" },
  });
  const text = settingsText(names.settings);
  assertEquals(text, ":pure=pak1,pak0,base%2Cq3%2Fx%20y:map=q3dm17");
  assertEquals(splitViewName(`x${text}`).settings, names.settings);

  const many = Array.from({ length: 30 }, (_, index) => String((index * 0x12345678) | 0));
  const long = settingsText({ ...plainSettings, pure: many });
  assertEquals(long.length < 200, true, long);
  assertEquals(/^[\w:=~-]+$/.test(long), true, long);
  assertEquals(splitViewName(`q3/mod${long}`).settings.pure, many);
  assertThrows(() => parsePureList("~%%%"), ViewError);
});

// --- Chomenor's settings ------------------------------------------------------------------------------------------

const chomenor: Files = {
  "home/baseq3/aaa.pk3": zipOf("a.txt", "maps/home.bsp"),
  "home/baseq3/downloads/zzdl.pk3": zipOf("a.txt", "dl.txt"),
  "base/baseq3/pak2.pk3": zipOf("a.txt", "pak2.txt"),
  "base/baseq3/nolist/hidden.pk3": zipOf("nolist.txt"),
  "base/baseq3/refonly/known.pk3": zipOf("refonly.txt"),
  "base/baseq3/sub/other.pk3": zipOf("sub.txt"),
  "base/basemod/bm.pk3": zipOf("bm.txt"),
  "base/other/o.pk3": zipOf("o.txt", "a.txt"),
  "base/other/loose.txt": "loose",
};

Deno.test("chomenor: folders of packs, the base mod and other mods", async () => {
  await using root = await installation(chomenor);
  const catalog = scan(root.path, { sources, profile: "chomenor", name: "q3" });
  const answers = (view: string) => (qpath: string) => winner(root.path, catalog.view(view), qpath);
  const base = answers("q3/baseq3");
  assertEquals(["a.txt", "dl.txt", "nolist.txt", "refonly.txt", "sub.txt", "bm.txt", "o.txt"].map(base), [
    "base/baseq3/pak2.pk3",
    "home/baseq3/downloads/zzdl.pk3",
    "base/baseq3/nolist/hidden.pk3",
    null,
    null,
    "base/basemod/bm.pk3",
    null,
  ]);
  assertEquals(["o.txt", "loose.txt", "a.txt"].map(answers("q3/baseq3:inactive=2")), [
    "base/other/o.pk3",
    "loose base/other",
    "base/baseq3/pak2.pk3",
  ]);
  assertEquals(["o.txt", "loose.txt"].map(answers("q3/baseq3:inactive=0")), [null, null]);
  assertEquals(["o.txt", "loose.txt", "a.txt"].map(answers("q3/baseq3:pure=o,pak2")), [
    "base/other/o.pk3",
    null,
    "base/other/o.pk3",
  ]);
  assertEquals(["o.txt", "loose.txt", "a.txt"].map(answers("q3/other")), [
    "base/other/o.pk3",
    "loose base/other",
    "base/other/o.pk3",
  ]);
});

Deno.test("chomenor: the pack of the map that is played comes before packs with better names", async () => {
  await using root = await installation(chomenor);
  const catalog = scan(root.path, { sources, profile: "chomenor", name: "q3" });
  const view = catalog.view("q3/baseq3:map=home");
  assertEquals(candidates(root.path, view, "a.txt").map((row) => [row.source, row.decidedBy, row.usable]), [
    ["home/baseq3/aaa.pk3", null, true],
    ["base/baseq3/pak2.pk3", "current-map", true],
    ["home/baseq3/downloads/zzdl.pk3", "current-map", true],
    ["base/other/o.pk3", null, false],
  ]);
  assertEquals(winner(root.path, catalog.view("q3/baseq3:map=nowhere"), "a.txt"), "base/baseq3/pak2.pk3");
});

Deno.test("chomenor: of two spellings of a loose file the one that was requested is taken", async () => {
  await using root = await installation({ "baseq3/Mixed.txt": "", "baseq3/mixed.txt": "x", "baseq3/MiXeD.txt": "yy" });
  const view = scan(root.path, { profile: "chomenor", name: "q3" }).view();
  for (const asked of ["Mixed.txt", "mixed.txt", "MiXeD.txt"]) {
    const [first, second] = candidates(root.path, view, asked);
    assertEquals([first?.member, second?.decidedBy], [asked, "case-match"]);
  }
});

Deno.test("chomenor: of two entries of one name the one stored last is taken, whatever the order of the table", async () => {
  const pack = zip([{ name: "a.txt", content: "first" }, { name: "A.txt", content: "the last" }]);
  await using root = await installation({ "baseq3/pak0.pk3": pack });
  const view = scan(root.path, { profile: "chomenor", name: "q3" }).view();
  assertEquals(candidates(root.path, view, "a.txt").map((row) => [row.member, row.size, row.decidedBy]), [
    ["A.txt", 8, null],
    ["a.txt", 5, "last-stored"],
  ]);
  assertEquals(winner(root.path, view, "a.txt"), "baseq3/pak0.pk3");
});

Deno.test("a pack is asked for its checksum under one engine, then under another, and with another feed", async () => {
  await using root = await installation({ "baseq3/pak0.pk3": zipOf() });
  const { snapshot, packs: [source] } = scan(root.path, { profile: "ioquake3" });
  assert(source);
  const rows = [["quake3", 0, -956940105], ["ioquake3", 0, -1737972033], ["ioquake3", 1, -1737972033]] as const;
  for (const [engine, feed, checksum] of [...rows, ...rows.toReversed()]) {
    const result = packChecksum(snapshot, profileNamed(engine), source, feed);
    assertEquals([result?.checksum, result?.feed], [checksum, feed], `${engine} ${feed}`);
  }
});
