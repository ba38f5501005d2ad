/**
 * Identities of files, to check whether a file or directory is still the indexed one.
 *
 * A pack is unchanged if size, times and inode are, and it was not modified just before it was read: no program can set
 * the `ctime`, so a replaced file is noticed, and a file rewritten in place with its old size and time. The same
 * applies to loose files, whose `ctime` is in the column of packed sizes. A replaced directory is noticed by its inode,
 * which is stored with each of its files. Deno reports whole seconds of the `ctime`: for recently changed files, system
 * calls are used.
 * @module
 */

/** Attributes of a file when it was indexed; if any of them differs later, it is another file. */
export interface Identity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Time of the last change of its content; milliseconds since the epoch. */
  readonly mtime: number;
  /**
   * Time of the last change of content, owner, mode or name, which no program can set; milliseconds since the epoch,
   * with the file system's fraction, or whole seconds from Deno.
   */
  readonly ctime: number;
}

/** Identity of an inaccessible file. */
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

/** Returns whether two ctimes are equal, in the lower of their precisions. */
export function isSameChange(a: number, b: number): boolean {
  return a === b || ((isWhole(a) || isWhole(b)) && Math.floor(a / 1000) === Math.floor(b / 1000));
}

/** Returns whether a time may have been truncated to whole seconds. */
export function isWhole(time: number): boolean {
  return time % 1000 === 0;
}

/** Attributes of a file or directory. */
export interface FileState extends Identity {
  readonly isFile: boolean;
}

/**
 * Returns the attributes of a path, following links; `undefined` if it is inaccessible. The next call may overwrite the
 * result.
 */
export type LookAtFile = (path: string) => FileState | undefined;

/** Returns the state of a file from its attributes. */
export function stateFrom(information: Deno.FileInfo): FileState {
  return { ...identityFrom(information), isFile: information.isFile };
}

/** Returns a copy of the identity in attributes, which may be overwritten later. */
export function identityOf({ device, inode, size, mtime, ctime }: FileState): Identity {
  return { device, inode, size, mtime, ctime };
}

/** Milliseconds. Linux uses the time of its last tick for files, at most 10 ms ago. */
const fineGranularity = 50;
/** Milliseconds. FAT stores times in units of two seconds, other file systems of one. */
const coarseGranularity = 2000;

/**
 * Returns whether a change after `readAt` would show in the times of a file. Two changes within one tick of the file
 * system's clock get the same timestamp, so a file that changed shortly before it was read is not trusted (as in git's
 * index).
 * @param readAt Time of reading; milliseconds since the epoch.
 */
export function isSettled({ mtime, ctime }: Pick<Identity, "mtime" | "ctime">, readAt: number): boolean {
  // Deno reports whole seconds of the ctime on every file system.
  const lastChange = isWhole(ctime) ? ctime + 999 : ctime;
  // An mtime in the future was set by a program, and does not show the time of the change.
  const latest = mtime > readAt ? lastChange : Math.max(mtime, lastChange);
  // Two timestamps of whole seconds most likely mean that the file system has no finer ones.
  const isCoarse = isWhole(mtime) && isWhole(ctime);
  return readAt - latest > (isCoarse ? coarseGranularity : fineGranularity);
}

/** Milliseconds. Some layers keep fractions of times, others do not. */
const timeTolerance = 1;

/** Returns whether two times of a file are equal, in the precision that all layers store. */
function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) <= timeTolerance;
}

/** Message for a file that is no longer the indexed one. */
export const changedSinceIndexed = 'changed or deleted since it was indexed; run "pakfs refresh"';

/** State of an open file, to be compared with the indexed one. */
export type OpenState = Omit<Identity, "device">;

/**
 * Returns whether a file is still the one with `identity`.
 * @param isKnownSame Whether nothing was written to it since it was compared: only name, owner or mode may differ.
 */
export function isIndexedFile(identity: Identity, now: OpenState, isKnownSame = false): boolean {
  return now.inode === identity.inode && now.size === identity.size && isSameTime(now.mtime, identity.mtime) &&
    (isKnownSame || isSameChange(now.ctime, identity.ctime));
}

/** Returns whether a directory is still the one with `identity`, regardless of its content. */
export function isIndexedDirectory(identity: Identity, now: Pick<Identity, "inode">): boolean {
  return now.inode === identity.inode;
}
