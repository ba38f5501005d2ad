// deno-lint-ignore-file no-await-in-loop -- one change after another is the point of these tests
import { assert, assertEquals } from "@std/assert";
import { type GameIndex, LiveIndex, openLiveIndex } from "../../service/live_index.ts";
import { SystemCalls } from "../../system/system_calls.ts";
import { IndexWatcher, type WatchOptions } from "../../service/watch/index_watcher.ts";
import { MountTableWatch } from "../../system/mount_table.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { installation, pakOf, scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { HandClock } from "../support/hand_clock.ts";
import { directoriesBelow, kernelWatches } from "../support/kernel_watches.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** A watched installation, and a clock that a test moves by hand. */
async function watched(root: string, options: WatchOptions = {}) {
  const clock = new HandClock();
  const index = await openLiveIndex([{ sources: [`${root}/disk`], profile: "quake" }]);
  const watcher = new IndexWatcher(index, { ...options, clock });
  clock.settle = () => watcher.idle;
  await watcher.ready;
  return {
    index,
    watcher,
    clock,
    /** One check of the watcher. */
    second: () => clock.advance(1000),
    async [Symbol.asyncDispose](): Promise<void> {
      await watcher[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
    },
  };
}

/** Returns the number of refreshes that the watcher begins during `work`. */
async function refreshesDuring(index: GameIndex, work: () => Promise<void>): Promise<number> {
  const before = index.refreshes;
  await work();
  return index.refreshes - before;
}

/** An index that counts its listeners. */
class CountingIndex extends LiveIndex {
  listeners = 0;

  override onShown(...parameters: Parameters<LiveIndex["onShown"]>): () => void {
    this.listeners++;
    const forget = super.onShown(...parameters);
    return () => {
      this.listeners--;
      forget();
    };
  }
}

/** An index whose last refresh found nothing at the root of its game. */
class LateIndex extends LiveIndex {
  isLate = true;

  override seen(): string | null | undefined {
    return this.isLate ? null : undefined;
  }
}

Deno.test("a disk that was away just while a refresh looked is looked at again by the next look", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt") });
  const index = new LateIndex(scan(`${root.path}/disk`, { profile: "quake" }), (previous) => {
    index.isLate = false;
    return previous;
  });
  const clock = new HandClock();
  await using watcher = new IndexWatcher(index, { clock });
  clock.settle = () => watcher.idle;
  await clock.advance(300); // what was there at the start
  index.isLate = true;
  const before = index.refreshes;
  await clock.advance(1300);
  assertEquals([index.refreshes - before, index.isLate], [1, false]);
  await clock.advance(5000);
  assertEquals(index.refreshes - before, 1);
});

Deno.test("a mount renews the watches that it affects, and costs nothing where it affects none", async () => {
  await using root = await installation({
    "disk/id1/pak0.pak": pakOf("a.txt"),
    "disk/id1/maps/a.bsp": "a",
    "diskette/x": "x",
  });
  const mounts: string[] = [];
  await using here = await watched(root.path, { changedMounts: () => mounts.splice(0) });
  await here.clock.advance(2000);
  const random = numbersFrom(seed);
  const disk = `${root.path}/disk`;
  const affecting = [disk, root.path, "/", `${disk}/id1`, `${disk}/id1/maps`];
  const others = [
    `${root.path}/diskette`,
    `${root.path}/dis`,
    "/proc",
    `${root.path}/x/disk`,
    `${root.path}/disk2/id1`,
  ];
  for (let round = 0; round < 40; round++) {
    const some = (paths: readonly string[], count: number) =>
      Array.from({ length: count }, () => paths[random(paths.length)] ?? "");
    const isAffected = random(2) === 0;
    mounts.push(...some(others, random(4)), ...some(affecting, isAffected ? 1 + random(2) : 0));
    const before = await kernelWatches();
    const count = await refreshesDuring(here.index, () => here.clock.advance(1300));
    const after = await kernelWatches();
    assertEquals(count, isAffected ? 1 : 0, `round ${round}, PAKFS_SEED=${seed}`);
    assertEquals(Array.from(after.keys()).sort(), (await directoriesBelow(disk)).sort());
    const kept = Array.from(after).filter(([inode, watch]) => before.get(inode) === watch).length;
    assertEquals(kept, isAffected ? 0 : after.size, "watches that are as they were");
    assertEquals(here.watcher.rows().map(({ mode }) => mode), ["events"]);
    await here.clock.advance(700);
  }
});

