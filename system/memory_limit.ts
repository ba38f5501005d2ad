/**
 * How much memory this process may use, by its control groups, cgroups(7).
 * @module
 */
import type { FileCalls } from "./file_calls.ts";

/** Returns the limit in bytes; infinite where none is known. */
export function memoryLimit(files: Pick<FileCalls, "readText">): number {
  let limit = Infinity;
  for (const line of files.readText("/proc/self/cgroup").split("\n")) {
    const [, controllers, path = ""] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    const isUnified = controllers === "";
    if (!isUnified && !controllers?.split(",").includes("memory")) continue;
    const [root, name] = isUnified
      ? ["/sys/fs/cgroup", "memory.max"]
      : ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"];
    // That of each group above counts too. In a container only the last one may be there.
    const parts = path.split("/").filter((part) => part !== "");
    for (let count = parts.length; count >= 0; count--) {
      const group = parts.slice(0, count).map((part) => `/${part}`).join("");
      // No limit is the word "max", or a number beyond all memory.
      const value = Number.parseInt(files.readText(`${root}${group}/${name}`));
      if (value > 0) limit = Math.min(limit, value);
    }
  }
  return limit;
}
