/** Packs in packs, and searched WADs, by the sources of FTE, ezQuake and Xash3D; and their limits. */
import { assertEquals, assertThrows } from "@std/assert";
import { none } from "../../index/columns/columns.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { Catalog } from "../../views/catalog.ts";
import { ViewError } from "../../views/view_error.ts";
import { whichCandidates } from "../../views/which.ts";
import { join, pak, pakEntry, text, u32, wad2, zip } from "../formats/bytes.ts";
import { anHourLater, type Files, installation, nextTimeStamp, scan, writeFiles } from "./fixtures.ts";

/** Members by name: strings, or nested packs. */
interface Members {
  readonly [name: string]: string | Members;
}

/** Makes a pack in the format of its extension; `deflated` compresses its members. */
function packOf(name: string, members: Members, deflated = false): Uint8Array {
  const made = Object.entries(members).map(([member, content]) =>
    [
      member,
      typeof content === "string" ? new TextEncoder().encode(content) : packOf(member, content, deflated),
    ] as const
  );
  if (/\.pak$/i.test(name)) return pak(made);
  return zip(made.map(([member, content]) => ({ name: member, content, method: deflated ? 8 : 0 })));
}

/** Returns the content of the winner of a path; asserts that `which` and the tree agree. */
async function answer(profile: string, files: Files, qpath: string): Promise<string | null> {
  await using root = await installation(files);
  const view = scan(root.path, { profile, name: "game" }).view();
  const [first] = whichCandidates(view, qpath).filter(({ usable }) => usable);
  const node = view.tree.find(qpath);
  const entry = node === none ? none : view.tree.entries[node] ?? none;
  assertEquals(entry === none ? undefined : view.snapshot.memberOf(entry), first?.member, `the tree, ${qpath}`);
  return first?.member ?? null;
}

/** Engine, packs, and the member that answers `x`. */
const vectors: readonly (readonly [engine: string, packs: Readonly<Record<string, Members>>, wins: string | null])[] = [
  // A pack comes before its nested packs, and these are in the order of packs in a directory.
  ["ftequake", { "a.pk3": { x: "outer", "pak0.pak": { x: "inner" } } }, "x"],
  ["ftequake", { "a.pk3": { "pak0.pak": { x: "inner" }, "pak1.pak": { x: "" } } }, "pak1.pak/x"],
  ["ftequake", { "a.pk3": { "pak1.pak": { x: "" }, "zz.pak": { x: "" }, "aa.pk3": { x: "" } } }, "aa.pk3/x"],
  ["ftequake", { "a.pk3": { "PAK0.PAK": { x: "" } } }, "PAK0.PAK/x"],
  ["ftequake", { "a.pk3": { "PAK0.PAK": { x: "" }, "aa.pak": { x: "" } } }, "aa.pak/x"],
  ["ftequake", { "a.pk3": { "zz.pak": { x: "" }, "pak0.pak": { x: "" }, "pak.lst": "zz.pak" } }, "pak0.pak/x"],
  [
    "ftequake",
    { "a.pk3": { "sub/B.pak": { x: "" }, "c.pak": { x: "" }, "pak.lst": "c.pak sub/b.PAK" } },
    "sub/B.pak/x",
  ],
  [
    "ftequake",
    { "a.pk3": { "sub/B.pak": { x: "" }, "c.zip": { x: "" }, "pak.lst": "c.zip sub/b.PAK" } },
    "sub/B.pak/x",
  ],
  ["ftequake", { "a.pk3": { "b.pk3": { "c.pk3": { x: "" } }, "a.pk3": { x: "" } } }, "b.pk3/c.pk3/x"],
  ["ftequake", { "a.pk3": { "b.pk3": { x: "", "c.pk3": { x: "" } } } }, "b.pk3/x"],
  ["ftequake", { "pak0.pak": { "b.pak": { x: "" } }, "pak1.pak": { y: "" } }, "b.pak/x"],
  ["ftequake", { "a.pk3": { "sub/pak0.pak": { x: "" }, "b.zip": { x: "" } } }, null],
  ["ftequake", { "b.pk3": { "pak0.pak": { x: "" } }, "a.pk3": { x: "" } }, "pak0.pak/x"],
  // Nested packs come before their pack: Quake PAKs only, the last listed one first.
  ["ezquake", { "a.pk3": { x: "outer", "pak0.pak": { x: "inner" } } }, "pak0.pak/x"],
  ["ezquake", { "a.pk3": { "pak1.pak": { x: "" }, "pak0.pak": { x: "" } } }, "pak0.pak/x"],
  // src/fs.c 2716: FS_AddWildDataFiles, whose * matches folders too; it lowers names in zips, but not in Quake PAKs
  ["ezquake", { "a.pk3": { "sub/pak0.pak": { x: "" } } }, "sub/pak0.pak/x"],
  ["ezquake", { "a.pak": { "sub/b.pak": { x: "" }, "a.pak": { x: "" } } }, "a.pak/x"],
  ["ezquake", { "a.pk3": { "Sub/B.PAK": { x: "" } } }, "Sub/B.PAK/x"],
  ["ezquake", { "a.pak": { "B.PAK": { x: "" } } }, null],
  ["ezquake", { "a.pak": { "B.PAK": { x: "" }, "b.pak": { x: "" } } }, "b.pak/x"],
  ["ezquake", { "a.pk3": { "b.pak": { "C.PAK": { x: "" } } } }, null],
  ["ezquake", { "a.pk3": { x: "", "b.pk3": { x: "" } } }, "x"],
  ["ezquake", { "pak0.pak": { x: "", "b.pak": { x: "", "c.pak": { x: "" } } } }, "b.pak/c.pak/x"],
  ["ezquake", { "a.pk3": { x: "", "pak.lst": "zz.pak", "b.pak": { x: "" } } }, "b.pak/x"],
  // Other engines search no packs in packs.
  ["qss", { "a.pk3": { x: "outer", "pak0.pak": { x: "inner" } } }, "x"],
  ["darkplaces", { "a.pk3": { "pak0.pak": { x: "inner" } } }, null],
];

