import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "../support/fast_check.ts";
import { compileGlob } from "../../formats/core/glob.ts";
import { none } from "../../index/columns/columns.ts";
import type { FindFilters } from "../../questions/filters.ts";
import { findFiles } from "../../questions/find.ts";
import type { View } from "../../views/view.ts";
import { type Files, installation, pakOf, scan, zipOf } from "../index/fixtures.ts";

const quake: Files = {
  "id1/pak0.pak": pakOf("maps/start.bsp", "maps/e1m1.bsp", "sound/misc/menu1.wav", "gfx/palette.lmp", "default.cfg"),
  "id1/pak1.pak": pakOf("maps/e2m1.bsp", "sound/misc/menu1.wav", "Maps/Odd.BSP"),
  "id1/autoexec.cfg": "fov 100",
  "id1/config.CFG": "",
};

function found(view: View, patterns: string[], filters: FindFilters = {}, after = 0): string[] {
  return Array.from(findFiles(view, patterns, filters, after))
    .filter((node) => node !== none).map((node) => view.tree.pathOf(node));
}

Deno.test("find compares a pattern without a slash with names, one with a slash with whole paths", async () => {
  await using root = await installation(quake);
  const view = scan(root.path, { profile: "quake" }).view();
  assertEquals(found(view, ["*.bsp"]), ["maps/e1m1.bsp", "maps/e2m1.bsp", "maps/start.bsp"]);
  assertEquals(found(view, ["e?m1.bsp"]), ["maps/e1m1.bsp", "maps/e2m1.bsp"]);
  assertEquals(found(view, ["maps/*"]), ["maps/e1m1.bsp", "maps/e2m1.bsp", "maps/start.bsp"]);
  assertEquals(found(view, ["sound/**"]), ["sound/misc/menu1.wav"]);
  assertEquals(found(view, ["sound/*.wav"]), []);
  assertEquals(found(view, ["**/*.wav"]), ["sound/misc/menu1.wav"]);
  assertEquals(found(view, ["default.cfg", "palette.lmp"]), ["default.cfg", "gfx/palette.lmp"]);
  assertEquals(found(view, ["{start,e1m1}.bsp"]), ["maps/e1m1.bsp", "maps/start.bsp"]);
  assertEquals(found(view, ["maps"]), [], "directories are not files");
  assertEquals(found(view, ["./maps/start.bsp"]), ["maps/start.bsp"]);
});

Deno.test("find with a pattern that begins with a slash looks at the root only", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.cfg", "sub/a.cfg", "sub/b.cfg") });
  const view = scan(root.path, { profile: "quake" }).view();
  assertEquals(found(view, ["/*.cfg"]), ["a.cfg"]);
  assertEquals(found(view, ["/sub/*.cfg"]), ["sub/a.cfg", "sub/b.cfg"]);
});

Deno.test("find without patterns, and with *, finds every file in the order of a walk", async () => {
  await using root = await installation(quake);
  const view = scan(root.path, { profile: "quake" }).view();
  const everything = [
    "autoexec.cfg",
    "config.CFG",
    "default.cfg",
    "gfx/palette.lmp",
    "Maps/Odd.BSP",
    "maps/e1m1.bsp",
    "maps/e2m1.bsp",
    "maps/start.bsp",
    "sound/misc/menu1.wav",
  ];
  for (const patterns of [[], ["*"], ["**"], ["**/*"], ["nothing", "*"], ["/**"]]) {
    assertEquals(found(view, patterns), everything, patterns.join(" "));
  }
});

Deno.test("find follows the engine's rule of case", async () => {
  await using root = await installation({ ...quake, "baseq3/pak0.pk3": zipOf("Maps/Q3DM1.bsp", "maps/q3dm2.BSP") });
  const quakeView = scan(root.path, { profile: "quake" }).view();
  assertEquals(found(quakeView, ["*.BSP"]), ["Maps/Odd.BSP"]);
  assertEquals(found(quakeView, ["Maps/*"]), ["Maps/Odd.BSP"]);
  const ioquake3View = scan(root.path, { profile: "ioquake3" }).view();
  assertEquals(found(ioquake3View, ["*.BSP"]).length, 2);
  assertEquals(found(ioquake3View, ["MAPS/q3DM?.bsp"]).length, 2);
});

Deno.test("find filters by size, source and extension, all at once", async () => {
  await using root = await installation(quake);
  const view = scan(root.path, { profile: "quake" }).view();
  assertEquals(found(view, [], { extensions: ["cfg"] }), ["autoexec.cfg", "config.CFG", "default.cfg"]);
  assertEquals(found(view, [], { extensions: [".CFG", "lmp"] }).length, 4);
  assertEquals(found(view, [], { extensions: ["fg"] }), []);
  assertEquals(found(view, [], { minSize: 15, maxSize: 15 }), ["gfx/palette.lmp"]);
  assertEquals(found(view, [], { maxSize: 0 }), ["config.CFG"]);
  assertEquals(found(view, [], { minSize: 1e15 }), []);
  const fromPak1 = ["Maps/Odd.BSP", "maps/e2m1.bsp", "sound/misc/menu1.wav"];
  assertEquals(found(view, [], { source: "pak1.pak" }), fromPak1);
  assertEquals(found(view, [], { source: `${root.path}/id1/pak1.pak` }), fromPak1);
  assertEquals(found(view, [], { source: "pak0.pak" }), [
    "default.cfg",
    "gfx/palette.lmp",
    "maps/e1m1.bsp",
    "maps/start.bsp",
  ]);
  assertEquals(found(view, [], { source: "id1" }).length, 9);
  assertEquals(found(view, [], { source: `${root.path}/id1` }), ["autoexec.cfg", "config.CFG"]);
  assertEquals(found(view, [], { source: "nowhere" }), []);
  assertEquals(found(view, ["*.bsp"], { source: "pak1.pak", minSize: 1, extensions: ["bsp"] }), ["maps/e2m1.bsp"]);
});

