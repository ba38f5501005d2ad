// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * Checks when unchanged times prove that a file is unchanged, for file systems whose clocks tick at different rates.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { installation, pakOf, scan, writeFiles } from "./fixtures.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { FileCalls } from "../../system/mod.ts";
import { catalogChanges } from "../../views/changes.ts";
import { zip } from "../formats/bytes.ts";
import {
  type Identity,
  identityFrom,
  isIndexedDirectory,
  isIndexedFile,
  isSameChange,
  isSameIdentity,
  isSettled,
  stateFrom,
} from "../../index/columns/identity.ts";

/** Ticks of a file system's clock in milliseconds: ext4 and others, those with whole seconds, FAT. */
const ticks = fc.constantFrom(1, 4, 10, 1000, 2000);
const start = 1_700_000_000_000;
const moment = fc.integer({ min: 0, max: 20_000 });

Deno.test("what is read within the tick in which it was written is never settled: a change in that tick would not show", () => {
  const cases = ticks.chain((tick) =>
    fc.record({ tick: fc.constant(tick), written: moment, within: fc.integer({ min: 0, max: tick - 1 }) })
  );
  fc.assert(
    fc.property(cases, ({ tick, written, within }) => {
      const stamp = Math.floor((start + written) / tick) * tick;
      assert(!isSettled({ mtime: stamp, ctime: stamp }, stamp + within));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("what was changed long before it was read is settled, whatever programs have made of its mtime", () => {
  const wholeSecond = 1_000_000_000_000;
  const mtimes = fc.constantFrom(0, wholeSecond, wholeSecond + 1, start - 60_000, start + 86_400_000);
  fc.assert(
    fc.property(mtimes, fc.integer({ min: 0, max: 999 }), (mtime, fraction) => {
      const ctime = start - 4000 + fraction;
      assert(isSettled({ mtime, ctime }, start));
    }),
    { numRuns: 200 },
  );
});

Deno.test("a time of whole seconds may be any within its second", () => {
  const settled = (mtime: number, ctime: number, age: number) =>
    isSettled({ mtime, ctime }, Math.max(mtime, ctime) + age);
  assertEquals([50, 51].map((age) => settled(start, start + 1, age)), [false, true], "only the mtime is whole");
  const ages = [50, 51, 999, 1049, 1050];
  assertEquals(ages.map((age) => settled(start - 1, start, age)), [false, false, false, false, true], "only the ctime");
  assertEquals([2000, 2999, 3000].map((age) => settled(start, start, age)), [false, false, true], "both are whole");
});

Deno.test("a file is the same if its inode, size and times are, whatever its device", () => {
  const own: Identity = { device: 1, inode: 2, size: 3, mtime: start, ctime: start + 1 };
  for (const field of Object.keys(own) as (keyof Identity)[]) {
    const other = { ...own, [field]: own[field] + 1 };
    const { device, inode, size, mtime, ctime } = other;
    const information = {
      dev: device,
      ino: inode,
      size,
      mtime: new Date(mtime),
      ctime: new Date(ctime),
    } as Deno.FileInfo;
    const found = [
      isSameIdentity(own, other),
      isSameIdentity(other, own),
      isSameIdentity(identityFrom(information), own),
    ];
    assertEquals(new Set(found), new Set([field === "device"]), field);
    // Layers preserve fractions of a millisecond or drop them.
    assertEquals(isIndexedFile(own, other), !["inode", "size", "ctime"].includes(field), field);
    assertEquals(isIndexedFile(own, other, true), !["inode", "size"].includes(field), field);
    assertEquals(isIndexedDirectory(own, other), field !== "inode", field);
  }
});

Deno.test("an indexed file has its time to the millisecond", () => {
  const own: Identity = { device: 1, inode: 2, size: 3, mtime: start, ctime: start };
  const isSame = [-2, -1, 0, 1, 2].map((step) => isIndexedFile(own, { ...own, mtime: start + step }));
  assertEquals(isSame, [false, true, true, true, false]);
});

Deno.test("a pack that was read while it was written is another one for the next refresh, unless checksums say no", async () => {
  await using root = await installation({});
  const packs = { "id1/pak0.pak": pakOf("a.txt"), "id1/pak1.pk3": zip([{ name: "a.txt", content: "a" }]) };
  await writeFiles(root.path, packs);
  const refreshed = (age: number) => {
    const ctime = Date.now() - age + 0.5;
    const look = (path: string) => ({ ...stateFrom(Deno.statSync(path)), mtime: ctime, ctime });
    const games = [{ sources: [root.path], profile: "darkplaces" }];
    const first = scanCatalog(games, { look });
    return catalogChanges(first, scanCatalog(games, { look, previous: first })).packs.changed;
  };
  assertEquals(refreshed(-60_000), [`${root.path}/id1/pak0.pak`]);
  assertEquals(refreshed(60_000), []);
});

Deno.test("times of a change are the same in whole seconds if one of them has no fraction, else exactly", () => {
  const times = [start - 1, start, start + 0.5, start + 999, start + 1000];
  const found = times.map((time) => times.map((other) => Number(isSameChange(time, other))).join(""));
  assertEquals(found, ["10000", "01110", "01100", "01010", "00001"]);
});

Deno.test("a pack rewritten in the second of its last change, with its size and time put back, is read again", async () => {
  await using root = await installation({});
  const time = new Date(start + 123);
  const path = `${root.path}/id1/pak0.pak`;
  const write = async (name: string) => {
    await writeFiles(root.path, { "id1/pak0.pak": pakOf(name) });
    await Deno.utime(path, time, time);
    return Date.now();
  };
  let found: string[] = [];
  let isWithinSecond = false;
  while (!isWithinSecond) {
    await new Promise((resolve) => setTimeout(resolve, 1010 - Date.now() % 1000));
    const first = await write("aaaa.txt");
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = scan(root.path, { profile: "quake", name: "q" });
    const second = await write("bbbb.txt");
    isWithinSecond = Math.floor(first / 1000) === Math.floor(second / 1000);
    const after = scanCatalog([{ sources: [root.path], profile: "quake", name: "q" }], { previous: before });
    const { tree } = after.view("q/id1");
    found = ["aaaa.txt", "bbbb.txt"].filter((name) => tree.find(name) !== 0xffff_ffff);
  }
  assertEquals(found, ["bbbb.txt"]);
});

Deno.test("a loose file rewritten in the second in which it was indexed, with its time put back, is another one", async () => {
  using files = new FileCalls();
  const look = (path: string) => files.look(path);
  const time = new Date(start + 123);
  for (const isListedAgain of [false, true]) {
    await using root = await installation({});
    const path = `${root.path}/id1/a.txt`;
    const write = async (content: string) => {
      await writeFiles(root.path, { "id1/a.txt": content });
      await Deno.utime(path, time, time);
      return Date.now();
    };
    const games = [{ sources: [root.path], profile: "quake", name: "q" }];
    const changes = async (): Promise<Record<string, number>> => {
      await new Promise((resolve) => setTimeout(resolve, 1010 - Date.now() % 1000));
      const first = await write("aaaa");
      const before = scanCatalog(games, { look });
      await new Promise((resolve) => setTimeout(resolve, 20));
      const second = await write("bbbb");
      if (Math.floor(first / 1000) !== Math.floor(second / 1000)) return await changes();
      await new Promise((resolve) => setTimeout(resolve, 3100));
      if (isListedAgain) await writeFiles(root.path, { "id1/b.txt": "b" });
      return catalogChanges(before, scanCatalog(games, { look, previous: before })).files;
    };
    assertEquals(await changes(), { added: Number(isListedAgain), removed: 0, changed: 1 });
  }
});
