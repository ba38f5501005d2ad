// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { basename } from "node:path";
import fc from "../support/fast_check.ts";
import { CacheWriter } from "../../index/cache/cache_writer.ts";
import { IndexCache } from "../../index/cache/index_cache.ts";
import type { IndexedGames } from "../../index/columns/indexed_games.ts";
import { Catalog } from "../../views/catalog.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import { profiles } from "../../engines/table.ts";
import { TreeRows } from "../../questions/rows.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { whichCandidates } from "../../views/which.ts";
import { openIndex } from "../../mod.ts";
import { pak } from "../formats/bytes.ts";
import { settle } from "../support/settle.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type Files, installation, pakOf, writeFiles, zipOf } from "./fixtures.ts";

const files: Files = {
  "quake3/baseq3/pak0.pk3": zipOf("a.txt", "maps/x.bsp", "sound"),
  "quake3/baseq3/pak1.pk3": zipOf("A.txt", "sound/x.wav"),
  "quake3/baseq3/broken.pk3": "no archive",
  "quake3/baseq3/zz.pk3dir/maps/x.bsp": "from a directory",
  "quake3/baseq3/loose.txt": "loose",
  "quake3/mod/pak0.pk3": zipOf("m.txt"),
  "quake/id1/pak0.pak": pak([["../up", "x"], [Uint8Array.of(0x81, 0x2e, 0x74), "z"]]),
  "alone.pak": pakOf("one", "two"),
};

async function games({ isSettled = false } = {}) {
  const root = await installation(files);
  const cacheRoot = await temporaryDirectory();
  if (isSettled) await settle();
  const options: GameOptions[] = [
    { sources: [`${root.path}/quake3`], profile: "ioquake3", pure: ["pak0", "pak1"], with: ["nowhere"] },
    { sources: [`${root.path}/quake`], name: "q" },
    { sources: [`${root.path}/alone.pak`] },
  ];
  return {
    path: root.path,
    cachePath: `${cacheRoot.path}/below/index`,
    options,
    async [Symbol.asyncDispose]() {
      await root[Symbol.asyncDispose]();
      await cacheRoot[Symbol.asyncDispose]();
    },
  };
}

async function namesIn(directory: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(directory), ({ name }) => name)).sort();
}

/** Returns the content of an index as strings. */
function answers(catalog: Catalog) {
  const { snapshot, games, problems, views } = catalog;
  return {
    games,
    problems,
    sources: snapshot.sources,
    clashes: snapshot.clashes,
    columns: snapshot.columns,
    rows: views.map((view) =>
      Array.from(
        { length: view.tree.length },
        (_, node) => view.tree.isDirectory(node) ? view.tree.pathOf(node) : new TreeRows(view).ofFile(node),
      )
    ),
    which: views.map((view) => whichCandidates(view, "a.txt")),
  };
}

Deno.test("an index that comes from its cache is the one that was written, and nothing is read for it", async () => {
  await using made = await games({ isSettled: true });
  const catalog = scanCatalog(made.options);
  const cache = new IndexCache(made.cachePath, { minEntries: 0 });
  assertEquals(cache.read(made.options), undefined);
  await cache.write(made.options, catalog.index);
  const read = cache.read(made.options);
  assert(read);
  const cached = new Catalog(read);
  assertEquals(answers(cached), answers(catalog));
  const opened: string[] = [];
  const next = scanCatalog(made.options, { previous: cached, onProgress: (_done, _known, name) => opened.push(name) });
  assertEquals(opened, []);
  assertStrictEquals(next, cached);
  // The rules come from the program, so an index from the cache answers as a new one.
  assertStrictEquals(cached.games[0]?.profile, catalog.games[0]?.profile);
});

Deno.test("a cache that others may write is not used, one that they may read is", async () => {
  await using made = await games();
  const problems: string[] = [];
  const cache = new IndexCache(made.cachePath, { minEntries: 0, onProblem: (sentence) => problems.push(sentence) });
  await cache.write(made.options, scanCatalog(made.options).index);
  const path = cache.pathOf(made.options);
  const usable: number[] = [];
  for (let mode = 0o600; mode <= 0o677; mode++) {
    await Deno.chmod(path, mode);
    if (cache.read(made.options)) usable.push(mode);
    else assertStringIncludes(problems.pop() ?? "", "other users can write to it");
  }
  const readOnly = [0, 1, 4, 5].flatMap((group) => [0, 1, 4, 5].map((other) => 0o600 + group * 8 + other));
  assertEquals(usable, readOnly);
});

