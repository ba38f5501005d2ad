// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertNotEquals, assertStrictEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import type { Catalog } from "../../views/catalog.ts";
import { type CatalogChanges, catalogChanges, isNoChange } from "../../views/changes.ts";
import { none } from "../../index/columns/columns.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import { TreeRows } from "../../questions/rows.ts";
import { isDirectorySource } from "../../index/columns/source.ts";
import { winsOf } from "../../questions/source_counts.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { View } from "../../views/view.ts";
import { zip } from "../formats/bytes.ts";
import { assertSame, treeChanges } from "./answers.ts";
import { anHourLater, installation, nextTimeStamp, pakOf, writeFiles, zipOf } from "./fixtures.ts";

/** Longer than a tick of a file system's clock: older files are trusted. */
const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 70));

/** Content of a tree by path: `directory`, or the identity of a file. */
function shown(view: View): Map<string, string> {
  const paths = new Map<string, string>();
  const { tree, snapshot } = view;
  for (let node = tree.following(0); node !== none; node = tree.following(node)) {
    if (tree.isDirectory(node)) {
      paths.set(tree.pathOf(node), "directory");
      continue;
    }
    const { source, member, offset, size, mtime } = new TreeRows(view).ofFile(node);
    const { identity, format } = snapshot.sourceOf(tree.entries[node] ?? none);
    const archive = isDirectorySource({ format }) ? "" : JSON.stringify(identity);
    paths.set(tree.pathOf(node), [source, member, offset, size, mtime, archive].join(" "));
  }
  return paths;
}

/** The differences of two trees, found by comparing all their paths. */
function differences(before: View, after: View): string[] {
  const old = shown(before);
  const now = shown(after);
  const found: string[] = [];
  for (const [path, what] of old) {
    const other = now.get(path);
    if (other === undefined) found.push(`removed ${path}`);
    else if (other !== what && (other === "directory" || what === "directory")) {
      found.push(`removed ${path}`, `added ${path}`);
    } else if (other !== what) found.push(`changed ${path}`);
  }
  for (const path of now.keys()) if (!old.has(path)) found.push(`added ${path}`);
  return found.sort();
}

function assertDifferences(before: Catalog, after: Catalog): void {
  for (const view of after.views) {
    const old = before.views.find((other) => other.name === view.name);
    if (!old) continue;
    const reported = treeChanges(old.tree, view.tree).map(({ change, qpath }) => `${change} ${qpath}`);
    assertEquals(reported.sort(), differences(old, view));
  }
}

/** One change of an installation. */
type Step =
  | { readonly kind: "write"; readonly path: string; readonly members: readonly string[] }
  | { readonly kind: "replace"; readonly path: string; readonly members: readonly string[] }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "damage"; readonly path: string }
  | { readonly kind: "spoil"; readonly path: string; readonly member: number }
  | { readonly kind: "touch"; readonly path: string }
  | { readonly kind: "wait" };

const packPaths = ["baseq3/pak0.pk3", "baseq3/map.pk3", "baseq3/old.pak", "mod/pak0.pk3", "mod/z.pk3", "other/a.pk3"];
const loosePaths = [
  "baseq3/a.txt",
  "baseq3/maps/x.bsp",
  "baseq3/maps/deep/y.bsp",
  "baseq3/zz.pk3dir/a.txt",
  "baseq3/zz.pk3dir/maps/x.bsp",
  "mod/A.txt",
  "mod/sound",
  "other/readme",
];
const members = ["a.txt", "A.txt", "maps/x.bsp", "sound", "sound/x.wav", "sound~file", "Sound~FILE", "../up.txt", "b"];