Deno.test("mounts next to an archive cost nothing, one over it or over its directory a refresh", async () => {
  await using root = await installation({ "disk/pak0.pak": pakOf("a.txt"), "disk/other/x": "x" });
  const mounts: string[] = [];
  const clock = new HandClock();
  await using index = await openLiveIndex([{ sources: [`${root.path}/disk/pak0.pak`] }]);
  await using watcher = new IndexWatcher(index, { changedMounts: () => mounts.splice(0), clock });
  clock.settle = () => watcher.idle;
  await watcher.ready;
  await clock.advance(2000);
  const refreshes: number[] = [];
  for (const name of ["/disk/other", "/disk/mount", "/disk/pak0.pak", "/disk", ""]) {
    mounts.push(root.path + name);
    refreshes.push(await refreshesDuring(index, () => clock.advance(2000)));
  }
  assertEquals(refreshes, [0, 0, 1, 1, 1]);
});

Deno.test("what games no longer need is not watched, whichever games come and go", async () => {
  await using root = await installation({});
  const names = ["a", "b", "c", "d"];
  for (const name of names) {
    await writeFiles(root.path, { [`${name}/id1/pak0.pak`]: pakOf("a.txt"), [`${name}/id1/maps/a.bsp`]: "a" });
  }
  const random = numbersFrom(seed);
  await using index = await openLiveIndex([{ sources: [`${root.path}/a`], profile: "quake", name: "a" }]);
  const clock = new HandClock();
  await using watcher = new IndexWatcher(index, { clock });
  clock.settle = () => watcher.idle;
  for (let round = 0; round < 25; round++) {
    // The names of one game come in different orders, and two games may share a directory.
    const wanted = names.filter(() => random(2) === 0);
    const games = wanted.length === 0 ? ["a"] : wanted;
    await index.exchange(
      games.map((name) => ({
        sources: random(3) === 0 ? [`${root.path}/${name}`, `${root.path}/a`] : [`${root.path}/${name}`],
        profile: "quake",
        name,
      })),
    );
    await clock.advance(2000);
    const paths = new Set(index.catalog.games.flatMap(({ roots }) => roots));
    const expected = (await Promise.all(Array.from(paths, directoriesBelow))).flat();
    assertEquals(Array.from((await kernelWatches()).keys()).sort(), expected.sort(), `PAKFS_SEED=${seed}`);
  }
});

Deno.test("a refresh that fails is tried again after 1, 2, 4 seconds and so on up to a minute, until one succeeds", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt") });
  const random = numbersFrom(seed);
  // Long and short runs of failures: whether each attempt fails.
  const outcomes = [
    ...Array.from({ length: 9 }, () => true),
    false,
    ...Array.from({ length: 16 }, () => random(3) > 0),
  ];
  const clock = new HandClock();
  const attempts: number[] = [];
  const index = new LiveIndex(scan(`${root.path}/disk`, { profile: "quake" }), (previous) => {
    const isFailing = outcomes[attempts.length] ?? false;
    attempts.push(clock.now());
    if (isFailing) throw new Error("out of order");
    return previous;
  });
  const failures: string[] = [];
  await using watcher = new IndexWatcher(index, { clock, onFailure: (sentence) => failures.push(sentence) });
  clock.settle = () => watcher.idle;
  while (attempts.length <= outcomes.length) await clock.advance(1000);
  let run = 0;
  let runs = 0;
  for (const [number, isFailing] of outcomes.entries()) {
    run = isFailing ? run + 1 : 0;
    if (run === 1) runs++;
    // Without a failure everything is checked once a minute.
    const pause = isFailing ? Math.min(60_000, 1000 * 2 ** (run - 1)) : 60_000;
    const passed = (attempts[number + 1] ?? 0) - (attempts[number] ?? 0);
    assert(
      passed >= Math.min(pause, 59_500) && passed <= pause + 1500,
      `${passed} ms after attempt ${number}, the ${run}. that failed in a row; PAKFS_SEED=${seed}`,
    );
  }
  assertEquals(failures.length, runs, "each run of failures is reported once");
});

Deno.test("looking without a reason takes a twentieth of the time at most where it polls, else a two hundredth", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt") });
  for (
    const [onlyPolling, least, share, costs] of [[true, 2000, 20, [0, 50, 2500]], [false, 60_000, 200, [
      0,
      400,
    ]]] as const
  ) {
    for (const cost of costs) {
      const clock = new HandClock();
      const begun: number[] = [];
      const index = new LiveIndex(scan(`${root.path}/disk`, { profile: "quake" }), async (previous) => {
        begun.push(clock.now());
        if (cost > 0) await new Promise<void>((resolve) => clock.after(cost, resolve));
        return previous;
      });
      const watcher = new IndexWatcher(index, { clock, onlyPolling });
      clock.settle = () => watcher.ready;
      const pause = Math.max(least, share * cost);
      while (begun.length < 4) await clock.advance(1000);
      for (const number of [2, 3]) {
        const passed = (begun[number] ?? 0) - (begun[number - 1] ?? 0) - cost;
        // A check is due at some second, and begins after a while without changes.
        assert(passed > pause - 500 && passed < pause + 1500, `${passed} ms where ${pause} are due`);
      }
      await clock.advance(cost);
      await watcher[Symbol.asyncDispose]();
    }
  }
});