Deno.test({
  name: "a cache that belongs to another user is not used",
  ...needs("root"),
  fn: async () => {
    await using made = await games();
    const problems: string[] = [];
    const cache = new IndexCache(made.cachePath, { minEntries: 0, onProblem: (sentence) => problems.push(sentence) });
    await cache.write(made.options, scanCatalog(made.options).index);
    assert(cache.read(made.options));
    await Deno.chown(cache.pathOf(made.options), 65_534, 65_534);
    assertEquals(cache.read(made.options), undefined);
    assertStringIncludes(problems.join(), "it is another user's");
  },
});

/** A cache whose writes end when the test lets them. */
class HeldCache extends IndexCache {
  readonly begun: IndexedGames[] = [];
  readonly held: PromiseWithResolvers<void>[] = [];

  override write(_games: readonly GameOptions[], index: IndexedGames): Promise<void> {
    const end = Promise.withResolvers<void>();
    this.begun.push(index);
    this.held.push(end);
    return end.promise;
  }
}

Deno.test("caches are written one after the other, the last one last, and those in between not at all", async () => {
  await using made = await games();
  const [first, between, last] = [1, 2, 3].map(() => scanCatalog(made.options));
  assert(first && between && last);
  const cache = new HeldCache(made.cachePath);
  const writer = new CacheWriter(cache);
  const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
  writer.schedule(made.options, first);
  const firstDone = writer[Symbol.asyncDispose]();
  await tick();
  assertEquals(cache.begun.length, 1);
  writer.schedule(made.options, between);
  writer.schedule(made.options, last);
  let isDone = false;
  const allDone = writer[Symbol.asyncDispose]().then(() => isDone = true);
  await tick();
  assertEquals(cache.begun.length, 1, "the second waits for the first");
  cache.held[0]?.resolve();
  await firstDone;
  await tick();
  assertEquals(cache.begun.length, 2);
  assertStrictEquals(cache.begun[1], last);
  assertEquals(isDone, false, "not reported before it is written");
  cache.held[1]?.resolve();
  await allDone;
});

Deno.test("profiles are plain data, which a cache keeps as they are", () => {
  for (const profile of profiles) assertEquals(JSON.parse(JSON.stringify(profile)), profile);
});

Deno.test("what has changed since a cache was written is read, and nothing else", async () => {
  await using made = await games({ isSettled: true });
  const cache = new IndexCache(made.cachePath, { minEntries: 0 });
  await cache.write(made.options, scanCatalog(made.options).index);
  await writeFiles(made.path, {
    "quake3/baseq3/pak1.pk3": zipOf("A.txt", "new.txt"),
    "quake3/baseq3/pak2.pk3": zipOf("newer.txt"),
    "quake3/baseq3/loose.txt": "longer than it was",
  });
  await Deno.remove(`${made.path}/quake3/mod`, { recursive: true });
  const read = cache.read(made.options);
  assert(read);
  const previous = new Catalog(read);
  const opened: string[] = [];
  const next = scanCatalog(made.options, { previous, onProgress: (_done, _known, name) => opened.push(name) });
  assertEquals(opened, ["pak1.pk3", "pak2.pk3"]);
  const rows = (catalog: Catalog) => answers(catalog).rows;
  assertEquals(rows(next), rows(scanCatalog(made.options)));
});

Deno.test("a cache is its owner's alone, and one of other games is not mixed up with it", async () => {
  await using made = await games();
  const cache = new IndexCache(made.cachePath, { minEntries: 0 });
  await cache.write(made.options, scanCatalog(made.options).index);
  const path = cache.pathOf(made.options);
  assertEquals([(await Deno.stat(path)).mode ?? 0, (await Deno.stat(made.cachePath)).mode ?? 0].map((m) => m & 0o777), [
    0o600,
    0o700,
  ]);
  const strict = made.options.map((game) => ({ ...game, strict: true }));
  assertEquals(cache.read(strict), undefined);
  await Deno.copyFile(path, cache.pathOf(strict));
  assertEquals(cache.read(strict), undefined);
});

