/**
 * Memory limit of this process from its control groups, cgroups(7).
 * @module
 */
import type { FileCalls } from "./file_calls.ts";

/** Returns the limit in bytes; infinite if unknown. */
export function memoryLimit(files: Pick<FileCalls, "readText">): number {
  let limit = Infinity;
  for (const line of files.readText("/proc/self/cgroup").split("\n")) {
    const [, controllers, path = ""] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    const isUnified = controllers === "";
    if (!isUnified && !controllers?.split(",").includes("memory")) continue;
    const [root, name] = isUnified
      ? ["/sys/fs/cgroup", "memory.max"]
      : ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"];
    // The limit of each parent group counts too. In a container only the topmost may be visible.
    const parts = path.split("/").filter((part) => part !== "");
    for (let count = parts.length; count >= 0; count--) {
      const group = parts.slice(0, count).map((part) => `/${part}`).join("");
      // Without a limit the value is "max", or a number beyond all memory.
      const value = Number.parseInt(files.readText(`${root}${group}/${name}`));
      if (value > 0) limit = Math.min(limit, value);
    }
  }
  return limit;
}
