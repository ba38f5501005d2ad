import { assert, assertEquals, assertMatch, assertRejects, assertStrictEquals } from "@std/assert";
import { type GameIndex, openLiveIndex } from "../../service/live_index.ts";
import { RemoteScan } from "../../service/remote_scan.ts";
import { IndexCache } from "../../index/cache/index_cache.ts";
import { RemoteSources } from "../../index/content/remote/remote_sources.ts";
import { RootPresence } from "../../index/scan/root_presence.ts";
import { GameError } from "../../games/game_error.ts";
import { pak } from "../formats/bytes.ts";
import { anHourLater, installation, pakOf, writeFiles } from "../index/fixtures.ts";

function viewNames({ catalog }: GameIndex): string[] {
  return catalog.views.map(({ name }) => name);
}

/** Identities of sources: the same objects unless a source was read again. */
function identities({ catalog }: GameIndex): Map<string, unknown> {
  return new Map(catalog.snapshot.sources.map(({ path, identity }) => [path, identity]));
}

function winner({ catalog }: GameIndex, view: string, path: string): string {
  const { tree, snapshot } = catalog.view(view);
  return snapshot.sourceOf(tree.entries[tree.find(path)] ?? 0).path;
}

Deno.test("games are reordered, added, removed and renamed, and unchanged ones are not read again", async () => {
  await using root = await installation({
    "one/id1/pak0.pak": pakOf("a.txt"),
    "one/mod/pak0.pak": pakOf("b.txt"),
    "two/id1/pak0.pak": pakOf("a.txt", "c.txt"),
    "three/baseq3/x.txt": "x",
  });
  const [one, two, three] = ["one", "two", "three"].map((name) => ({ sources: [`${root.path}/${name}`] }));
  assert(one && two && three);
  await using index = await openLiveIndex([one, two]);
  const before = identities(index);
  const exchangeTo = (...names: string[]) => index.exchange(names.map((name) => name === "one" ? one : two));
  await exchangeTo("two", "one");
  assertEquals(viewNames(index), ["two/id1", "one/id1", "one/mod"]);
  assertEquals(winner(index, "two/id1", "c.txt"), `${root.path}/two/id1/pak0.pak`);
  for (const [path, identity] of identities(index)) assertStrictEquals(identity, before.get(path), path);

  const result = await index.exchange(
    [{ ...three, profile: "quake3" }, { ...one, name: "uno", strict: true }],
  );
  assertEquals(viewNames(index), ["three/baseq3", "uno/id1", "uno/mod"]);
  assertEquals(result.packs.removed, 1, "what has another name only is there as before");
  assertStrictEquals(identities(index).get(`${root.path}/one/id1`), before.get(`${root.path}/one/id1`));
  assertEquals(index.catalog.games.map(({ strict }) => strict), [false, true]);
  // The next refresh is of these games, and finds no change.
  const { catalog } = index;
  await index.refresh();
  assertStrictEquals(index.catalog, catalog);
  await index.exchange([{ ...one, mods: [] }]);
  assertEquals(viewNames(index), ["one/id1"]);
});

Deno.test("what is wrong with other games leaves the index as it was, and how it is refreshed", async () => {
  await using root = await installation({ "one/id1/a.txt": "a", "two/id1/b.txt": "b" });
  await using index = await openLiveIndex([{ sources: [`${root.path}/one`], name: "one" }]);
  const { catalog } = index;
  const two = { sources: [`${root.path}/two`], name: "two" };
  await assertRejects(() => index.exchange([{ ...two, profile: "nothing" }]), GameError);
  await assertRejects(() => index.exchange([{ ...two, mods: ["absent"] }]), GameError);
  await assertRejects(
    () =>
      index.exchange([two], {
        accept: () => {
          throw new RangeError("not this one");
        },
      }),
    RangeError,
  );
  const cancelled = new AbortController();
  const packs = { "two/id1/pak0.pak": pakOf("x.txt"), "two/id1/pak1.pak": pakOf("y.txt") };
  await writeFiles(root.path, packs);
  const asked = { signal: cancelled.signal, onProgress: () => cancelled.abort() };
  await assertRejects(() => index.exchange([two], asked), DOMException);
  assertStrictEquals(index.catalog, catalog);
  await writeFiles(root.path, { "one/id1/new.txt": "new" });
  assertEquals((await index.refresh()).files.added, 1);
  assertEquals(viewNames(index), ["one/id1"]);
});

Deno.test("a game whose disk is away stays as it was while others come and go", async () => {
  await using root = await installation({ "one/id1/a.txt": "a", "two/id1/b.txt": "b" });
  const one = { sources: [`${root.path}/one`], profile: "quake" };
  const two = { sources: [`${root.path}/two`], profile: "quake" };
  await using index = await openLiveIndex([one], { awaitsSources: true });
  await Deno.rename(`${root.path}/one`, `${root.path}/pulled`);
  await index.exchange([two, one]);
  assertEquals(viewNames(index), ["two/id1", "one/id1"]);
  assertMatch(index.catalog.problems.join(), /one is missing; its known files are kept/);
});

