/** A view under the rules of another engine equals the view of an index made by its rules, or is an error. */
// deno-lint-ignore-file no-await-in-loop -- one installation after the other
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { none } from "../../index/columns/columns.ts";
import { sortedPacks } from "../../engines/core/shared_parts.ts";
import { generic } from "../../engines/generic.ts";
import { profiles } from "../../engines/table.ts";
import { GameError } from "../../games/game_error.ts";
import type { Catalog } from "../../views/catalog.ts";
import type { View } from "../../views/view.ts";
import { ViewError } from "../../views/view_error.ts";
import { pak, rff, wad, wad2, zip } from "../formats/bytes.ts";
import { type Files, installation, scan } from "../index/fixtures.ts";
import { numbersFrom, type Random, seed } from "../support/chance.ts";

const installations = 45;

const names = ["x.cfg", "sub/y.cfg", "Maps/Z.bsp"];
const pakIn = (random: Random) => pak(names.filter(() => random(2)).map((name) => [name, name]));
const zipIn = (random: Random) =>
  zip([
    ...names.filter((name) => random(name === "Maps/Z.bsp" ? 8 : 2) === 0).map((name) => ({ name, content: name })),
    ...random(10) ? [] : [{ name: random(2) ? "in.pk3" : "in.pak", content: pakIn(random) }],
  ]);
const wadIn = () => wad2("WAD3", [["conchars", 64, "x"], ["x.cfg", 70, "z"]]);
const loose = () => "loose";

/** Files by how many installations have one of them, and what is in them. */
const items: readonly [share: number, paths: readonly string[], make: (random: Random) => Uint8Array | string][] = [
  [2, ["base/pak0.pak", "base/pak1.pak", "base/zz.pak", "mod/pak0.pak", "home/base/pak0.pak"], pakIn],
  [2, ["base/pak0.pk3", "base/a.pk3", "base/B.PK3", "mod/c.pk3", "home/base/d.pk3"], zipIn],
  [8, ["base/e.pk4", "base/f.zip", "base/g.pkz", "mod/h.kpf", "base/i_1.dpk", "base/in/j.pk3"], zipIn],
  [8, ["quakespasm.pak", "base/in/k.pak", "base/pak1.pk3dir/l.pak"], pakIn],
  [12, ["base/m.wad", "base/n.resources", "base/o.vpk", "base/o_dir.vpk"], wadIn],
  [3, ["Mod/x.cfg", "mod/x.cfg", "base/pak.lst", "base/custom/t/x.cfg"], loose],
  [3, ["base/x.cfg", "mod/sub/y.cfg", "home/base/sub/y.cfg"], loose],
  [9, ["base/p.pk3dir/x.cfg", "base/q.dpkdir/x.cfg", "base/r.pakdir/x.cfg", "mod/s.PK3DIR/y"], loose],
  [
    12,
    ["base/pak.lst", "base/mod.txt", "base/custom/t/x.cfg", "base/u.dpk/x.cfg", "base/v.pk3dir"],
    loose,
  ],
];

