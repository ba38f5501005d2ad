import { assertEquals } from "@std/assert";
import { FailedReads } from "../../mount/failed_reads.ts";
import type { IndexVersion } from "../../mount/shared/thread_messages.ts";
import { numbersFrom, seed } from "../support/chance.ts";

/** Indexes whose counters may still grow. */
const maxOpen = 4;

Deno.test("failed reads are summed by source over all indexes, the sources with most first, a hundred at most", () => {
  const chance = numbersFrom(seed);
  const sums = new Map<string, number>();
  const open: { version: IndexVersion; paths: string[] }[] = [];
  const make = () => {
    // The same sources have other numbers in each index.
    const paths = Array.from({ length: 150 }, (_, number) => `/${number}.pak`).filter(() => chance(4) !== 0);
    const sources = paths.map((path, id) => ({ id, path }));
    const failures = new SharedArrayBuffer(sources.length * 4);
    const version = { catalog: { snapshot: { sources } }, failures } as unknown as IndexVersion;
    open.push({ version, paths });
    return version;
  };
  const reads = new FailedReads(make());
  for (let step = 0; step < 60; step++) {
    if (step % 4 === 3) reads.add(make());
    for (const { version, paths } of open.slice(-maxOpen)) {
      const counts = new Uint32Array(version.failures);
      for (let count = chance(step); count > 0; count--) {
        const id = chance(paths.length);
        counts[id] = (counts[id] ?? 0) + 1;
        const path = paths[id] ?? "";
        sums.set(path, (sums.get(path) ?? 0) + 1);
      }
    }
    const rows = reads.rows();
    const sorted = Array.from(sums.values()).sort((a, b) => b - a).slice(0, 100);
    assertEquals(rows.map((row) => row.reads), sorted, `step ${step}, PAKFS_SEED=${seed}`);
    assertEquals(rows.map(({ source }) => sums.get(source)), sorted);
    assertEquals(new Set(rows.map(({ source }) => source)).size, rows.length);
  }
});
