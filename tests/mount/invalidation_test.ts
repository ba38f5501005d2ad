// deno-lint-ignore-file no-await-in-loop -- one step after the other
/** Invalidation of kernel caches, with a kernel that answers on a random schedule. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Notifier } from "deno-fuse-ffi";
import { Invalidation } from "../../mount/invalidation.ts";
import type { CachedName } from "../../mount/layout/mounted_tree.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { HandClock } from "../support/hand_clock.ts";

/** A kernel that receives invalidations. */
class Kernel implements Notifier {
  readonly underWay: { readonly what: string; readonly done: PromiseWithResolvers<void> }[] = [];
  readonly begun: string[] = [];
  /** Names that the kernel has invalidated, or refused to. */
  readonly finished: string[] = [];
  opened = 0;
  closed = 0;

  invalidateEntry(high: number, low: number, name: Uint8Array): Promise<void> {
    return this.#begin(`${high} ${low} ${new TextDecoder().decode(name)}`);
  }

  invalidateInode(high: number, low: number): Promise<void> {
    return this.#begin(`${high} ${low}`);
  }

  close(): void {
    assertEquals(this.underWay.length, 0, "libfuse is unloaded while it is used");
    this.closed++;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #begin(what: string): Promise<void> {
    assertEquals(this.closed, 0, "libfuse is used after it was unloaded");
    this.begun.push(what);
    const done = Promise.withResolvers<void>();
    this.underWay.push({ what, done });
    return done.promise;
  }
}

/** Waits for everything that needs no kernel answer. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

const ends = ["nothing", "a refusal", "the wish to end", "the end of the session", "the end of the mount"] as const;

for (const end of ends) {
  Deno.test(`names are forgotten before their listings, some at a time, until ${end} comes in between`, async () => {
    const chance = numbersFrom(seed);
    for (let round = 0; round < 5; round++) {
      const memory = new DecodeMemory(createDecodeBuffers(0));
      const kernel = new Kernel();
      const invalidation = new Invalidation(memory, 1n, {
        open() {
          kernel.opened++;
          return kernel;
        },
      });
      const names: CachedName[] = Array.from({ length: chance(150) }, (_, number) => ({
        high: chance(2),
        low: chance(5),
        name: new TextEncoder().encode(`name${number}`),
      }));
      const listings = new Set(names.map(({ high, low }) => `${high} ${low}`));
      let isOver = false;
      const result = invalidation.forgetNames(names).finally(() => isOver = true);
      result.catch(() => {});
      // The session's thread waits for notifications that have begun.
      const isAwaited = () => !memory.stop(0) || memory.isStopping;
      assert(!memory.isStopping);
      const endAt = end === "nothing" ? Infinity : chance(names.length + listings.size + 1);
      let ended = "";
      let begunBefore = 0;
      for (let answers = 0; !isOver; answers++) {
        await turn();
        if (answers >= endAt && ended === "" && !isOver) {
          ended = end;
          begunBefore = kernel.begun.length;
          if (end === "the wish to end") memory.refuseNotifications();
          else if (end === "the end of the mount") memory.askToStop();
          else if (end === "the end of the session") invalidation[Symbol.dispose]();
        }
        for (const listing of kernel.begun.filter((what) => listings.has(what))) {
          const forgotten = kernel.finished.filter((what) => what.startsWith(`${listing} `)).length;
          const all = names.filter(({ high, low }) => `${high} ${low}` === listing).length;
          assertEquals(forgotten, all, "a listing too early");
        }
        assert(kernel.underWay.length <= 32, `${kernel.underWay.length} at a time`);
        const [next] = kernel.underWay.splice(chance(kernel.underWay.length), 1);
        if (!next) continue;
        kernel.finished.push(next.what);
        if (ended === "a refusal") next.done.reject(new Error("refused"));
        else next.done.resolve();
      }
      const text = `${names.length} names, ${end} at ${endAt}, PAKFS_SEED=${seed}`;
      const all = [
        ...names.map(({ high, low, name }) => `${high} ${low} ${new TextDecoder().decode(name)}`),
        ...listings,
      ];
      if (ended === "a refusal") await assertRejects(() => result, Error, "refused", text);
      else await result;
      if (ended === "") assertEquals(kernel.finished.toSorted(), all.toSorted(), text);
      if (ended === "the wish to end" || ended === "the end of the mount") {
        assertEquals(kernel.begun.length, begunBefore, `nothing begins any more: ${text}`);
      }
      for (const { done } of kernel.underWay.splice(0)) done.resolve();
      await turn();
      assertEquals(kernel.opened, names.length === 0 ? 0 : 1, text);
      invalidation[Symbol.dispose]();
      assertEquals(kernel.closed > 0, kernel.opened > 0, text);
      assert(isAwaited());
      const began = kernel.begun.length;
      await invalidation.forgetNames(names);
      assertEquals(kernel.begun.length, began, "nothing begins after the end");
    }
  });
}

Deno.test("a directory in which a lookup hangs holds up no other, and names in it are forgotten when it ends", async () => {
  const memory = new DecodeMemory(createDecodeBuffers(0));
  const kernel = new Kernel();
  const clock = new HandClock();
  using invalidation = new Invalidation(memory, 1n, { open: () => kernel, clock });
  const answer = (isAnswered: (what: string) => boolean) => {
    for (const { what, done } of kernel.underWay.splice(0)) {
      if (isAnswered(what)) done.resolve();
      else kernel.underWay.push({ what, done });
    }
  };
  const isElsewhere = (what: string) => !what.startsWith("0 7");
  const name = (low: number, text: string): CachedName => ({ high: 0, low, name: new TextEncoder().encode(text) });
  for (const file of ["a", "b", "c"]) {
    let isOver = false;
    const forgotten = invalidation.forgetNames([name(7, file), name(8, file), name(9, file)]).then(() => isOver = true);
    for (let seconds = 0; !isOver; seconds++) {
      assert(seconds < 10, "it waits for the lookup");
      for (let answers = 0; answers < 5; answers++) {
        await turn();
        answer(isElsewhere);
      }
      await clock.advance(1000);
    }
    await forgotten;
  }
  assertEquals(kernel.begun.filter((what) => !isElsewhere(what)), ["0 7 a"], "one thread waits");
  assertEquals(kernel.begun.filter(isElsewhere).length, 12);
  for (let answers = 0; answers < 10; answers++) {
    answer(() => true);
    await turn();
  }
  assertEquals(kernel.begun.filter((what) => !isElsewhere(what)), ["0 7 a", "0 7", "0 7 b", "0 7", "0 7 c", "0 7"]);
  assert(!memory.isNotifying);
});