const member = fc.uniqueArray(fc.constantFrom(...members), { maxLength: 5 });
const pack = fc.constantFrom(...packPaths);
const anything = fc.constantFrom(...packPaths, ...loosePaths);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path: anything, members: member }),
  fc.record({ kind: fc.constant("replace" as const), path: pack, members: member }),
  fc.record({
    kind: fc.constant("remove" as const),
    path: fc.constantFrom(...packPaths, ...loosePaths, "mod", "baseq3/maps", "baseq3/zz.pk3dir"),
  }),
  fc.record({ kind: fc.constant("damage" as const), path: pack }),
  fc.record({ kind: fc.constant("spoil" as const), path: pack, member: fc.nat(3) }),
  fc.record({ kind: fc.constant("touch" as const), path: anything }),
  fc.record({ kind: fc.constant("wait" as const) }),
);

/** Toggles the encrypted flag of a member of a zip: names and sizes stay, its readability changes. */
async function toggleEncryption(path: string, member: number): Promise<void> {
  const bytes = await Deno.readFile(path);
  const isRecord = (offset: number) => [0x50, 0x4b, 1, 2].every((byte, index) => bytes[offset + index] === byte);
  const records = Array.from(bytes.keys()).filter(isRecord);
  const flags = (records[member % records.length] ?? NaN) + 8;
  const known = bytes[flags];
  if (known === undefined) return;
  bytes[flags] = known ^ 1;
  // Trees of files with equal times cannot be compared.
  await nextTimeStamp();
  await Deno.writeFile(path, bytes);
}

async function apply(root: string, change: Step): Promise<void> {
  if (change.kind === "wait") return await settle();
  const path = `${root}/${change.path}`;
  try {
    if (change.kind === "remove") await Deno.remove(path, { recursive: true });
    else if (change.kind === "touch") await Deno.utime(path, new Date(1e12), new Date(1e12));
    else if (change.kind === "damage") await Deno.truncate(path, 40);
    else if (change.kind === "spoil") await toggleEncryption(path, change.member);
    else {
      const isPack = packPaths.includes(change.path);
      const content = isPack ? zipOf(...change.members) : change.members.join("\n");
      const target = change.kind === "replace" ? "new file" : change.path;
      await writeFiles(root, { [target]: content });
      if (change.kind === "replace") await Deno.rename(`${root}/new file`, path);
    }
  } catch (error) {
    // A step that does not apply changes nothing.
    if (!(error instanceof Error) || !/ENOENT|NotFound|os error|not found/i.test(`${error.name} ${error.message}`)) {
      throw error;
    }
  }
}

/** Names around the steps' names: among many, the few new ones are inserted. */
const manyNames = Array.from({ length: 700 }, (_, index) => {
  const directory = ["", "maps/", "Sound/", "textures/"][index % 4];
  return `${directory}${String.fromCharCode(97 + index % 26)}${index}.txt`;
});

/** Engines that compare case and resolve equal names in different ways. */
const anyProfile = fc.constantFrom("ioquake3", "chomenor", "darkplaces", "yquake2", "dhewm3", "generic");
const anyRounds = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 4 });

Deno.test("after any change an index that was brought up to date answers as one made from nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), anyProfile, anyRounds, async (isLarge, profile, rounds) => {
      await using root = await installation({
        ...(isLarge ? { "baseq3/many.pk3": zipOf(...manyNames) } : {}),
        "baseq3/pak0.pk3": zipOf("a.txt", "maps/x.bsp"),
        "baseq3/map.pk3": zipOf("maps/x.bsp", "sound/x.wav"),
        "baseq3/maps/x.bsp": "loose",
        "mod/pak0.pk3": zipOf("A.txt", "b"),
        "mod/sound": "a file",
      });
      const games: GameOptions[] = [{ sources: [root.path], profile, base: "baseq3", name: "q3" }];
      let catalog = scanCatalog(games);
      for (const steps of rounds) {
        for (const change of steps) await apply(root.path, change);
        const fresh = scanCatalog(games);
        const refreshed = scanCatalog(games, { previous: catalog });
        assertSame(refreshed, fresh);
        assertDifferences(catalog, refreshed);
        catalog = refreshed;
      }
    }),
    { numRuns: 40 },
  );
});

