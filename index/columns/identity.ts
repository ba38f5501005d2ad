/**
 * Identities of files: whether a file or directory is still the one that was indexed.
 * @module
 */

/** What a file was when it was indexed; if any of it differs later, the index no longer speaks of that file. */
export interface Identity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** When its content changed last; milliseconds since the epoch. */
  readonly mtime: number;
  /** When its content, owner, mode or name changed last, which no program can set; milliseconds since the epoch. */
  readonly ctime: number;
}

/** The identity of what the file system tells of. */
export function identityFrom(information: Deno.FileInfo): Identity {
  return {
    device: information.dev,
    inode: information.ino ?? 0,
    size: information.size,
    mtime: information.mtime?.getTime() ?? 0,
    ctime: information.ctime?.getTime() ?? 0,
  };
}

/**
 * Whether two looks at a path saw the same file, unchanged. Numbers of devices are not compared: they may differ after
 * the next mount or start of the machine, and times that no program can set tell enough.
 */
export function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.inode === b.inode && a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime;
}

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

/** Times are kept with a fraction by some layers and without by others; milliseconds. */
const timeTolerance = 1;

/** Whether two times of a file are the same, as far as all layers keep them. */
export function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) <= timeTolerance;
}

/** What is said of a file that is no longer the one that was indexed. */
export const changedSinceIndexed = 'changed or deleted since it was indexed; run "pakfs refresh"';

/** Whether a file is still the one that `identity` is of. */
export function isIndexedFile(identity: Identity, now: Pick<Identity, "inode" | "size" | "mtime">): boolean {
  return now.inode === identity.inode && now.size === identity.size && isSameTime(now.mtime, identity.mtime);
}

/** Whether a directory is still the one that `identity` is of, whatever was changed in it. */
export function isIndexedDirectory(identity: Identity, now: Pick<Identity, "inode">): boolean {
  return now.inode === identity.inode;
}
