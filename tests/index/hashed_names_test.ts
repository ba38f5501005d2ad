import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { deflateSync } from "node:zlib";
import { hashName } from "../../formats/core/name_hashes.ts";
import { variantNamed } from "../../formats/mod.ts";
import type { Catalog } from "../../views/catalog.ts";
import { GameError } from "../../games/game_error.ts";
import { asPath, fitsKind, mayNameFiles, pathStrings, relatedPaths } from "../../index/scan/path_strings.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { grimrock, join, text, u32 } from "../formats/bytes.ts";
import { hashedPack } from "../formats/hashed.ts";
import { anHourLater, installation, nextTimeStamp, scan, winner, writeFiles, zipOf } from "./fixtures.ts";

function hashOf(path: string, name: string): number {
  const variant = variantNamed(name);
  assert(variant, name);
  return hashName(path, variant);
}

/** A hashed pack of these files. */
function packOf(files: Readonly<Record<string, string | Uint8Array>>, variant: string): Uint8Array {
  return hashedPack(
    Object.entries(files).map(([path, content]) => {
      const bytes = typeof content === "string" ? text(content) : content;
      const compressed = new Uint8Array(deflateSync(bytes));
      return { hash: hashOf(path, variant), data: compressed, size: bytes.length };
    }).sort((a, b) => a.hash - b.hash),
  );
}

const wav = join(text("RIFF"), u32(36), text("WAVEfmt "), new Uint8Array(30));

function digits(path: string, variant: string): string {
  return hashOf(path, variant).toString(16).padStart(8, "0");
}

/** Paths of all files of the only view. */
function files(catalog: Catalog): string[] {
  const view = catalog.view();
  const { snapshot } = catalog;
  const paths = view.searchPath.flatMap((source) =>
    Array.from({ length: source.entryCount }, (_, index) => source.firstEntry + index)
      .filter((entry) => !snapshot.isDirectory(entry) && !view.hides(entry))
      .map((entry) => snapshot.pathOf(snapshot.columns.entryNodes[entry] ?? 0))
  );
  return Array.from(new Set(paths)).sort();
}

const variant = "crc32+lower+backslash";
/** A script names its shader's image without an extension, a map names a sound; one name is only on a list. */
const world = {
  "scripts/walls.txt": "wall\n{\n  map textures/brick/red\n  sound sound/door.wav\n}\n",
  "maps/start.ent": '{\n"classname" "worldspawn"\n"message" "Maps\\\\secret.ent"\n}\n',
  "maps/secret.ent": '{\n"classname" "worldspawn"\n"music" "sound/With Space.wav"\n}\n',
  "textures/brick/red.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]),
  "sound/door.wav": wav,
  "sound/With Space.wav": wav,
  "data/Listed.bin": new Uint8Array([1, 2, 3, 4]),
  "data/never named.bin": new Uint8Array([4, 3, 2, 1]),
};

Deno.test("names are found in other files, scripts, maps and lists, and are names like any other", async () => {
  await using root = await installation({
    "base.pack": packOf(world, variant),
    "maps/start.ent": "changed",
    "readme.txt": "See scripts/walls.txt.",
    "names.lst": "# names\ndata\\Listed.bin\r\n\ndata/other.bin\n",
  });
  const catalog = scan(root.path, { profile: "hashed", names: [`${root.path}/names.lst`] });
  assertEquals(catalog.problems, []);
  assertEquals(
    files(catalog),
    [
      ...Object.keys(world).filter((path) => path !== "data/never named.bin" && path !== "maps/secret.ent"),
      "Maps/secret.ent", // as it is written where it was found
      `unknown/${digits("data/never named.bin", variant)}.bin`,
      "names.lst",
      "readme.txt",
    ].sort(),
  );
  const [pack] = catalog.packs;
  assert(pack?.recovery);
  const { hash, named, files: count, expected, collisions } = pack.recovery;
  assertEquals([hash, named, count, collisions], [variant, 7, 8, []]);
  assert(expected < 0.001);
  // A loose file is searched before the pack's file of the same name.
  assertEquals(winner(root.path, catalog.view(), "maps/start.ent"), "loose .");
  assertEquals(winner(root.path, catalog.view(), "sound/door.wav"), "base.pack");
});