Deno.test("what one pack is, or whether it is there, decides about the others as in an index made from nothing", async () => {
  const pack = pakOf("a.txt");
  const sound: Record<string, Uint8Array> = Object.fromEntries(
    ["pak0.pak", "pak1.pak", "pak2.pak", "a.pk3", "b.pk3", "c.pk3"].map((name) => [
      `main/${name}`,
      name.endsWith(".pak") ? pack : zipOf(name),
    ]),
  );
  /** Files to write or remove, in order. */
  const changes: Record<string, Uint8Array | null>[] = [
    { "main/pak1.pak": pack.subarray(0, 30) },
    { "main/pak1.pak": pack.subarray(0, 5) },
    sound,
    { "main/pak1.pak": pakOf() },
    sound,
    { "main/pak1.pak": zipOf("a.txt") },
    sound,
    { "main/a.pk3": null },
    sound,
    { "main/c.pk3": null },
    sound,
    { "main/b.pk3": zipOf("c.pk3/inside.txt") },
    { "main/b.pk3": zipOf("b.txt", "c.txt") },
  ];
  for (const profile of ["quakespasm", "ioquake3", "darkplaces"]) {
    await using directory = await installation(sound);
    const games: GameOptions[] = [{ sources: [directory.path], profile, base: "main" }];
    await settle();
    let previous = scanCatalog(games);
    for (const change of changes) {
      await nextTimeStamp();
      for (const [path, content] of Object.entries(change)) {
        if (content === null) await Deno.remove(`${directory.path}/${path}`);
        else await writeFiles(directory.path, { [path]: content });
      }
      previous = scanCatalog(games, { previous });
      assertSame(previous, scanCatalog(games));
    }
  }
});

Deno.test("where a pack keeps its names, a refresh shows what is different in them", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt", "maps/x.bsp", "Sound/y.wav"),
    "baseq3/pak1.pk3": zipOf("a.txt", "maps/x.bsp"),
    "mod/pak0.pk3": zipOf("sound/Y.wav", "maps/z.bsp"),
    "mod/a.txt": "loose",
  });
  const games: GameOptions[] = [{ sources: [root.path], profile: "ioquake3", name: "q3" }];
  // A clock may be set back: two reads of packs may have the same time.
  const { now } = Date;
  const time = now() + 3_600_000;
  Date.now = () => time;
  using _clock = { [Symbol.dispose]: () => void (Date.now = now) };
  let catalog = scanCatalog(games);
  const change = async (path: string, work: (path: string) => Promise<void>) => {
    await nextTimeStamp();
    await work(`${root.path}/${path}`);
    const refreshed = scanCatalog(games, { previous: catalog });
    assertSame(refreshed, scanCatalog(games));
    assertDifferences(catalog, refreshed);
    catalog = refreshed;
  };
  for (const path of ["baseq3/pak1.pk3", "baseq3/pak0.pk3", "mod/pak0.pk3"]) {
    for (const member of [0, 1, 0]) {
      await change(path, (file) => toggleEncryption(file, member));
    }
  }
  await change("mod/a.txt", (path) => Deno.writeTextFile(path, "longer"));
  await change("mod/pak0.pk3", (path) => Deno.writeFile(path, zipOf("maps/z.bsp")));
  await change("mod/pak0.pk3", (path) => Deno.writeFile(path, zipOf("b.txt")));
});

Deno.test("of two spellings each is found after another file of two spellings has lost one", async () => {
  const names = ["maps/x.txt", "maps/X.txt", "maps/y.txt", "maps/Y.txt"];
  await using root = await installation(Object.fromEntries(names.map((name) => [`base/${name}`, name])));
  const games: GameOptions[] = [{ sources: [root.path], profile: "dhewm3", base: "base" }];
  using _clock = anHourLater();
  const foundIn = ({ snapshot, views: [view] }: Catalog) =>
    names.map((name) => {
      const node = view?.tree.find(name);
      return snapshot.memberOf(view?.tree.entries[node ?? none] ?? none);
    });
  const before = scanCatalog(games);
  assertEquals(foundIn(before), names);
  await nextTimeStamp();
  await Deno.remove(`${root.path}/base/maps/Y.txt`);
  const after = scanCatalog(games, { previous: before });
  assertSame(after, scanCatalog(games));
  assertEquals(foundIn(after), [...names.slice(0, 3), "maps/y.txt"]);
});

