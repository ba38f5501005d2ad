/**
 * Answers of Chomenor's engine that this profile once got wrong: the program itself gave each (`oracle_test.ts` with
 * `PAKFS_ORACLE_CHOMENOR`), or the named line of its source does.
 */
import { assert, assertEquals } from "@std/assert";
import { profileNamed } from "../../engines/table.ts";
import { openArchive } from "../../formats/archive.ts";
import { pk3Checksum } from "../../index/checksums/pk3_checksum.ts";
import { none } from "../../index/columns/columns.ts";
import type { Catalog } from "../../views/catalog.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { RootPresence } from "../../index/scan/root_presence.ts";
import { zip } from "../formats/bytes.ts";
import { candidates, installation, scan, winner, zipOf } from "../index/fixtures.ts";
import { vector } from "../index/vectors.ts";

/** A pack in which `d/all.txt` is after `bytes` bytes. */
function packWithOffset(bytes: number): Uint8Array {
  return zip([{ name: "first.txt", content: "x".repeat(bytes) }, { name: "d/all.txt", content: "" }]);
}

for (const [top, folder] of [[10, 20], [20, 10]] as const) {
  vector("chomenor", `packs of one name: the file that is stored further back wins (${top}, ${folder})`, {
    files: { "baseq3/x.pk3": packWithOffset(top), "baseq3/nolist/x.pk3": packWithOffset(folder) },
    expected: { "d/all.txt": top > folder ? "baseq3/x.pk3" : "baseq3/nolist/x.pk3", "first.txt": "baseq3/x.pk3" },
  });
  vector("chomenor", `packs of one name in two base directories are no tie (${top}, ${folder})`, {
    files: { "home/baseq3/x.pk3": packWithOffset(top), "base/baseq3/x.pk3": packWithOffset(folder) },
    sources: ["home", "base"],
    expected: { "d/all.txt": "home/baseq3/x.pk3" },
  });
}

Deno.test("chomenor: which says that the offset in the pack has decided between two packs of one name", async () => {
  await using root = await installation({
    "baseq3/x.pk3": packWithOffset(10),
    "baseq3/nolist/x.pk3": packWithOffset(20),
  });
  const view = scan(root.path, { profile: "chomenor" }).view();
  const rows = candidates(root.path, view, "d/all.txt");
  assertEquals(rows.map(({ source, decidedBy }) => [source, decidedBy]), [
    ["baseq3/nolist/x.pk3", null],
    ["baseq3/x.pk3", "last-stored"],
  ]);
  assertEquals(
    rows[1]?.because,
    "nothing else decides between two packs called x.pk3, and Chomenor's file system takes what is stored further back: " +
      "at byte 59, not 49.",
  );
});

// code/filesystem/fs_misc.c 348: FS_GetModType of ioef-cmod compares without case
vector("chomenor", "BASEMOD in capitals is the override directory too", {
  files: { "BASEMOD/a.pk3": zipOf("all.txt"), "baseq3/pak0.pk3": zipOf("all.txt") },
  expected: { "all.txt": "BASEMOD/a.pk3" },
});

// code/filesystem/fs_lookup.c 143: FS_ConfigureLookupResource looks at the spelling of the mod and the base alone
Deno.test("chomenor: between two spellings of the override directory nothing decides", async () => {
  await using root = await installation({ "BASEMOD/one.cfg": "", "basemod/one.cfg": "", "baseq3/y": "" });
  const [, second] = candidates(root.path, scan(root.path, { profile: "chomenor" }).view(), "one.cfg");
  assertEquals(
    [second?.usable, second?.decidedBy, second?.because?.replaceAll(`${root.path}/`, "")],
    [
      true,
      "index-order",
      "undetermined: no rule decides between basemod and BASEMOD, and pakfs takes what it indexed first.",
    ],
  );
});

// fscore/fsc_main.c 469: FSC_LoadFile compares folders without case
vector("chomenor", "folders of packs count in any case", {
  files: {
    "baseq3/Downloads/zz.pk3": zipOf("both.txt", "download.txt"),
    "baseq3/NoList/a.pk3": zipOf("both.txt"),
    "baseq3/RefOnly/b.pk3": zipOf("only.txt"),
  },
  expected: { "both.txt": "baseq3/NoList/a.pk3", "download.txt": "baseq3/Downloads/zz.pk3", "only.txt": null },
});