Deno.test("a damaged cache is reported, and not used", async () => {
  await using made = await games();
  const reported: string[] = [];
  const cache = new IndexCache(made.cachePath, { minEntries: 0, onProblem: (sentence) => reported.push(sentence) });
  await cache.write(made.options, scanCatalog(made.options).index);
  const path = cache.pathOf(made.options);
  const good = await Deno.readFile(path);
  const use = async (bytes: Uint8Array) => {
    reported.length = 0;
    await Deno.writeFile(path, bytes);
    const used = cache.read(made.options);
    assertEquals(reported.length, used ? 0 : 1);
    return used;
  };
  assert(await use(good));
  for (const length of [0, 1, 31, 32, 100, good.length - 1]) {
    assertEquals(await use(good.subarray(0, length)), undefined, `cut to ${length} bytes`);
  }
  const changed = (offset: number, ...bytes: number[]) => {
    const copy = good.slice();
    copy.set(bytes, offset);
    return copy;
  };
  /** Replaces a part of the description by another of the same size. */
  const described = (known: RegExp, change: (matched: string) => string) => {
    const description = new TextDecoder().decode(good.subarray(32));
    const at = description.search(known);
    const [matched = ""] = known.exec(description) ?? [];
    assert(at >= 0 && /^\p{ASCII}*$/u.test(description.slice(0, at)));
    return changed(32 + at, ...new TextEncoder().encode(change(matched)));
  };
  const length = /(?<="name":"names","length":)\d\d+/;
  const reasons: [Uint8Array, string][] = [
    [changed(24, 255, 255, 255, 0), "its description is longer than the file"],
    [changed(32, 0x7d), "its description is not JSON"],
    [described(/"columns"/, () => '"nothing"'), "it has unexpected columns"],
    [described(/"name":"names"/, () => '"name":"other"'), "it has no column names"],
    [described(length, (digits) => "9".repeat(digits.length)), "ends after the file"],
    [described(length, (digits) => `-${"1".repeat(digits.length - 1)}`), "column names ends after the file"],
    [described(length, (digits) => `${".5".padStart(digits.length, "1")}`), "column names ends after the file"],
    [changed(0, 0x50), "it is no cache of pakfs"],
    [changed(8, 99), "its layout is 99, not"],
    [changed(12, 1, 2, 3, 4), "another byte order"],
    [changed(28, (good[28] ?? 0) ^ 1), "its checksum is wrong"],
    [new Uint8Array([...good, 0]), `it has ${good.length + 1} bytes instead of ${good.length}`],
  ];
  for (const [bytes, reason] of reasons) {
    assertEquals(await use(bytes), undefined);
    assertStringIncludes(reported[0] ?? "", reason);
  }
  await use(good);
  await Deno.chmod(path, 0o622);
  assertEquals(cache.read(made.options), undefined);
  assertStringIncludes(reported[0] ?? "", "other users can write to it");
  await Deno.remove(path);
  await Deno.mkdir(path);
  assertEquals(cache.read(made.options), undefined);
  await Deno.remove(path);
  assert((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
  assertEquals(cache.read(made.options), undefined);
  assertStringIncludes(reported.at(-1) ?? "", "it is not a regular file");
  if (Deno.uid() !== 0) return; // only root may give files away
  await Deno.remove(path);
  await use(good);
  await Deno.chmod(path, 0o600);
  await Deno.chown(path, 65534, 65534);
  assertEquals(cache.read(made.options), undefined);
  assertStringIncludes(reported.at(-1) ?? "", "another user's");
});

Deno.test("whatever happens to the bytes of a cache, the answers are the same", async () => {
  await using made = await games();
  const catalog = scanCatalog(made.options);
  const expected = answers(catalog);
  const cache = new IndexCache(made.cachePath, { minEntries: 0 });
  await cache.write(made.options, catalog.index);
  const path = cache.pathOf(made.options);
  const good = await Deno.readFile(path);
  const damage = fc.array(fc.tuple(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 })), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(damage, fc.option(fc.nat({ max: good.length })), async (changes, cut) => {
      const bytes = good.slice(0, cut ?? good.length);
      for (const [offset, value] of changes) bytes[offset] = value;
      await Deno.writeFile(path, bytes);
      const read = cache.read(made.options);
      const next = scanCatalog(made.options, read ? { previous: new Catalog(read) } : {});
      const { rows, which, problems } = answers(next);
      assertEquals({ rows, which, problems }, {
        rows: expected.rows,
        which: expected.which,
        problems: expected.problems,
      });
    }),
    { numRuns: 100 },
  );
});