Deno.test("what an index depends on is watched as soon as the watcher is ready, before any time has passed", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt") });
  await using here = await watched(root.path);
  await here.watcher.idle;
  assertEquals(here.watcher.rows().map(({ mode }) => mode), ["events"]);
  assertEquals(here.clock.now(), 0);
});

Deno.test("a watcher that ends at any moment leaves no watch and no running work", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt"), "disk/id1/maps/deep/x": "x" });
  await using index = new CountingIndex(scan(`${root.path}/disk`, { profile: "quake" }), (previous) => previous);
  for (let turns = 0; turns < 25; turns++) {
    const watcher = new IndexWatcher(index, { clock: new HandClock() });
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await watcher[Symbol.asyncDispose]();
    assertEquals([(await kernelWatches()).size, index.listeners], [0, 0], `after ${turns} turns`);
  }
});

Deno.test("each path that is polled is explained once, however often its disk is changed", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt"), "other/id1/pak0.pak": pakOf("b.txt") });
  const explained: string[] = [];
  await using here = await watched(root.path, { onlyPolling: true, onExplained: (text) => explained.push(text) });
  for (let round = 0; round < 4; round++) {
    await here.clock.advance(3000);
    await Deno.rename(`${root.path}/disk`, `${root.path}/away`);
    await Deno.rename(`${root.path}/other`, `${root.path}/disk`);
    await Deno.rename(`${root.path}/away`, `${root.path}/other`);
  }
  assertEquals(explained.map((text) => text.split(": ")[0]), [`${root.path}/disk`]);
});

Deno.test("a disk that does not answer is asked once, and the others are checked as before", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt"), "other/id1/b.txt": "b" });
  const [disk, other] = [`${root.path}/disk`, `${root.path}/other`];
  const index = new LiveIndex(
    scanCatalog([disk, other].map((path) => ({ sources: [path], profile: "quake" }))),
    (last) => last,
  );
  const clock = new HandClock();
  const watcher = new IndexWatcher(index, { clock });
  await watcher.ready;
  const { stat } = Deno;
  const asked = new Map<string, number>();
  const answers = Promise.withResolvers<void>();
  Deno.stat = async (path) => {
    asked.set(String(path), (asked.get(String(path)) ?? 0) + 1);
    if (path === disk) await answers.promise;
    return await stat(path);
  };
  try {
    while ((asked.get(other) ?? 0) < 8) await clock.advance(1000);
    assertEquals(asked.get(disk), 1);
    let hasEnded = false;
    const ending = watcher[Symbol.asyncDispose]().then(() => hasEnded = true);
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    assertEquals(hasEnded, false, "a check is running");
    answers.resolve();
    await ending;
  } finally {
    answers.resolve();
    Deno.stat = stat;
    await index[Symbol.asyncDispose]();
  }
});

Deno.test("after the machine has slept, or its clock was set, everything is looked at", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt") });
  await using here = await watched(root.path);
  await here.second();
  await here.clock.advance(2000);
  const seconds = async () => {
    await here.second();
    await here.clock.advance(300);
    await here.second();
  };
  assertEquals(await refreshesDuring(here.index, seconds), 0);
  here.clock.sleep(8 * 3600 * 1000);
  assertEquals(await refreshesDuring(here.index, seconds), 1);
  here.clock.sleep(-3600 * 1000);
  assertEquals(await refreshesDuring(here.index, seconds), 1);
  assertEquals(await refreshesDuring(here.index, seconds), 0);
});

async function mount(...args: string[]): Promise<boolean> {
  return (await new Deno.Command("mount", { args, stdout: "null", stderr: "null" }).output()).success;
}

Deno.test({
  name: "the kernel reports each mount and unmount once",
  ...needs("root"),
  fn: async () => {
    await using directory = await temporaryDirectory();
    using system = new SystemCalls();
    using mounts = new MountTableWatch(system);
    // Other programs of this machine mount file systems, too.
    assertEquals(mounts.changes().filter((path) => path === directory.path), []);
    if (!await mount("-t", "tmpfs", "tmpfs", directory.path)) return; // in a container without the right
    await writeFiles(directory.path, { x: "x" });
    // A connection makes the daemon inspect all descriptors, which must not consume the notification.
    system.sockets.refuseStrangers("/nowhere");
    assertEquals(mounts.changes().filter((path) => path === directory.path), [directory.path]);
    assertEquals(mounts.changes().filter((path) => path === directory.path), []);
    await new Deno.Command("umount", { args: [directory.path] }).output();
    assertEquals(mounts.changes().filter((path) => path === directory.path), [directory.path]);
  },
});
