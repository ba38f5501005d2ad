/**
 * Statistics of a mount, for `statfs` and so for `df`.
 * @module
 */
import { beyond } from "../../index/columns/columns.ts";
import type { FileSystemStatistics } from "deno-fuse-ffi";
import type { Snapshot } from "../../index/columns/snapshot.ts";

const blockSize = 4096;
/** Maximum number of bytes that is reported: hostile archives may declare any size. */
const maxBytes = Number.MAX_SAFE_INTEGER;

const known = new WeakMap<Snapshot, FileSystemStatistics>();

/** Returns the size of all readable files of an index, without free space. Costs one pass over the entries, once. */
export function statisticsOf(snapshot: Snapshot): FileSystemStatistics {
  const before = known.get(snapshot);
  if (before) return before;
  const { entrySizes, entryDamage } = snapshot.columns;
  let bytes = 0;
  const directories = snapshot.sources.filter(({ kind }) => kind === "loose");
  for (const { path, kind, byteLayout, format, identity } of snapshot.sources) {
    // Packs are counted by what is in them, not as files of their directory too.
    const isFile = kind === "pack" && byteLayout === null && format !== "pk3dir";
    if (isFile && directories.some((directory) => path.startsWith(`${directory.path}/`))) bytes -= identity.size;
  }
  for (let entry = 0; entry < snapshot.entryCount; entry++) {
    if (entryDamage[entry] === 0) bytes += entrySizes[entry] ?? beyond(entrySizes);
  }
  const statistics = {
    blocks: Math.ceil(Math.min(Math.max(bytes, 0), maxBytes) / blockSize),
    blockSize,
    fragmentSize: blockSize,
    files: snapshot.entryCount,
    nameLength: maxNameLength,
  };
  known.set(snapshot, statistics);
  return statistics;
}

/** Maximum bytes of a name that Linux programs expect; longer ones are refused unless a file has them. */
export const maxNameLength = 255;
