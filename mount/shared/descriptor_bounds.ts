/**
 * How many files a mount keeps open: as many as the limit of the process has room for, and never more than pay.
 *
 * Open files are bounded by the limit of the process: what the kernel has cached needs none of them.
 * @module
 */
import type { FileCalls } from "../../system/mod.ts";

/** Descriptors for everything else: threads, clients, the log, watches, and what is open for a moment. */
const reserved = 128;
/** Most packs and loose files of one index. */
const maxOpened = 256;
const minOpened = 8;
/** Most decompressed files, each of a member that is too large for memory. */
const maxSpilled = 64;
const minSpilled = 4;

/** Maximum numbers of open files. */
export interface DescriptorBounds {
  /** Packs and loose files of one index; a mount has two or three. */
  readonly opened: number;
  /** Decompressed files without a name. */
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
