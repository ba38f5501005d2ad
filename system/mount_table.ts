/**
 * The kernel's table of mounts, as text.
 * @module
 */

/** A line of the kernel's table of mounts. */
export interface MountRecord {
  /** Number of the mount, which is free for another when it is gone. */
  id: string;
  /** Directory of its file system that is the root of the mount. */
  root: string;
  mountPoint: string;
  type: string;
  source: string;
  /** Device number of the file system, `major:minor`. */
  device: string;
}

/** Reads `/proc/self/mountinfo`: names in it have blanks and backslashes as octal escapes. */
export function parseMountInfo(text: string): MountRecord[] {
  const unescaped = (name: string) =>
    name.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [id, , device, root, mountPoint] = before.split(" ");
    const [type, source] = after.split(" ");
    if (!id || !device || !root || !mountPoint || !type || source === undefined) return [];
    return [{ id, device, root: unescaped(root), mountPoint: unescaped(mountPoint), type, source: unescaped(source) }];
  });
}

/** Whether it is one that pakfs made. */
export function isOwnMount({ type, source }: MountRecord): boolean {
  return type === "fuse.pakfs" || source === "pakfs";
}