for (const [engine, packs, wins] of vectors) {
  Deno.test(`${engine}: of ${JSON.stringify(packs)}, ${wins ?? "nothing"} answers`, async () => {
    for (const deflated of [false, true]) {
      const files = Object.entries(packs).map(([name, members]) => [`id1/${name}`, packOf(name, members, deflated)]);
      // deno-lint-ignore no-await-in-loop -- one installation after the other
      assertEquals(await answer(engine, Object.fromEntries(files), "x"), wins, deflated ? "deflated" : "stored");
    }
  });
}

const picture = 66;
const texture = 67;
const gfx = wad2("WAD3", [["CONCHARS", picture, "gfx"], ["*water", texture, "gfx"], ["twin", texture, "1"], [
  "twin",
  texture,
  "2",
]]);
const other = wad2("WAD2", [["conchars", picture, "other"]]);
const inGfx = wad2("WAD3", [["conchars", picture, "packed"]]);

/** Files of `valve`, a path, and the member that answers it. */
const lumps: readonly (readonly [files: Files, qpath: string, wins: string | null])[] = [
  [{ "gfx.wad": gfx }, "gfx/conchars.lmp", "CONCHARS"],
  [{ "gfx.wad": gfx }, "conchars.lmp", "CONCHARS"],
  [{ "gfx.wad": gfx }, "conchars.mip", null],
  [{ "gfx.wad": gfx }, "other/conchars.lmp", null],
  [{ "gfx.wad": gfx }, "gfx/!water.mip", "*water"],
  [{ "gfx.wad": gfx, "zz.wad": other }, "conchars.lmp", "conchars"],
  [{ "gfx.wad": gfx, "aa.wad": other }, "conchars.lmp", "CONCHARS"],
  [{ "gfx.wad": gfx, "conchars.lmp": "loose" }, "conchars.lmp", "conchars.lmp"],
  [{ "gfx.wad": gfx, "gfx.wad.txt": "" }, "gfx.wad", "gfx.wad"],
  [{ "gfx.wad": gfx, "zz.pk3": packOf("pk3", { "conchars.lmp": "x" }) }, "conchars.lmp", "CONCHARS"],
  // FWGS/xash3d-fwgs#1213: the directory's WAD comes before a pack's WAD, and that before its pack.
  [{ "gfx.wad": gfx, "pak0.pak": pak([["gfx.wad", inGfx]]) }, "gfx/conchars.lmp", "CONCHARS"],
  [{ "pak0.pak": pak([["gfx/conchars.lmp", "own"], ["gfx.wad", inGfx]]) }, "gfx/conchars.lmp", "gfx.wad/conchars"],
  [{ "pak0.pak": pak([["a.wad", other], ["b.wad", inGfx]]) }, "conchars.lmp", "b.wad/conchars"],
  [{ "pak0.pak": pak([["sub/gfx.wad", inGfx]]) }, "conchars.lmp", null],
  [{ "a.pk3dir/gfx.wad": inGfx, "a.pk3dir/conchars.lmp": "x" }, "conchars.lmp", "conchars"],
  [{ "a.pk3dir/gfx.wad": inGfx, "b.pk3dir/conchars.lmp": "x" }, "conchars.lmp", "conchars.lmp"],
  [{ "a.pk3dir/gfx.wad": inGfx }, "gfx.wad", "gfx.wad"],
  [{ "a.pk3": zip([{ name: "gfx.wad", content: inGfx, method: 8 }]) }, "conchars.lmp", "gfx.wad/conchars"],
];

