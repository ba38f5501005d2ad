import { limitRows } from "../../questions/limits.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { Catalog } from "../../views/catalog.ts";
import { none } from "../../index/columns/columns.ts";
import type { Game, GameDirectory } from "../../index/columns/game.ts";
import type { Profile } from "../../engines/core/profile.ts";
import { profileNamed, profiles } from "../../engines/table.ts";
import { SnapshotBuilder } from "../../index/columns/snapshot_builder.ts";
import type { View } from "../../views/view.ts";
import { whichCandidates } from "../../views/which.ts";
import { pak, zip } from "../formats/bytes.ts";
import { candidates, installation, pakOf, scan, zipOf } from "../index/fixtures.ts";
import { fold } from "../index/model.ts";
import { description, tableOf } from "../index/snapshots.ts";

/** A candidate as one line: what a user reads about it. */
function lines(root: string, view: View, qpath: string): string[] {
  return candidates(root, view, qpath).map((row) =>
    `${row.rank} ${row.usable ? "+" : "-"} ${row.gameDirectory} ${row.kind} ${row.source}: ` +
    `${row.decidedBy ?? "winner"}: ${row.because ?? row.reason ?? ""}`
      .replace(/winner: (?=.)/, "").replaceAll(root, "ROOT")
  );
}

Deno.test("which lists pak0, pak1, loose and a mod in engine order with the rule that decided", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("gfx/palette.lmp"),
    "id1/pak1.pak": pakOf("gfx/palette.lmp"),
    "id1/gfx/palette.lmp": "loose",
    "mod/gfx/palette.lmp": "loose in a mod",
    "mod/pak0.pak": pakOf("gfx/palette.lmp"),
  });
  const catalog = scan(root.path, { profile: "quake" });
  const packFirst = "pak0.pak is a pack, and Quake searches the packs of a directory before its loose files.";
  assertEquals(lines(root.path, catalog.view("mod"), "gfx/palette.lmp"), [
    "1 + mod pack mod/pak0.pak: winner: ",
    `2 + mod loose mod: pack-over-loose: ${packFirst}`,
    "3 + id1 pack id1/pak1.pak: game-directory: mod is searched before id1.",
    "4 + id1 pack id1/pak0.pak: game-directory: mod is searched before id1.",
    "5 + id1 loose id1: game-directory: mod is searched before id1.",
  ]);
  const rows = candidates(root.path, catalog.view("mod"), "gfx/palette.lmp");
  assertEquals(rows.map(({ size }) => size), [15, 14, 15, 15, 5]);
  assertEquals(lines(root.path, catalog.view("id1"), "gfx/palette.lmp"), [
    "1 + id1 pack id1/pak1.pak: winner: ",
    "2 + id1 pack id1/pak0.pak: pack-number: pak1.pak has a higher number than pak0.pak, and the higher number wins.",
    "3 + id1 loose id1: pack-over-loose: pak1.pak is a pack, and Quake searches the packs of a directory before its " +
    "loose files.",
    "4 - mod pack mod/pak0.pak: mod is not on the search path of " + catalog.view("id1").name,
    "5 - mod loose mod: mod is not on the search path of " + catalog.view("id1").name,
  ]);
});

