/** Cost of `which`: the number of candidates that it reads, not its time. */
import { assert, assertEquals } from "@std/assert";
import { indexFrom } from "../../index/columns/indexed_games.ts";
import { Catalog } from "../../views/catalog.ts";
import type { SnapshotColumns } from "../../index/columns/columns.ts";
import { whichCandidates } from "../../views/which.ts";
import { installation, pakOf, scan, zipOf } from "../index/fixtures.ts";

type Column = SnapshotColumns[keyof SnapshotColumns];

/** A column that counts how many of its elements are read, one by one or as a part. */
function counting<T extends Column>(column: T, count: (elements: number) => void): T {
  return new Proxy(column, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof key === "string" && /^\d+$/.test(key)) count(1);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, given);
        count(ArrayBuffer.isView(result) && "length" in result ? Number(result.length) : target.length);
        return result;
      };
    },
  });
}

/** How many elements of the columns `which` reads, among that many other files. */
async function readsAmong(others: number): Promise<number> {
  const names = Array.from({ length: others }, (_, index) => `textures/set${index % 50}/wall${index}.tga`);
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("textures/base/wall.tga", ...names.slice(0, others / 2)),
    "baseq3/pak1.pk3": zipOf("textures/base/WALL.tga", ...names),
    "baseq3/textures/base/wall.tga": "loose",
  });
  const { index } = scan(root.path, { profile: "ioquake3" });
  let reads = 0;
  const columns = Object.fromEntries(
    Object.entries(index.snapshot.columns).map(([name, column]) => [
      name,
      counting<Column>(column, (elements) => reads += elements),
    ]),
  );
  const snapshot = { ...index.snapshot, columns: { ...index.snapshot.columns, ...columns } };
  const view = new Catalog(indexFrom({ ...index, snapshot })).view();
  assertEquals(view.searchPath.length, 3);
  reads = 0;
  assertEquals(whichCandidates(view, "textures/base/wall.tga").map((row) => row.usable), [true, true, true]);
  return reads;
}

Deno.test("which looks at the candidates of the name alone, however large the index is", async () => {
  const few = await readsAmong(10);
  const many = await readsAmong(20_000);
  assert(few > 0, "nothing was counted");
  // Names that fall on the same slot of the hash table may be met in between.
  assert(many < 2 * few, `${few} elements among 10 other files, ${many} among 20,000`);
});

Deno.test("of many files of one name ezQuake's list judges each a few times", async () => {
  const copies = 100;
  await using root = await installation({ "id1/pak0.pak": pakOf(...Array.from({ length: copies }, () => "a.txt")) });
  const view = scan(root.path, { profile: "ezquake" }).view();
  let judged = 0;
  const isUsable = view.isUsable.bind(view);
  Object.assign(view, { isUsable: (entry: number, asked: string) => (judged++, isUsable(entry, asked)) });
  assertEquals(view.losersTo(view.tree.entryAt("a.txt"), "a.txt").length, copies - 1);
  assert(judged < 4 * copies, `${judged} judgements of ${copies} files`);
});
