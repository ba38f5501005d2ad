import { assert, assertEquals } from "@std/assert";
import { FileCalls } from "../../system/file_calls.ts";
import { MemoryReleaser } from "../../system/memory_release.ts";
import { ProcessCalls } from "../../system/process_calls.ts";

Deno.test("much memory that is not needed is given back at once: threads collect, then the heap is trimmed", async () => {
  const done: string[] = [];
  const trimmed = Promise.withResolvers<void>();
  const library = {
    trimHeap() {
      done.push("trimmed");
    },
    releaseFilePages() {
      done.push("released");
      trimmed.resolve();
    },
  };
  using tidier = new MemoryReleaser(library, () => done.push("tidied"));
  for (let index = 0; index < 3; index++) tidier.unneeded(100 * 1024 * 1024);
  assertEquals(done, []);
  // Deno's tests end while nothing but such timers is left.
  const waiting = setInterval(() => {}, 50);
  await trimmed.promise.finally(() => clearInterval(waiting));
  assertEquals(done, ["tidied", "trimmed", "released"]);
});

Deno.test("a tidier that is disposed of tidies no more", () => {
  const library = { trimHeap: () => {}, releaseFilePages: () => {} };
  const tidier = new MemoryReleaser(library, () => {
    throw new Error("it was disposed of");
  });
  tidier.unneeded(0);
  tidier[Symbol.dispose]();
});

Deno.test("pages of code and constants that are not used are given back", () => {
  using files = new FileCalls();
  using calls = new ProcessCalls();
  const resident = () => Number(/^RssFile:\s+(\d+)/m.exec(files.readText("/proc/self/status"))?.[1]);
  const before = resident();
  calls.releaseFilePages();
  assert(resident() < before * 0.9, `${before} kB before, ${resident()} kB after`);
});