Deno.test("which explains source directories, pack names and duplicates of ioquake3", async () => {
  await using root = await installation({
    "home/baseq3/zz.pk3": zipOf("a.txt"),
    "base/baseq3/pak0.pk3": zipOf("a.txt", "b.txt", "A.TXT"),
    "base/baseq3/pak1.pk3": zipOf("b.txt"),
    "base/baseq3/pak1.pk3dir/b.txt": "in a pk3dir",
    "base/baseq3/a.txt": "loose",
    "base/baseq3/B.TXT": "loose",
  });
  const view = scan(root.path, { profile: "ioquake3", sources: ["home", "base"] }).view();
  assertEquals(lines(root.path, view, "a.txt"), [
    "1 + baseq3 pack home/baseq3/zz.pk3: winner: ",
    "2 + baseq3 loose base/baseq3: source-directory: ROOT/home is searched before ROOT/base.",
    "3 + baseq3 pack base/baseq3/pak0.pk3: source-directory: ROOT/home is searched before ROOT/base.",
    "4 + baseq3 pack base/baseq3/pak0.pk3: source-directory: ROOT/home is searched before ROOT/base.",
  ]);
  assertEquals(candidates(root.path, view, "a.txt").map((row) => row.member), ["a.txt", "a.txt", "A.TXT", "a.txt"]);
  assertEquals(lines(root.path, view, "b.txt").slice(0, 2), [
    "1 + baseq3 pack base/baseq3/pak1.pk3dir: winner: ",
    "2 + baseq3 pack base/baseq3/pak1.pk3: pack-name: pak1.pk3dir sorts after pak1.pk3, and the pack that sorts last wins.",
  ]);
  assertEquals(lines(root.path, view, "b.txt").slice(3), [
    '4 - baseq3 loose base/baseq3: it is spelled "B.TXT", and ioquake3 finds loose files only by their own spelling',
  ]);
  assertEquals(lines(root.path, view, "B.TXT").slice(0, 2), [
    "1 + baseq3 loose base/baseq3: winner: ",
    "2 + baseq3 pack base/baseq3/pak1.pk3: loose-over-pack: ioquake3 searches the loose files of a directory before " +
    "packs such as pak1.pk3.",
  ]);
});

Deno.test("which explains the order of two packs, and of two members of one pack", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt", "twice.txt", "TWICE.txt"),
    "baseq3/pak1.pk3": zipOf("a.txt"),
  });
  const view = scan(root.path, { profile: "ioquake3" }).view();
  assertEquals(lines(root.path, view, "a.txt"), [
    "1 + baseq3 pack baseq3/pak1.pk3: winner: ",
    "2 + baseq3 pack baseq3/pak0.pk3: pack-name: pak1.pk3 sorts after pak0.pk3, and the pack that sorts last wins.",
  ]);
  assertEquals(lines(root.path, view, "twice.txt"), [
    "1 + baseq3 pack baseq3/pak0.pk3: winner: ",
    "2 + baseq3 pack baseq3/pak0.pk3: last-in-pack: pak0.pk3 holds the name more than once, and ioquake3 takes the last.",
  ]);
  assertEquals(candidates(root.path, view, "twice.txt").map((row) => row.member), ["TWICE.txt", "twice.txt"]);
});

Deno.test("which explains QuakeSpasm's own pack and the first of two members", async () => {
  await using root = await installation({
    "quakespasm.pak": pakOf("a.txt", "b.txt"),
    "id1/pak0.pak": pak([["a.txt", "1"], ["a.txt", "22"], ["b.txt", ""]]),
    "id1/pak1.pak": pakOf("b.txt"),
  });
  const view = scan(root.path, { profile: "quakespasm" }).view();
  const own = "QuakeSpasm places its own pack between pak0.pak and pak1.pak.";
  assertEquals(lines(root.path, view, "a.txt"), [
    "1 + id1 pack quakespasm.pak: winner: ",
    `2 + id1 pack id1/pak0.pak: pack-number: quakespasm.pak is searched before pak0.pak: ${own}`,
    `3 + id1 pack id1/pak0.pak: pack-number: quakespasm.pak is searched before pak0.pak: ${own}`,
  ]);
  assertEquals(candidates(root.path, view, "a.txt").map((row) => row.size), [5, 1, 2]);
  assertEquals(lines(root.path, view, "b.txt"), [
    "1 + id1 pack id1/pak1.pak: winner: ",
    `2 + id1 pack quakespasm.pak: pack-number: pak1.pak is searched before quakespasm.pak: ${own}`,
    "3 + id1 pack id1/pak0.pak: pack-number: pak1.pak has a higher number than pak0.pak, and the higher number wins.",
  ]);
});