for (const [index, [files, qpath, wins]] of lumps.entries()) {
  const names = Object.keys(files).join(", ");
  Deno.test(`xash3d: ${wins ?? "nothing"} answers ${qpath} of ${names} (${index})`, async () => {
    const placed = Object.entries(files).map(([name, content]) => [`valve/${name}`, content]);
    assertEquals(await answer("xash3d", Object.fromEntries(placed), qpath), wins);
  });
}

Deno.test("of lumps of one name and type the one counts that the engine's search meets", async () => {
  // Higher types sort first, and the search looks at the middle of twin, twin and twin.
  const twins = wad2("WAD3", [["twin", picture, ""], ["twin", texture, "1"], ["twin", texture, "22"]]);
  await using root = await installation({ "valve/gfx.wad": gfx, "valve/twins.wad": twins });
  const catalog = scan(root.path, { profile: "xash3d", name: "game" });
  const sizes = (path: string) => whichCandidates(catalog.view(), path).map(({ size, usable }) => usable && size);
  // The search looks at the second and then the third of !water, conchars, twin and twin.
  assertEquals([sizes("gfx/twin.mip"), sizes("twins/twin.mip")], [[1], [2]]);
  const warning = "1 of its lumps have names that the engine does not find";
  assertEquals(catalog.snapshot.sources.flatMap(({ warnings }) => warnings), [warning, warning]);
});

Deno.test("which says why a pack in a pack wins or loses, and hides the pack itself", async () => {
  const inner = { x: "", "b.pak": { x: "" } };
  await using root = await installation({
    "id1/a.pk3": packOf("a.pk3", { x: "", "z.pak": inner, "c.pak": { x: "" } }),
  });
  const reasons = (profile: string) => {
    const view = scan(root.path, { profile, name: "game" }).view();
    assertEquals(view.tree.find("z.pak"), none);
    assertEquals(
      whichCandidates(view, "z.pak").map(({ reason }) => reason),
      ["it is a pack on the search path, not a file of the view"],
    );
    return whichCandidates(view, "x").map(({ member, because }) => [member, because]);
  };
  const last = "and the pack that is loaded last wins.";
  assertEquals(reasons("ftequake"), [
    ["x", null],
    ["z.pak/x", "FTE searches packs in a pack after the pack around them, and a.pk3/z.pak lies in a.pk3."],
    ["z.pak/b.pak/x", "FTE searches packs in a pack after the pack around them, and a.pk3/z.pak/b.pak lies in a.pk3."],
    ["c.pak/x", "FTE searches packs in a pack after the pack around them, and a.pk3/c.pak lies in a.pk3."],
  ]);
  assertEquals(reasons("ezquake"), [
    ["c.pak/x", null],
    ["z.pak/b.pak/x", `a.pk3/c.pak is loaded after a.pk3/z.pak/b.pak, ${last}`],
    ["z.pak/x", `a.pk3/c.pak is loaded after a.pk3/z.pak, ${last}`],
    ["x", "ezQuake searches packs in a pack before the pack around them, and a.pk3/c.pak lies in a.pk3."],
  ]);
  const catalog = scan(root.path, { profile: "ftequake", name: "game" });
  // A pack's own tree has just the files that it stores.
  const [tree] = catalog.packs.map((source) => catalog.packTree(source));
  assertEquals(Array.from(tree?.nodes.subarray(1) ?? [], (node) => catalog.snapshot.pathOf(node)).sort(), [
    "c.pak",
    "x",
    "z.pak",
  ]);
  assertThrows(
    () => catalog.view("game:profile=qss"),
    ViewError,
    "game cannot be compared under qss: a.pk3 holds packs that are searched in another order, or not at all",
  );
  assertThrows(
    () => scan(root.path, { profile: "qss", name: "game" }).view("game:profile=ftequake"),
    ViewError,
    "game cannot be compared under ftequake: z.pak in a.pk3 would be a pack",
  );
});

