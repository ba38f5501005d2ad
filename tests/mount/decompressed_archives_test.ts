/** Files with decompressed archives, shared by threads that request them in any order. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createArchiveStates, DecompressedArchives } from "../../mount/shared/decompressed_archives.ts";
import { zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("each file is made by the first that needs it, again after a failure, and closed once", async () => {
  await using directory = await temporaryDirectory();
  const inner = (name: string) => ({
    name,
    content: zip([{ name: "x.txt", content: name.repeat(50), method: 8 }]),
    method: 8,
  });
  await writeFiles(directory.path, {
    "a.pk3": zip(["a.zip", "b.zip", "c.zip"].map(inner)),
    "b.pk3": zip([inner("d.zip")]),
  });
  const { snapshot } = scan(directory.path, { profile: "generic", nested: true });
  const files = snapshot.sources.flatMap((source) =>
    source.byteLayout?.files.flatMap(({ kind }, number) => kind === "decompressed" ? [{ source, number }] : []) ?? []
  );
  assertEquals(files.length, 4);
  const states = createArchiveStates(snapshot);
  // Each thread's own object, over shared memory.
  const threads = [1, 2, 3].map(() => new DecompressedArchives(snapshot, states));
  const chance = numbersFrom(seed);
  const made = new Map<(typeof files)[number], number>();
  const underWay = new Map<(typeof files)[number], PromiseWithResolvers<number>>();
  const asked = new Map<(typeof files)[number], Promise<unknown>>();
  let next = -1;
  let madeCount = 0;
  for (let step = 0; step < 2000; step++) {
    const file = files[chance(files.length)];
    const thread = threads[chance(threads.length)];
    assert(file && thread);
    const pending = underWay.get(file);
    if (pending && chance(2) === 0) {
      underWay.delete(file);
      const descriptor = ++next;
      if (chance(3) === 0) pending.reject(new Error("the disk is full"));
      else {
        madeCount++;
        made.set(file, descriptor);
        pending.resolve(descriptor);
      }
      // deno-lint-ignore no-await-in-loop -- one after the other
      await Promise.allSettled([asked.get(file)]);
    }
    const known = made.get(file);
    const isUnderWay = underWay.has(file);
    assertEquals(thread.descriptorOf(file.source, file.number), known ?? -1, `PAKFS_SEED=${seed}`);
    let makes = 0;
    const make = () => {
      makes++;
      const work = Promise.withResolvers<number>();
      underWay.set(file, work);
      return work.promise;
    };
    // A thread that would have to wait gives up, as at the end of the mount.
    const result = thread.obtain(file.source, file.number, make, () => true);
    if (known !== undefined) {
      // deno-lint-ignore no-await-in-loop -- as above
      assertEquals([await result, makes], [known, 0]);
    } else if (makes === 0) {
      assert(isUnderWay, "no thread makes it");
      // deno-lint-ignore no-await-in-loop -- as above
      await assertRejects(() => result, Error, "the mount is ending");
    } else {
      assertEquals([makes, isUnderWay], [1, false], "two make it");
      result.catch(() => {});
      asked.set(file, result);
    }
    if (chance(50) !== 0 || underWay.size > 0) continue;
    const closed: number[] = [];
    thread.closeAll((descriptor) => closed.push(descriptor));
    assertEquals(closed.toSorted(), Array.from(made.values()).toSorted());
    made.clear();
    next = -1;
  }
  for (const pending of underWay.values()) pending.resolve(++next);
  await Promise.allSettled(asked.values());
  assert(madeCount > 50);
});