Deno.test("where nothing has changed, the index stays the very same", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt"),
    "baseq3/broken.pk3": "no archive",
    "baseq3/dir.pk3dir/b.txt": "b",
    "baseq3/maps/x.bsp": "map",
    "mod/pak0.pk3": zipOf("c.txt"),
  });
  await Deno.symlink("nowhere", `${root.path}/mod/broken link`);
  const games = [{ sources: [root.path], profile: "ioquake3" }, { sources: [`${root.path}/mod/pak0.pk3`] }];
  const catalog = scanCatalog(games);
  // Time stamps are too young to be trusted first, and old enough then.
  assertStrictEquals(scanCatalog(games, { previous: catalog }), catalog);
  using _clock = anHourLater();
  assertStrictEquals(scanCatalog(games, { previous: catalog }), catalog);
  assertStrictEquals(scanCatalog(games, { previous: catalog }), catalog);
  assertEquals(catalog.problems.length, 2);
  assertNotEquals(scanCatalog([...games, { sources: [`${root.path}/mod`] }], { previous: catalog }), catalog);
});

Deno.test("a game of other options is indexed by them, whatever options it had before", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zip([{ name: "a.txt", content: "a" }, { name: "in.zip", content: zipOf("x.txt") }]),
    "baseq3/A.txt": "loose",
    "mod/pak0.pk3": zipOf("b.txt"),
    "other.pk3": zipOf("c.txt"),
  });
  await Deno.symlink("../other.pk3", `${root.path}/mod/link.pk3`);
  using _clock = anHourLater();
  const plain: GameOptions = { sources: [root.path], profile: "ioquake3", base: "baseq3", name: "q3" };
  const all: GameOptions[] = [
    plain,
    { ...plain, profile: "quake3" },
    { ...plain, profile: "generic" },
    { ...plain, base: "mod" },
    { ...plain, name: "other" },
    { ...plain, strict: true },
    { ...plain, nested: true },
    { ...plain, followSymlinks: true },
    { ...plain, pure: ["pak0"] },
    { sources: [`${root.path}/other.pk3`], name: "q3" },
    { sources: [`${root.path}/other.pk3`], name: "q3", profile: "ioquake3" },
  ];
  for (const before of all) {
    const earlier = scanCatalog([before]);
    for (const options of all) assertSame(scanCatalog([options], { previous: earlier }), scanCatalog([options]));
  }
});

Deno.test("directories whose times are those that are known are not listed again", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt"),
    "baseq3/maps/deep/x.bsp": "map",
    "baseq3/dir.pk3dir/b.txt": "b",
    "mod/pak0.pk3": zipOf("c.txt"),
  });
  const games = [{ sources: [root.path], profile: "ioquake3" }];
  using _clock = anHourLater();
  const catalog = scanCatalog(games);
  const { readDirSync } = Deno;
  const listed = new Set<string>();
  const noting: typeof readDirSync = (path) => {
    listed.add(String(path).slice(root.path.length));
    return readDirSync(path);
  };
  Object.assign(Deno, { readDirSync: noting });
  try {
    assertStrictEquals(scanCatalog(games, { previous: catalog }), catalog);
    assertEquals(Array.from(listed), [""], "only to find game directories");
    await writeFiles(root.path, { "baseq3/maps/deep/y.bsp": "another" });
    scanCatalog(games, { previous: catalog });
    assert(listed.has("/baseq3/maps/deep"));
  } finally {
    Object.assign(Deno, { readDirSync });
  }
});

