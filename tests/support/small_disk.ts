/**
 * Small disks, for tests of full file systems.
 * @module
 */
import { temporaryDirectory } from "./temporary.ts";

/** A file system of its own that is unmounted when the scope it is bound to ends. */
export interface SmallDisk extends AsyncDisposable {
  /** Absolute path of its root. */
  readonly path: string;
}

/** Mounts an empty file system of `size` bytes (as in `64k`); `undefined` where that is not allowed. */
export async function smallDisk(size: string): Promise<SmallDisk | undefined> {
  const directory = await temporaryDirectory();
  const mount = new Deno.Command("mount", {
    args: ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", directory.path],
    stderr: "null",
  });
  const { success } = await mount.output().catch(() => ({ success: false }));
  if (!success) {
    await directory[Symbol.asyncDispose]();
    return undefined;
  }
  return {
    path: directory.path,
    async [Symbol.asyncDispose](): Promise<void> {
      await new Deno.Command("umount", { args: ["-l", directory.path] }).output();
      await directory[Symbol.asyncDispose]();
    },
  };
}
