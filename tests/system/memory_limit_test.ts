import { assertEquals } from "@std/assert";
import { memoryLimit } from "../../system/memory_limit.ts";

Deno.test("the memory limit is the least of all control groups above the process, of either version", () => {
  const limitOf = (files: Record<string, string>) => memoryLimit({ readText: (path) => files[path] ?? "" });
  const unified = { "/proc/self/cgroup": "0::/user.slice/pakfs.service\n" };
  assertEquals(limitOf({}), Infinity);
  assertEquals(limitOf(unified), Infinity);
  const root = "/sys/fs/cgroup";
  assertEquals(limitOf({ ...unified, [`${root}/user.slice/pakfs.service/memory.max`]: "max\n" }), Infinity);
  assertEquals(limitOf({ ...unified, [`${root}/user.slice/pakfs.service/memory.max`]: "125829120\n" }), 125829120);
  assertEquals(
    limitOf({
      ...unified,
      [`${root}/user.slice/pakfs.service/memory.max`]: "3000\n",
      [`${root}/user.slice/memory.max`]: "2000\n",
      [`${root}/memory.max`]: "max\n",
    }),
    2000,
  );
  // In a container the process's own group is the root.
  assertEquals(limitOf({ ...unified, [`${root}/memory.max`]: "4000\n" }), 4000);
  const first = { "/proc/self/cgroup": "9:cpu,cpuacct:/a\n4:memory:/a/b\n1:name=systemd:/c\n0::/\n" };
  assertEquals(limitOf({ ...first, [`${root}/memory/a/memory.limit_in_bytes`]: "5000\n" }), 5000);
  assertEquals(limitOf({ ...first, [`${root}/cpu/a/memory.limit_in_bytes`]: "5000\n" }), Infinity);
});