Deno.test("a directory that has the same names as before may hold other things under them", async () => {
  const base = {
    "baseq3/pak0.pk3": zipOf("a.txt"),
    "baseq3/maps/x.bsp": "map",
    "baseq3/a.txt": "text",
    "baseq3/b.txt": "more",
  };
  const changes: Record<string, (directory: string, path: string) => Promise<void>> = {
    "another file": async (_, path) => {
      await Deno.writeTextFile(`${path}.new`, "longer text");
      await Deno.rename(`${path}.new`, path);
    },
    "a link to another file": async (directory, path) => {
      await Deno.remove(path);
      await Deno.symlink(`${directory}/b.txt`, path);
    },
    "a link that leads out": async (_, path) => {
      await Deno.remove(path);
      await Deno.symlink(import.meta.filename ?? "", path);
    },
    "a directory": async (_, path) => {
      await Deno.remove(path);
      await Deno.mkdir(path);
    },
    "the file, but not the one next to it": async (directory) => await Deno.remove(`${directory}/b.txt`),
    "another spelling": async (directory, path) => await Deno.rename(path, `${directory}/A.txt`),
    "a directory with other names below": async (directory) => {
      await Deno.rename(`${directory}/maps/x.bsp`, `${directory}/maps/y.bsp`);
    },
    "a directory of the same names": async (directory) => {
      await Deno.rename(directory, `${directory}.old`);
      await writeFiles(`${directory}/..`, base);
      await Deno.remove(`${directory}.old`, { recursive: true });
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    await using root = await installation(base);
    using _clock = anHourLater();
    const games = [{ sources: [root.path], profile: "ioquake3", name: "q3" }];
    const catalog = scanCatalog(games);
    await nextTimeStamp();
    await change(`${root.path}/baseq3`, `${root.path}/baseq3/a.txt`);
    const refreshed = scanCatalog(games, { previous: catalog });
    assertNotEquals(refreshed, catalog, what);
    assertSame(refreshed, scanCatalog(games));
    assertDifferences(catalog, refreshed);
    assertStrictEquals(scanCatalog(games, { previous: refreshed }), refreshed, what);
  }
});

Deno.test("unchanged packs are not opened again", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("a"),
    "id1/pak1.pak": pakOf("b"),
    "id1/pak2.pak": pakOf("c"),
  });
  const games = [{ sources: [root.path], profile: "quake" }];
  using _clock = anHourLater();
  const catalog = scanCatalog(games);
  await Deno.writeFile(`${root.path}/id1/pak1.pak`, pakOf("b", "d"));
  const opened: string[] = [];
  const next = scanCatalog(games, { previous: catalog, onProgress: (_done, _known, name) => opened.push(name) });
  assertEquals(opened, ["pak1.pak"]);
  assertEquals(catalogChanges(catalog, next), {
    packs: { added: [], removed: [], changed: [`${root.path}/id1/pak1.pak`] },
    files: { added: 1, removed: 0, changed: 2 },
  });
});

Deno.test("a pack written twice in one tick of the clock with the same size is noticed", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("first.txt") });
  const path = `${root.path}/id1/pak0.pak`;
  const games = [{ sources: [root.path], profile: "quake" }];
  const catalog = scanCatalog(games);
  // This write is in the same tick as the previous one, or in the next.
  await Deno.writeFile(path, pakOf("other.txt"));
  const next = scanCatalog(games, { previous: catalog });
  assertEquals(next.view().tree.find("other.txt") === none, false);
  assertEquals(next.view().tree.find("first.txt"), none);
});

