import { assertEquals } from "@std/assert";
import type { DaemonMount } from "../../daemon/lifecycle/daemon_mount.ts";
import { ServedMounts, type ServedMountsParts } from "../../daemon/lifecycle/served_mounts.ts";
import { numbersFrom, seed } from "../support/chance.ts";

Deno.test("sources are reported by their failed reads, the most first, a hundred at most", () => {
  const chance = numbersFrom(seed);
  const failedReads = new Map(Array.from({ length: 150 }, (_, number) => [`/${number}.pak`, 1 + chance(1000)]));
  const own = { failedReads: () => failedReads } as unknown as DaemonMount;
  const mounts = new ServedMounts({ own, started: { games: [] } } as unknown as ServedMountsParts);
  const sorted = Array.from(failedReads, ([source, reads]) => ({ source, reads })).sort((a, b) => b.reads - a.reads);
  assertEquals(mounts.failures(), sorted.slice(0, 100), `PAKFS_SEED=${seed}`);
});