Deno.test("a refresh after which packs lie in each other otherwise, and all names are the same, gives a new tree", async () => {
  await using root = await installation({ "id1/a.pk3": packOf("a.pk3", { "b.pak": { x: "b" }, "c.pak": { x: "c" } }) });
  const options = [{ sources: [root.path], profile: "ezquake", name: "game" }];
  const winnerIn = (catalog: Catalog) => {
    const { tree, snapshot } = catalog.view();
    return snapshot.memberOf(tree.entries[tree.find("x")] ?? none);
  };
  using _clock = anHourLater();
  const before = scanCatalog(options);
  assertEquals(winnerIn(before), "c.pak/x");
  await nextTimeStamp();
  await writeFiles(root.path, { "id1/a.pk3": packOf("a.pk3", { "b.pak": { "c.pak": { x: "c" }, x: "b" } }) });
  const after = scanCatalog(options, { previous: before });
  assertEquals(winnerIn(after), "b.pak/c.pak/x");
  assertEquals(scanCatalog(options, { previous: after }), after, "nothing has changed");
});

Deno.test("a pack in a pack that is damaged, of another format or too deep is a sentence, and left out", async () => {
  let deep: Members = { x: "deep" };
  for (let depth = 6; depth > 0; depth--) deep = { [`d${depth}.pak`]: deep };
  const stored = packOf("a.pk3", { "a.pak": { x: "damaged" } });
  // The checksum of the inner pack no longer matches.
  const at = new TextDecoder("latin1").decode(stored).indexOf("damaged");
  stored[at] = 0;
  await using root = await installation({
    "id1/a.pk3": stored,
    "id1/b.pk3": zip([{ name: "b.pak", content: zip([{ name: "x", content: "" }]) }]),
    "id1/c.pk3": packOf("c.pk3", deep, true),
  });
  const { snapshot, views } = scan(root.path, { profile: "ftequake", name: "game" });
  assertEquals(whichCandidates(views[0] ?? scan(root.path, {}).view(), "x"), []);
  const warnings = snapshot.sources.flatMap(({ name, warnings }) => warnings.map((text) => `${name}: ${text}`));
  assertEquals(warnings.map((text) => text.replace(/a.pak is damaged.*/, "...")), [
    "a.pk3: a.pak is not searched: ...",
    "b.pk3: b.pak is not searched: it is not in the format quake-pak",
    "c.pk3: d1.pak/d2.pak/d3.pak/d4.pak/d5.pak is not searched: it lies in packs deeper than 4",
  ]);
});

Deno.test("of packs in a pack that are too many, or have too long paths, the rest is a sentence", async () => {
  const empty = pak([]);
  // Each link is the same range of the file.
  const entries = Array.from({ length: 1100 }, (_, index) => pakEntry(`${index}.pak`, 12, empty.length));
  const [outer, inner] = [`${"l".repeat(200)}.pak`, `${"m".repeat(52)}.pak`];
  await using root = await installation({
    "id1/a.pak": join(text("PACK"), u32(12 + empty.length, entries.length * 64), empty, ...entries),
    "id1/b.pk3": packOf("b.pk3", { [outer]: { [inner]: { x: "" } } }),
  });
  const { snapshot } = scan(root.path, { profile: "ezquake", name: "game" });
  const warnings = snapshot.sources.flatMap(({ name, warnings }) => warnings.map((one) => `${name}: ${one}`));
  assertEquals(warnings, [
    "a.pak: 99.pak and what is loaded before it is not searched: 1000 packs in it are, with 1100 files",
    `b.pk3: ${outer}/${inner} is not searched: its path has more than 256 characters`,
  ]);
});
