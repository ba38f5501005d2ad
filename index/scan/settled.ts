/**
 * When an unchanged time stamp proves that nothing has changed.
 * @module
 */
import type { Identity } from "../columns/source.ts";

/** Linux stamps files with the time of its last tick, at most 10 ms old; milliseconds. */
const fineGranularity = 50;
/** FAT keeps times to two seconds, others to one; milliseconds. */
const coarseGranularity = 2000;

/**
 * Whether a change after `readAt` would show in the times of a file. What is changed twice within one tick of its
 * filesystem's clock has the same time stamp both times, so what was changed shortly before it was read is not trusted
 * (as git does with its index).
 * @param readAt When it was read; milliseconds since the epoch.
 */
export function isSettled({ mtime, ctime }: Pick<Identity, "mtime" | "ctime">, readAt: number): boolean {
  // Deno reports whole seconds of the ctime, whatever the file system keeps.
  const lastChange = ctime % 1000 === 0 ? ctime + 999 : ctime;
  // An mtime in the future was set by a program, and says nothing of when that was.
  const latest = mtime > readAt ? lastChange : Math.max(mtime, lastChange);
  // Where both stamps are whole seconds, the filesystem most likely knows no finer ones.
  const isCoarse = mtime % 1000 === 0 && ctime % 1000 === 0;
  return readAt - latest > (isCoarse ? coarseGranularity : fineGranularity);
}
