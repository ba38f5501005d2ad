import { assertEquals } from "@std/assert";
import { MemoryReleaser } from "../../system/memory_release.ts";

Deno.test("much memory that is not needed is given back at once: threads collect, then the heap is trimmed", async () => {
  const done: string[] = [];
  const trimmed = Promise.withResolvers<void>();
  const library = {
    trimHeap() {
      done.push("trimmed");
      trimmed.resolve();
    },
  };
  using tidier = new MemoryReleaser(library, () => done.push("tidied"));
  for (let index = 0; index < 3; index++) tidier.unneeded(100 * 1024 * 1024);
  assertEquals(done, []);
  // Deno's tests end while nothing but such timers is left.
  const waiting = setInterval(() => {}, 50);
  await trimmed.promise.finally(() => clearInterval(waiting));
  assertEquals(done, ["tidied", "trimmed"]);
});

Deno.test("a tidier that is disposed of tidies no more", () => {
  const library = { trimHeap: () => {} };
  const tidier = new MemoryReleaser(library, () => {
    throw new Error("it was disposed of");
  });
  tidier.unneeded(0);
  tidier[Symbol.dispose]();
});