function filesOf(view: View): string[] {
  const { tree, snapshot } = view;
  const found: string[] = [];
  for (let node = tree.following(0); node !== none; node = tree.following(node)) {
    const entry = tree.entries[node] ?? none;
    // Files in a directory that is a pack are not also indexed as loose files.
    if (entry === none || /dir\//i.test(tree.pathOf(node))) continue;
    found.push(`${tree.pathOf(node)}: ${snapshot.memberOf(entry)} of ${snapshot.sourceOf(entry).path}`);
  }
  return found.sort();
}

/** Returns the views of a game under another engine, or null if one is refused. */
function underEngine(catalog: Catalog, profile: string): View[] | null {
  try {
    return catalog.views.map(({ gameDirectory }) => catalog.view(`g/${gameDirectory.name}:profile=${profile}`));
  } catch (error) {
    if (error instanceof ViewError) return null;
    throw error;
  }
}

Deno.test("a view under another engine equals the view of an index made by its rules, or is an error", async () => {
  const random = numbersFrom(seed);
  const families = [
    ["quake", "quakespasm", "ironwail", "qss", "darkplaces", "ftequake", "ezquake", "xash3d"],
    ["quake2", "yquake2", "q2pro", "q2rtx", "vkquake2"],
    ["quake3", "ioquake3", "quake3e", "spearmint", "chomenor", "openjk", "iortcw-mp", "etlegacy", "daemon"],
    ["dhewm3", "rbdoom3bfg", "generic", "source"],
  ];
  const known = profiles.map(({ name }) => name);
  assert(families.flat().every((name) => known.includes(name)));
  const counted = { same: 0, refused: 0 };
  for (let number = 0; number < installations; number++) {
    const files: Record<string, Uint8Array | string> = { "base/there.cfg": "", "home/base/there.cfg": "" };
    for (const [share, paths, make] of items) {
      for (const path of paths) if (random(share) === 0) files[path] = make(random);
    }
    await using root = await installation(files as Files);
    const family = families[random(families.length)] ?? [];
    const own = family[random(family.length)] ?? "";
    const options = { name: "g", base: "base", sources: ["home", ""] };
    const indexOf = (profile: string) => {
      try {
        return scan(root.path, { ...options, profile });
      } catch (error) {
        if (error instanceof GameError) return undefined;
        throw error;
      }
    };
    const catalog = indexOf(own);
    for (const other of random(4) ? family : [known[random(known.length)] ?? own]) {
      const views = catalog && catalog.views.length > 0 ? underEngine(catalog, other) : null;
      counted[views ? "same" : "refused"]++;
      if (!views) continue;
      const fresh = indexOf(other);
      const wanted = fresh && catalog?.views.map(({ gameDirectory }) => filesOf(fresh.view(`g/${gameDirectory.name}`)));
      assertEquals(views.map(filesOf), wanted, `${own} as ${other}`);
    }
  }
  assert(counted.same > installations && counted.refused > installations, JSON.stringify(counted));
});

const doom2 = wad([["MAP01", ""], ["THINGS", "x"]], "IWAD");
const member = (name: string, content: string | Uint8Array = "x") => zip([{ name, content }]);

/** Files, the engine of their index, another that cannot read it, and why. */
const refusals: readonly (readonly [files: Files, own: string, other: string, reason: string])[] = [
  [{ "doom2.wad": doom2 }, "gzdoom", "quake", named("quake")],
  [{ "doom2.wad": doom2 }, "gzdoom", "boom", named("boom")],
  [{ "base/doom2.wad": doom2 }, "quake", "gzdoom", named("gzdoom")],
  [{ "base/a.pak": pak([["A.cfg", "x"]]), "base/b.pk3": member("A.cfg") }, "ftequake", "qss", "A.cfg counts in small"],
  [{ "base/b.pk3": member("A.cfg") }, "qss", "darkplaces", "A.cfg counts in small letters here only"],
  [{ "base/a.pk3": member("in.pak") }, "darkplaces", "ftequake", "in.pak in a.pk3 would be a pack"],
  [{ "base/a.pk3": member("in.pak", pak([["a", ""]])) }, "ftequake", "darkplaces", "a.pk3 holds packs"],
  [{ "base/a.pk3dir/in.pak": pak([["a", ""]]) }, "ftequake", "darkplaces", "a.pk3dir/in.pak is a pack in a directory"],
  [{ "base/a.wad": wadIn() }, "xash3d", "generic", "a.wad has other names of lumps there"],
  [{ "base/x.cfg": "" }, "quake3", "daemon", "orders packs by other lists"],
  [{ "base/x.cfg": "", "mod/x.cfg": "", "Mod/x.cfg": "" }, "ioquake3", "chomenor", "takes game directories whose"],
  [{ "base/x.cfg": "", "mod/x.cfg": "", "Mod/x.cfg": "" }, "chomenor", "ioquake3", "takes game directories whose"],
  [{ "base/x.cfg": "", "ironwail.pak": pak([["a", ""]]) }, "quakespasm", "ironwail", "ironwail.pak would be a pack"],
  [{ "base/a.pk3dir/x.cfg": "" }, "quake3", "ioquake3", "a.pk3dir would be a pack"],
  [{ "base/A.PK2": member("x") }, "quake2", "yquake2", "a.pk2 would be a pack"],
  [{ "base/pak.lst": "" }, "darkplaces", "ftequake", "pak.lst would be read"],
  [{ "base/custom/x.cfg": "" }, "generic", "xash3d", "custom would be read"],
];

function named(other: string): string {
  return `its lumps are named by the engine's rules; "pakfs diff --engine ${other}" compares them`;
}

Deno.test("an engine that would read what an index has not is refused with what it would read", async () => {
  for (const [files, own, other, reason] of refusals) {
    await using root = await installation(files);
    const isDoom = "doom2.wad" in files;
    const options = isDoom ? { iwad: `${root.path}/doom2.wad`, sources: ["doom2.wad"] } : { base: "base" };
    const catalog = scan(root.path, { name: "g", profile: own, ...options });
    const { message } = assertThrows(
      () => catalog.view(`g:profile=${other}`),
      ViewError,
      undefined,
      `${own}, ${other}`,
    );
    assertStringIncludes(message, `g cannot be compared under ${other}: `);
    assertStringIncludes(message, reason, `${own}, ${other}`);
  }
});

Deno.test("packs in packs are no files of a view under a setting of the engine either", async () => {
  await using root = await installation({
    "id1/a.pk3": zip([{ name: "b.pak", content: pak([["x", "y"]]) }]),
    "id1/loose.cfg": "",
  });
  const catalog = scan(root.path, { name: "g", profile: "ezquake" });
  assertEquals(filesOf(catalog.view("g:with=-nohome")), filesOf(catalog.view()));
  assertEquals(filesOf(catalog.view()).length, 2);
});

Deno.test("a directory in a pack is no pack to another engine, whatever its name", async () => {
  await using root = await installation({
    "base/a.pk3": zip([{ name: "in.pak/", content: "" }, { name: "in.pak/a", content: "x" }]),
  });
  const catalog = scan(root.path, { name: "g", profile: "darkplaces", base: "base" });
  assertEquals(filesOf(catalog.view("g:profile=ftequake")), filesOf(catalog.view()));
});

Deno.test("a pack that another engine names in full is one of its packs under both", async () => {
  const bloodRff = rff(0x200, [{ name: "X", extension: "Y", content: "1" }], () => null);
  await using root = await installation({ "blood.rff": bloodRff, "data.bin": pak([["a", ""]]), "x.cfg": "" });
  const catalog = scan(root.path, { name: "g", profile: "nblood" });
  const packsOf = (view: View) => view.searchPath.filter(({ kind }) => kind === "pack").map(({ name }) => name);
  assertEquals(packsOf(catalog.view("g:profile=raze")), ["blood.rff"]);
  const packs = [{ ...sortedPacks, suffixes: ["data.bin"] }];
  const named = scan(root.path, { name: "g", profile: { ...generic, origin: "generic", name: "own", packs } });
  assertEquals(packsOf(named.view()), ["data.bin"]);
});

Deno.test("one archive, and a game whose archives in packs are shown, are compared under no other engine", async () => {
  await using root = await installation({ "id1/pak0.pak": pak([["a", "x"]]), "alone.pak": pak([["a", "x"]]) });
  const alone = scan(root.path, { name: "g", sources: ["alone.pak"] });
  assertThrows(() => alone.view("g:profile=quake"), ViewError, "g cannot be compared under quake: it is one archive");
  const nested = scan(root.path, { name: "g", profile: "quake", nested: true });
  assertThrows(() => nested.view("g:profile=darkplaces"), ViewError, "archives in packs are shown as directories");
});