Deno.test("a cache that cannot be written is reported and does no harm", async () => {
  await using made = await games();
  const catalog = scanCatalog(made.options);
  for (const directory of ["/dev/null/cache", "/proc/cache", `${made.path}/alone.pak/x`]) {
    const reported: string[] = [];
    const cache = new IndexCache(directory, { minEntries: 0, onProblem: (sentence) => reported.push(sentence) });
    await cache.write(made.options, catalog.index);
    assertEquals(reported.length, 1, directory);
    assertStringIncludes(reported[0] ?? "", "could not be written");
  }
});

Deno.test("a full disk leaves the old cache and no rest of the new one", async () => {
  await using made = await games();
  await using disk = await temporaryDirectory();
  const mounted = await new Deno.Command("mount", { args: ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.path] })
    .output();
  if (!mounted.success) return; // only root may mount
  try {
    const reported: string[] = [];
    const cache = new IndexCache(`${disk.path}/index`, {
      minEntries: 0,
      onProblem: (sentence) => reported.push(sentence),
    });
    const catalog = scanCatalog(made.options);
    await cache.write(made.options, catalog.index);
    assertEquals(reported, []);
    const many = Array.from({ length: 5000 }, (_, index) => `file ${index}`);
    await writeFiles(made.path, { "quake3/baseq3/many.pk3": zipOf(...many) });
    await cache.write(made.options, scanCatalog(made.options).index);
    assertEquals(reported.length, 1);
    assertStringIncludes(reported[0] ?? "", "could not be written");
    assertEquals((await namesIn(cache.directory)).length, 1);
    assertEquals(cache.read(made.options)?.snapshot.entryCount, catalog.snapshot.entryCount);
  } finally {
    await new Deno.Command("umount", { args: [disk.path] }).output();
  }
});

Deno.test("several processes writing one cache leave one that is whole", async () => {
  await using made = await games();
  const catalog = scanCatalog(made.options);
  const caches = Array.from({ length: 8 }, () => new IndexCache(made.cachePath, { minEntries: 0 }));
  await Promise.all(caches.map((cache) => cache.write(made.options, catalog.index)));
  const [cache] = caches;
  assert(cache);
  assertEquals(await namesIn(made.cachePath), [basename(cache.pathOf(made.options))]);
  const read = cache.read(made.options);
  assert(read);
  const cached = new Catalog(read);
  assertEquals(answers(cached), answers(catalog));
});

Deno.test("caches of games that nobody asks for any more, and rests of dead processes, are removed", async () => {
  await using made = await games();
  const cache = new IndexCache(made.cachePath, { minEntries: 0 });
  const catalog = scanCatalog(made.options);
  await cache.write(made.options, catalog.index);
  const old = Array.from({ length: 20 }, (_, number) => `old${number}.index`);
  for (const [number, name] of [...old, "dead.index.1.tmp", "alive.index.2.tmp"].entries()) {
    const path = `${made.cachePath}/${name}`;
    await Deno.writeTextFile(path, "");
    if (!name.startsWith("alive")) await Deno.utime(path, 1000 + number, 1000 + number);
  }
  await cache.write(made.options, catalog.index);
  const names = await namesIn(made.cachePath);
  assertEquals(names.filter((name) => name.endsWith(".tmp")), ["alive.index.2.tmp"]);
  assertEquals(names.filter((name) => name.startsWith("old")).length, 15);
  assert(cache.read(made.options));
});

Deno.test("openIndex keeps large indexes in the directory it is given", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `file ${index}.txt`);
  await using root = await installation({ "quake/id1/pak0.pak": pakOf(...many), "cache/": "" });
  const options = { cache: `${root.path}/cache` };
  const source = { sources: [`${root.path}/quake`], name: "q" };
  const count = async () => {
    await using index = await openIndex(source, options);
    return await Array.fromAsync(index.view("q").find("*.txt")).then((rows) => rows.length);
  };
  assertEquals(await count(), 10_000);
  const [name] = await namesIn(`${root.path}/cache`);
  const path = `${root.path}/cache/${name}`;
  const written = await Deno.stat(path);
  assertEquals(await count(), 10_000);
  assertEquals((await Deno.stat(path)).ino, written.ino);
});
