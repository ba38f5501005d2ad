// deno-lint-ignore-file no-await-in-loop -- one case after another, so that a failure names its case
import { assert, assertEquals, assertMatch } from "@std/assert";
import { TargetWatcher } from "../../service/watch/target_watcher.ts";
import { sameTargets, targetKey, type WatchTarget, watchTargets } from "../../service/watch/targets.ts";
import { openLiveIndex } from "../../service/live_index.ts";
import { DirectoryWatches } from "../../system/directory_watches.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { wad } from "../formats/bytes.ts";
import { installation, pakOf, zipOf } from "../index/fixtures.ts";
import fc from "../support/fast_check.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { directoriesBelow, kernelWatches } from "../support/kernel_watches.ts";
import { stoppable } from "../mount/stoppable.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Names tried with the file targets. */
const names = ["alone.pak", "alone_000.pak", "other.pak", "names.txt", "names.txt~", "linked.pk3", "x"];

/** Returns each target below `root` with the names that matter next to it, or "all". */
function described(root: string, targets: readonly WatchTarget[]): string[] {
  return targets.map(({ path, matches }) => {
    const matching = matches ? names.filter(matches).join(" ") : "all";
    return `${path.replace(`${root}/`, "")}: ${matching}`;
  }).sort();
}

Deno.test("roots are watched whole; archives, lists of names and linked packs by the names that matter", async () => {
  await using root = await installation({
    "q3/baseq3/pak0.pk3": zipOf("a.txt"),
    "q3/baseq3/inside.pk3": zipOf("b.txt"),
    "elsewhere/linked.pk3": zipOf("c.txt"),
    "elsewhere/mod/d.txt": "d",
    "alone.pak": pakOf("e.txt"),
    "names.txt": "e.txt\n",
  });
  await Deno.symlink("../../elsewhere/linked.pk3", `${root.path}/q3/baseq3/link.pk3`);
  await Deno.symlink("inside.pk3", `${root.path}/q3/baseq3/other.pk3`);
  await Deno.symlink("../elsewhere/mod", `${root.path}/q3/mod`);
  const games = [
    { sources: [`${root.path}/q3`], profile: "ioquake3", name: "q3", followSymlinks: true },
    { sources: [`${root.path}/alone.pak`], name: "alone", names: [`${root.path}/names.txt`] },
  ];
  const catalog = scanCatalog(games);
  const all = [
    "alone.pak: alone.pak alone_000.pak",
    "elsewhere/linked.pk3: linked.pk3",
    "elsewhere/mod: all",
    "names.txt: names.txt",
    "q3: all",
  ];
  assertEquals(described(root.path, await watchTargets(catalog)), all);
  const exceptions = [["q3", 1], ["elsewhere", 2], ["elsewher", 0], ["", 5]] as const;
  for (const [except, left] of exceptions) {
    const targets = await watchTargets(catalog, [except === "" ? root.path : `${root.path}/${except}`]);
    assertEquals(targets.length, all.length - left, except);
  }
});

Deno.test("files that an engine loads one by one are watched by their names, there or not, and directories whole", async () => {
  const iwad = wad([["MAP01", ""], ["TITLEPIC", "title"]], "IWAD");
  await using root = await installation({
    "doom2.wad": iwad,
    "a.wad": wad([["TITLEPIC", "a"]]),
    "b.pk3": zipOf("sprites/trooa1.png"),
    "bad.wad": "no WAD",
    "folder/sprites/trooa1.png": "",
    "folder/sub/x.txt": "",
    "x": "",
  });
  const files = ["a.wad", "b.pk3", "folder", "bad.wad"].map((name) => `${root.path}/${name}`);
  const iwadPath = `${root.path}/doom2.wad`;
  await using index = await openLiveIndex([{ sources: [iwadPath, ...files], iwad: iwadPath, files }]);
  const all = ["a.wad", "b.pk3", "bad.wad", "doom2.wad", "folder"];
  for (const missing of [[], ["a.wad"]]) {
    for (const name of missing) await Deno.remove(`${root.path}/${name}`, { recursive: true });
    await index.refresh();
    const targets = (await watchTargets(index.catalog)).map(({ path, matches }) => {
      const own = path.replace(`${root.path}/`, "");
      return `${own}: ${matches ? [...all, ...names].filter(matches).join(" ") : "all"}`;
    });
    assertEquals(targets.sort(), all.map((name) => `${name}: ${name === "folder" ? "all" : name}`));
  }
});