Deno.test("which lists unusable candidates last, each with its reason", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("a.txt"),
    "id1/pak2.pak": pakOf("a.txt"),
    "id1/PAK1.PAK": pakOf("a.txt"),
    "id1/extra.pk3": zipOf("a.txt"),
    "id1/A.TXT": "loose, in capitals",
    "mod/a.txt": "another mod",
  });
  const view = scan(root.path, { profile: "quake", name: "game" }).view();
  const only = "Quake loads only packs named pak0.pak, pak1.pak, and so on";
  assertEquals(lines(root.path, view, "a.txt"), [
    "1 + id1 pack id1/pak0.pak: winner: ",
    "2 - id1 pack id1/pak2.pak: pak2.pak is not loaded: pak1.pak is missing, and Quake stops at the first missing number",
    `3 - id1 pack id1/PAK1.PAK: PAK1.PAK is not loaded: ${only}; renamed to pak1.pak it would be one of them`,
    `4 - id1 pack id1/extra.pk3: extra.pk3 is not loaded: ${only}`,
    '5 - id1 loose id1: it is spelled "A.TXT", and Quake is case-sensitive',
    "6 - mod loose mod: mod is not on the search path of game/id1",
  ]);
  // For a spelling that no file has, every candidate is explained.
  assertEquals(lines(root.path, view, "a.Txt").length, 6);
  assertEquals(candidates(root.path, view, "a.Txt").filter((row) => row.usable), []);
});

Deno.test("which names an ignored ending of ioquake3, and an empty pack of QuakeSpasm", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt"),
    "baseq3/pak1.zip": zipOf("a.txt"),
    "quake/id1/pak0.pak": pakOf("a.txt"),
    "quake/id1/pak1.pak": pakOf(),
    "quake/id1/pak2.pak": pakOf("a.txt"),
  });
  assertEquals(lines(root.path, scan(root.path, { profile: "ioquake3" }).view(), "a.txt"), [
    "1 + baseq3 pack baseq3/pak0.pk3: winner: ",
    "2 - baseq3 pack baseq3/pak1.zip: pak1.zip is not loaded: ioquake3 loads only packs ending in .pk3 or .pk3dir",
  ]);
  const quakespasm = scan(`${root.path}/quake`, { profile: "quakespasm" });
  assertEquals(lines(`${root.path}/quake`, quakespasm.view(), "a.txt"), [
    "1 + id1 pack id1/pak0.pak: winner: ",
    "2 - id1 pack id1/pak2.pak: pak2.pak is not loaded: pak1.pak is empty, and QuakeSpasm stops at the first missing number",
  ]);
  assertEquals(quakespasm.packs.find((pack) => pack.name === "pak1.pak")?.ignored, "it has no files");
});

Deno.test("a damaged member is not used while a sound one has the name, and says what is wrong", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt", "only.txt"),
    "baseq3/pak1.pk3": zip([
      { name: "a.txt", content: "x", packedSize: 1000, size: 1000 },
      { name: "b.txt", content: "x", packedSize: 1000, size: 1000 },
    ]),
  });
  const view = scan(root.path, { profile: "ioquake3" }).view();
  const [good, bad, ...others] = candidates(root.path, view, "a.txt");
  assertEquals([good?.source, good?.usable], ["baseq3/pak0.pk3", true]);
  assertEquals([bad?.source, bad?.usable, others], ["baseq3/pak1.pk3", false, []]);
  assertEquals(
    bad?.reason,
    "a.txt: its data (1,000 bytes at byte 0) reaches past the end; this file cannot be read, the others can",
  );
  const [only] = candidates(root.path, view, "b.txt");
  assertEquals([only?.rank, only?.usable, only?.decidedBy], [1, false, null]);
  // The file is listed nevertheless, as it would be missed; reading it fails.
  assertEquals(view.tree.isDirectory(view.tree.find("b.txt")), false);
});

Deno.test("a pack on the search path is no file of its view, and which says so", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt"), "id1/pak2.pak": pakOf("a.txt") });
  const view = scan(root.path, { profile: "quake" }).view();
  assertEquals(lines(root.path, view, "pak0.pak"), [
    "1 - id1 loose id1: it is a pack on the search path, not a file of the view",
  ]);
  assertEquals(view.tree.find("pak0.pak"), none);
  assertEquals(candidates(root.path, view, "pak2.pak").map((row) => row.usable), [true]);
});