// fscore/fsc_pk3.c 590: FSC_Pk3HandleLoad
vector("chomenor", "an encrypted member is chosen, and cannot be read", {
  files: { "baseq3/a.pk3": zipOf("all.txt"), "baseq3/b.pk3": zip([{ name: "all.txt", content: "x", flags: 1 }]) },
  expected: { "all.txt": "baseq3/b.pk3" },
});

Deno.test("chomenor: packs that come with the game win, and are read of other mods, by their checksums", async () => {
  const core = zipOf("all.txt", "core.txt");
  await using root = await installation({
    "baseq3/a.pk3": core,
    "baseq3/z.pk3": zipOf("all.txt"),
    "other/b.pk3": zipOf("core.txt", "other.txt"),
    "third/c.pk3": zipOf("third.txt"),
  });
  const sumOf = (path: string) => {
    using archive = openArchive(`${root.path}/${path}`);
    return pk3Checksum(archive.table, { ofEmpty: null }).checksum;
  };
  const chomenor = profileNamed("chomenor");
  assert(chomenor);
  const winnersOf = (...paths: readonly string[]) => {
    const profile = { ...chomenor, corePacks: [{ mod: null, checksums: paths.map(sumOf), endings: [] }] };
    const view = scan(root.path, { profile, base: "baseq3" }).view("baseq3");
    return ["all.txt", "core.txt", "other.txt", "third.txt"].map((path) => winner(root.path, view, path));
  };
  assertEquals(winnersOf(), ["baseq3/z.pk3", "baseq3/a.pk3", null, null]);
  assertEquals(winnersOf("baseq3/a.pk3"), ["baseq3/a.pk3", "baseq3/a.pk3", null, null]);
  assertEquals(winnersOf("other/b.pk3"), ["baseq3/z.pk3", "other/b.pk3", "other/b.pk3", null]);
});

vector("chomenor", "a directory in downloads/ is no pack", {
  files: { "baseq3/downloads/z.pk3dir/all.txt": "", "baseq3/pak0.pk3": zipOf("pak.txt") },
  expected: { "all.txt": null, "downloads/z.pk3dir/all.txt": "loose baseq3" },
});

vector("chomenor", "game directories that differ only in case are one, and the usual spelling wins a tie", {
  files: {
    "BaseQ3/loose.txt": "other",
    "BaseQ3/both.txt": "other",
    "BaseQ3/pak1.pk3": zipOf("all.txt"),
    "baseq3/both.txt": "own",
    "baseq3/pak0.pk3": zipOf("all.txt"),
  },
  expected: { "loose.txt": "loose BaseQ3", "both.txt": "loose baseq3", "all.txt": "BaseQ3/pak1.pk3" },
});

Deno.test("chomenor: which says that the spelling of the game directory decided between packs in folders", async () => {
  const pack = zipOf("all.txt");
  await using root = await installation({ "BaseQ3/downloads/x.pk3": pack, "baseq3/downloads/x.pk3": pack });
  const rows = candidates(root.path, scan(root.path, { profile: "chomenor" }).view(), "all.txt");
  assertEquals(rows.map(({ source, decidedBy }) => [source, decidedBy]), [
    ["baseq3/downloads/x.pk3", null],
    ["BaseQ3/downloads/x.pk3", "case-match"],
  ]);
});

Deno.test("chomenor: game directories that differ only in case are one game directory", async () => {
  await using root = await installation({ "baseq3/a.txt": "", "tmod/a.txt": "", "TMOD/b.txt": "", "Only/c.txt": "" });
  const [game] = scan(root.path, { profile: "chomenor" }).games;
  assertEquals(game?.gameDirectories.map(({ name, sources }) => [name, sources.length]), [
    ["baseq3", 1],
    ["Only", 1],
    ["tmod", 2],
  ]);
});

Deno.test("chomenor: which says that the spelling of the game directory decided between loose files", async () => {
  await using root = await installation({ "BaseQ3/both.txt": "", "baseq3/both.txt": "" });
  const view = scan(root.path, { profile: "chomenor" }).view();
  assertEquals(candidates(root.path, view, "both.txt").map(({ source, decidedBy }) => [source, decidedBy]), [
    ["baseq3", null],
    ["BaseQ3", "case-match"],
  ]);
});