Deno.test("of very many links out of a root a thousand are watched, and all without a limit inside it", async () => {
  const numbers = Array.from({ length: 1003 }, (_, number) => number);
  const packs = numbers.map((number) => [`elsewhere/${number}.pk3`, zipOf("a.txt")] as const);
  await using root = await installation({ "q3/baseq3/pak0.pk3": zipOf("a.txt"), ...Object.fromEntries(packs) });
  for (const number of numbers) {
    await Deno.symlink(`../../elsewhere/${number}.pk3`, `${root.path}/q3/baseq3/link${number}.pk3`);
  }
  const targets = await watchTargets(scanCatalog([{ sources: [`${root.path}/q3`], profile: "ioquake3" }]));
  assertEquals([targets.length, targets.filter(({ matches }) => !matches).length], [1001, 1]);
});

const anyTarget = fc.record({ path: fc.constantFrom("/a", "/b"), isFile: fc.boolean() })
  .map(({ path, isFile }): WatchTarget => ({ path, ...(isFile ? { matches: () => true } : {}) }));

Deno.test("targets are the same if each is, in order", () => {
  const lists = fc.array(anyTarget, { maxLength: 3 });
  fc.assert(fc.property(lists, lists, (one, other) => {
    const described = (targets: readonly WatchTarget[]) =>
      JSON.stringify(targets.map(({ path, matches }) => [path, matches !== undefined]));
    assertEquals(sameTargets(one, other), described(one) === described(other));
    assertEquals(new Set(one.map(targetKey)).size, new Set(one.map((target) => described([target]))).size);
    assert(sameTargets(one, one.map((target) => ({ ...target }))));
  }));
});

/** Watches of a kernel that refuses further ones after some. */
class FewWatches extends DirectoryWatches {
  left: number;

  constructor(left: number) {
    super();
    this.left = left;
  }

  override add(...parameters: Parameters<DirectoryWatches["add"]>): Promise<number> {
    return this.left-- > 0 ? super.add(...parameters) : Promise.resolve(-1);
  }
}

Deno.test("a tree that the kernel cannot watch whole is polled, with the reason, and keeps no watch", async () => {
  await using root = await installation({ "tree/a/b/x": "", "tree/c/y": "" });
  for (let left = 0; left <= 4; left++) {
    await using watches = new FewWatches(left);
    const explained: string[] = [];
    let touches = 0;
    const host = {
      watches,
      touch: () => void touches++,
      explain: (_: string, because: string) => explained.push(because),
    };
    const watcher = new TargetWatcher({ path: `${root.path}/tree` }, host);
    await watcher.check();
    const isWhole = left === 4;
    assertEquals(watcher.row.mode, isWhole ? "events" : "polling", String(left));
    assertEquals(explained.map((because) => /max_user_watches/.test(because)), isWhole ? [] : [true]);
    assertEquals((await kernelWatches()).size, isWhole ? 4 : 0);
    const before = touches;
    assert(before > 0);
    if (isWhole) {
      // One more watch exceeds the limit.
      await Deno.mkdir(`${root.path}/tree/d`);
      while (watcher.row.mode === "events") await new Promise((resolve) => setTimeout(resolve));
      assert(touches > before);
    }
    watcher.renew();
    assertEquals([watcher.row.mode, watcher.isPolled], ["polling", true], "there are no watches to renew");
    watcher.close();
    assertEquals((await kernelWatches()).size, 0);
  }
});

Deno.test({
  name:
    "a target on a file system whose changes the kernel does not report, or with one inside, is polled and says why",
  ...needs("root"),
  fn: async () => {
    await using root = await installation({ "copied/a.txt": "a", "game/mnt/": "", "game/local/b.txt": "b" });
    await using watches = new DirectoryWatches();
    const explained: string[] = [];
    const host = { watches, touch: () => {}, explain: (_: string, because: string) => explained.push(because) };
    const [game, mount, local] = ["game", "game/mnt", "game/local"].map((name) => `${root.path}/${name}`) as [
      string,
      string,
      string,
    ];
    const earlier = new TargetWatcher({ path: game }, host);
    await earlier.check();
    assertEquals(earlier.row.mode, "events");
    await using _remote = await stoppable(`${root.path}/copied`, mount);
    earlier.renew();
    await earlier.check();
    assertEquals([earlier.row.mode, explained.splice(0).length], ["polling", 1]);
    earlier.close();
    const targets: WatchTarget[] = [
      { path: mount },
      { path: `${mount}/a.txt`, matches: () => true },
      { path: game },
      { path: local },
    ];
    const modes = [];
    for (const target of targets) {
      const watcher = new TargetWatcher(target, host);
      await watcher.check();
      modes.push(watcher.row.mode);
      watcher.close();
    }
    assertEquals(modes, ["polling", "polling", "polling", "events"]);
    const because = `${mount} is on fuse.stoppable, where the kernel does not report every change`;
    assertEquals(explained, [because, because, because]);
  },
});