Deno.test("which of nothing, of the root and of a directory is empty", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("maps/start.bsp") });
  const view = scan(root.path, { profile: "quake" }).view();
  for (const qpath of ["", "/", "maps", "maps/", "maps/none.bsp", "none/none", "maps/start.bsp/x"]) {
    assertEquals(whichCandidates(view, qpath), [], qpath);
  }
  for (const qpath of ["maps/start.bsp", "/maps/start.bsp", "./maps//start.bsp"]) {
    assertEquals(whichCandidates(view, qpath).length, 1, qpath);
  }
});

Deno.test("a file next to a directory of its name is requested by either name", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("sound"),
    "baseq3/pak1.pk3": zipOf("sound/x.wav"),
    "mod/sound": "loose",
  });
  const view = scan(root.path, { profile: "ioquake3", name: "q3" }).view("q3/mod");
  for (const qpath of ["sound~file", "sound"]) {
    assertEquals(candidates(root.path, view, qpath).map((row) => [row.source, row.member, row.usable]), [
      ["mod", "sound", true],
      ["baseq3/pak0.pk3", "sound", true],
    ]);
  }
});

for (
  const [name, archive, sizes, rule] of [
    ["twice.pak", pak([["a.txt", "1"], ["a.txt", "22"]]), [1, 2], "first-in-pack"],
    ["twice.zip", zip([{ name: "a.txt", content: "1" }, { name: "a.txt", content: "22" }]), [2, 1], "last-in-pack"],
  ] as const
) {
  Deno.test(`${name} alone: its rule chooses between two members in the tree and in which`, async () => {
    await using root = await installation({ [name]: archive });
    const view = scan(root.path, { sources: [name] }).view();
    const entry = view.tree.entries[view.tree.find("a.txt")] ?? none;
    assertEquals(view.snapshot.columns.entrySizes[entry], sizes[0]);
    assertEquals(candidates(root.path, view, "a.txt").map((row) => [row.size, row.decidedBy]), [
      [sizes[0], null],
      [sizes[1], rule],
    ]);
  });
}

Deno.test("which explains the order of pack types, and orders that engines leave open", async () => {
  await using root = await installation({
    "q1/id1/pak0.pak": pak([["a.txt", "1"], ["A.txt", "22"]]),
    "q1/id1/a.pk3": zipOf("a.txt"),
    "q2/baseq2/pak0.pak": pakOf("a.txt"),
    "q2/baseq2/pak3.pak": pakOf("a.txt"),
    "q2/baseq2/pak0.pk3": zipOf("a.txt"),
    "q2/baseq2/x.pak": pakOf("a.txt"),
    "q2/baseq2/y.pak": pakOf("a.txt"),
    "q2/baseq2/PAK4.pak": pakOf("a.txt"),
  });
  assertEquals(lines(root.path, scan(root.path, { profile: "darkplaces", sources: ["q1"] }).view(), "a.txt"), [
    "1 + id1 pack q1/id1/a.pk3: winner: ",
    "2 + id1 pack q1/id1/pak0.pak: pack-type: a.pk3 is searched before pak0.pak: DarkPlaces searches pk3 files and " +
    "directories before pak files.",
    "3 + id1 pack q1/id1/pak0.pak: pack-type: a.pk3 is searched before pak0.pak: DarkPlaces searches pk3 files and " +
    "directories before pak files.",
  ]);
  assertEquals(lines(root.path, scan(root.path, { profile: "yquake2", sources: ["q2"] }).view(), "a.txt"), [
    "1 + baseq2 pack q2/baseq2/y.pak: winner: ",
    "2 + baseq2 pack q2/baseq2/x.pak: pack-number-or-listing: undetermined: y.pak sorts after x.pak, but Yamagi Quake II " +
    "loads such packs in whatever order the directory lists them; rename one if it matters.",
    "3 + baseq2 pack q2/baseq2/pak0.pk3: pack-type: y.pak is searched before pak0.pk3: Yamagi Quake II searches other " +
    "pak files before numbered pk3 files.",
    "4 + baseq2 pack q2/baseq2/pak3.pak: pack-type: y.pak is searched before pak3.pak: Yamagi Quake II searches other " +
    "pak files before numbered pak files.",
    "5 + baseq2 pack q2/baseq2/pak0.pak: pack-type: y.pak is searched before pak0.pak: Yamagi Quake II searches other " +
    "pak files before numbered pak files.",
    "6 - baseq2 pack q2/baseq2/PAK4.pak: PAK4.pak is not loaded: Yamagi Quake II loads only packs ending in .pak, .pk2, " +
    ".pk3, .pkz or .zip, and numbered ones only in small letters; renamed to pak4.pak it would be one of them",
  ]);
});