Deno.test("find continues after any node it has found", async () => {
  await using root = await installation(quake);
  const view = scan(root.path, { profile: "quake" }).view();
  const nodes = Array.from(findFiles(view, ["*.{bsp,cfg}"]));
  const paths = nodes.map((node) => view.tree.pathOf(node));
  for (const [index, node] of nodes.entries()) {
    assertEquals(found(view, ["*.{bsp,cfg}"], {}, node), paths.slice(index + 1));
  }
});

Deno.test("find stops sometimes, so that others have their turn", async () => {
  const names = (pack: number) => Array.from({ length: 9000 }, (_, index) => `dir${pack}/${index}`);
  const packs = Array.from({ length: 5 }, (_, pack) => [`id1/pak${pack}.pak`, pakOf(...names(pack))] as const);
  await using root = await installation(Object.fromEntries(packs));
  const view = scan(root.path, { profile: "quake" }).view();
  const answers = Array.from(findFiles(view, ["1"]));
  assertEquals(answers.filter((node) => node === none).length, 2);
  assertEquals(
    answers.filter((node) => node !== none).map((node) => view.tree.pathOf(node)),
    [0, 1, 2, 3, 4].map((pack) => `dir${pack}/1`),
  );
});

Deno.test("find refuses a pattern that is too long", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a") });
  const view = scan(root.path, { profile: "quake" }).view();
  assertThrows(() => found(view, ["a".repeat(5000)]), RangeError, "the pattern is 5000 characters long");
});

Deno.test("find yields by work, so that patterns times names never pass in one turn", async () => {
  const names = Array.from({ length: 3000 }, (_, index) => `d${index % 7}/name${index}x.tga`);
  await using root = await installation({ "id1/pak0.pak": pakOf(...names) });
  const view = scan(root.path, { profile: "quake" }).view();
  const nonesOf = (patterns: readonly string[]) =>
    Array.from(findFiles(view, patterns)).filter((node) => node === none).length;
  const globs = Array.from({ length: 200 }, (_, index) => `[n]*${index}?none*`);
  // 600,000 comparisons, each of at least one unit of work; 100,000 units are one turn.
  for (const patterns of [globs, globs.map((glob) => `**/${glob}`)]) assert(nonesOf(patterns) >= 6, patterns[0]);
  // Names without wildcards cost the same in any number.
  assertEquals(nonesOf(Array.from({ length: 9000 }, (_, index) => `none${index}`)), 0);
});

Deno.test("find refuses more patterns than it could compare, and takes as many as it can", async () => {
  await using root = await installation(quake);
  const view = scan(root.path, { profile: "quake" }).view();
  const many = (count: number, pattern: string) => Array.from({ length: count }, (_, index) => `${pattern}${index}`);
  assertEquals(found(view, [...many(9999, "x"), "start.bsp"]), ["maps/start.bsp"]);
  assertThrows(() => findFiles(view, [...many(10_000, "x"), "x"]), RangeError, "10001 patterns; the maximum is 10000");
  assertEquals(found(view, [...many(999, "*x"), "s*rt.bsp"]), ["maps/start.bsp"]);
  assertThrows(() => findFiles(view, many(1001, "*x")), RangeError, "1001 patterns with wildcards");
  const characters = (count: number) => Array.from({ length: count / 4096 }, (_, i) => `*${i}`.padEnd(4096, "x"));
  assertEquals(found(view, characters(65_536)), []);
  assertThrows(() => findFiles(view, [...characters(65_536), "?"]), RangeError, "65537 characters");
});

Deno.test("find takes the files that the pattern alone takes, for any pattern", async () => {
  const names = [
    "a",
    "ab",
    "abc",
    "Abc",
    "abC",
    "a[b",
    "a]b",
    "a{b",
    "a,b",
    "b}a",
    "a\\b",
    "ä",
    "äb",
    "ba",
    "c.a",
    "{a",
    "[a",
    "d/a",
    "D/b",
    "d/d/aB",
    "[a]",
    "{a,b}",
  ];
  await using root = await installation({ "base/pak0.pak": pakOf(...names), "base/pak1.pk3": zipOf(...names) });
  const piece = fc.constantFrom("a", "b", "A", "c", "ä", "*", "?", "[", "]", "{", "}", ",", "\\", "!", ".", "d/", "/");
  for (const profile of ["quake", "ioquake3"]) {
    const view = scan(root.path, { profile, base: "base" }).view();
    const files = found(view, []);
    const holds = (pattern: string) => {
      const test = compileGlob(pattern.replace(/^\.\//, "/"), { ignoreCase: view.game.profile.ignoreCase });
      assertEquals(found(view, [pattern]), files.filter(test), pattern);
    };
    names.forEach(holds);
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join("")), holds),
      { numRuns: 2000 },
    );
  }
});