Deno.test("a way of hashing that is given is not looked for", async () => {
  await using root = await installation({
    "base.pack": packOf({ "only.txt": "one", "other.txt": "two" }, "sdbm"),
    "only.txt": "",
  });
  const named = (hash?: string) =>
    scan(root.path, { profile: "hashed", ...(hash === undefined ? {} : { hash }) }).packs[0]?.recovery;
  assertEquals([named("sdbm")?.named, named("fnv1a")?.named], [1, 0]);
  assertEquals([named("fnv1a")?.hash, named()?.hash], ["fnv1a", "sdbm"]);
  assertThrows(() => named("sha1"), GameError, "unknown hash sha1");
  assertThrows(
    () => scanCatalog([{ sources: [root.path], names: [`${root.path}/missing`] }]),
    GameError,
    "list of names not found: ",
  );
});

Deno.test("small packs are packs only where the profile says so; packs that fit no hash stay unnamed", async () => {
  const small = packOf({ "a.txt": "a", "b.txt": "b" }, "fnv1a");
  await using root = await installation({ "small.pack": small, "a.txt": "", "b.txt": "" });
  assertEquals(scan(root.path, { profile: "hashed" }).packs[0]?.format, "hashed-pack");
  assertEquals(scan(root.path, { profile: "generic" }).packs[0]?.failure, "it is not an archive in any known format");
  const alone = scan(root.path, { profile: "hashed", sources: ["small.pack"] });
  assertEquals(
    files(alone),
    [digits("a.txt", "fnv1a"), digits("b.txt", "fnv1a")].sort().map((hash) => `unknown/${hash}.txt`),
  );
  await Deno.writeTextFile(`${root.path}/list`, "a.txt\nb.txt\n");
  const listed = scan(root.path, { profile: "hashed", sources: ["small.pack"], names: [`${root.path}/list`] });
  assertEquals(files(listed), ["a.txt", "b.txt"]);
});

Deno.test("names of other formats without names are found too", async () => {
  const hash = hashOf("assets/scripts/standard.lua", "fnv1a");
  const other = hashOf("assets/scripts/items.lua", "fnv1a");
  await using root = await installation({
    "grimrock.dat": grimrock([[hash, 'import "assets/scripts/items.lua"', true], [other, "items", false]]),
    "names.txt": "assets/scripts/standard.lua\nassets/scripts/items.lua\n",
  });
  assertEquals(files(scan(root.path, { names: [`${root.path}/names.txt`] })), [
    "assets/scripts/items.lua",
    "assets/scripts/standard.lua",
    "names.txt",
  ]);
});

Deno.test("a pack registered later wins", async () => {
  const pack = (content: string) => packOf({ "a.txt": content, "b.txt": content }, "fnv1a");
  await using root = await installation({
    "one.pack": pack("1"),
    "two.pack": pack("2"),
    "list": "a.txt\nb.txt\n",
  });
  const catalog = scan(root.path, { profile: "hashed", names: [`${root.path}/list`] });
  assertEquals(winner(root.path, catalog.view(), "a.txt"), "two.pack");
});