Deno.test("chomenor: both spellings of a game directory are kept while their disk is away", async () => {
  await using root = await installation({
    "base/baseq3/a.txt": "",
    "base/baseq3/a.pk3": zipOf("a2.txt"),
    "base/BaseQ3/b.txt": "",
    "base/BaseQ3/b.pk3": zipOf("b2.txt"),
    "home/baseq3/c.txt": "",
  });
  const games = [{ profile: "chomenor", sources: [`${root.path}/home`, `${root.path}/base`] }];
  const presence = new RootPresence();
  const before = scanCatalog(games, { presence });
  await Deno.rename(`${root.path}/base`, `${root.path}/away`);
  const after = scanCatalog(games, { presence, previous: before });
  const pathsOf = (catalog: Catalog) =>
    catalog.snapshot.sources.map(({ path, gameDirectory }) => [gameDirectory, path]);
  assertEquals(pathsOf(after).sort(), pathsOf(before).sort());
  assertEquals(pathsOf(after).length, 5);
});

vector("chomenor", "a pack in a directory that is a pack is a pack like any other", {
  files: {
    "baseq3/box.pk3dir/inner.pk3": zipOf("all.txt", "in.txt"),
    "baseq3/box.pk3dir/downloads/z.pk3": zipOf("all.txt", "down.txt"),
    "baseq3/box.pk3dir/refonly/r.pk3": zipOf("ref.txt"),
    "baseq3/a.pk3": zipOf("all.txt"),
  },
  expected: {
    "all.txt": "baseq3/box.pk3dir/inner.pk3",
    "in.txt": "baseq3/box.pk3dir/inner.pk3",
    "down.txt": "baseq3/box.pk3dir/downloads/z.pk3",
    "ref.txt": null,
  },
});
vector("ioquake3", "a pack in a directory that is a pack is none", {
  files: { "baseq3/box.pk3dir/inner.pk3": zipOf("all.txt"), "baseq3/box.pk3dir/x.txt": "" },
  expected: { "all.txt": null, "x.txt": "baseq3/box.pk3dir" },
});

vector("chomenor", "settings are taken from the base alone, and autoexec.cfg from no pack", {
  files: {
    "baseq3/pak0.pk3": zipOf("default.cfg", "autoexec.cfg", "q3config.cfg", "other.cfg"),
    "baseq3/a.pk3dir/q3config.cfg": "",
    "tmod/m.pk3": zipOf("default.cfg", "other.cfg"),
    "tmod/autoexec.cfg": "",
  },
  view: "tmod",
  expected: {
    "default.cfg": "baseq3/pak0.pk3",
    "other.cfg": "tmod/m.pk3",
    "autoexec.cfg": null,
    "q3config.cfg": "baseq3/a.pk3dir",
  },
});

Deno.test("chomenor: all copies of a listed pack rank at its position, downloaded ones after the others", async () => {
  const pack = zipOf("all.txt");
  await using root = await installation({
    "home/baseq3/downloads/z.pk3": pack,
    "home/baseq3/m.pk3": pack,
    "base/baseq3/n.pk3": pack,
    "base/baseq3/other.pk3": zipOf("all.txt", "other.txt"),
  });
  const catalog = scan(root.path, { profile: "chomenor", sources: ["home", "base"], name: "q3" });
  const view = catalog.view("q3/baseq3:pure=m,other");
  assertEquals(winner(root.path, view, "all.txt"), "base/baseq3/n.pk3");
  const usable = candidates(root.path, view, "all.txt").map(({ source, decidedBy }) => `${source} ${decidedBy}`);
  assertEquals(usable, [
    "base/baseq3/n.pk3 null",
    "home/baseq3/m.pk3 pack-name-anywhere",
    "home/baseq3/downloads/z.pk3 pure-list",
    "base/baseq3/other.pk3 pure-list",
  ]);
});

Deno.test("a map that no pack holds prefers no pack", async () => {
  await using root = await installation({ "baseq3/a.pk3": zipOf("all.txt"), "baseq3/z.pk3": zipOf("all.txt") });
  const view = scan(root.path, { profile: "chomenor", name: "q3" }).view("q3/baseq3:map=nowhere");
  assertEquals(candidates(root.path, view, "all.txt")[1]?.decidedBy, "pack-name-anywhere");
});

Deno.test("packs in folders that chomenor searches are not loaded by an engine that the game is compared under", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt"),
    "baseq3/nolist/x.pk3": zipOf("b.txt"),
    "baseq3/downloads/y.pk3": zipOf("b.txt"),
  });
  const catalog = scan(root.path, { profile: "chomenor" });
  const found = (profile: string) => {
    const [game] = catalog.games;
    const view = catalog.view(`${game?.name}/baseq3:profile=${profile}`);
    return [view.game.profile.name, ["a.txt", "b.txt"].map((path) => view.tree.find(path) !== none)];
  };
  assertEquals(found("chomenor"), ["chomenor", [true, true]]);
  assertEquals(found("ioquake3"), ["ioquake3", [true, false]]);
});