// FS_AddGameDirectory, FS_SortFileList and FS_PathCmp: Quake3e code/qcommon/files.c
Deno.test("packs whose names an engine takes for one are searched in an order that nothing determines", async () => {
  await using root = await installation({
    "baseq3/Zed.pk3": zipOf("a.txt"),
    "baseq3/zed.pk3": zipOf("a.txt"),
    "baseq3/pak0.pk3": zipOf("a.txt"),
  });
  const view = scan(root.path, { profile: "quake3e" }).view();
  const [, tied, lower] = candidates(root.path, view, "a.txt");
  assertEquals(
    [tied?.because, lower?.because],
    [
      "undetermined: Quake3e takes zed.pk3 and Zed.pk3 for one name, and the listing of the directory decides; rename " +
      "one if it matters.",
      "zed.pk3 sorts after pak0.pk3, and the pack that sorts last wins.",
    ],
  );
  const ties = limitRows(view).find(({ limit }) => limit === "tied-packs");
  assertEquals([ties?.over, ties?.largest], [1, 2]);
  await Deno.remove(`${root.path}/baseq3/Zed.pk3`);
  const alone = limitRows(scan(root.path, { profile: "quake3e" }).view());
  assertEquals(alone.some(({ limit }) => limit === "tied-packs"), false);
});

Deno.test("which says of a loose file in a directory with capitals why dhewm3 does not find it", async () => {
  await using root = await installation({
    "base/pak000.pk4": zipOf("Maps/a.map"),
    "base/Maps/A.map": "loose",
    "d3xp/maps/A.map": "loose",
  });
  const catalog = scan(root.path, { profile: "dhewm3" });
  for (const asked of ["Maps/A.map", "maps/a.map"]) {
    assertEquals(lines(root.path, catalog.view(), asked).slice(0, 2), [
      "1 + base pack base/pak000.pk4: winner: ",
      '2 - base loose base: it is spelled "Maps/A.map", and dhewm3 finds loose files only in directories that are named in ' +
      "small letters",
    ]);
    assertEquals(lines(root.path, catalog.view("d3xp"), asked)[0], "1 + d3xp loose d3xp: winner: ");
  }
});

Deno.test("which says that of two spellings of a loose file the one requested answers", async () => {
  await using root = await installation({
    "baseq2/one.cfg": "1",
    "baseq2/One.cfg": "22",
    "baseq2/pak0.pak": pakOf("x"),
  });
  const view = scan(root.path, { profile: "yquake2" }).view();
  assertEquals(lines(root.path, view, "One.cfg"), [
    "1 + baseq2 loose baseq2: winner: ",
    "2 + baseq2 loose baseq2: own-spelling: it is spelled as it was requested, and Yamagi Quake II looks for that first.",
  ]);
  assertEquals(candidates(root.path, view, "One.cfg").map((row) => row.member), ["One.cfg", "one.cfg"]);
  assertEquals(candidates(root.path, view, "ONE.cfg").map((row) => [row.member, row.usable]), [
    ["one.cfg", true],
    ["One.cfg", false],
  ]);
});

// --- Random games, against a naive search -------------------------------------------------------------------------

interface RandomSource {
  readonly isMod: boolean;
  readonly rootIndex: number;
  readonly kind: "pack" | "loose";
  readonly order: number;
  readonly isIgnored: boolean;
  readonly files: readonly { readonly name: string; readonly isDamaged: boolean }[];
}

