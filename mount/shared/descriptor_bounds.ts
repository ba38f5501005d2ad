/**
 * Limits of the number of open files of a mount: within the limit of the process, and never more than are useful.
 *
 * Cached pages in the kernel need no open files.
 * @module
 */
import type { FileCalls } from "../../system/mod.ts";

/** Descriptors for everything else: threads, clients, the log, watches, and briefly opened files. */
const reserved = 128;
/** Maximum packs and loose files of one index. */
const maxOpened = 256;
const minOpened = 8;
/** Maximum decompressed files of members that are too large for memory. */
const maxSpilled = 64;
const minSpilled = 4;

/** Maximum numbers of open files. */
export interface DescriptorBounds {
  /** Packs and loose files of one index; a mount has two or three. */
  readonly opened: number;
  /** Anonymous decompressed files. */
  readonly spilled: number;
}

/** Returns the bounds for the process; `files` reads its limit. */
export function descriptorBounds(files: Pick<FileCalls, "readText">): DescriptorBounds {
  const [, limit = "unlimited"] = /^Max open files +(\S+)/m.exec(files.readText("/proc/self/limits")) ?? [];
  const free = limit === "unlimited" ? Infinity : Number(limit) - reserved;
  return {
    opened: Math.max(minOpened, Math.min(maxOpened, Math.floor(free / 4))),
    spilled: Math.max(minSpilled, Math.min(maxSpilled, Math.floor(free / 8))),
  };
}
