import { assert, assertEquals } from "@std/assert";
import { type GameIndex, LiveIndex, openLiveIndex } from "../../daemon/live_index.ts";
import { CLibrary } from "../../daemon/native/c_library.ts";
import { refuseStrangers } from "../../daemon/native/strangers.ts";
import { IndexWatcher, type WatchOptions } from "../../daemon/watch/index_watcher.ts";
import { MountTableWatch } from "../../daemon/watch/mount_table_watch.ts";
import { installation, pakOf, scan, writeFiles } from "../index/fixtures.ts";
import { HandClock } from "../support/hand_clock.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** A watched installation, and time that goes on when it is told to. */
async function watched(root: string, options: WatchOptions = {}) {
  const clock = new HandClock();
  const index = await openLiveIndex([{ sources: [`${root}/disk`], profile: "quake" }]);
  const watcher = new IndexWatcher(index, { ...options, clock });
  await watcher.ready;
  return {
    index,
    watcher,
    clock,
    /** One look of the watcher. */
    async second(): Promise<void> {
      await clock.advance(1000);
      await watcher.ready;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await watcher[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
    },
  };
}

/** Refreshes that the watcher began, without those that the test asks for. */
async function refreshesDuring(index: GameIndex, work: () => Promise<void>): Promise<number> {
  const before = index.refreshes;
  await work();
  return index.refreshes - before;
}

/** An index whose last refresh saw nothing in the place of its game. */
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
  await watcher.ready;
  const modes = () => watcher.rows().map(({ mode }) => mode);
  await clock.advance(300); // what was there at the start
  index.isLate = true;
  const before = index.refreshes;
  for (const mode of ["missing", "events"]) {
    // deno-lint-ignore no-await-in-loop -- one look after another
    await clock.advance(1000);
    // deno-lint-ignore no-await-in-loop -- as above
    await watcher.ready;
    assertEquals(modes(), [mode]);
  }
  await clock.advance(300);
  assert(index.refreshes > before);
  assertEquals(index.isLate, false);
});

Deno.test("when something was mounted, places are watched anew and looked at", async () => {
  await using root = await installation({ "disk/id1/pak0.pak": pakOf("a.txt") });
  let isChanged = false;
  await using here = await watched(root.path, {
    haveMountsChanged: () => {
      const was = isChanged;
      isChanged = false;
      return was;
    },
  });
  await here.second();
  await here.clock.advance(2000);
  const modes = () => here.watcher.rows().map(({ mode }) => mode);
  assertEquals(modes(), ["events"]);
  isChanged = true;
  const count = await refreshesDuring(here.index, async () => {
    await here.second();
    assertEquals(modes(), ["missing"]);
    await here.second();
    assertEquals(modes(), ["events"]);
    await here.clock.advance(300);
  });
  assertEquals(count, 1);
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
  name: "the kernel tells once of each change of what is mounted",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await using directory = await temporaryDirectory();
    using library = new CLibrary();
    using mounts = new MountTableWatch(library);
    mounts.hasChanged();
    assertEquals(mounts.hasChanged(), false);
    if (!await mount("-t", "tmpfs", "tmpfs", directory.path)) return; // in a container without the right
    await writeFiles(directory.path, { x: "x" });
    // Whoever connects has all descriptors looked at, which must not take the news away.
    refuseStrangers(library, "/nowhere");
    assert(mounts.hasChanged());
    await new Deno.Command("umount", { args: [directory.path] }).output();
    assert(mounts.hasChanged());
  },
});
