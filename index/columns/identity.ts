/**
 * Identities of files: whether a file or directory is still the one that was indexed.
 *
 * A pack is unchanged if size, times and inode are, and it was not modified just before it was read: no program can set
 * the `ctime`, so a file put in its place is noticed, or rewritten in place under its old size and time. The same holds
 * for loose files, whose `ctime` is in the column of packed sizes; and another directory in the place of one is noticed
 * by the inode that each of its files is listed with. Deno says whole seconds of the `ctime`: files that have just
 * changed are looked at by system calls.
 * @module
 */

/** Attributes of a file when it was indexed; if any differs later, it is no longer the indexed file. */
export interface Identity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Time of the last change of its content; milliseconds since the epoch. */
  readonly mtime: number;
  /**
   * Time of the last change of content, owner, mode or name, which no program can set; milliseconds since the epoch,
   * with the fraction that the file system keeps, or whole seconds where Deno was asked.
   */
  readonly ctime: number;
}

/** Identity of a file that could not be looked at. */
export const unknownIdentity: Identity = { device: 0, inode: 0, size: 0, mtime: 0, ctime: 0 };

/** Returns the identity of a file from its attributes. */
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
 * Returns whether two identities are of the same file, unchanged. Device numbers are not compared: they may differ
 * after a new mount or a reboot, and no program can set the ctime.
 */
export function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.inode === b.inode && a.size === b.size && a.mtime === b.mtime && isSameChange(a.ctime, b.ctime);
}

/** Returns whether two times of the last change are the same, as precisely as both are known. */
export function isSameChange(a: number, b: number): boolean {
  return a === b || ((isWhole(a) || isWhole(b)) && Math.floor(a / 1000) === Math.floor(b / 1000));
}

/** Returns whether a time may have been cut to whole seconds. */
export function isWhole(time: number): boolean {
  return time % 1000 === 0;
}

/** A file or directory that was looked at. */
export interface FileState extends Identity {
  readonly isFile: boolean;
}

/**
 * Looks at what is at a path, links followed; `undefined` if nothing can be seen there. The result may be overwritten by
 * the next call.
 */
export type LookAtFile = (path: string) => FileState | undefined;

/** Returns the state of a file from its attributes. */
export function stateFrom(information: Deno.FileInfo): FileState {
  return { ...identityFrom(information), isFile: information.isFile };
}

/** Returns the identity in a state, which may be overwritten later. */
export function identityOf({ device, inode, size, mtime, ctime }: FileState): Identity {
  return { device, inode, size, mtime, ctime };
}

/** Milliseconds. Linux stamps files with the time of its last tick, at most 10 ms ago. */
const fineGranularity = 50;
/** Milliseconds. FAT keeps times to two seconds, other file systems to one. */
const coarseGranularity = 2000;

/**
 * Returns whether a change after `readAt` would show in the times of a file. Two changes within one tick of the file
 * system's clock get the same time stamp, so a file that changed shortly before it was read is not trusted (as in git's
 * index).
 * @param readAt Time of reading; milliseconds since the epoch.
 */
export function isSettled({ mtime, ctime }: Pick<Identity, "mtime" | "ctime">, readAt: number): boolean {
  // Deno reports whole seconds of the ctime, whatever the file system keeps.
  const lastChange = isWhole(ctime) ? ctime + 999 : ctime;
  // An mtime in the future was set by a program, which says nothing about the time of the change.
  const latest = mtime > readAt ? lastChange : Math.max(mtime, lastChange);
  // Two stamps of whole seconds most likely mean that the file system has no finer ones.
  const isCoarse = isWhole(mtime) && isWhole(ctime);
  return readAt - latest > (isCoarse ? coarseGranularity : fineGranularity);
}

/** Milliseconds. Some layers keep fractions of times, others do not. */
const timeTolerance = 1;

/** Returns whether two times of a file are the same, as precisely as all layers keep them. */
export function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) <= timeTolerance;
}

/** Message for a file that is no longer the one that was indexed. */
export const changedSinceIndexed = 'changed or deleted since it was indexed; run "pakfs refresh"';

/** State of an open file, to be compared with the indexed one. */
export type OpenState = Omit<Identity, "device">;

/**
 * Returns whether a file is still the one with `identity`.
 * @param isKnownSame Nothing was written to it since it was compared: it may have another name, owner or mode.
 */
export function isIndexedFile(identity: Identity, now: OpenState, isKnownSame = false): boolean {
  return now.inode === identity.inode && now.size === identity.size && isSameTime(now.mtime, identity.mtime) &&
    (isKnownSame || isSameChange(now.ctime, identity.ctime));
}

/** Returns whether a directory is still the one with `identity`, whatever its content. */
export function isIndexedDirectory(identity: Identity, now: Pick<Identity, "inode">): boolean {
  return now.inode === identity.inode;
}