Deno.test("source directories that are not there at the start are waited for, where that is requested", async () => {
  await using root = await installation({ "base/id1/pak0.pak": pakOf("a.txt"), "other/.keep": "" });
  const sources = [`${root.path}/disk/home`, `${root.path}/base`];
  const away = { sources: [`${root.path}/disk/quake2`], name: "q2" };
  const alone = { sources: [`${root.path}/disk/alone.pak`] };
  await assertRejects(() => openLiveIndex([{ sources }]), GameError, "disk/home does not exist");
  await using index = await openLiveIndex([{ sources, name: "q" }, away, alone], { awaitsSources: true });
  assertEquals(viewNames(index), ["q/id1"]);
  assertEquals(index.catalog.games.map(({ name, because }) => [name, because]).slice(1), [
    ["q2", "nothing of it is there yet"],
    ["alone.pak", "nothing of it is there yet"],
  ]);
  assertEquals(index.catalog.problems.map((problem) => problem.replace(root.path, "")), [
    "/disk/home is missing; it appears once it is available",
    "/disk/quake2 is missing; it appears once it is available",
    "/disk/alone.pak is missing; it appears once it is available",
  ]);
  const { catalog } = index;
  await index.refresh();
  assertStrictEquals(index.catalog, catalog, "nothing has changed");
  await writeFiles(root.path, {
    "disk/home/id1/a.txt": "loose",
    "disk/quake2/baseq2/x.txt": "x",
    "disk/alone.pak": pak([["y.txt", "y"]]),
  });
  await index.refresh();
  assertEquals(index.catalog.problems, []);
  assertEquals(viewNames(index), ["q/id1", "q2/baseq2", "alone/alone.pak"]);
  assertEquals(index.catalog.games.map(({ profile }) => profile.name), ["quake", "yquake2", "generic"]);
  assertEquals(winner(index, "q/id1", "a.txt"), `${root.path}/disk/home/id1`);
  assertEquals(index.catalog.view("q/id1").searchPath.length, 3);
});

Deno.test("a directory on which a file system hung that is unmounted now is indexed", async () => {
  await using root = await installation({ "quake/id1/a.txt": "a" });
  await using scan = new RemoteScan(new RemoteSources());
  const sources = [`${root.path}/quake`];
  const presence = new RootPresence();
  presence.silence(new Map([[`${root.path}/quake`, "is on /mnt (fuse.sshfs), which does not answer"]]));
  const { games, problems } = await scan.index([{ sources }], { presence });
  assertEquals([problems, games.map(({ base }) => base)], [[], ["id1"]]);
});

Deno.test("an empty mount point is waited for; a mistake in what exists is reported at once", async () => {
  await using root = await installation({ "disk/.keep": "", "base/id1/a.txt": "a" });
  await Deno.remove(`${root.path}/disk/.keep`);
  const game = { sources: [`${root.path}/disk`], profile: "quake" };
  await using index = await openLiveIndex([game], { awaitsSources: true });
  assertEquals(viewNames(index), []);
  assertMatch(index.catalog.problems.join(), /none of the base game directories.*meanwhile, it is not shown/);
  await writeFiles(root.path, { "disk/id1/a.txt": "a" });
  await index.refresh();
  assertEquals([viewNames(index), index.catalog.problems], [["disk/id1"], []]);
  const typo = { sources: [`${root.path}/base`], mods: ["hipnotci"] };
  await assertRejects(
    () => openLiveIndex([typo], { awaitsSources: true }),
    GameError,
    "unknown game directory hipnotci",
  );
});

Deno.test("games that join are taken from the cache where they are most of the index, and read otherwise", async () => {
  await using root = await installation({
    "one/id1/a.txt": "a",
    "two/id1/pak0.pak": pak(Array.from({ length: 40 }, (_, index) => [`${index}.txt`, String(index)])),
    "three/id1/pak0.pak": pakOf("d.txt"),
  });
  const [one, two, three] = ["one", "two", "three"].map((name) => ({ sources: [`${root.path}/${name}`], name }));
  if (!one || !two || !three) throw new Error("three games are needed");
  using _clock = anHourLater();
  const cache = () => new IndexCache(`${root.path}/cache`, { minEntries: 0 });
  const session = async () => {
    const read: string[] = [];
    const onProgress = (_done: number, _known: number, name: string) => void read.push(name);
    await using index = await openLiveIndex([one], { cache: cache() });
    await index.exchange([one, two], { onProgress });
    const joined = index.catalog.snapshot.sources.map(({ path, entryCount }) => [path, entryCount] as const);
    await index.exchange([one, two, three], { onProgress });
    assertEquals(viewNames(index), ["one/id1", "two/id1", "three/id1"]);
    await index.exchange([one, two]);
    return { read, joined };
  };
  await (await openLiveIndex([two], { cache: cache() }))[Symbol.asyncDispose]();
  assertEquals((await session()).read, ["pak0.pak"], "an index of the new game alone is in the cache");
  await Deno.remove(`${root.path}/cache`, { recursive: true });
  const first = await session();
  assertEquals(first.read, ["pak0.pak", "pak0.pak"]);
  // The last written index has both games.
  const second = await session();
  assertEquals([second.read, second.joined], [["pak0.pak"], first.joined]);
  await Deno.writeFile(`${root.path}/two/id1/pak0.pak`, pakOf("other.txt"));
  const third = await session();
  assertEquals([third.read, new Map(third.joined).get(`${root.path}/two/id1/pak0.pak`)], [["pak0.pak", "pak0.pak"], 1]);
});
