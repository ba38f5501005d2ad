/**
 * File systems on which the kernel does not tell of every change: somebody else may make it.
 * @module
 */
import { statfs } from "node:fs/promises";

/** By the number of statfs(2), as in linux/magic.h and the file systems' own headers. */
const unreported: ReadonlyMap<number, string> = new Map([
  [0x6969, "nfs"],
  [0x517b, "smb"],
  [0xff534d42, "cifs"],
  [0xfe534d42, "smb"],
  [0x65735546, "fuse"],
  [0x01021997, "9p"],
  [0x786f4256, "vboxsf"],
  [0xbacbacbc, "vmhgfs"],
  [0x00c36400, "ceph"],
  [0x5346414f, "afs"],
  [0x6b414653, "afs"],
  [0x73757245, "coda"],
  [0x0bd00bd0, "lustre"],
  [0x19830326, "fhgfs"],
  [0x01161970, "gfs2"],
  [0x7461636f, "ocfs2"],
]);

/**
 * Name of the file system that a path is on, if that may change without the kernel's telling; else null. Without
 * `--allow-sys=statfs` that is not known, and null.
 */
export async function unreportedFileSystem(path: string): Promise<string | null> {
  try {
    const { type } = await statfs(path);
    return unreported.get(type >>> 0) ?? null;
  } catch {
    return null; // what is not there is found out elsewhere
  }
}