Deno.test("a refresh finds new names, takes back those that nothing supports, and rests otherwise", async () => {
  await using root = await installation({
    "base.pack": packOf({ "a.txt": "a", "b.txt": "b", "c.txt": "c" }, "fnv1a"),
    "a.txt": "loose",
    "b.txt": "loose",
  });
  const game = { sources: [root.path], profile: "hashed" };
  const unknown = (path: string) => `unknown/${digits(path, "fnv1a")}.txt`;
  using _clock = anHourLater();
  const first = scanCatalog([game]);
  assertEquals(files(first), ["a.txt", "b.txt", unknown("c.txt")].sort());
  assertStrictEquals(scanCatalog([game], { previous: first }), first);

  await nextTimeStamp();
  await writeFiles(root.path, { "script.txt": "exec c.txt" });
  const second = scanCatalog([game], { previous: first });
  assertEquals(files(second), ["a.txt", "b.txt", "c.txt", "script.txt"]);
  assertEquals(second.packs[0]?.recovery, scanCatalog([game]).packs[0]?.recovery);

  await nextTimeStamp();
  await Deno.remove(`${root.path}/script.txt`);
  const third = scanCatalog([game], { previous: second });
  assertEquals(files(third), files(first));

  // With another hash no name is found.
  const other = scanCatalog([{ ...game, hash: "crc32" }], { previous: third });
  assertEquals(files(other), files(scanCatalog([{ ...game, hash: "crc32" }])));
  assertEquals(files(scanCatalog([game], { previous: other })), files(first));

  const list = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(list, "c.txt\n");
    const fourth = scanCatalog([{ ...game, names: [list] }], { previous: third });
    assertEquals(files(fourth), ["a.txt", "b.txt", "c.txt"]);
    await nextTimeStamp();
    await Deno.writeTextFile(list, "d.txt\n");
    assertEquals(files(scanCatalog([{ ...game, names: [list] }], { previous: fourth })), files(first));
  } finally {
    await Deno.remove(list);
  }
});

Deno.test("strings that look like paths are taken from text and programs", () => {
  const content = join(
    text('\0\0models\\player.md3\0x\0"With Space/and more.tga" // see ./sound/a.wav, (gfx/b.lmp); c:\\tmp\n'),
    text("word 3.5 ../up/x.txt name. /abs/olute.txt dir/ maps//dm1.bsp "),
    text("가나/다.txt\0"),
  );
  const found = pathStrings(content);
  for (
    const path of [
      "models/player.md3",
      "With Space/and more.tga",
      "sound/a.wav",
      "gfx/b.lmp",
      "abs/olute.txt",
      "maps/dm1.bsp",
      "가나/다.txt",
    ]
  ) assert(found.has(path), `${path} was not found among ${Array.from(found).join(" ")}`);
  for (const path of ["../up/x.txt", "up/x.txt", "word", "name.", "dir/", "dir"]) assert(!found.has(path), path);
  assertEquals(asPath("/a/b"), "a/b");
  for (const odd of ["plain", "a/../b.txt", "a/./b.txt", "../a.txt", "a/..", "a/."]) {
    assertEquals(asPath(odd), undefined);
  }
  for (const path of ["a/..b.txt", "a/b..txt", ".cfg/a", "a/.b"]) assertEquals(asPath(path), path);
  assertEquals([mayNameFiles("a/b.CFG"), mayNameFiles("a.b/c"), mayNameFiles("x.tga")], [true, false, false]);
  assertEquals(relatedPaths("a/b.tga"), ["a/b.jpg", "a/b.png", "a/b.dds"]);
  assert(relatedPaths("a.b/c").includes("a.b/c.md3"));
  assertEquals([fitsKind("a.cfg", "txt"), fitsKind("a.tga", "tga"), fitsKind("a.tga", "jpg")], [true, true, false]);
});

Deno.test("archives in a hashed pack are shown below the names they were given", async () => {
  await using root = await installation({
    "base.pack": packOf({ "inner.pk3": zipOf("maps/a.bsp"), "b.txt": "b" }, "fnv1a"),
    "list": "inner.pk3\nb.txt\n",
  });
  const catalog = scan(root.path, { profile: "hashed", names: [`${root.path}/list`], nested: true });
  assertEquals(files(catalog), ["b.txt", "inner.pk3", "inner.pk3.d/maps/a.bsp", "list"]);
  assertEquals(catalog.packs[0]?.recovery?.named, 2);
});
