/**
 * The kernel's table of mounts, as text.
 * @module
 */

/** A line of the kernel's table of mounts. */
export interface MountRecord {
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
    const [, , device, , mountPoint] = before.split(" ");
    const [type, source] = after.split(" ");
    if (device === undefined || mountPoint === undefined || type === undefined || source === undefined) return [];
    return [{ mountPoint: unescaped(mountPoint), type, source: unescaped(source), device }];
  });
}

/** Whether it is one that pakfs made. */
export function isOwnMount({ type, source }: MountRecord): boolean {
  return type === "fuse.pakfs" || source === "pakfs";
}