Deno.test("changes count files and name packs", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("a", "b"),
    "id1/loose.txt": "loose",
    "mod/pak0.pak": pakOf("c"),
  });
  const games = [{ sources: [root.path], profile: "quake", name: "q" }];
  const before = scanCatalog(games);
  assert(isNoChange(catalogChanges(before, before)));
  assert(isNoChange(catalogChanges(before, scanCatalog(games, { previous: before }))));
  await nextTimeStamp();
  await writeFiles(root.path, {
    "id1/loose.txt": "longer than before",
    "id1/new/file.txt": "",
    "id1/pak1.pak": pakOf("d"),
  });
  await Deno.remove(`${root.path}/mod`, { recursive: true });
  const after = scanCatalog(games, { previous: before });
  const expected: CatalogChanges = {
    packs: { added: [`${root.path}/id1/pak1.pak`], removed: [`${root.path}/mod/pak0.pak`], changed: [] },
    // The packs also count as files of their directories: pak1.pak and pak0.pak.
    files: { added: 3, removed: 2, changed: 1 },
  };
  assertEquals(catalogChanges(before, after), expected);
  // Unchanged sources stay the same objects, by which a mount knows that their files are unchanged.
  const packIn = ({ snapshot }: Catalog) => snapshot.sources.find(({ name }) => name === "pak0.pak");
  assertStrictEquals(packIn(after), packIn(before));
  assertEquals(catalogChanges(before, scanCatalog(games)).packs.added, expected.packs.added);
  assertEquals(
    treeChanges(before.view("q/id1").tree, after.view("q/id1").tree),
    [
      { qpath: "d", change: "added", isDirectory: false },
      { qpath: "loose.txt", change: "changed", isDirectory: false },
      { qpath: "new", change: "added", isDirectory: true },
      { qpath: "new/file.txt", change: "added", isDirectory: false },
    ],
  );
});

Deno.test("files of an archive are counted one by one, several of one name too", async () => {
  const names = ["a", "b"];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1), { maxLength: 5 }), fc.array(fc.nat(1), { maxLength: 5 }), async (old, now) => {
      const packOf = (indexes: readonly number[]) => pakOf(...indexes.map((index) => names[index] ?? ""));
      await using root = await installation({ "id1/pak0.pak": packOf(old) });
      const games = [{ sources: [root.path], profile: "quake", name: "q" }];
      const before = scanCatalog(games);
      await writeFiles(root.path, { "id1/new": packOf(now) });
      await Deno.rename(`${root.path}/id1/new`, `${root.path}/id1/pak0.pak`);
      const { files } = catalogChanges(before, scanCatalog(games, { previous: before }));
      const counts = names.map((_name, index) => [old, now].map((list) => list.filter((one) => one === index).length));
      const sum = (of: (before: number, after: number) => number) =>
        counts.reduce((total, [before = 0, after = 0]) => total + Math.max(0, of(before, after)), 0);
      assertEquals([files.added, files.removed], [sum((b, a) => a - b), sum((b, a) => b - a)]);
    }),
    { numRuns: 30 },
  );
});

Deno.test("names that nothing uses any more are dropped once there are many", async () => {
  const many = Array.from({ length: 15_000 }, (_, index) => `file${index}.txt`);
  await using root = await installation({ "id1/pak0.pak": pakOf("a"), "id1/pak1.pak": pakOf(...many) });
  const games = [{ sources: [root.path], profile: "quake" }];
  const before = scanCatalog(games);
  await settle();
  await Deno.remove(`${root.path}/id1/pak1.pak`);
  const after = scanCatalog(games, { previous: before });
  assertEquals(after.snapshot.nodeCount, scanCatalog(games).snapshot.nodeCount);
  assertSame(after, scanCatalog(games));
});

Deno.test("after a refresh that adds a directory packs win as many files as in a new index", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.cfg", "b/c.cfg") });
  const games = [{ sources: [root.path], profile: "quake", name: "q" }];
  const before = scanCatalog(games);
  assertEquals(Array.from(winsOf(before.view())), [2, 0]);
  await settle();
  await writeFiles(root.path, { "id1/deep/c.cfg": "" });
  assertEquals(Array.from(winsOf(scanCatalog(games, { previous: before }).view())), [2, 1]);
});