const name = fc.oneof(
  fc.constantFrom("a", "A", "b", "x/a", "X/a", "x/B"),
  fc.array(fc.constantFrom("x", "X", "y", "Y", "a", "A", "xY", "XY"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/")),
  fc.constantFrom("autoexec.cfg", "Autoexec.cfg", "maps.lst", "players/a", "Players/a", "players/A"),
);
const anySource: fc.Arbitrary<RandomSource> = fc.record({
  isMod: fc.boolean(),
  rootIndex: fc.integer({ min: 0, max: 1 }),
  kind: fc.constantFrom<"pack" | "loose">("pack", "pack", "loose"),
  order: fc.integer({ min: 0, max: 20 }),
  isIgnored: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  files: fc.array(fc.record({ name, isDamaged: fc.integer({ min: 0, max: 4 }).map((number) => number === 0) }), {
    maxLength: 8,
  }),
});

/** A directory has each name once; a pack may list it again. */
const randomSource = anySource.map((source): RandomSource => {
  const isFirst = (name: string, index: number) => source.files.findIndex((file) => file.name === name) === index;
  return source.kind === "pack"
    ? source
    : { ...source, files: source.files.filter(({ name }, index) => isFirst(name, index)) };
});

function isBefore(profile: Profile, a: RandomSource, b: RandomSource): boolean {
  const packsFirst = ["quake3e", "redeclipse", "raze", "d1x-rebirth", "d2x-rebirth"].includes(profile.name);
  const looseFirstOfAll = ["etlegacy", "rbdoom3bfg", "eduke32", "voidsw", "nblood", "descent3"].includes(profile.name);
  if ((packsFirst || looseFirstOfAll) && a.kind !== b.kind) return (a.kind === "loose") === looseFirstOfAll;
  if (a.isMod !== b.isMod) return a.isMod;
  if (a.rootIndex !== b.rootIndex) return a.rootIndex < b.rootIndex;
  const looseFirst = profile.rules.includes("loose-over-pack");
  if (a.kind !== b.kind) return (a.kind === "loose") === looseFirst;
  return profile.rules.includes("first-name-guess") ? a.order < b.order : a.order > b.order;
}

/** The file that DarkPlaces meets: names are put into a sorted list one by one, then it is halved again and again. */
function metFirst({ files }: RandomSource, qpath: string): number {
  const halve = (list: readonly number[], isBeyond: (name: string) => boolean, isIt: (name: string) => boolean) => {
    let left = 0;
    let right = list.length - 1;
    while (left <= right) {
      const middle = Math.floor((left + right) / 2);
      const name = fold(files[list[middle] ?? 0]?.name ?? "");
      if (isIt(name)) return middle;
      if (isBeyond(name)) right = middle - 1;
      else left = middle + 1;
    }
    return left;
  };
  const list: number[] = [];
  for (const [index, { name }] of files.entries()) {
    list.splice(halve(list, (other) => other > fold(name), () => false), 0, index);
  }
  return list[halve(list, (name) => name > fold(qpath), (name) => name === fold(qpath))] ?? -1;
}

/** Whether an engine looks for a path among loose files only, some of them whatever the spelling that is requested. */
function isLooseOnly(profile: Profile, withMod: boolean, qpath: string): boolean {
  if (["quake3e", "openjk", "kmquake2", "urbanterror"].includes(profile.name)) return fold(qpath) === "autoexec.cfg";
  if (
    ["ioquake3", "spearmint", "iortcw-mp", "iortcw-sp", "openmohaa", "jk2mv", "worldofpadman"].includes(profile.name)
  ) {
    return qpath === "autoexec.cfg";
  }
  return profile.name === "yquake2" && !withMod && (qpath === "maps.lst" || qpath.startsWith("players/"));
}

/** Every file of the name, in the order of a naive search, as `source:entry`. */
function searchByHand(profile: Profile, sources: readonly RandomSource[], withMod: boolean, qpath: string): string[] {
  const order = sources.map((source, id) => ({ source, id }))
    .filter(({ source }) => !source.isIgnored && (withMod || !source.isMod));
  // Insertion sort that uses only "is searched before".
  const sorted: typeof order = [];
  for (const item of order) {
    const index = sorted.findIndex((other) => isBefore(profile, item.source, other.source));
    sorted.splice(index < 0 ? sorted.length : index, 0, item);
  }
  const first = sorted.find(({ source }) =>
    source.files.some((file) => !file.isDamaged && fold(file.name) === fold(qpath))
  );
  const isHidden = profile.looseList !== null && first?.source.kind === "loose" &&
    !first.source.files.some((file) => !file.isDamaged && file.name === qpath);
  return sorted.flatMap(({ source, id }) => {
    // The files of the mod that is played are still opened.
    if (isHidden && (source.kind === "pack" || !source.isMod)) return [];
    if (source.kind === "pack" && isLooseOnly(profile, withMod, qpath)) return [];
    const found = source.files.flatMap((file, index) => {
      const isFolded = profile.ignoreCase && fold(file.name) === fold(qpath);
      const isFound = source.kind === "pack" || profile.looseCase === "any" ||
        (profile.looseCase === "small-directory" && !/[A-Z].*\//.test(file.name)) ||
        (/^own-or/.test(profile.looseCase) && file.name === fold(file.name)) ||
        (profile.looseCase === "own-or-one-case" && file.name === file.name.toUpperCase());
      const isNever = source.kind === "loose" && profile.looseCase === "small-directory" && !isFound;
      const same = !isNever && (file.name === qpath || (isFolded && isFound));
      return same && !file.isDamaged ? [`${id}:${index}`] : [];
    });
    const inOrder = profile.duplicates === "first" ? found : found.reverse();
    const met = profile.duplicates === "met" && source.kind === "pack" ? `${id}:${metFirst(source, qpath)}` : "";
    if (inOrder.includes(met)) return [met, ...inOrder.filter((key) => key !== met)];
    const isOwn = (key: string) => source.files[Number(key.split(":")[1])]?.name === qpath;
    if (source.kind === "pack" || !profile.rules.includes("own-spelling")) return inOrder;
    return [...inOrder.filter(isOwn), ...inOrder.filter((key) => !isOwn(key))];
  });
}

function randomGame(profile: Profile, sources: readonly RandomSource[]): Catalog {
  const builder = new SnapshotBuilder();
  const added = sources.map((source, index) =>
    builder.addSource(
      description({
        gameDirectory: source.isMod ? "mod" : "base",
        rootIndex: source.rootIndex,
        kind: source.kind,
        format: source.kind === "loose" ? "loose" : "zip",
        path: `/game/${index}`,
        name: `${index}.pk3`,
        order: source.kind === "loose" ? 0 : source.order,
        ignored: source.isIgnored ? "it is ignored" : null,
      }),
      tableOf(source.files.map((file) => ({ path: file.name, isDirectory: false, isDamaged: file.isDamaged }))),
    )
  );
  const directory = (name: string): GameDirectory => ({
    name,
    sources: added.filter((source) => source.gameDirectory === name).map((source) => source.id),
  });
  const game: Game = {
    id: 0,
    name: "game",
    // Packs with these names are left out by some engines.
    profile: { ...profile, leftOut: [] },
    because: "",
    roots: ["/home", "/base"],
    base: "base",
    isArchive: false,
    gameDirectories: [directory("base"), directory("mod")],
    packEntries: new Map(),
    pure: null,
    names: { lists: [], hash: null },
    strict: false,
    nested: false,
    followSymlinks: false,
  };
  return new Catalog({ snapshot: builder.finish(), games: [game], problems: [] });
}

/** Two packs of one directory with the same position do not exist; nor do two loose sources of it. */
function distinct(sources: readonly RandomSource[]): RandomSource[] {
  const seen = new Set<string>();
  return sources.filter((source) => {
    const key = `${source.isMod} ${source.rootIndex} ${source.kind === "loose" ? "loose" : source.order}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

Deno.test("winners and the order of candidates match a search by hand, where directories are searched in turn", () => {
  const inTurn = profiles.filter((profile) => profile.rules.includes("game-directory"));
  const profileNames = fc.constantFrom(...inTurn.map((profile) => profile.name));
  fc.assert(
    fc.property(
      profileNames,
      fc.array(randomSource, { maxLength: 8 }).map(distinct),
      name,
      (wanted, sources, other) => {
        const profile = profileNamed(wanted);
        if (!profile) throw new Error(wanted);
        const catalog = randomGame(profile, sources);
        const asked = new Set([other, ...sources.flatMap(({ files }) => files.slice(0, 2).map((file) => file.name))]);
        for (const [withMod, qpath] of Array.from(asked).flatMap((path) => [[true, path], [false, path]] as const)) {
          const view = catalog.view(withMod ? "game/mod" : "game/base");
          const expected = searchByHand(profile, sources, withMod, qpath);
          const rows = whichCandidates(view, qpath);
          const usable = rows.filter((row) => row.usable);
          assertEquals(rows.slice(0, usable.length), usable, "unusable ones come last");
          assertEquals(rows.map((row) => row.rank), rows.map((_, index) => index + 1));
          const entries = expected.map((key) => {
            const [id = 0, index = 0] = key.split(":").map(Number);
            return [`/game/${id}`, index + 1];
          });
          // An entry's size is its number and one, see tableOf.
          assertEquals(usable.map((row) => [row.source, row.size]), entries);
          assertEquals(usable.slice(1).every((row) => row.decidedBy !== null && row.because !== null), true);

          // The tree has the files that the engine finds: under the requested spelling, and under listed ones.
          const sound = (node: number) => {
            const entry = node === none ? none : view.tree.entries[node] ?? none;
            if (entry === none || view.snapshot.columns.entryDamage[entry] !== 0) return undefined;
            const source = view.snapshot.sourceOf(entry);
            return `${source.id}:${entry - source.firstEntry}`;
          };
          const found = view.tree.find(qpath);
          const below = sources.flatMap((source) => source.files)
            .filter((file) => fold(file.name).startsWith(`${fold(qpath)}/`));
          const isThere = below.some((file) =>
            searchByHand(profile, sources, withMod, qpath + file.name.slice(qpath.length)).length > 0
          );
          const isDirectory = found !== none && view.tree.isDirectory(found);
          if (isThere) assert(isDirectory, `${wanted}: ${qpath} is a directory`);
          // In small letters a directory is found in any spelling, but not all that is in it.
          const mayBeEmpty = below.some((file) => file.isDamaged) || /^own-or/.test(profile.looseCase) ||
            profile.looseList !== null;
          if (isDirectory && !isThere) assert(mayBeEmpty, `${wanted}: ${qpath} is no directory`);
          // A file next to a directory of its name has another name.
          if (isDirectory) {
            const first = view.tree.firstChildren[found] ?? 0;
            for (let child = first; child < first + (view.tree.childCounts[found] ?? 0); child++) {
              const path = `${qpath}/${view.tree.nameOf(child)}`;
              if (view.tree.isDirectory(child) || /~file$/.test(path)) continue;
              assertEquals(sound(child), searchByHand(profile, sources, withMod, path)[0], `${wanted}: in ${path}`);
              assertEquals(view.tree.find(path), child);
            }
            continue;
          }
          assertEquals(sound(found), expected[0], `${wanted}: ${qpath}`);
          if (found !== none && expected.length > 0) {
            assertEquals(view.losersTo(view.tree.entries[found] ?? none, qpath).length, expected.length - 1);
          }
          for (let node = view.tree.following(0); node !== none; node = view.tree.following(node)) {
            if (view.tree.isDirectory(node)) continue;
            const listed = view.tree.askedPathOf(node);
            assertEquals(
              sound(node),
              searchByHand(profile, sources, withMod, listed)[0],
              `${wanted}: listed ${listed}`,
            );
          }
        }
      },
    ),
    { numRuns: 1000 },
  );
});