/** Watches during whose calls other programs change something. */
class BusyWatches extends DirectoryWatches {
  meanwhile: () => void = () => {};

  override async add(...parameters: Parameters<DirectoryWatches["add"]>): Promise<number> {
    this.meanwhile();
    const number = await super.add(...parameters);
    this.meanwhile();
    return number;
  }
}

Deno.test("a target that is removed or replaced while its watches are set up is watched or missing once it is so", async () => {
  await using root = await temporaryDirectory();
  const path = `${root.path}/tree`;
  const random = numbersFrom(seed);
  const changes = [
    () => Deno.mkdirSync(`${path}/a/b`, { recursive: true }),
    () => Deno.removeSync(path, { recursive: true }),
    () => Deno.removeSync(`${path}/a`, { recursive: true }),
    () => Deno.writeTextFileSync(path, "a file"),
    () => Deno.renameSync(path, `${root.path}/${random(1e9)}`),
  ];
  const changeOnce = () => {
    try {
      changes[random(changes.length)]?.();
    } catch { /* Nothing, or something else, is there. */ }
  };
  await using watches = new BusyWatches();
  const { realPath } = Deno;
  Deno.realPath = (name) => {
    watches.meanwhile();
    return realPath(name);
  };
  using _ = { [Symbol.dispose]: () => void (Deno.realPath = realPath) };
  // A file in place of a directory is polled; a missing path needs no explanation.
  const explain = (_: string, because: string) => assertMatch(because, /Not a directory/, `PAKFS_SEED=${seed}`);
  for (const target of [{ path }, { path: `${path}/file`, matches: () => true }]) {
    const watcher = new TargetWatcher(target, { watches, touch: () => {}, explain });
    for (let round = 0; round < 150; round++) {
      changeOnce();
      let left = random(4);
      watches.meanwhile = () => left-- > 0 && changeOnce();
      await watcher.check();
      watches.meanwhile = () => {};
      const isSettled = async () => {
        await watcher.check();
        const there = await directoriesBelow(path);
        const expected = target.matches ? there.slice(0, 1) : there;
        const watched = Array.from((await kernelWatches()).keys());
        const mode = expected.length > 0 ? "events" : "missing";
        const isFile = await Deno.stat(path).then((found) => found.isFile, () => false);
        return watched.sort().join() === expected.sort().join() && (isFile || watcher.row.mode === mode);
      };
      while (!await isSettled()) await new Promise((resolve) => setTimeout(resolve));
    }
    watcher.close();
  }
});

Deno.test("a target that is closed at any moment keeps no watch and reports nothing more", async () => {
  await using root = await temporaryDirectory();
  await Deno.mkdir(`${root.path}/tree/a/b`, { recursive: true });
  await using watches = new DirectoryWatches();
  for (let turns = 0; turns < 40; turns++) {
    let isClosed = false;
    const host = { watches, touch: () => assert(!isClosed), explain: () => assert(!isClosed) };
    const watcher = new TargetWatcher({ path: `${root.path}/tree` }, host);
    const checking = watcher.check();
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    isClosed = true;
    watcher.close();
    await checking.catch(() => {});
    await watcher.check();
    assertEquals((await kernelWatches()).size, 0, `after ${turns} turns`);
    assertEquals(watcher.row.mode, "missing");
  }
});

Deno.test("a target that is removed is missing until it is back, and neither polled nor explained", async () => {
  await using root = await temporaryDirectory();
  await using watches = new DirectoryWatches();
  const explained: string[] = [];
  let touches = 0;
  const host = { watches, touch: () => void touches++, explain: (path: string) => explained.push(path) };
  const watcher = new TargetWatcher({ path: `${root.path}/tree` }, host);
  let wasThere = false;
  assertEquals(watcher.isAffectedBy(root.path), false, "it is nowhere yet");
  for (const isThere of [false, true, false, false, true]) {
    const before = touches;
    if (isThere) await Deno.mkdir(`${root.path}/tree`);
    else await Deno.remove(`${root.path}/tree`).catch(() => {});
    // The kernel reports the watch's end: a directory made later may get the same number.
    while (!isThere && watcher.row.mode === "events") await new Promise((resolve) => setTimeout(resolve));
    await watcher.check();
    assertEquals([watcher.row.mode, watcher.isPolled], [isThere ? "events" : "missing", false]);
    assertEquals(touches > before, isThere !== wasThere);
    wasThere = isThere;
  }
  assertEquals(explained, []);
  watcher.close();
});
